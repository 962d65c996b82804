/* Whole frames of a hand-made score, against saved screens in tests/tui/golden,
 * with spot checks of colour, and frames of random views that must merely hold.
 * CONTINUO_GOLDEN=write saves them anew; look at them before committing. */
#include "tui/frame.h"
#include "tui/history_list.h"
#include "tui/steer_panel.h"
#include "tui/survey.h"
#include "tui/take_list.h"
#include "tui/track_list.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "tests/tui/golden.h"

enum { SIXTEENTH = 120 };

struct scene {
    struct score *score;
    struct view view;
    struct theme theme;
    struct cells cells;
    struct ghost ghosts[3];
    struct take_row takes[26];
    uint64_t selected[1], replaced[8];
};

/* Pitch and length in sixteenths, in turn; pitch 0 is a rest. */
static void add_line(struct score *s, int track, const int *line, int n)
{
    int64_t at = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        struct note note = {.start = at,
                            .length = (int64_t)SIXTEENTH * line[i + 1],
                            .pitch = (uint8_t)line[i],
                            .velocity = (uint8_t)(60 + 4 * i)};
        if (line[i])
            assert_true(score_add_note(s, track, note) != 0);
        at += note.length;
    }
}

static struct score *make_score(void)
{
    static const int SOPRANO[] = {71, 4,  70, 4,  71, 2,  73, 2,  74,
                                  4,  76, 4,  74, 4,  73, 4,  71, 4};
    static const int ALTO[] = {67, 4,  66, 6,  70, 2,  0, 2,  66,
                               2,  66, 2,  66, 1,  66, 1, 67, 8};
    static const int BASS[] = {52, 8, 50, 2, 49, 2, 47, 4, 59, 4, 58, 2, 59, 10};
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "Soprano", 0, 52), 0);
    assert_int_equal(score_add_track(s, "Alto \033[31m\xE2\x80\xAE", 1, 52), 1);
    assert_int_equal(score_add_track(s, "Bass", 2, 32), 2);
    add_line(s, 0, SOPRANO, sizeof SOPRANO / sizeof SOPRANO[0]);
    add_line(s, 1, ALTO, sizeof ALTO / sizeof ALTO[0]);
    add_line(s, 2, BASS, sizeof BASS / sizeof BASS[0]);
    return s;
}

static void scene_init(struct scene *s, int columns, int rows)
{
    *s = (struct scene){.score = make_score()};
    s->theme = theme_for(DEPTH_TRUE, false, false);
    assert_true(cells_init(&s->cells, columns, rows));
    s->view = (struct view){.score = s->score,
                            .cursor_tick = 20 * SIXTEENTH,
                            .cursor_pitch = 69,
                            .grid_ticks = SIXTEENTH,
                            .grid_name = "1/16",
                            .has_sound = true,
                            .file_name = "aus-tiefer-not.mid",
                            .model_name = "chorale",
                            .modified = true};
    struct layout l = layout_for(columns, rows);
    viewport_fit(&s->view.port, &l, s->score);
}

static void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
}

static void add_takes(struct scene *s)
{
    static const int PITCHES[] = {62, 64, 66};
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){
            .track = 1,
            .note = {.start = (34 + 4 * i) * SIXTEENTH,
                     .length = 4 * SIXTEENTH,
                     .pitch = (uint8_t)PITCHES[i],
                     .velocity = 80},
            .probability = 0.3f * (float)i,
        };
    s->view.mode = MODE_TAKES;
    s->view.ghosts = s->ghosts;
    s->view.n_ghosts = 3;
    s->view.has_hole = true;
    s->view.hole = (struct box){32 * SIXTEENTH, 48 * SIXTEENTH, 60, 68};
    s->view.hole_label = "bar 3";
    s->view.take_label = "take 2, seed 8";
    s->view.playing = true;
    s->view.playhead_tick = 26.2 * SIXTEENTH;
}

