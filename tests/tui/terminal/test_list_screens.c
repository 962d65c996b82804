/* The lists over the roll: takes, states, wishes and tracks; what is chosen is in sight and
 * told apart, with colours and without. The box of keys, the palette, the help of a mode and the
 * tutor's banner. */
#include "tests/tui/scene.h"
#include "tui/panels/panels.h"
#include "tui/keys/keymap.h"
#include "tui/keys/keys.h"

/* It stands beside the notes. */
SCREEN(list_80x24)
{
    add_takes(s);
    add_list(s);
    s->view.transport.is_playing = false;
}

/* 1 2 3 in a row, 4 5 below 1, 6 below 0; 4 is the present state. */
static const struct history_row HISTORY[] = {
    {.state = 6, .label = "continue 4 bars", .when = "14:05:00", .is_saved = true},
    {.state = 5,
     .label = "add a note",
     .when = "14:04:09",
     .lane = 1,
     .passing = 1,
     .is_on_way = true},
    {.state = 4,
     .label = "move \033[31mnotes up",
     .when = "14:03:22",
     .lane = 1,
     .passing = 1,
     .is_present = true,
     .is_on_way = true},
    {.state = 3, .label = "add a note", .when = "14:03:07", .lane = 2, .passing = 3},
    {.state = 2, .label = "add a note", .when = "21 Nov", .lane = 2, .passing = 3},
    {.state = 1,
     .label = "add a note",
     .when = "21 Nov",
     .lane = 1,
     .passing = 1,
     .joining = 4,
     .is_on_way = true},
    {.state = 0, .label = "as it was opened", .joining = 2, .is_on_way = true},
};

static void open_history(struct scene *s)
{
    s->view.mode = MODE_HISTORY;
    s->view.history = HISTORY;
    s->view.lists[LIST_HISTORY] =
        (struct list_view){true, sizeof HISTORY / sizeof HISTORY[0], 2, 0};
}

SCREEN_WITH(scene_init, steer_80x24, open_panel(s, 3))

/* The chosen line stays in sight, and no slider has room. */
SCREEN_WITH(scene_init, steer_40x12, open_panel(s, 6))

/* The second of four is chosen; the others have marks, the third a colour of its own and no
 * notes on the roll, one plays drums. */
static void add_track_list(struct scene *s)
{
    assert_int_equal(score_add_track(s->score, "", 9, 40), 3);
    struct track *tracks = s->score->tracks;
    tracks[0].mute = tracks[0].arm = true;
    tracks[2].hide = true;
    tracks[2].colour = 6;
    s->view.mode = MODE_TRACKS;
    s->view.track = 1;
    s->view.lists[LIST_TRACKS] = (struct list_view){true, 4, 1, 0};
}

SCREEN(tracks_80x24)
{
    add_track_list(s);
    s->view.transport.is_playing = true;
    s->view.transport.tick = 26.2 * SIXTEENTH;
}

SCREEN(tracks_200x50)
{
    static const uint8_t FOUND[] = {4, 5, 2};
    add_track_list(s);
    s->view.mode = MODE_PROMPT;
    s->view.prompt = (struct prompt_view){.label = ":", .text = "instrument epia"};
    s->view.instruments.programs = FOUND;
    s->view.lists[LIST_INSTRUMENTS] = (struct list_view){true, 3, 1, 0};
}

/* More than there is room for, on the smallest screen. */
SCREEN(tracks_40x12)
{
    add_track_list(s);
    for (int i = 4; i < 40; i++)
        assert_int_equal(score_add_track(s->score, "More", 5, 0), i);
    s->view.track = 20;
    s->view.lists[LIST_TRACKS] = (struct list_view){true, 40, 20, 0};
}

/* Without more colours the chosen row is still told apart. */
SCREEN_WITH(scene_init, history_16_80x24, open_history(s))

