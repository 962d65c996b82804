/* Bar lines that were tapped are seen on the ruler and, under the notes, through the roll. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/tui/scene.h"

enum { FLAG = 0x25BE, BEGIN = 0x25C7, DASHES = 0x2506, COLUMNS = 80, ROWS = 24 };

static int count(const struct scene *s, const struct region *r, int column,
                 uint32_t glyph)
{
    int n = 0;
    for (int row = r->row; row < r->row + r->rows; row++)
        n += s->cells.at[row * COLUMNS + column].glyph == glyph;
    return n;
}

static void test_taps_are_seen(void **state)
{
    (void)state;
    struct scene s;
    scene_init(&s, COLUMNS, ROWS);
    struct layout l = layout_with_map(COLUMNS, ROWS, s.view.piece_map);
    int64_t tick = s.view.port.left_tick + 9 * s.view.port.ticks_per_column;
    int column = (int)layout_column(&l, &s.view.port, tick);
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(count(&s, &l.roll, column, DASHES), 0);
    assert_true(taps_put(&s.score->taps, (struct tap){tick, TAP_BAR}));
    assert_true(
        taps_put(&s.score->taps, (struct tap){s.view.port.left_tick, TAP_BEGIN}));
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(count(&s, &l.ruler, column, FLAG), 1);
    assert_true(count(&s, &l.roll, column, DASHES) > l.roll.rows / 2);
    int first = (int)layout_column(&l, &s.view.port, s.view.port.left_tick);
    assert_int_equal(count(&s, &l.ruler, first, BEGIN), 1);
    assert_int_equal(count(&s, &l.roll, first, DASHES), 0);
    s.theme.ascii = true;
    frame_draw(&s.cells, &s.view, &s.theme);
    assert_int_equal(count(&s, &l.ruler, column, 'v'), 1);
    scene_fini(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taps_are_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
