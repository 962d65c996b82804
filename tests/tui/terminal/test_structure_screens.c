/* Frames of what gives a piece its shape: signs and the loop on the ruler, the map of the
 * piece, the list of what changes, and what was found. */
#include "midi/score/chunk.h"
#include "tui/terminal/frame.h"
#include "tui/panels/map_list.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/tui/golden.h"

enum { QUARTER = 480, BAR = 4 * QUARTER };

struct scene {
    struct score *score;
    struct signs signs;
    struct view view;
    struct theme theme;
    struct cells cells;
    struct box found[2];
};

static void add_sign(struct score *s, int64_t tick, uint8_t type, const void *data,
                     size_t n)
{
    uint8_t bytes[64];
    struct event e = {.tick = tick, .order = ORDER_LAST, .data = bytes};
    e.n_data = (uint32_t)event_meta_write(bytes, type, data, n);
    assert_int_equal(chunk_insert_event(&s->chunks[0], &e), MIDI_OK);
}

/* Sixteen bars: a ritardando in the fourth, 3/4 from the fifth, markers whose texts are
 * long, hostile, or in each other's way. */
static struct score *make_score(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "Piano", 0, 0), 0);
    for (int i = 0; i < 52; i++) {
        struct note n = {.start = i * QUARTER,
                         .length = QUARTER,
                         .pitch = (uint8_t)(60 + i * 5 % 12),
                         .velocity = 80};
        assert_true(score_add_note(s, 0, n) != 0);
    }
    add_sign(s, 0, META_KEY, "\x01", 2);
    add_sign(s, 0, META_MARKER, "Verse", 5);
    add_sign(s, BAR + QUARTER, META_CUE, "lights", 6);
    add_sign(s, 2 * BAR, META_MARKER, "Bridge \033[31m\xE2\x80\xAE of many words", 28);
    add_sign(s, 2 * BAR + 60, META_MARKER, "near", 4);
    for (int i = 0; i < 4; i++) {
        int us = 500000 + 40000 * i;
        uint8_t tempo[3] = {(uint8_t)(us >> 16), (uint8_t)(us >> 8), (uint8_t)us};
        add_sign(s, 3 * BAR + i * QUARTER, META_TEMPO, tempo, 3);
    }
    add_sign(s, 4 * BAR, META_METER, "\x03\x02\x18\x08", 4);
    add_sign(s, 4 * BAR, META_MARKER, "Refrain", 7);
    add_sign(s, 4 * BAR, META_LYRIC, "la", 2);
    assert_int_equal(score_update_timeline(s), MIDI_OK);
    return s;
}

static void scene_init(struct scene *s, int columns, int rows)
{
    *s = (struct scene){.score = make_score()};
    s->theme = theme_for(DEPTH_TRUE, false, false);
    assert_true(cells_init(&s->cells, columns, rows));
    assert_int_equal(signs_collect(&s->signs, s->score, ~SIGN(SIGN_LYRIC)), MIDI_OK);
    s->view = (struct view){.score = s->score,
                            .mode = MODE_PROMPT,
                            .prompt.label = "find: ",
                            .prompt.input = "C4",
                            .cursor.tick = BAR,
                            .cursor.pitch = 69,
                            .grid.ticks = QUARTER / 4,
                            .transport.has_loop = true,
                            .transport.loop_on = true,
                            .transport.loop_from = BAR,
                            .transport.loop_to = 3 * BAR,
                            .transport.has_sound = true,
                            .file.name = "piece.mid",
                            .machine.model_name = "chorale"};
    struct layout l = layout_for(columns, rows);
    viewport_fit(&s->view.port, &l, s->score);
}

static void scene_fini(struct scene *s)
{
    signs_fini(&s->signs);
    cells_fini(&s->cells);
    score_destroy(s->score);
}

static void check(struct scene *s, const char *name)
{
    frame_draw(&s->cells, &s->view, &s->theme);
    compare_with_golden(&s->cells, name);
    scene_fini(s);
}

static void ruler_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    check(&s, "signs-80x24");
}