/* They wait, or are being written: of five, C is shown, with its second note kept. */
static void add_list(struct scene *s)
{
    static const double NATS[] = {0.71, 0.64, 0.92, 1.4, 0.7};
    static const int RANKS[] = {3, 1, 4, 5, 2};
    for (int i = 0; i < 26; i++)
        s->takes[i] = (struct take_row){
            .letter = (char)('A' + i),
            .rank = i < 5 ? RANKS[i] : i + 1,
            .n_notes = (size_t)(10 + 7 * i),
            .nats = NATS[i % 5],
            .masked = 0.013 * i,
            .seed = i == 3 ? UINT64_MAX : 8 + (uint64_t)i,
            .share = 0.2 * i,
        };
    s->ghosts[1].is_kept = true;
    s->view.takes = s->takes;
    s->view.n_takes = 5;
    s->view.shown_take = 2;
    s->view.list_takes = true;
    s->view.has_frontier = true;
    s->view.frontier_tick = 46 * SIXTEENTH;
}

/* Bar 2 of the bass from a sixteenth on, filled: what it held is still there to see. */
static void add_hole(struct scene *s, int from)
{
    const struct track *bass = &s->score->tracks[2];
    size_t n = 0;
    for (size_t i = 0; i < bass->n_notes; i++)
        if (bass->notes[i].start >= from * SIXTEENTH &&
            bass->notes[i].start + bass->notes[i].length <= 32 * SIXTEENTH)
            s->replaced[n++] = bass->notes[i].id;
    for (int i = 0; i < 3; i++)
        s->ghosts[i] = (struct ghost){
            .track = 2,
            .note = {.start = (from + 1 + 3 * i) * SIXTEENTH,
                     .length = 2 * SIXTEENTH,
                     .pitch = (uint8_t)(55 + 2 * i),
                     .velocity = 80},
            .probability = 0.3f * (float)i,
        };
    s->view.track = 2;
    s->view.mode = MODE_TAKES;
    s->view.port.top_pitch = 72;
    s->view.cursor_tick = 16 * SIXTEENTH;
    s->view.cursor_pitch = 62;
    s->view.replaced = s->replaced;
    s->view.n_replaced = n;
    s->view.ghosts = s->ghosts;
    s->view.n_ghosts = 3;
    s->view.has_hole = true;
    s->view.hole = (struct box){from * SIXTEENTH, 32 * SIXTEENTH, 53, 60};
    s->view.hole_label = "bar 2";
    s->view.hole_track = s->score->tracks[2].name;
    s->view.take_label = "take 1, seed 8";
}

static void check(struct scene *s, const char *name)
{
    frame_draw(&s->cells, &s->view, &s->theme);
    compare_with_golden(&s->cells, name);
    scene_fini(s);
}

static void normal_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    check(&s, "normal-80x24");
}

static void takes_200x50(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    add_takes(&s);
    check(&s, "takes-200x50");
}

static void select_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    s.view.mode = MODE_SELECT;
    s.view.has_selection = true;
    s.view.selection = (struct box){16 * SIXTEENTH, 28 * SIXTEENTH, 66, 76};
    s.selected[0] = s.score->tracks[0].notes[4].id;
    s.view.selected = s.selected;
    s.view.n_selected = 1;
    check(&s, "select-mono-80x24");
}

static void takes_ascii_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, true);
    add_takes(&s);
    s.view.message = "cannot write x.mid: the disk is full";
    s.view.message_is_error = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    for (int i = 0; i < 80 * 24; i++)
        assert_in_range(s.cells.at[i].glyph, ' ', '~');
    check(&s, "takes-ascii-80x24");
}

static void list_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    add_takes(&s);
    add_list(&s);
    s.view.playing = false;
    check(&s, "list-80x24");
}

/* More takes than rows: the one that is shown is in sight. */
static void list_too_long(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 16);
    add_takes(&s);
    add_list(&s);
    s.view.n_takes = 26;
    struct layout l = layout_for(80, 16);
    for (s.view.shown_take = -1; s.view.shown_take < 26; s.view.shown_take++) {
        frame_draw(&s.cells, &s.view, &s.theme);
        struct list_box b = take_list_box(&l, 26, s.view.shown_take);
        int i = s.view.shown_take < 0 ? 0 : s.view.shown_take, at = b.items.column;
        int row = b.items.row + i - b.first;
        assert_true(region_has(&b.items, at, row));
        assert_int_equal(cells_at(&s.cells, at + 1, row)->glyph, 'A' + i);
        assert_int_equal(list_box_at(&b, at, row), i);
        assert_int_equal(list_box_at(&b, at - 1, row), -1);
    }
    scene_fini(&s);
}

