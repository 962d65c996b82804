/* The box of keys, the palette, the help of a mode and the tutor's banner. */
#include "tests/tui/scene.h"

#include "tui/panels/panels.h"
#include "tui/keys/keymap.h"
#include "tui/keys/keys.h"

/* A few notes, and the cursor on the first. */
static void scale_init(struct scene *s, int columns, int rows)
{
    struct score *score = score_create(480);
    assert_int_equal(score_add_track(score, "Soprano", 0, 52), 0);
    for (int i = 0; i < 8; i++)
        add_note(score, 0, 480 * i, 480, 60 + 2 * i, 80);
    scene_open(s, score, columns, rows,
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
    struct keymap *m = keymap_create();
    assert_true(m && key_parse("z u", keys));
    assert_true(keymap_add(m, keymap_modes_of(CMD_UNDO), keys, CMD_UNDO));
    scale_init(&s, 80, 24);
    s.view.keys.map = m;
    open_box(&s, 'z', 0);
    assert_non_null(strstr(rows_from(&s, 0), "u undo"));
    keymap_destroy(m);
}

static const struct palette_line LINES[] = {
    {"zoom in on time", "zi", "", 0x63},
    {"go to track 2 \033[2Jzither", "", "track", 0x1C000},
    {"set the tempo at the cursor's bar", ":tempo 96", "", 0},
    {"open /home/x/music/a-very-long-name-for-a-zip-of-a-folder-full-of-music.mid", "",
     "file", 0},
    {"go to лад 音楽", "bar 12", "marker", 0},
};

static void open_palette(struct scene *s)
{
    static const struct palette_view FOUND = {LINES, 5, 0, 5, 1};
    s->view.mode = MODE_PALETTE;
    s->view.palette = &FOUND;
    s->view.prompt.input = "zi";
}

SCREEN_WITH(scale_init, palette_80x24, open_palette(s))

SCREEN_OF(scale_init, palette_ascii_40x12)
{
    open_palette(s);
    s->view.prompt.input = "a line longer than there is room for it here";
    s->view.prompt.after = 4;
}

SCREEN_OF(scale_init, palette_nothing_80x24)
{
    static const struct palette_view NOTHING = {0};
    s->view.mode = MODE_PALETTE;
    s->view.palette = &NOTHING;
    s->view.prompt.input = "xyzzy";
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
