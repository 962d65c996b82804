/* Rows of a take with more pitches than there are. That all of a take is seen, each pitch in a row of
 * its own while there are rows: tests/app/editor/takes/test_framing.c. */
#include "tests/check.h"

#include "tui/roll/enclose.h"

/* Two voices that move together all the time have rows of their own; pitches that never sound
 * together share one. */
TEST(rows_are_shared_where_nothing_is_hidden)
{
    enum { QUARTER = 480, BAR = 4 * QUARTER, N = 40 };
    struct ghost ghosts[2 * N];
    struct enclosing e = {.to = 16 * BAR,
                          .quarter = QUARTER,
                          .lead = BAR,
                          .ghosts = ghosts,
                          .n_ghosts = 2 * N};
    struct layout l = layout_of(&(const struct view){0}, 80, 12);
    struct viewport p = {.ticks_per_column = 120, .rows_per_pitch = 1};
    bool has[CELLS_MAX] = {false};
    int n_rows = 0;
    for (int i = 0; i < 2 * N; i++) {
        const int pitch = i % 2 ? 80 + i / 2 : 40 + i / 2;
        ghosts[i] = (struct ghost){.note = {.start = i / 2 * (int64_t)QUARTER,
                                            .length = QUARTER,
                                            .pitch = (uint8_t)pitch}};
        pitch_set_add(&e.needed, pitch);
        pitch_set_add(&e.wanted, pitch);
    }
    viewport_enclose(&p, &l, &e);
    for (int i = 0; i < 2 * N; i++) {
        const int row = layout_row(&l, &p, ghosts[i].note.pitch);
        assert_in_range(row, l.roll.row + 1, l.roll.row + l.roll.rows - 1);
        n_rows += !has[row];
        has[row] = true;
    }
    assert_int_equal(n_rows, l.roll.rows - 1);
    for (int i = 0; i < N; i++)
        assert_int_not_equal(layout_row(&l, &p, 40 + i), layout_row(&l, &p, 80 + i));
}