/* By dots and shades, the denser the surer; what is kept has its name in a box. */
static void shaded_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    add_takes(&s);
    add_list(&s);
    s.view.list_takes = false;
    s.view.playing = false;
    s.view.shade_by_probability = true;
    s.view.cursor_tick = s.ghosts[1].note.start; /* which is told at the foot */
    s.view.cursor_pitch = s.ghosts[1].note.pitch;
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(80, 24);
    int row = layout_row(&l, &s.view.port, s.ghosts[1].note.pitch);
    int column = (int)layout_column(&l, &s.view.port, s.ghosts[1].note.start);
    s.view.cursor_pitch++;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_true(cells_at(&s.cells, column, row)->attr & ATTR_REVERSE);
    s.view.cursor_pitch--;
    check(&s, "shaded-mono-80x24");
}

static void hole_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    add_hole(&s, 16);
    check(&s, "hole-80x24");
}

/* Narrower than its name, and without colours. */
static void hole_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    add_hole(&s, 20);
    s.view.hole.pitch_lo = 0;
    s.view.hole.pitch_hi = 127;
    s.view.hole_label = "3 beats of bar 2";
    check(&s, "hole-mono-80x24");
}

static const struct steer_line STEER_LINES[] = {
    {"temperature", "how bold", "1", 0.2, false},
    {"seed", "the dice", "18446744073709551615", -1, true},
    {"style", "what it is to sound like", "folk", -1, true},
    {"density", "wish: notes in a quarter on each track", "2.83", 0.8, true},
    {"voices", "wish: notes at once, on the mean", "any", -1, false},
    {"takes", "how many are written side by side", "8", 1, true},
    {"polyphony", "at most so many notes at once on a track", "any", -1, false},
};

static void open_panel(struct scene *s, int chosen)
{
    s->view.mode = MODE_STEER;
    s->view.steer_lines = STEER_LINES;
    s->view.n_steer_lines = sizeof STEER_LINES / sizeof STEER_LINES[0];
    s->view.steer_chosen = chosen;
    s->view.steer_summary = "style folk, density 2.83, takes 8";
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
    s->view.n_history = sizeof HISTORY / sizeof HISTORY[0];
    s->view.history_chosen = 2;
}

static void history_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    open_history(&s);
    check(&s, "history-80x24");
}

static void history_ascii_40x12(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 40, 12);
    s.theme = theme_for(DEPTH_MONO, false, true);
    open_history(&s);
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(40, 12);
    struct list_box b = history_list_box(&l, s.view.n_history, 2);
    int row = b.items.row + 2 - b.first, column = b.items.column + 3;
    assert_true(cells_at(&s.cells, column, row)->attr & ATTR_REVERSE);
    assert_false(cells_at(&s.cells, column, row + 1)->attr & ATTR_REVERSE);
    check(&s, "history-ascii-40x12");
}

static void steer_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    open_panel(&s, 3);
    check(&s, "steer-80x24");
}

/* Without colours the chosen line is reversed. */
static void steer_mono_132x46(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 132, 46);
    s.theme = theme_for(DEPTH_MONO, false, true);
    open_panel(&s, 0);
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(132, 46);
    struct steer_panel p = steer_panel_for(&l, s.view.n_steer_lines, 0);
    int row = p.box.items.row;
    assert_true(cells_at(&s.cells, p.value, row)->attr & ATTR_REVERSE);
    assert_false(cells_at(&s.cells, p.value, row + 1)->attr & ATTR_REVERSE);
    check(&s, "steer-mono-132x46");
}

/* The chosen line stays in sight, and no slider has room. */
static void steer_40x12(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 40, 12);
    open_panel(&s, 6);
    struct layout l = layout_for(40, 12);
    struct steer_panel p = steer_panel_for(&l, s.view.n_steer_lines, 6);
    int last = p.box.items.row + p.box.n_shown - 1;
    assert_int_equal(list_box_at(&p.box, p.value, last), 6);
    assert_int_equal(list_box_at(&p.box, p.value, p.box.frame.row), -1);
    assert_int_equal(p.n_slider, 0);
    check(&s, "steer-40x12");
}