/* A few notes, and the cursor on the first. */
static void scale_init(struct scene *s, int columns, int rows)
{
    scene_open(s, score_of("480 | Soprano #52: 60 62 64 66 68 70 72 74"), columns, rows,
               (struct view){.cursor.pitch = 60,
                             .grid = {120, "1/16"},
                             .transport.has_sound = true,
                             .file.name = "tune.mid",
                             .machine.model_name = "chorale"});
}

static void open_box(struct scene *s, uint32_t prefix, int count)
{
    s->view.keys.prefix = prefix;
    s->view.keys.count = count;
    s->view.keys.which_key = true;
}

SCREEN_WITH(scale_init, which_key_80x24, open_box(s, 'z', 0))

/* A screen so small has no room for all of them, and says so. */
SCREEN_WITH(scale_init, which_key_ascii_40x12, open_box(s, 0, 3))

/* A changed key is told wherever keys are. */
TEST(box_of_changed_keys)
{
    auto_scene s;
    uint32_t keys[2];
    struct binding *m = keymap_create();
    assert_true(m && key_parse("z u", keys));
    assert_true(keymap_add(&m, keymap_modes_of(CMD_UNDO), keys, CMD_UNDO));
    scale_init(&s, 80, 24);
    s.view.keys.map = m;
    open_box(&s, 'z', 0);
    assert_non_null(strstr(rows_from(&s, 0), "u undo"));
    free(m);
}

static const struct palette_line LINES[] = {
    {"zoom in on time", "zi", "", 0x63, 1, 0},
    {"go to track 2 \033[2Jzither", "", "track", 0x1C000, 1, 1},
    {"set the tempo at the cursor's bar", ":tempo 96", "", 0, 1, 2},
    {"open /home/x/music/a-very-long-name-for-a-zip-of-a-folder-full-of-music.mid", "",
     "file", 0, 1, 3},
    {"go to лад 音楽", "bar 12", "marker", 0, 1, 4},
};

static void open_palette(struct scene *s)
{
    s->view.mode = MODE_PALETTE;
    s->view.palette = LINES;
    s->view.lists[LIST_PALETTE] = (struct list_view){true, 5, 1, 0};
    s->view.prompt = (struct prompt_view){.text = "zi"};
}

SCREEN_WITH(scale_init, palette_80x24, open_palette(s))

SCREEN_OF(scale_init, palette_ascii_40x12)
{
    open_palette(s);
    s->view.prompt = (struct prompt_view){
        .text = "a line longer than there is room for it here", .after = 4};
}

SCREEN_OF(scale_init, palette_nothing_80x24)
{
    s->view.mode = MODE_PALETTE;
    s->view.lists[LIST_PALETTE].is_open = true;
    s->view.prompt = (struct prompt_view){.text = "xyzzy"};
}

SCREEN_OF(scale_init, help_all_80x24)
{
    s->view.mode = MODE_HELP;
    s->view.help.mode = MODE_NORMAL;
    s->view.help.all = true;
}

/* A mode's own page has no key that does nothing there. */
TEST(help_of_a_mode_is_its_own)
{
    for (int mode = 0; mode < MODE_COUNT; mode++) {
        const struct help_page one = {NULL, (enum mode)mode, false},
                               all = {NULL, (enum mode)mode, true};
        assert_true(help_max_scroll(&one, 80, 24) < help_max_scroll(&all, 80, 24));
    }
}

static void set_banner(struct scene *s)
{
    s->view.banner.title = "tutor, 3 of 12; :tutor ends it";
    s->view.banner.lines[0] =
        "Move past the note with l. i begins draw mode: Enter puts a note and";
    s->view.banner.lines[1] =
        "moves on; j and k choose its pitch. Draw three notes or more.";
    s->view.banner.n = 2;
}

SCREEN_WITH(scale_init, tutor_80x24, set_banner(s))

/* Above, it would hide the cursor. */
SCREEN_OF(scale_init, tutor_below_80x24)
{
    set_banner(s);
    s->view.cursor.pitch = s->view.port.top_pitch - 1;
}
