/* Where things are: regions, cells <-> music, scrolling, the survey, names. */
#include "tui/view/layout.h"
#include "tui/base/names.h"
#include "tui/view/survey.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void regions_tile_the_screen(void **state)
{
    (void)state;
    for (int columns = LAYOUT_MIN_COLUMNS; columns < 220; columns += 7)
        for (int rows = LAYOUT_MIN_ROWS; rows < 70; rows++) {
            struct layout l = layout_for(columns, rows);
            assert_false(l.too_small);
            int used = l.bar.rows + l.ruler.rows + l.signs.rows + l.roll.rows +
                       l.lane.rows + l.map.rows + l.tracks.rows + l.status.rows +
                       l.hints.rows;
            assert_int_equal(used, rows);
            assert_true(l.roll.rows >= 8);
            assert_int_equal(l.roll.column + l.roll.columns, columns);
            assert_int_equal(l.keys.columns, l.roll.column);
            assert_int_equal(l.hints.row, rows - 1);
        }
    assert_true(layout_for(39, 24).too_small);
    assert_true(layout_for(80, 11).too_small);
    assert_int_equal(layout_for(80, 24).lane.rows, 0);
    assert_true(layout_for(200, 50).lane.rows > 0);
}

static void cells_and_music_round_trip(void **state)
{
    (void)state;
    struct layout l = layout_for(132, 46);
    for (int zoom = 1; zoom < 4000; zoom = zoom * 3 + 1)
        for (int height = 1; height <= 3; height++) {
            struct viewport p = {12345, zoom, 90, height, {{0}}};
            for (int column = l.roll.column; column < l.columns; column += 5)
                for (int row = l.roll.row; row < l.roll.row + l.roll.rows; row++) {
                    int64_t tick;
                    int pitch;
                    assert_true(layout_point(&l, &p, column, row, &tick, &pitch));
                    assert_int_equal(layout_column(&l, &p, tick), column);
                    assert_int_equal(layout_column(&l, &p, tick + zoom - 1), column);
                    assert_in_range(row - layout_row(&l, &p, pitch), 0, height - 1);
                }
        }
}

/* What a fold leaves of a scale, in some rows. */
static void fold_maps_rows_one_to_one(const struct layout *l, struct viewport *p)
{
    bool seen[128] = {false};
    int above = 128;
    for (int row = l->roll.row; row < l->roll.row + l->roll.rows; row++) {
        int pitch = layout_row_pitch(l, p, row);
        if (pitch < 0)
            continue;
        assert_false(pitch_set_has(&p->hidden, pitch));
        assert_in_range(row - layout_row(l, p, pitch), 0, p->rows_per_pitch - 1);
        assert_int_equal(layout_pitch(l, p, row), pitch);
        assert_true(pitch <= above); /* and none between is left out */
        for (int between = pitch + 1; above < 128 && between < above; between++)
            assert_true(pitch_set_has(&p->hidden, between));
        above = pitch;
        seen[pitch] = true;
    }
    for (int pitch = 0; pitch < 128; pitch++) {
        int row = layout_row(l, p, pitch);
        bool inside = row >= l->roll.row && row < l->roll.row + l->roll.rows;
        if (!pitch_set_has(&p->hidden, pitch))
            assert_int_equal(seen[pitch], inside);
    }
}

static struct pitch_set all_but(unsigned mask, int pitch)
{
    struct pitch_set s = {{0, 0}};
    for (int p = 0; p < 128; p++)
        if (!(mask >> p % 12 & 1) && p != pitch)
            pitch_set_add(&s, p);
    return s;
}