/* D minor: the beats' dots are where notes are out of it, the tonic has its mark. */
static void scale_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, false);
    s.view.scale = 0x6b5;
    s.view.scale_tonic = 2;
    s.view.scale_sharps = -1;
    check(&s, "scale-mono-80x24");
}

/* Only its rows, and those of notes out of it, with a grid of triplets. */
static void fold_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    struct layout l = layout_for(80, 24);
    struct pitch_set hidden = {{0, 0}};
    s.view.scale = 0x6b5;
    s.view.scale_tonic = 2;
    s.view.scale_sharps = -1;
    for (int pitch = 0; pitch < 128; pitch++)
        if (!(s.view.scale >> pitch % 12 & 1) && pitch != 66 && pitch != 71 &&
            pitch != 73)
            pitch_set_add(&hidden, pitch);
    s.view.cursor_tick = 1920;
    s.view.grid_ticks = 80;
    s.view.grid_name = "1/16T";
    viewport_fold(&s.view.port, &l, hidden, 69);
    frame_draw(&s.cells, &s.view, &s.theme);
    const struct cell *in = cells_at(&s.cells, 40, layout_row(&l, &s.view.port, 76));
    const struct cell *out = cells_at(&s.cells, 40, layout_row(&l, &s.view.port, 73));
    const struct cell *home = cells_at(&s.cells, 40, layout_row(&l, &s.view.port, 74));
    assert_true(in->bg != out->bg && home->bg != in->bg && home->bg != out->bg);
    check(&s, "fold-80x24");
}

static void help_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.mode = MODE_HELP;
    check(&s, "help-80x24");
}

static void help_200x50(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    s.view.mode = MODE_HELP;
    check(&s, "help-200x50");
}

/* The second of four is chosen; the others have marks, one plays drums. */
static void add_track_list(struct scene *s)
{
    assert_int_equal(score_add_track(s->score, "", 9, 40), 3);
    struct track *tracks = s->score->tracks;
    tracks[0].mute = tracks[0].arm = true;
    tracks[2].hide = true;
    tracks[2].colour = 6;
    s->view.mode = MODE_TRACKS;
    s->view.list_tracks = true;
    s->view.track = 1;
}

static void tracks_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    add_track_list(&s);
    s.view.playing = true;
    s.view.playhead_tick = 26.2 * SIXTEENTH;
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(80, 24);
    struct track_list list = track_list_for(&l, 4, 0);
    for (int i = 0; i < 4; i++) {
        int row = list.box.items.row + i;
        assert_int_equal(list_box_at(&list.box, list.name, row), i);
        assert_int_equal(
            cells_at(&s.cells, list.colour, row)->fg,
            theme_track(&s.theme, i == 2 ? 5 : i)); /* the third has its own */
    }
    check(&s, "tracks-80x24");
}

static void tracks_200x50(void **state)
{
    (void)state;
    static const uint8_t FOUND[] = {4, 5, 2};
    struct scene s;
    scene_init(&s, 200, 50);
    add_track_list(&s);
    s.view.mode = MODE_PROMPT;
    s.view.prompt = ":";
    s.view.input = "instrument epia";
    s.view.instruments = FOUND;
    s.view.n_instruments = 3;
    s.view.chosen_instrument = 1;
    check(&s, "tracks-200x50");
}

static void tracks_ascii_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    add_track_list(&s);
    s.theme = theme_for(DEPTH_256, true, true);
    check(&s, "tracks-ascii-80x24");
}

static void tracks_mono_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    add_track_list(&s);
    s.theme = theme_for(DEPTH_MONO, false, false);
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(80, 24);
    struct track_list list = track_list_for(&l, 4, 0);
    int row = list.box.items.row;
    assert_true(cells_at(&s.cells, list.name, row + 1)->attr & ATTR_REVERSE);
    assert_false(cells_at(&s.cells, list.name, row)->attr & ATTR_REVERSE);
    check(&s, "tracks-mono-80x24");
}

