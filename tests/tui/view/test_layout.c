/* Where things are: regions, cells <-> music, folds; and how pitches are spelt. */
#include "tests/check.h"
#include "tests/tui/noise.h"

#include "tui/view/layout.h"
#include "tui/base/names.h"

TEST(cells_and_music_round_trip)
{
    struct layout l = layout_of(&(const struct view){0}, 132, 46);
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

static bool sees(const struct layout *l, const struct viewport *p, int64_t tick,
                 int pitch)
{
    int64_t column = layout_column(l, p, tick);
    int row = layout_row(l, p, pitch);
    return column >= l->roll.column && column < l->columns && row >= l->roll.row &&
           row + p->rows_per_pitch <= l->roll.row + l->roll.rows;
}

/* Every set of pitch classes, and so every scale. What is to be seen is seen. */
TEST(folded_rows_are_pitches_and_back)
{
    static const int SIZES[][2] = {{40, 12}, {80, 24}, {200, 50}, {80, 160}};
    uint32_t seed = 3;
    for (unsigned mask = 1; mask < 4096; mask += 1 + mask % 3)
        for (int i = 0; i < 4; i++) {
            struct layout l =
                layout_of(&(const struct view){0}, SIZES[i][0], SIZES[i][1]);
            int64_t tick = noise(&seed);
            int pitch = (int)(mask * 7 % 128);
            struct viewport p = {0, 120, (int)(mask % 128), 1 + (int)mask % 3, {{0}}};
            viewport_show(&p, &l, tick, pitch);
            viewport_fold(&p, &l, all_but(mask, pitch), pitch);
            viewport_show(&p, &l, tick, pitch);
            assert_true(sees(&l, &p, tick, pitch));
            fold_maps_rows_one_to_one(&l, &p);
            int up = viewport_step_pitch(&p, pitch, 1);
            assert_true(up == pitch || viewport_step_pitch(&p, up, -1) == pitch);
            viewport_scroll(&p, &l, 0, (int)(mask % 40) - 20);
            fold_maps_rows_one_to_one(&l, &p);
            viewport_show(&p, &l, tick, pitch);
            viewport_fold(&p, &l, (struct pitch_set){{0, 0}}, pitch);
            assert_true(sees(&l, &p, tick, pitch));
        }
}

TEST(spelling)
{
    static const struct {
        int pitch, sharps;
        const char *name;
    } CASES[] = {
        {60, 0, "C4"},
        {61, SPELL_SHARPS, "C♯4"},
        {70, SPELL_SHARPS, "A♯4"},
        {70, 2, "B♭4"},
        {61, -4, "D♭4"},
        {71, -6, "C♭5"},
        {60, 7, "B♯3"},
        {0, 0, "C-1"},
        {127, 0, "G9"},
    };
    char name[PITCH_NAME_BYTES];
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        assert_string_equal(pitch_name_octave(CASES[i].pitch, CASES[i].sharps, name),
                            CASES[i].name);
}
