/* Where the inspector is drawn, and what the mouse hits in it.
 *
 * The strip takes the lane's rows, or the roll's last row. On a wide and high screen a
 * panel stands beside the roll; else pages take the roll's place, one at a time. The
 * matrix gets what the others leave. */
#include "tui/view/inspect.h"

#include <stdio.h>
#include <string.h>

enum {
    PANEL_ROWS = 9,   /* lines of figures at most, */
    PANEL_LEAST = 6,  /* and at least */
    LEAST_MATRIX = 8, /* rows that show anything */
    MOST_THUMBNAIL = 12,
};

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

void layout_inspect(struct layout *l)
{
    if (l->too_small)
        return;
    give_strip(l);
    if (l->columns >= WIDE_COLUMNS && l->rows >= WIDE_ROWS) {
        int columns = l->columns * 3 / 8;
        columns = columns < LEAST_SIDE ? LEAST_SIDE : columns;
        columns = columns > MOST_SIDE ? MOST_SIDE : columns;
        l->side = layout_take_right(l, columns);
    }
    l->page = (struct region){0, l->ruler.row, l->columns - l->side.columns,
                              l->roll.row + l->roll.rows - l->ruler.row};
}

/* Thumbnails are about square; a cell is twice as high as wide. */
static void size_thumbnails(struct inspect_places *at, const struct inspect_view *v,
                            struct region room)
{
    int columns = v->n_heads > 0 ? (room.columns - INSPECT_MARGIN) / v->n_heads - 1 : 0;
    int rows = v->n_layers > 0 ? room.rows / v->n_layers : 0;
    columns = columns > MOST_THUMBNAIL ? MOST_THUMBNAIL : columns;
    int height = (columns + 1) / 2;
    at->thumbnail_columns = columns;
    at->thumbnail_rows = height < rows ? height : rows;
    if (columns < 1 || rows < 1)
        return;
    at->grid = room;
    at->grid.rows = at->thumbnail_rows * v->n_layers;
}

/* The caption lies above the matrix, bar numbers at its left and below. */
static void place_matrix(struct inspect_places *at, struct region room)
{
    at->caption = (struct region){room.column, room.row, room.columns, 1};
    at->axis = (struct region){room.column + INSPECT_MARGIN, room.row + room.rows - 1,
                               room.columns - INSPECT_MARGIN, 1};
    at->matrix = (struct region){room.column + INSPECT_MARGIN, room.row + 1,
                                 room.columns - INSPECT_MARGIN, room.rows - 2};
}

/* Takes rows off the top of the room. */
static struct region take_rows(struct region *room, int rows)
{
    struct region taken = *room;
    taken.rows = rows < room->rows ? rows : room->rows;
    room->row += taken.rows;
    room->rows -= taken.rows;
    return taken;
}

struct inspect_places inspect_places_for(const struct layout *l,
                                         const struct inspect_view *v)
{
    struct inspect_places at;
    memset(&at, 0, sizeof at);
    if (l->too_small)
        return at;
    if (l->side.rows) {
        struct region room = l->side;
        room.column += 2; /* a line, and a gap */
        room.columns -= 3;
        at.title = take_rows(&room, 1);
        take_rows(&room, room.rows > 34 ? 1 : 0);
        if (v->page != INSPECT_GRID) {
            struct region most = room;
            most.rows = room.rows / 3;
            size_thumbnails(&at, v, most);
            take_rows(&room, at.grid.rows + (at.grid.rows > 0));
        }
        bool has_matrix = v->page != INSPECT_MATRIX,
             has_panel = v->page != INSPECT_PANEL;
        int lines = room.rows > 30 ? PANEL_ROWS : PANEL_LEAST;
        if (has_matrix && room.rows - (has_panel ? lines : 0) >= LEAST_MATRIX)
            place_matrix(&at, take_rows(&room, room.rows - (has_panel ? lines : 0)));
        if (has_panel)
            at.panel = room;
    }
    if (v->page != INSPECT_ROLL) {
        struct region room = l->page;
        room.column++;
        room.columns -= 2;
        if (!l->side.rows)
            at.title = take_rows(&room, 1);
        if (v->page == INSPECT_MATRIX)
            place_matrix(&at, room);
        else if (v->page == INSPECT_GRID)
            size_thumbnails(&at, v, room);
        else
            at.panel = room;
    }
    return at;
}

bool inspect_thumbnail_at(const struct layout *l, const struct inspect_view *v,
                          int column, int row, int *layer, int *head)
{
    struct inspect_places at = inspect_places_for(l, v);
    int along = column - at.grid.column - INSPECT_MARGIN,
        width = at.thumbnail_columns + 1;
    if (!region_has(&at.grid, column, row) || along < 0 || width < 1 ||
        at.thumbnail_rows < 1)
        return false;
    *layer = (row - at.grid.row) / at.thumbnail_rows;
    *head = along / width;
    return *head < v->n_heads && *layer < v->n_layers;
}

bool inspect_cell_at(const struct layout *l, const struct inspect_view *v, int column,
                     int row, int *query, int *key)
{
    struct inspect_places at = inspect_places_for(l, v);
    const struct region *r = &at.matrix;
    if (r->rows < 1 || r->columns < 1 || !region_has(r, column, row) ||
        v->n_tokens <= 0)
        return false;
    *query = (int)((int64_t)(row - r->row) * v->n_tokens / r->rows);
    *key = (int)((int64_t)(column - r->column) * v->n_tokens / r->columns);
    return true;
}

/* "layer 3  head 5", "layer 3  mean of 8 heads", "the strongest of 32 heads". */
const char *inspect_head_title(const struct inspect_view *v, char *buf, size_t n)
{
    const char *how = v->is_strongest ? "the strongest" : "mean";
    if (v->layer >= 0 && v->head >= 0)
        snprintf(buf, n, "layer %d  head %d", v->layer + 1, v->head + 1);
    else if (v->layer >= 0)
        snprintf(buf, n, "layer %d  %s of %d heads", v->layer + 1, how, v->n_heads);
    else
        snprintf(buf, n, "%s of all %d heads", how, v->n_layers * v->n_heads);
    return buf;
}