/* More than there is room for, on the smallest screen. */
static void tracks_40x12(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 40, 12);
    add_track_list(&s);
    for (int i = 4; i < 40; i++)
        assert_int_equal(score_add_track(s.score, "More", 5, 0), i);
    s.view.track = 20;
    struct layout l = layout_for(40, 12);
    s.view.tracks_first = track_list_reveal(&l, 40, 0, 20);
    check(&s, "tracks-40x12");
}

/* In every depth of colour: on the accent, or reversed where there is none. */
static void chosen_rows_look_alike(void **state)
{
    (void)state;
    for (int depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
        struct scene s;
        scene_init(&s, 80, 24);
        s.theme = theme_for((enum depth)depth, false, false);
        struct layout l = layout_for(80, 24);
        open_history(&s);
        frame_draw(&s.cells, &s.view, &s.theme);
        struct list_box states = history_list_box(&l, s.view.n_history, 2);
        int end = states.items.column + states.items.columns - 1;
        struct cell state_cell = *cells_at(&s.cells, end, states.items.row + 2);
        struct cell other = *cells_at(&s.cells, end, states.items.row + 1);
        s.view.n_history = 0;
        open_panel(&s, 3);
        frame_draw(&s.cells, &s.view, &s.theme);
        struct region lines = steer_panel_for(&l, s.view.n_steer_lines, 3).box.items;
        struct cell line = *cells_at(&s.cells, lines.column, lines.row + 3);
        assert_int_equal(line.bg, s.theme.accent);
        assert_int_equal(line.fg, s.theme.on_accent);
        assert_int_equal(!!(line.attr & ATTR_REVERSE), depth == DEPTH_MONO);
        assert_int_equal(!!(line.attr & ATTR_BOLD), depth != DEPTH_16);
        assert_true(line.fg == state_cell.fg && line.bg == state_cell.bg &&
                    line.attr == state_cell.attr);
        assert_true(other.bg != line.bg || other.attr != line.attr);
        scene_fini(&s);
    }
}

static const struct cell *cell_of(struct scene *s, int64_t tick, int pitch)
{
    struct layout l = layout_for(s->cells.columns, s->cells.rows);
    return cells_at(&s->cells, (int)layout_column(&l, &s->view.port, tick),
                    layout_row(&l, &s->view.port, pitch));
}

/* Notes of other tracks may be left out, of one or of all; the edited one's never. */
static void other_notes_are_hidden(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 132, 46);
    s.score->tracks[0].hide = s.score->tracks[1].hide = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_not_equal(cell_of(&s, SIXTEENTH, 71)->bg, s.theme.row_white);
    assert_int_equal(cell_of(&s, SIXTEENTH, 67)->bg, s.theme.row_white);
    s.score->tracks[1].hide = false;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_not_equal(cell_of(&s, SIXTEENTH, 67)->bg, s.theme.row_white);
    s.view.hide_others = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(cell_of(&s, SIXTEENTH, 67)->bg, s.theme.row_white);
    scene_fini(&s);
}

static void generating_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.generating = true;
    s.view.generated_share = 0.62;
    s.view.bars_per_second = 41;
    s.view.n_ghost_bars = 8;
    s.view.n_at_work = 4;
    s.view.seconds_left = 2.6;
    s.view.has_sound = false;
    check(&s, "generating-80x24");
}

static void zoomed_out_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.port.ticks_per_column = 960;
    check(&s, "zoomed-out-80x24");
}

static void tall_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.view.port.rows_per_pitch = 3;
    s.view.port.top_pitch = 72;
    s.view.mode = MODE_PROMPT;
    s.view.prompt = "open: ";
    s.view.input = "лад/音楽.mid";
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(s.cells.cursor_row, 23);
    assert_int_equal(s.cells.cursor_column, 6 + 12);
    check(&s, "tall-prompt-80x24");
}

static void too_small(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 38, 9);
    check(&s, "too-small-38x9");
}