/* Every set of pitch classes, and so every scale. */
static void folded_rows_are_pitches_and_back(void **state)
{
    (void)state;
    static const int SIZES[][2] = {{40, 12}, {80, 24}, {200, 50}, {80, 160}};
    for (unsigned mask = 1; mask < 4096; mask += 1 + mask % 3)
        for (int i = 0; i < 4; i++) {
            struct layout l = layout_for(SIZES[i][0], SIZES[i][1]);
            int pitch = (int)(mask * 7 % 128);
            struct viewport p = {0, 120, (int)(mask % 128), 1 + (int)mask % 3, {{0}}};
            viewport_show(&p, &l, 0, pitch);
            viewport_fold(&p, &l, all_but(mask, pitch), pitch);
            viewport_show(&p, &l, 0, pitch);
            fold_maps_rows_one_to_one(&l, &p);
            int last = l.roll.row + l.roll.rows - p.rows_per_pitch;
            assert_in_range(layout_row(&l, &p, pitch), l.roll.row, last);
            int up = viewport_step_pitch(&p, pitch, 1);
            assert_true(up == pitch || viewport_step_pitch(&p, up, -1) == pitch);
            viewport_scroll(&p, &l, 0, (int)(mask % 40) - 20);
            fold_maps_rows_one_to_one(&l, &p);
            viewport_show(&p, &l, 0, pitch);
            viewport_fold(&p, &l, (struct pitch_set){{0, 0}}, pitch);
            assert_in_range(layout_row(&l, &p, pitch), l.roll.row, last);
        }
}

/* Where there is room the cursor's row stays where it was. */
static void folding_keeps_the_row(void **state)
{
    (void)state;
    struct layout l = layout_for(80, 24);
    struct viewport p = {0, 120, 74, 1, {{0}}};
    int row = layout_row(&l, &p, 67);
    viewport_fold(&p, &l, all_but(0xab5, 67), 67);
    assert_int_equal(layout_row(&l, &p, 67), row);
    assert_int_equal(layout_row_pitch(&l, &p, row - 1), 69);
    viewport_fold(&p, &l, (struct pitch_set){{0, 0}}, 67);
    assert_int_equal(layout_row(&l, &p, 67), row);
    assert_int_equal(layout_row_pitch(&l, &p, row - 1), 68);
}

static void points_outside_are_clamped(void **state)
{
    (void)state;
    struct layout l = layout_for(80, 24);
    struct viewport p = {0, 120, 71, 1, {{0}}};
    int64_t tick;
    int pitch;
    assert_false(layout_point(&l, &p, 0, 0, &tick, &pitch));
    assert_int_equal(tick, 0);
    assert_int_equal(pitch, 71);
    assert_false(layout_point(&l, &p, 500, 500, &tick, &pitch));
    assert_int_equal(tick, 120 * (l.roll.columns - 1));
}

static bool sees(const struct layout *l, const struct viewport *p, int64_t tick,
                 int pitch)
{
    int64_t column = layout_column(l, p, tick);
    int row = layout_row(l, p, pitch);
    return column >= l->roll.column && column < l->columns && row >= l->roll.row &&
           row + p->rows_per_pitch <= l->roll.row + l->roll.rows;
}

static void the_cursor_stays_in_sight(void **state)
{
    (void)state;
    static const int SIZES[][2] = {{40, 12}, {80, 24}, {200, 50}, {300, 200}};
    uint32_t seed = 3;
    for (int i = 0; i < 4; i++) {
        struct layout l = layout_for(SIZES[i][0], SIZES[i][1]);
        struct viewport p = {0, 120, 80, 1, {{0}}};
        for (int step = 0; step < 5000; step++) {
            seed = seed * 1664525u + 1013904223u;
            int64_t tick = seed >> 7;
            int pitch = (int)(seed >> 9 & 127);
            p.rows_per_pitch = 1 + (int)(seed >> 28) % 3;
            viewport_show(&p, &l, tick, pitch);
            assert_true(sees(&l, &p, tick, pitch));
        }
    }
}

static void nonsense_viewports_are_put_right(void **state)
{
    (void)state;
    struct layout l = layout_for(80, 24);
    struct viewport p = {INT64_MAX, INT64_MAX, 5000, -7, {{0}}};
    viewport_clamp(&p, &l);
    assert_true(p.left_tick + p.ticks_per_column * 80 > 0);
    assert_int_equal(p.rows_per_pitch, 1);
    assert_int_equal(p.top_pitch, 127);
    p = (struct viewport){-5, 0, -100, 9, {{0}}};
    viewport_clamp(&p, &l);
    assert_int_equal(p.left_tick, 0);
    assert_int_equal(p.ticks_per_column, 1);
    assert_int_equal(p.rows_per_pitch, 3);
    assert_int_equal(p.top_pitch, l.roll.rows / 3 - 1);
}

