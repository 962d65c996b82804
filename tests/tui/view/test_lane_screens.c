/* Frames with the lane, against saved screens in tests/tui/golden: velocities, a pedal,
 * bends; a stroke of the mouse; notes it holds; and any numbers at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "midi/score/chunk.h"
#include "tests/tui/golden.h"
#include "tui/terminal/frame.h"
#include "tui/view/lane.h"
#include "tui/view/survey.h"

enum { SIXTEENTH = 120 };

struct scene {
    struct score *score;
    struct view view;
    struct theme theme;
    struct cells cells;
    int16_t stroke[CELLS_MAX];
    struct ghost drafts[2];
    uint64_t going[2];
};

static void add_message(struct score *s, int chunk, int64_t tick, uint8_t status,
                        uint8_t a, uint8_t b)
{
    uint8_t data[] = {status, a, b};
    struct event e = {.tick = tick, .order = ORDER_LAST, .n_data = 3, .data = data};
    assert_int_equal(chunk_insert_event(&s->chunks[chunk], &e), MIDI_OK);
}

/* A scale in eighths on channel 0, a pedal for every half bar, bends up and down, and the
 * volume from another track's chunk. */
static struct score *make_score(void)
{
    static const uint8_t SCALE[] = {60, 62, 64, 65, 67, 69, 71, 72};
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "Piano", 0, 0), 0);
    assert_int_equal(score_add_track(s, "Levels", 0, 0), 1);
    int chunk = s->tracks[0].chunk, other = s->tracks[1].chunk;
    for (int i = 0; i < 32; i++) {
        int64_t at = 2 * i * SIXTEENTH;
        struct note n = {.start = at,
                         .length = 2 * SIXTEENTH,
                         .pitch = SCALE[i % 8],
                         .velocity = (uint8_t)(20 + 15 * (i % 8))};
        assert_true(score_add_note(s, 0, n) != 0);
        int bend = 8192 + (i % 8 < 4 ? 1 : -1) * 2000 * (i % 4);
        add_message(s, chunk, at, 0xE0, bend & 127, (uint8_t)(bend >> 7));
        if (i % 4 == 0)
            add_message(s, chunk, at, 0xB0, 64, 127);
        if (i % 4 == 3)
            add_message(s, chunk, at + SIXTEENTH, 0xB0, 64, 0);
        if (i % 4 == 2)
            add_message(s, other, at, 0xB0, 7, (uint8_t)(127 - 3 * i));
        if (i == 9 || i == 15)
            add_message(s, chunk, at, 0xB0, 7, (uint8_t)(4 * i));
    }
    return s;
}

static void scene_init(struct scene *s, int columns, int rows, struct control lane)
{
    *s = (struct scene){.score = make_score()};
    s->theme = theme_for(DEPTH_TRUE, false, false);
    assert_true(cells_init(&s->cells, columns, rows));
    s->view = (struct view){.score = s->score,
                            .mode = MODE_LANE,
                            .lane.is_tall = true,
                            .lane.control = lane,
                            .lane.has_value = true,
                            .lane.value = control_rest(lane),
                            .lane.label = "what it says here",
                            .cursor.tick = 4 * SIXTEENTH,
                            .cursor.pitch = 64,
                            .grid.ticks = SIXTEENTH,
                            .transport.has_sound = true};
    struct layout l = layout_for(columns, rows);
    viewport_fit(&s->view.port, &l, s->score);
}

static void scene_fini(struct scene *s)
{
    cells_fini(&s->cells);
    score_destroy(s->score);
}

static void check(struct scene *s, const char *name)
{
    frame_draw(&s->cells, &s->view, &s->theme);
    compare_with_golden(&s->cells, name);
    scene_fini(s);
}

static const struct control VELOCITY = {CONTROL_VELOCITY, 0}, BEND = {CONTROL_BEND, 0},
                            PEDAL = {CONTROL_CHANGE, CC_PEDAL},
                            VOLUME = {CONTROL_CHANGE, CC_VOLUME};

static void at_every_size(struct control lane, const char *name)
{
    static const int SIZES[][2] = {{80, 24}, {200, 50}};
    struct scene s;
    char path[64];
    for (int i = 0; i < 2; i++) {
        scene_init(&s, SIZES[i][0], SIZES[i][1], lane);
        snprintf(path, sizeof path, "lane-%s-%dx%d", name, SIZES[i][0], SIZES[i][1]);
        check(&s, path);
    }
    scene_init(&s, 80, 24, lane);
    s.theme = theme_for(DEPTH_MONO, false, true);
    frame_draw(&s.cells, &s.view, &s.theme);
    for (int i = 0; i < 80 * 24; i++)
        assert_in_range(s.cells.at[i].glyph, ' ', '~');
    snprintf(path, sizeof path, "lane-%s-ascii-80x24", name);
    check(&s, path);
}

static void velocities(void **state)
{
    (void)state;
    at_every_size(VELOCITY, "velocity");
}

static void pedals(void **state)
{
    (void)state;
    at_every_size(PEDAL, "pedal");
}

static void bends(void **state)
{
    (void)state;
    at_every_size(BEND, "bend");
}

/* What another chunk says on the channel lies behind; without colours, shaded. */
static void another_chunk(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24, VOLUME);
    s.theme = theme_for(DEPTH_MONO, false, false);
    check(&s, "lane-volume-mono-80x24");
}

