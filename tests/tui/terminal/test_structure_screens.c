/* Frames of what gives a piece its shape: signs and the loop on the ruler, the map of the
 * piece, the list of what changes, and what was found. */
#include "midi/score/chunk.h"
#include "tui/panels/lists.h"

#include "tests/tui/scene.h"

enum { QUARTER = 480, BAR = 4 * QUARTER };

static struct timeline_events signs; /* of the scene */

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
static struct score *make_piece(void)
{
    struct score *s = make_plain_score("Piano");
    for (int i = 0; i < 52; i++)
        add_note(s, 0, i * QUARTER, QUARTER, 60 + i * 5 % 12, 80);
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

static void piece_init(struct scene *s, int columns, int rows)
{
    timeline_events_fini(&signs);
    scene_open(s, make_piece(), columns, rows,
               (struct view){.mode = MODE_PROMPT,
                             .prompt = {.label = "find: ", .input = "C4"},
                             .cursor = {BAR, 69},
                             .grid.ticks = QUARTER / 4,
                             .transport = {.has_loop = true,
                                           .loop_on = true,
                                           .loop_from = BAR,
                                           .loop_to = 3 * BAR,
                                           .has_sound = true},
                             .file.name = "piece.mid",
                             .machine.model_name = "chorale"});
    assert_int_equal(
        timeline_events_collect(&signs, s->score, ~TIMELINE_BIT(TIMELINE_LYRIC)),
        MIDI_OK);
}

static void ruler_80x24(void **state)
{
    (void)state;
    struct scene s;
    piece_init(&s, 80, 24);
    check(&s, "signs-80x24");
}

/* With a row of its own; the map shows the loop, what is chosen, and where it plays. */
static void ruler_200x50(void **state)
{
    (void)state;
    struct scene s;
    piece_init(&s, 200, 50);
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
    piece_init(&s, 80, 24);
    s.view.piece_map = MAP_SHOWN;
    s.view.port.ticks_per_column = 480;
    draw_ascii(&s);
    check(&s, "signs-ascii-80x24");
}

static void open_list(struct scene *s, int chosen)
{
    s->view.mode = MODE_MAP;
    s->view.map_list.signs = &signs;
    s->view.map_list.chosen = chosen;
}

static void list_80x24(void **state)
{
    (void)state;
    struct scene s;
    piece_init(&s, 80, 24);
    open_list(&s, 5);
    check(&s, "map-80x24");
}

static void list_ascii_200x50(void **state)
{
    (void)state;
    struct scene s;
    piece_init(&s, 200, 50);
    s.theme = theme_for(DEPTH_MONO, false, true);
    open_list(&s, (int)signs.n - 1);
    check(&s, "map-ascii-200x50");
}

/* More than there are rows: the chosen one is in sight, and is what a click finds. */
static void a_long_list(void **state)
{
    (void)state;
    struct scene s;
    piece_init(&s, 40, 12);
    for (int chosen = 0; chosen < (int)signs.n; chosen++) {
        struct list_box b = map_list_box(&s.layout, &signs, chosen);
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
    piece_init(&s, 80, 24);
    timeline_events_fini(&signs);
    open_list(&s, 0);
    draw(&s);
    struct list_box b = map_list_box(&s.layout, &signs, 0);
    assert_int_equal(list_box_at(&b, b.items.column, b.items.row), -1);
    scene_fini(&s);
}

static const struct cell *ruler_cell(struct scene *s, int64_t tick)
{
    return cells_at(&s->cells, (int)layout_column(&s->layout, &s->view.port, tick),
                    s->layout.ruler.row);
}

/* Colours: the loop on the ruler, and notes that were found. */
static void colours(void **state)
{
    (void)state;
    struct scene s;
    piece_init(&s, 80, 24);
    const struct box found = {QUARTER, 2 * QUARTER, 65, 65};
    s.view.found.boxes = &found;
    draw(&s);
    uint32_t before = cell_of(&s, QUARTER + 240, 65)->bg;
    s.view.found.n = 1;
    draw(&s);
    assert_int_not_equal(cell_of(&s, QUARTER + 240, 65)->bg, before);
    assert_int_equal(ruler_cell(&s, BAR)->glyph, '[');
    assert_int_equal(ruler_cell(&s, 3 * BAR - 1)->glyph, ']');
    assert_int_not_equal(ruler_cell(&s, 2 * BAR - 120)->bg, s.theme.panel);
    assert_int_equal(ruler_cell(&s, BAR - 120)->bg, s.theme.panel);
    s.theme = theme_for(DEPTH_MONO, false, false);
    draw(&s);
    assert_true(cell_of(&s, QUARTER + 240, 65)->attr & ATTR_UNDERLINE);
    assert_true(ruler_cell(&s, 2 * BAR - 120)->attr & ATTR_UNDERLINE);
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