static void following_turns_the_page(void **state)
{
    (void)state;
    struct layout l = layout_for(80, 24);
    struct viewport p = {0, 120, 80, 1, {{0}}};
    viewport_follow(&p, &l, 120 * 10);
    assert_int_equal(p.left_tick, 0);
    viewport_follow(&p, &l, INT64_C(120) * 100);
    assert_true(p.left_tick > 0 && sees(&l, &p, INT64_C(120) * 100, 70));
}

static struct score *random_score(int n_notes, uint32_t seed)
{
    struct score *s = score_create(480);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "a", 0, 0), 0);
    for (int i = 0; i < n_notes; i++) {
        seed = seed * 1664525u + 1013904223u;
        int64_t length = seed % 50 ? seed >> 8 & 511 : seed >> 10 & 65535;
        struct note n = {.start = i * 10,
                         .length = length,
                         .pitch = seed >> 20 & 127,
                         .velocity = 64};
        assert_true(score_add_note(s, 0, n) != 0);
    }
    return s;
}

/* The survey skips only notes that are over. */
static void survey_misses_nothing(void **state)
{
    (void)state;
    struct score *s = random_score(3000, 11);
    struct survey *v = survey_create();
    assert_true(survey_update(v, s, 1));
    for (int64_t tick = 0; tick < 100000; tick += 997) {
        size_t next = survey_next_note(v, s, 0, 0, tick);
        for (size_t i = 0; i < s->tracks[0].n_notes; i++) {
            const struct note *n = &s->tracks[0].notes[i];
            if (n->start + (n->length ? n->length : 1) <= tick)
                continue;
            assert_int_equal(next, i);
            next = survey_next_note(v, s, 0, i + 1, tick);
        }
        assert_int_equal(next, s->tracks[0].n_notes);
    }
    assert_true(survey_densest(v) > 0);
    score_add_note(
        s, 0, (struct note){.start = 200000, .length = 5, .pitch = 1, .velocity = 1});
    assert_true(survey_update(v, s, 2));
    assert_int_equal(survey_next_note(v, s, 0, 0, 200000), s->tracks[0].n_notes - 1);
    survey_destroy(v);
    score_destroy(s);
}

static void spelled(int pitch, int sharps, const char *want)
{
    char name[PITCH_NAME_BYTES];
    assert_string_equal(pitch_name_octave(pitch, sharps, name), want);
}

static void spelling(void **state)
{
    (void)state;
    spelled(60, 0, "C4");
    spelled(61, SPELL_SHARPS, "C♯4");
    spelled(70, SPELL_SHARPS, "A♯4");
    spelled(70, 2, "B♭4");
    spelled(61, -4, "D♭4");
    spelled(71, -6, "C♭5");
    spelled(60, 7, "B♯3");
    spelled(0, 0, "C-1");
    spelled(127, 0, "G9");
    assert_string_equal(key_signature_name(2, true), "B minor");
    assert_string_equal(key_signature_name(-3, false), "E♭ major");
    assert_string_equal(program_name(0, 52), "Choir Aahs");
    assert_string_equal(program_name(9, 52), "Drums");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_tile_the_screen),
        cmocka_unit_test(cells_and_music_round_trip),
        cmocka_unit_test(folded_rows_are_pitches_and_back),
        cmocka_unit_test(folding_keeps_the_row),
        cmocka_unit_test(points_outside_are_clamped),
        cmocka_unit_test(the_cursor_stays_in_sight),
        cmocka_unit_test(nonsense_viewports_are_put_right),
        cmocka_unit_test(following_turns_the_page),
        cmocka_unit_test(survey_misses_nothing),
        cmocka_unit_test(spelling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
