/* Where a list is and what of it is seen: in every size of screen, of any length, with
 * any item chosen. */
#include "tests/check.h"

#include "tui/paint/list.h"

static const struct list_shape SHAPES[] = {
    {.place = LIST_AT_LEFT, .columns = 90, .above = 1},
    {.place = LIST_AT_RIGHT, .columns = 48},
    {.place = LIST_AT_MIDDLE, .columns = 76, .above = 1, .most_items = 16},
    {.place = LIST_AT_FOOT, .columns = 36, .below = 1, .most_items = 3},
};

static void is_in_the_roll(const struct layout *l, const struct list_shape *shape,
                           const struct list_box *b)
{
    const struct region *f = &b->frame;
    assert_in_range(f->column, 0, l->columns - f->columns);
    assert_true(f->columns <= shape->columns && f->columns > 6);
    assert_true(f->row >= l->roll.row);
    assert_true(f->row + f->rows <= l->roll.row + l->roll.rows);
    assert_int_equal(f->rows, 2 + shape->above + shape->below + b->items.rows);
    assert_int_equal(b->items.row, f->row + 1 + shape->above);
    assert_int_equal(b->items.columns, f->columns - 2);
}

/* No row stays empty that an item could stand in, and what is drawn is what is found. */
static void shows_what_it_can(const struct list_box *b, int n)
{
    int found = 0;
    assert_int_equal(b->n, n);
    assert_int_equal(b->n_shown, n < b->items.rows ? n : b->items.rows);
    assert_true(b->first >= 0 && b->first + b->n_shown <= n);
    for (int row = b->frame.row; row < b->frame.row + b->frame.rows; row++) {
        int i = list_box_at(b, b->items.column, row);
        if (i >= 0)
            assert_int_equal(i, b->first + found++);
        assert_int_equal(list_box_at(b, b->frame.column, row), -1);
    }
    assert_int_equal(found, b->n_shown);
}

TEST(every_size_and_length)
{
    static const int LENGTHS[] = {0, 1, 2, 9, 300};
    for (int rows = LAYOUT_MIN_ROWS; rows <= 60; rows++)
        for (int k = 0; k < 4 * 5; k++) {
            struct layout l = layout_for(40 + 3 * rows, rows);
            const struct list_shape *shape = &SHAPES[k % 4];
            int n = LENGTHS[k / 4];
            for (int chosen = n ? 0 : -1; chosen < n; chosen++) {
                struct list_box b = list_box_for(&l, shape, n, chosen);
                is_in_the_roll(&l, shape, &b);
                shows_what_it_can(&b, n);
                if (n)
                    assert_in_range(chosen, b.first, b.first + b.n_shown - 1);
            }
        }
}

TEST(no_room_is_no_box)
{
    struct layout l = layout_for(39, 12);
    struct list_box b = list_box_for(&l, &SHAPES[0], 5, 1);
    assert_int_equal(b.frame.rows, 0);
    assert_int_equal(b.n_shown, 0);
    assert_int_equal(list_box_at(&b, 0, 0), -1);
    l = layout_for(80, 24);
    l.roll.rows = 3;
    assert_int_equal(list_box_for(&l, &SHAPES[0], 5, 1).frame.rows, 0);
    assert_int_equal(list_box_for(&l, &SHAPES[1], 5, 1).n_shown, 1);
}
