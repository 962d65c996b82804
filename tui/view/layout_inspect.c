/* Room for the inspector. Its strip takes the lane's rows, or the roll's last; where the
 * screen is wide and high, a panel stands beside the roll, and else its pages take the
 * roll's place, one at a time. */
#include "tui/view/layout.h"

enum { WIDE_COLUMNS = 112, WIDE_ROWS = 30, LEAST_SIDE = 44, MOST_SIDE = 80 };

static void give_strip(struct layout *l)
{
    if (l->lane.rows) {
        l->strip = l->lane;
        l->lane.rows = 0;
        return;
    }
    l->roll.rows--;
    l->keys.rows--;
    l->strip =
        (struct region){l->roll.column, l->roll.row + l->roll.rows, l->roll.columns, 1};
}

static void give_side(struct layout *l)
{
    int columns = l->columns * 3 / 8;
    columns = columns < LEAST_SIDE ? LEAST_SIDE : columns;
    columns = columns > MOST_SIDE ? MOST_SIDE : columns;
    struct region *beside[] = {&l->ruler, &l->signs, &l->roll, &l->strip, &l->map};
    for (int i = 0; i < (int)(sizeof beside / sizeof beside[0]); i++)
        beside[i]->columns -= columns;
    int end = l->status.row - l->tracks.rows;
    l->side = (struct region){l->columns - columns, 1, columns, end - 1};
}

void layout_inspect(struct layout *l)
{
    if (l->too_small)
        return;
    give_strip(l);
    if (l->columns >= WIDE_COLUMNS && l->rows >= WIDE_ROWS)
        give_side(l);
    l->page = (struct region){0, l->ruler.row, l->columns - l->side.columns,
                              l->roll.row + l->roll.rows - l->ruler.row};
}
