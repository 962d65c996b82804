/* Where the inspector is painted, and what the mouse hits in it. On a wide and high
 * screen its panel stands beside the roll (layout_of); else pages take the roll's
 * place, one at a time. The matrix gets what the others leave. A picture has one page,
 * without panel. */
#include "tui/view/inspect.h"

#include <stdio.h>
#include <string.h>

enum {
    PANEL_ROWS = 9,   /* lines of figures at most, */
    PANEL_LEAST = 6,  /* and at least */
    LEAST_MATRIX = 8, /* rows that show anything */
    MOST_THUMBNAIL = 12,
};

/* Thumbnails are about square; a cell is twice as high as wide. */
static void size_thumbnails(struct inspect_places *at, const struct inspect_view *v,
                            struct region room, bool is_picture)
{
    int columns = v->n_heads > 0 ? (room.columns - INSPECT_MARGIN) / v->n_heads - 1 : 0;
    int rows = v->n_layers > 0 ? room.rows / v->n_layers : 0;
    columns = columns > MOST_THUMBNAIL && !is_picture ? MOST_THUMBNAIL : columns;
    rows -= is_picture ? INSPECT_CAPTION : 0;
    int height = (columns + 1) / 2;
    at->thumbnail_columns = columns;
    at->thumbnail_rows = height < rows ? height : rows;
    at->thumbnail_step = at->thumbnail_rows + (is_picture ? INSPECT_CAPTION : 0);
    if (columns < 1 || rows < 1)
        return;
    at->grid = room;
    at->grid.rows = at->thumbnail_step * v->n_layers;
}

/* The caption lies above the matrix, bar numbers at its left and below, and in a picture
 * also names of notes. */
static void place_matrix(struct inspect_places *at, struct region room, bool is_picture)
{
    const int name = is_picture ? INSPECT_NAME : 0, left = INSPECT_MARGIN + name;
    at->caption = (struct region){room.column, room.row, room.columns, 1};
    at->axis = (struct region){room.column + left, room.row + room.rows - 1 - name,
                               room.columns - left, 1 + name};
    at->matrix = (struct region){room.column + left, room.row + 1, room.columns - left,
                                 room.rows - 2 - name};
}

struct region inspect_thumbnail_place(const struct inspect_places *at, int layer,
                                      int head)
{
    return (struct region){at->grid.column + INSPECT_MARGIN +
                               head * (at->thumbnail_columns + 1),
                           at->grid.row + layer * at->thumbnail_step,
                           at->thumbnail_columns, at->thumbnail_rows};
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
            size_thumbnails(&at, v, most, false);
            take_rows(&room, at.grid.rows + (at.grid.rows > 0));
        }
        bool has_matrix = v->page != INSPECT_MATRIX,
             has_panel = v->page != INSPECT_PANEL;
        int lines = room.rows > 30 ? PANEL_ROWS : PANEL_LEAST;
        if (has_matrix && room.rows - (has_panel ? lines : 0) >= LEAST_MATRIX)
            place_matrix(&at, take_rows(&room, room.rows - (has_panel ? lines : 0)),
                         false);
        if (has_panel)
            at.panel = room;
    }
    if (v->page != INSPECT_ROLL || l->is_picture) {
        struct region room = l->page;
        room.column++;
        room.columns -= 2;
        if (!l->side.rows)
            at.title = take_rows(&room, 1);
        if (l->is_picture)
            at.title.columns = l->columns - 2;
        if (v->page == INSPECT_MATRIX)
            place_matrix(&at, room, l->is_picture);
        else if (v->page == INSPECT_GRID)
            size_thumbnails(&at, v, room, l->is_picture);
        else if (v->page == INSPECT_PANEL)
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
        at.thumbnail_step < 1)
        return false;
    *layer = (row - at.grid.row) / at.thumbnail_step;
    *head = along / width;
    return *head < v->n_heads && *layer < v->n_layers;
}

bool inspect_cell_at(const struct layout *l, const struct inspect_view *v, int column,
                     int row, int *query, int *key)
{
    struct inspect_places at = inspect_places_for(l, v);
    const struct region *r = &at.matrix;
    if (r->rows < 1 || r->columns < 1 || !region_has(r, column, row) ||
        v->queries.n_tokens <= 0)
        return false;
    *query = (int)((int64_t)(row - r->row) * v->queries.n_tokens / r->rows);
    *key = (int)((int64_t)(column - r->column) * v->keys.n_tokens / r->columns);
    return true;
}

const char *inspected_part_name(enum inspected_part part)
{
    static const char *const names[INSPECTED_PARTS] = {
        [INSPECTED_POSITION] = "position", [INSPECTED_TRACK] = "track",
        [INSPECTED_PITCH] = "pitch",       [INSPECTED_DURATION] = "duration",
        [INSPECTED_VELOCITY] = "velocity", [INSPECTED_START] = "start",
        [INSPECTED_STYLE] = "style",       [INSPECTED_BAR] = "bar line",
        [INSPECTED_METER] = "meter",       [INSPECTED_PLACE] = "place",
        [INSPECTED_HOLE] = "hole",         [INSPECTED_ASKED] = "what is asked",
        [INSPECTED_CONSTRAINT] = "wish",   [INSPECTED_REST] = "rest",
        [INSPECTED_END] = "end",           [INSPECTED_TRACKS] = "tracks",
        [INSPECTED_CHORD] = "chord",
    };
    return part < INSPECTED_PARTS ? names[part] : "";
}

void inspect_rank(struct inspect_note *notes, size_t n, bool by_surprise)
{
    for (struct inspect_note *k = notes; k < notes + n; k++)
        k->rank = 0;
    for (int rank = 1; rank <= INSPECT_RANKED; rank++) {
        struct inspect_note *best = NULL;
        float most = 0;
        for (struct inspect_note *k = notes; k < notes + n; k++) {
            const float amount = by_surprise ? k->surprise : k->weight;
            if (k->rank || !(amount > most))
                continue;
            most = amount;
            best = k;
        }
        if (best)
            best->rank = (uint8_t)rank;
    }
}

/* "layer 3  head 5", "layer 3  mean of 8 heads", "the strongest of all 32 heads". */
const char *inspect_head_title(const struct inspect_view *v, char *buf, size_t n)
{
    const char *how = v->is_strongest ? "the strongest" : "mean";
    if (v->layer >= 0 && v->head >= 0)
        snprintf(buf, n, "layer %d  head %d", v->layer + 1, v->head + 1);
    else if (v->layer >= 0)
        snprintf(buf, n, "layer %d  %s of %d heads", v->layer + 1, how, v->n_heads);
    else if (v->head >= 0)
        snprintf(buf, n, "head %d  %s of %d layers", v->head + 1, how, v->n_layers);
    else
        snprintf(buf, n, "%s of all %d heads", how, v->n_layers * v->n_heads);
    return buf;
}
