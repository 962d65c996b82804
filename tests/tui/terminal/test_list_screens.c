/* The lists over the roll: takes, states, wishes and tracks; what is chosen is in sight and
 * told apart, with colours and without. */
#include "tests/tui/scene.h"
#include "tui/panels/panels.h"

SCREEN(list_80x24)
{
    add_takes(s);
    add_list(s);
    s->view.transport.is_playing = false;
}

/* More takes than rows: the one that is shown is in sight. */
SCENE(list_too_long, 80, 16)
{
    add_takes(s);
    add_list(s);
    s->view.takes.n = 26;
    struct layout l = layout_for(80, 16);
    layout_list_takes(&l);
    for (s->view.takes.shown = -1; s->view.takes.shown < 26; s->view.takes.shown++) {
        draw(s);
        struct list_box b = take_list_box(&l, 26, s->view.takes.shown);
        int i = s->view.takes.shown < 0 ? 0 : s->view.takes.shown, at = b.items.column;
        int row = b.items.row + i - b.first;
        assert_true(region_has(&b.items, at, row));
        assert_int_equal(cells_at(&s->cells, at + 2, row)->glyph,
                         '0' + s->takes[i].number % 10);
        assert_int_equal(list_box_at(&b, at, row), i);
        assert_int_equal(list_box_at(&b, at - 1, row), -1);
    }
}

/* It stands beside the notes, whatever the size: no cell is both the roll's and the list's,
 * and what is drawn of the roll is what a narrower screen would show. */
TEST(list_covers_no_notes)
{
    static const int SIZES[][2] = {{40, 12}, {60, 20}, {80, 24}, {132, 46}, {200, 50}};
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        struct layout l = layout_for(SIZES[i][0], SIZES[i][1]);
        int before = l.roll.columns;
        layout_list_takes(&l);
        struct list_box b = take_list_box(&l, 8, 2);
        assert_true(b.frame.rows > 0 && b.n_shown >= 4);
        assert_int_equal(l.roll.column + l.roll.columns, l.takes.column);
        assert_true(b.frame.column >= l.roll.column + l.roll.columns);
        assert_true(b.frame.column + b.frame.columns <= l.columns);
        assert_true(b.frame.row + b.frame.rows <= l.roll.row + l.roll.rows);
        assert_true(l.roll.columns >= before / 3);
        assert_int_equal(l.ruler.columns, l.roll.columns);
    }
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
    s->view.history.rows = HISTORY;
    s->view.history.n = sizeof HISTORY / sizeof HISTORY[0];
    s->view.history.chosen = 2;
}

SCREEN_WITH(scene_init, history_80x24, open_history(s))
SCREEN_WITH(scene_init, history_ascii_40x12, open_history(s))
SCREEN_WITH(scene_init, steer_80x24, open_panel(s, 3))

SCREEN(steer_mono_132x46)
{
    s->theme = theme_for(DEPTH_MONO, false, true);
    open_panel(s, 0);
}

/* The chosen line stays in sight, and no slider has room. */
SCREEN(steer_40x12)
{
    open_panel(s, 6);
    struct steer_panel p = steer_panel_for(&s->layout, s->view.steer.n, 6);
    assert_int_equal(p.box.first + p.box.n_shown - 1, 6);
    assert_int_equal(p.n_slider, 0);
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
    s->view.tracks.is_listed = true;
    s->view.track = 1;
}

SCREEN(tracks_80x24)
{
    add_track_list(s);
    s->view.transport.is_playing = true;
    s->view.transport.tick = 26.2 * SIXTEENTH;
    draw(s);
    struct track_list list = track_list_for(&s->layout, 4, 0);
    for (int i = 0; i < 4; i++) {
        int row = list.box.items.row + i;
        assert_int_equal(list_box_at(&list.box, list.name, row), i);
        assert_int_equal(
            cells_at(&s->cells, list.colour, row)->fg,
            theme_track(&s->theme, i == 2 ? 5 : i)); /* the third has its own */
    }
}

SCREEN(tracks_200x50)
{
    static const uint8_t FOUND[] = {4, 5, 2};
    add_track_list(s);
    s->view.mode = MODE_PROMPT;
    s->view.prompt.label = ":";
    s->view.prompt.input = "instrument epia";
    s->view.instruments.programs = FOUND;
    s->view.instruments.n = 3;
    s->view.instruments.chosen = 1;
}

SCREEN(tracks_ascii_80x24)
{
    add_track_list(s);
    s->theme = theme_for(DEPTH_256, true, true);
}

SCREEN(tracks_mono_80x24)
{
    add_track_list(s);
    draw(s);
    struct track_list list = track_list_for(&s->layout, 4, 0);
    int row = list.box.items.row;
    assert_true(cells_at(&s->cells, list.name, row + 1)->attr & ATTR_REVERSE);
    assert_false(cells_at(&s->cells, list.name, row)->attr & ATTR_REVERSE);
}

/* More than there is room for, on the smallest screen. */
SCREEN(tracks_40x12)
{
    add_track_list(s);
    for (int i = 4; i < 40; i++)
        assert_int_equal(score_add_track(s->score, "More", 5, 0), i);
    s->view.track = 20;
    s->view.tracks.first = track_list_reveal(&s->layout, 40, 0, 20);
}

/* In every depth of colour: on the accent, or reversed where there is none. */
TEST(chosen_rows_look_alike)
{
    for (int depth = DEPTH_MONO; depth <= DEPTH_TRUE; depth++) {
        auto_scene s;
        scene_init(&s, 80, 24);
        s.theme = theme_for((enum depth)depth, false, false);
        struct layout l = layout_for(80, 24);
        open_history(&s);
        draw(&s);
        struct list_box states = history_list_box(&l, s.view.history.n, 2);
        int end = states.items.column + states.items.columns - 1;
        struct cell state_cell = *cells_at(&s.cells, end, states.items.row + 2);
        struct cell other = *cells_at(&s.cells, end, states.items.row + 1);
        s.view.history.n = 0;
        open_panel(&s, 3);
        draw(&s);
        struct region lines = steer_panel_for(&l, s.view.steer.n, 3).box.items;
        struct cell line = *cells_at(&s.cells, lines.column, lines.row + 3);
        assert_int_equal(line.bg, s.theme.accent);
        assert_int_equal(line.fg, s.theme.on_accent);
        assert_int_equal(!!(line.attr & ATTR_REVERSE), depth == DEPTH_MONO);
        assert_int_equal(!!(line.attr & ATTR_BOLD), depth != DEPTH_16);
        assert_true(line.fg == state_cell.fg && line.bg == state_cell.bg &&
                    line.attr == state_cell.attr);
        assert_true(other.bg != line.bg || other.attr != line.attr);
    }
}