static const struct cell *lane_cell(struct scene *s, int64_t tick, int row)
{
    struct layout l = layout_for(s->cells.columns, s->cells.rows);
    layout_grow_lane(&l, s->view.lane.is_tall);
    return cells_at(&s->cells, (int)layout_column(&l, &s->view.port, tick),
                    l.lane.row + row);
}

/* The stroke is the accent, whatever was there; a span is tinted. */
static void a_stroke(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24, PEDAL);
    frame_draw(&s.cells, &s.view, &s.theme);
    uint32_t before = lane_cell(&s, 16 * SIXTEENTH, 4)->bg;
    for (int i = 0; i < CELLS_MAX; i++)
        s.stroke[i] = i == 16 ? 127 : -1;
    s.view.port.left_tick = 0;
    s.view.port.ticks_per_column = SIXTEENTH;
    s.view.lane.stroke = s.stroke;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(lane_cell(&s, 16 * SIXTEENTH, 4)->bg, s.theme.accent);
    assert_int_not_equal(before, s.theme.accent);
    uint32_t beside = lane_cell(&s, 20 * SIXTEENTH, 4)->bg;
    s.view.lane.from = 18 * SIXTEENTH;
    s.view.lane.to = 24 * SIXTEENTH;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_not_equal(lane_cell(&s, 20 * SIXTEENTH, 4)->bg, beside);
    scene_fini(&s);
}

/* Notes that are held: where they would lie, solid and named; where they are, dashes. */
static void drafts(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, 80, 24, VELOCITY);
    s.view.mode = MODE_NORMAL;
    s.view.lane.is_tall = false;
    for (int i = 0; i < 2; i++) {
        s.drafts[i].note = s.score->tracks[0].notes[i + 2];
        s.going[i] = s.drafts[i].note.id;
        s.drafts[i].note.start += 2 * SIXTEENTH;
        s.drafts[i].note.pitch += 5;
    }
    s.view.drafts.notes = s.drafts;
    s.view.drafts.n = 2;
    s.view.ghosts.replaced = s.going;
    s.view.ghosts.n_replaced = 2;
    check(&s, "drafts-80x24");
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 4;
}

/* Any lane at any size, any stroke, any span: it holds. */
static void random_lanes_hold(void **state)
{
    (void)state;
    struct scene s;
    uint32_t seed = 9;
    scene_init(&s, 80, 24, VELOCITY);
    s.view.lane.stroke = s.stroke;
    for (int i = 0; i < 400; i++) {
        struct view *v = &s.view;
        cells_resize(&s.cells, 1 + (int)(noise(&seed) % 230),
                     1 + (int)(noise(&seed) % 60));
        v->lane.control =
            (struct control){(enum control_kind)(noise(&seed) % CONTROL_KINDS),
                             (uint8_t)(noise(&seed) % 128)};
        if (v->lane.control.kind != CONTROL_CHANGE)
            v->lane.control.number = 0;
        for (int k = 0; k < CELLS_MAX; k++)
            s.stroke[k] =
                (int16_t)((int)(noise(&seed) %
                                (uint32_t)(control_most(v->lane.control) + 2)) -
                          1);
        v->mode = (enum mode)(noise(&seed) % MODE_COUNT);
        v->lane.is_tall = noise(&seed) % 2;
        v->lane.value = (int)(noise(&seed) % 20000);
        v->lane.from = (int64_t)noise(&seed) - (1 << 20);
        v->lane.to = v->lane.from + (int64_t)noise(&seed);
        v->track = (int)(noise(&seed) % 4) - 1;
        v->port.left_tick = noise(&seed) % 9000;
        v->port.ticks_per_column = 1 + noise(&seed) % 300;
        s.theme = theme_for((enum depth)(noise(&seed) % 4), i & 1, i & 2);
        frame_draw(&s.cells, v, &s.theme);
    }
    scene_fini(&s);
}

static void names_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        struct control control;
    } WORDS[] = {
        {"pedal", {CONTROL_CHANGE, 64}}, {"vel", {CONTROL_VELOCITY, 0}},
        {"b", {CONTROL_BEND, 0}},        {"11", {CONTROL_CHANGE, 11}},
        {"expr", {CONTROL_CHANGE, 11}},  {"key", {CONTROL_KEY_PRESSURE, 0}},
        {"0", {CONTROL_CHANGE, 0}},      {"127", {CONTROL_CHANGE, 127}},
    };
    struct control k;
    char buf[CONTROL_NAME_BYTES];
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        assert_true(control_find(WORDS[i].word, &k));
        assert_true(control_equal(k, WORDS[i].control));
    }
    assert_false(control_find("", &k));
    assert_false(control_find("128", &k));
    assert_false(control_find("-1", &k));
    assert_false(control_find("zither", &k));
    assert_string_equal(control_value_name(BEND, 8192 - 5, buf), "-5");
    assert_string_equal(control_value_name(PEDAL, 127, buf), "down");
    assert_string_equal(control_value_name(PEDAL, 80, buf), "80");
    for (int i = 0; i < 128; i++) { /* the margin is as narrow as this */
        k = (struct control){CONTROL_CHANGE, (uint8_t)i};
        assert_in_range(strlen(control_short_name(k, buf)), 1, 4);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities),
        cmocka_unit_test(pedals),
        cmocka_unit_test(bends),
        cmocka_unit_test(another_chunk),
        cmocka_unit_test(a_stroke),
        cmocka_unit_test(drafts),
        cmocka_unit_test(random_lanes_hold),
        cmocka_unit_test(names_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