/* With a row of its own; the map shows the loop, what is chosen, and where it plays. */
static void ruler_200x50(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    s.view.selection.has_box = true;
    s.view.selection.box = (struct box){5 * BAR, 6 * BAR, 0, 127};
    s.view.transport.is_playing = true;
    s.view.transport.tick = 2.5 * BAR;
    check(&s, "signs-200x50");
}

/* The map where there is no room for it, because it was wished for; and far out. */
static void ruler_ascii_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.theme = theme_for(DEPTH_MONO, false, true);
    s.view.piece_map = MAP_SHOWN;
    s.view.port.ticks_per_column = 480;
    frame_draw(&s.cells, &s.view, &s.theme);
    for (int i = 0; i < 80 * 24; i++)
        assert_in_range(s.cells.at[i].glyph, ' ', '~');
    check(&s, "signs-ascii-80x24");
}

static void open_list(struct scene *s, int chosen)
{
    s->view.mode = MODE_MAP;
    s->view.map_list.signs = &s->signs;
    s->view.map_list.chosen = chosen;
}

static void list_80x24(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    open_list(&s, 5);
    check(&s, "map-80x24");
}

static void list_ascii_200x50(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 200, 50);
    s.theme = theme_for(DEPTH_MONO, false, true);
    open_list(&s, (int)s.signs.n - 1);
    check(&s, "map-ascii-200x50");
}

/* More than there are rows: the chosen one is in sight, and is what a click finds. */
static void a_long_list(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 40, 12);
    struct layout l = layout_for(40, 12);
    for (int chosen = 0; chosen < (int)s.signs.n; chosen++) {
        struct list_box b = map_list_box(&l, &s.signs, chosen);
        int hits = 0, column = b.items.column;
        for (int row = 0; row < 12; row++)
            hits += list_box_at(&b, column, row) == chosen;
        assert_int_equal(hits, 1);
        assert_int_equal(list_box_at(&b, column - 1, b.items.row), -1);
        assert_int_equal(list_box_at(&b, column, b.items.row - 1), -1);
    }
    open_list(&s, 4);
    check(&s, "map-40x12");
}

static void an_empty_list(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    signs_fini(&s.signs);
    open_list(&s, 0);
    frame_draw(&s.cells, &s.view, &s.theme);
    struct layout l = layout_for(80, 24);
    struct list_box b = map_list_box(&l, &s.signs, 0);
    assert_int_equal(list_box_at(&b, b.items.column, b.items.row), -1);
    scene_fini(&s);
}

static struct cell *cell_of(struct scene *s, int64_t tick, int pitch)
{
    struct layout l = layout_for(s->cells.columns, s->cells.rows);
    int row = pitch < 0 ? l.ruler.row : layout_row(&l, &s->view.port, pitch);
    return cells_at(&s->cells, (int)layout_column(&l, &s->view.port, tick), row);
}

/* Colours: the loop on the ruler, and notes that were found. */
static void colours(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24);
    s.found[0] = (struct box){QUARTER, 2 * QUARTER, 65, 65};
    s.view.found.boxes = s.found;
    frame_draw(&s.cells, &s.view, &s.theme);
    uint32_t before = cell_of(&s, QUARTER + 240, 65)->bg;
    s.view.found.n = 1;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_not_equal(cell_of(&s, QUARTER + 240, 65)->bg, before);
    assert_int_equal(cell_of(&s, BAR, -1)->glyph, '[');
    assert_int_equal(cell_of(&s, 3 * BAR - 1, -1)->glyph, ']');
    assert_int_not_equal(cell_of(&s, 2 * BAR - 120, -1)->bg, s.theme.panel);
    assert_int_equal(cell_of(&s, BAR - 120, -1)->bg, s.theme.panel);
    s.theme = theme_for(DEPTH_MONO, false, false);
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_true(cell_of(&s, QUARTER + 240, 65)->attr & ATTR_UNDERLINE);
    assert_true(cell_of(&s, 2 * BAR - 120, -1)->attr & ATTR_UNDERLINE);
    scene_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ruler_80x24),       cmocka_unit_test(ruler_200x50),
        cmocka_unit_test(ruler_ascii_80x24), cmocka_unit_test(list_80x24),
        cmocka_unit_test(list_ascii_200x50), cmocka_unit_test(a_long_list),
        cmocka_unit_test(an_empty_list),     cmocka_unit_test(colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