static void colours(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 132, 46);
    add_takes(&s);
    frame_draw(&s.cells, &s.view, &s.theme);
    const struct theme *t = &s.theme;
    const struct note *first = &s.score->tracks[0].notes[0];
    assert_int_equal(cell_of(&s, SIXTEENTH, 71)->bg,
                     theme_note(t, 0, first->velocity, PRESENCE_ACTIVE));
    assert_int_equal(
        cell_of(&s, SIXTEENTH, 67)->bg,
        theme_note(t, 1, s.score->tracks[1].notes[0].velocity, PRESENCE_OTHER));
    assert_int_equal(cell_of(&s, SIXTEENTH, 72)->bg, t->row_white);
    assert_int_equal(cell_of(&s, SIXTEENTH, 73)->bg, t->row_black);
    assert_int_equal(cell_of(&s, 16 * SIXTEENTH, 73)->fg, t->line_bar);
    assert_int_equal(cell_of(&s, 20 * SIXTEENTH, 69)->bg, t->accent);
    assert_int_equal(cell_of(&s, 26 * SIXTEENTH, 79)->fg, t->playhead);
    assert_int_equal(cell_of(&s, 36 * SIXTEENTH, 62)->fg, theme_track(t, 1));
    s.score->tracks[1].mute = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(
        cell_of(&s, SIXTEENTH, 67)->bg,
        theme_note(t, 1, s.score->tracks[1].notes[0].velocity, PRESENCE_MUTED));
    scene_fini(&s);
}

/* No text from the file reaches the cells as a control or an override. */
static void file_text_is_safe(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    s.view.file_name = "\033]0;x\a\xE2\x80\xAE\xFF.mid";
    s.view.message = "cannot read \033[2J";
    s.view.track = 1;
    frame_draw(&s.cells, &s.view, &s.theme);
    for (int i = 0; i < 200 * 50; i++) {
        uint32_t glyph = s.cells.at[i].glyph;
        assert_false((glyph > 0 && glyph < ' ') || (glyph >= 0x7F && glyph < 0xA0));
        assert_false(glyph >= 0x202A && glyph <= 0x202E);
    }
    scene_fini(&s);
}

/* Neighbouring notes of one pitch are told apart at every zoom. */
static void repeated_notes_are_seen_apart(void **state)
{
    (void)state;
    for (int columns_each = 1; columns_each <= 4; columns_each *= 2) {
        struct scene s;
        scene_init(&s, 80, 24);
        for (int i = 0; i < 4; i++)
            score_add_note(s.score, 0,
                           (struct note){.start = (40 + i) * SIXTEENTH,
                                         .length = SIXTEENTH,
                                         .pitch = 70,
                                         .velocity = 90});
        s.view.port.ticks_per_column = SIXTEENTH / columns_each;
        s.view.port.left_tick = 36 * SIXTEENTH;
        s.view.port.top_pitch = 75;
        frame_draw(&s.cells, &s.view, &s.theme);
        for (int i = 1; i < 4; i++)
            assert_int_not_equal(cell_of(&s, (40 + i) * SIXTEENTH, 70)->glyph, ' ');
        scene_fini(&s);
    }
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 4;
}

static int64_t wild(uint32_t *seed)
{
    static const int64_t VALUES[] = {INT64_MAX, INT64_MIN,     -1,     0,
                                     1,         INT64_MAX / 2, 1 << 20};
    uint32_t x = noise(seed);
    return x % 3 ? (int64_t)(x >> 5) % 20000 : VALUES[x / 3 % 7];
}

