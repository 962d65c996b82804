/* Where the inspector's drawings lie, in the panel beside the roll or on a page in the
 * roll's place, and what the mouse is on. The matrix takes what the others leave. */
#include "tui/view/inspect.h"
#include "tui/view/layout.h"

#include <string.h>

enum {
    PANEL_ROWS = 9,   /* lines of figures there are at most, */
    PANEL_LEAST = 6,  /* and the first of them */
    LEAST_MATRIX = 8, /* rows that show something */
    MOST_THUMBNAIL = 12,
};

/* A thumbnail is about square, a cell being twice as high as wide. */
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

/* A caption over it, bars at its left and under it. */
static void place_matrix(struct inspect_places *at, struct region room)
{
    at->caption = (struct region){room.column, room.row, room.columns, 1};
    at->axis = (struct region){room.column + INSPECT_MARGIN, room.row + room.rows - 1,
                               room.columns - INSPECT_MARGIN, 1};
    at->matrix = (struct region){room.column + INSPECT_MARGIN, room.row + 1,
                                 room.columns - INSPECT_MARGIN, room.rows - 2};
}

/* From the top: rows are taken off the room. */
static struct region take_rows(struct region *room, int rows)
{
    struct region taken = *room;
    taken.rows = rows < room->rows ? rows : room->rows;
    room->row += taken.rows;
    room->rows -= taken.rows;
    return taken;
}

static void place_page(struct inspect_places *at, const struct layout *l,
                       const struct inspect_view *v)
{
    struct region room = l->page;
    room.column++;
    room.columns -= 2;
    if (!l->side.rows)
        at->title = take_rows(&room, 1);
    if (v->page == INSPECT_MATRIX)
        place_matrix(at, room);
    else if (v->page == INSPECT_GRID)
        size_thumbnails(at, v, room);
    else
        at->panel = room;
}

static void place_side(struct inspect_places *at, const struct layout *l,
                       const struct inspect_view *v)
{
    struct region room = l->side;
    room.column += 2; /* a line, and a gap */
    room.columns -= 3;
    at->title = take_rows(&room, 1);
    take_rows(&room, room.rows > 34 ? 1 : 0);
    if (v->page != INSPECT_GRID) {
        struct region most = room;
        most.rows = room.rows / 3;
        size_thumbnails(at, v, most);
        take_rows(&room, at->grid.rows + (at->grid.rows > 0));
    }
    bool has_matrix = v->page != INSPECT_MATRIX, has_panel = v->page != INSPECT_PANEL;
    int lines = room.rows > 30 ? PANEL_ROWS : PANEL_LEAST;
    if (has_matrix && room.rows - (has_panel ? lines : 0) >= LEAST_MATRIX)
        place_matrix(at, take_rows(&room, room.rows - (has_panel ? lines : 0)));
    if (has_panel)
        at->panel = room;
}

struct inspect_places inspect_places_for(const struct layout *l,
                                         const struct inspect_view *v)
{
    struct inspect_places at;
    memset(&at, 0, sizeof at);
    if (l->too_small)
        return at;
    if (l->side.rows)
        place_side(&at, l, v);
    if (v->page != INSPECT_ROLL)
        place_page(&at, l, v);
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