/* Any numbers in a view: no crash, no trap, every cell painted. */
static void random_views_hold(void **state)
{
    static const uint8_t INSTRUMENTS[4] = {0, 127, 5, 40};
    (void)state;
    uint32_t seed = 5;
    struct scene s;
    scene_init(&s, 80, 24);
    add_takes(&s);
    add_list(&s);
    for (int i = 0; i < 600; i++) {
        struct view *v = &s.view;
        v->n_takes = (int)(noise(&seed) % 27);
        v->shown_take = (int)(noise(&seed) % 28) - 1;
        v->frontier_tick = wild(&seed);
        int64_t tick = wild(&seed);
        cells_resize(&s.cells, 1 + (int)(noise(&seed) % 230),
                     1 + (int)(noise(&seed) % 60));
        v->mode = (enum mode)(noise(&seed) % MODE_COUNT);
        v->port = (struct viewport){wild(&seed),
                                    wild(&seed),
                                    (int)wild(&seed),
                                    (int)wild(&seed),
                                    {{noise(&seed), (uint64_t)wild(&seed)}}};
        v->scale = (uint16_t)(noise(&seed) % 4096);
        v->scale_tonic = (int)(noise(&seed) % 12);
        v->cursor_tick = tick < 0 ? 0 : tick > INT64_MAX / 4 ? INT64_MAX / 4 : tick;
        v->cursor_pitch = (int)(noise(&seed) % 128);
        v->track = (int)(noise(&seed) % 6) - 1;
        v->grid_ticks = 1 + noise(&seed) % 2000;
        v->hole =
            (struct box){wild(&seed), wild(&seed), (int)(noise(&seed) % 128), 127};
        v->has_selection = true;
        v->selection =
            (struct box){wild(&seed), wild(&seed), 0, (int)(noise(&seed) % 128)};
        v->help_scroll = (int)wild(&seed);
        v->list_tracks = noise(&seed) & 1;
        v->tracks_first = (int)wild(&seed);
        v->instruments = noise(&seed) & 1 ? INSTRUMENTS : NULL;
        v->n_instruments = (int)(noise(&seed) % 4);
        v->chosen_instrument = (int)(noise(&seed) % 4);
        v->hide_others = noise(&seed) & 1;
        v->steer_lines = STEER_LINES;
        v->n_steer_lines = (int)(noise(&seed) % 8);
        v->steer_chosen = (int)(noise(&seed) % 8);
        s.theme = theme_for((enum depth)(noise(&seed) % 4), i & 1, i & 2);
        frame_draw(&s.cells, v, &s.theme);
    }
    scene_fini(&s);
}

/* A big file costs no more than what is seen of it; generous for sanitizers. */
static void big_files_are_quick(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    for (int i = 0; i < 100000; i++)
        assert_true(score_add_note(s.score, 0,
                                   (struct note){.start = 30 * (int64_t)i,
                                                 .length = i % 997 ? 60 : 40000,
                                                 .pitch = (uint8_t)(30 + i * 7 % 60),
                                                 .velocity = 80}) != 0);
    s.view.survey = survey_create();
    s.view.version = 1;
    frame_draw(&s.cells, &s.view, &s.theme);
    clock_t start = clock();
    for (int i = 0; i < 20; i++) {
        s.view.port.left_tick = i * 150000;
        frame_draw(&s.cells, &s.view, &s.theme);
    }
    double ms = 1000.0 * (double)(clock() - start) / CLOCKS_PER_SEC / 20;
    print_message("%.2f ms a frame\n", ms);
    assert_true(ms < 100);
    survey_destroy(s.view.survey);
    scene_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_80x24),
        cmocka_unit_test(takes_200x50),
        cmocka_unit_test(select_mono_80x24),
        cmocka_unit_test(takes_ascii_80x24),
        cmocka_unit_test(list_80x24),
        cmocka_unit_test(list_too_long),
        cmocka_unit_test(shaded_mono_80x24),
        cmocka_unit_test(hole_80x24),
        cmocka_unit_test(hole_mono_80x24),
        cmocka_unit_test(history_80x24),
        cmocka_unit_test(history_ascii_40x12),
        cmocka_unit_test(steer_80x24),
        cmocka_unit_test(steer_mono_132x46),
        cmocka_unit_test(steer_40x12),
        cmocka_unit_test(scale_mono_80x24),
        cmocka_unit_test(fold_80x24),
        cmocka_unit_test(help_80x24),
        cmocka_unit_test(help_200x50),
        cmocka_unit_test(tracks_80x24),
        cmocka_unit_test(tracks_200x50),
        cmocka_unit_test(tracks_ascii_80x24),
        cmocka_unit_test(tracks_mono_80x24),
        cmocka_unit_test(tracks_40x12),
        cmocka_unit_test(chosen_rows_look_alike),
        cmocka_unit_test(other_notes_are_hidden),
        cmocka_unit_test(generating_80x24),
        cmocka_unit_test(zoomed_out_80x24),
        cmocka_unit_test(tall_80x24),
        cmocka_unit_test(too_small),
        cmocka_unit_test(colours),
        cmocka_unit_test(file_text_is_safe),
        cmocka_unit_test(repeated_notes_are_seen_apart),
        cmocka_unit_test(random_views_hold),
        cmocka_unit_test(big_files_are_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
