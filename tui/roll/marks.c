/* The layers over the notes: found notes, selection, hole, frontier, playhead and cursor.
 * Each tints or frames cells, so that the notes stay readable. */
#include "tui/paint/inspect_paint.h"
#include "tui/base/text.h"

#include <stdio.h>

/* A box in screen cells, clipped to the roll. */
struct frame {
    int left, right, top, bottom; /* inclusive */
    bool open_left, open_right;   /* the box continues past the edge */
};

static bool frame_of(const struct paint *p, const struct box *b, struct frame *f)
{
    const struct region *r = &p->l.roll;
    int last_column = r->column + r->columns - 1, last_row = r->row + r->rows - 1;
    int64_t left = layout_column(&p->l, &p->port, b->from);
    int64_t right = layout_column(&p->l, &p->port, b->to > 0 ? b->to - 1 : 0);
    int top = layout_row(&p->l, &p->port, b->pitch_hi);
    int bottom = layout_row(&p->l, &p->port, b->pitch_lo - 1) - 1;
    if (b->pitch_lo <= b->pitch_hi && bottom < top)
        bottom = top; /* the box's pitches are folded away */
    if (b->to <= b->from || bottom < top || right < r->column || left > last_column ||
        bottom < r->row || top > last_row)
        return false;
    f->left = (int)CLAMP(left, r->column, last_column);
    f->right = (int)CLAMP(right, r->column, last_column);
    f->top = (int)CLAMP(top, r->row, last_row);
    f->bottom = (int)CLAMP(bottom, r->row, last_row);
    f->open_left = left < r->column;
    f->open_right = right > last_column;
    return true;
}

void paint_tint(const struct paint *p, int column, int row, double share)
{
    struct cell *cell = cells_at(p->c, column, row);
    if (theme_paints(p->t))
        cell->bg = theme_mix(cell->bg, p->t->accent, share);
    else if (cell->glyph == ' ' && cell->bg == COLOUR_DEFAULT)
        paint_put(p, column, row, 0xB7, p->t->accent, 0);
}

void paint_selection(const struct paint *p)
{
    struct frame f;
    if (!p->v->selection.has_box || !frame_of(p, &p->v->selection.box, &f))
        return;
    for (int row = f.top; row <= f.bottom; row++)
        for (int column = f.left; column <= f.right; column++)
            paint_tint(p, column, row, 0.20);
}

/* A hit of a kit has the cell in which it begins. */
void paint_found(const struct paint *p)
{
    for (size_t i = 0; i < p->v->found.n; i++) {
        struct box box = p->v->found.boxes[i];
        struct frame f;
        if (p->v->kit.is_shown)
            box.to = box.from + 1;
        if (!frame_of(p, &box, &f))
            continue;
        for (int row = f.top; row <= f.bottom; row++)
            for (int column = f.left; column <= f.right; column++) {
                struct cell *cell = cells_at(p->c, column, row);
                if (theme_paints(p->t)) {
                    cell->bg = theme_mix(cell->bg, p->t->accent, 0.55);
                    cell->fg = cell->glyph == ' ' ? cell->bg : cell->fg;
                }
                cell->attr |= ATTR_UNDERLINE | ATTR_BOLD;
            }
    }
}

/* Draws a cell of a frame, but not over letters or notes. */
static void put_line(const struct paint *p, int column, int row, uint32_t glyph)
{
    const struct cell *here = cells_at(p->c, column, row);
    uint32_t glyph_here = here->attr & ATTR_REVERSE ? 0 : here->glyph;
    bool is_ground = glyph_here == ' ' || glyph_here == 0xB7 || glyph_here == 0x258F;
    if (is_ground || glyph_here == 0x2500)
        paint_put(p, column, row, glyph, p->t->accent, 0);
}

/* The frame stands one row above and below the hole if there is room. */
void paint_hole(const struct paint *p)
{
    struct frame f;
    const struct region *r = &p->l.roll;
    if (!p->v->hole.is_shown || !frame_of(p, &p->v->hole.box, &f))
        return;
    f.top -= f.top > r->row;
    f.bottom += f.bottom < r->row + r->rows - 1;
    for (int column = f.left; column <= f.right; column++) {
        put_line(p, column, f.bottom, 0x2500);
        put_line(p, column, f.top, 0x2500);
    }
    for (int row = f.top; row <= f.bottom; row++) {
        bool top = row == f.top, bottom = row == f.bottom;
        if (!f.open_left)
            put_line(p, f.left, row, top ? 0x250C : bottom ? 0x2514 : 0x2502);
        if (!f.open_right)
            put_line(p, f.right, row, top ? 0x2510 : bottom ? 0x2518 : 0x2502);
    }
    if (*p->v->hole.label) {
        /* Writes the hole's name into the frame's top line, or right of a narrow
         * frame. */
        const struct view *v = p->v;
        const char *track = v->hole.track_name ? v->hole.track_name : "";
        int room = f.right - f.left - 8, columns = text_columns(v->hole.label);
        int column = columns <= room ? f.left + 2 : f.right + 1;
        int end = p->l.roll.column + p->l.roll.columns;
        if (v->takes.shown < v->takes.n) {
            /* " 2 " on the frame's corner: the number of the shown take, 0 for the
             * original. */
            char text[16];
            int shown = v->takes.shown < 0 ? 0 : v->takes.rows[v->takes.shown].number;
            snprintf(text, sizeof text, " %d ", shown);
            column += cells_text(p->c, column, f.top, text_columns(text), text,
                                 p->t->on_accent, p->t->accent, theme_badge_attr(p->t));
        }
        struct region here = {column, f.top, columns + 2, 1};
        if (columns > room)
            room = end - column - 2;
        if (column + here.columns > end)
            here.columns = end - column;
        cells_fill(p->c, here, ' ', p->t->accent, COLOUR_KEEP);
        int used = paint_text(p, column + 1, f.top, room, v->hole.label, p->t->accent,
                              ATTR_BOLD);
        if (*track && used + 2 + text_columns(track) <= room) {
            used += paint_text(p, column + 1 + used, f.top, 2, ", ", p->t->accent, 0);
            used += paint_text(p, column + 1 + used, f.top, room - used, track,
                               p->t->accent, 0);
            paint_put(p, column + 1 + used, f.top, ' ', p->t->accent, 0);
        }
    }
}

/* Marks how far the shown take is written. */
void paint_frontier(const struct paint *p)
{
    const struct view *v = p->v;
    struct frame f;
    struct box here = v->hole.box;
    here.from = v->machine.frontier_tick;
    here.to = here.from < INT64_MAX ? here.from + 1 : here.from;
    if (!v->machine.has_frontier || !frame_of(p, &here, &f))
        return;
    for (int row = f.top; row <= f.bottom; row++)
        put_line(p, f.left, row, 0x250A);
    paint_put(p, f.left, p->l.ruler.row, 0x25BC, p->t->accent, 0);
}

void paint_playhead(const struct paint *p)
{
    const struct region *r = &p->l.roll;
    double column = (p->v->transport.tick - (double)p->port.left_tick) /
                    (double)p->port.ticks_per_column;
    if (!p->v->transport.is_playing || !(column >= 0 && column < r->columns))
        return;
    /* A glyph in the middle of its cell: xterm fonts draw glyphs at a cell's edge
     * beyond it and leave pixels behind. */
    const uint32_t glyph = 0x2503;
    for (int row = r->row; row < r->row + r->rows; row++)
        paint_put(p, r->column + (int)column, row, glyph, p->t->playhead, 0);
    paint_put(p, r->column + (int)column, p->l.ruler.row, 0x25BC, p->t->playhead, 0);
}

void paint_cursor(const struct paint *p)
{
    const struct view *v = p->v;
    struct frame f;
    int64_t grid = v->grid.ticks > 0 ? v->grid.ticks : 1;
    struct box here = {v->cursor.tick, v->cursor.tick + grid, v->cursor.pitch,
                       v->cursor.pitch};
    const bool is_free = !v->inspect || v->inspect->is_pinned;
    if (!is_free || !frame_of(p, &here, &f))
        return;
    /* Faint bands through the cursor's time and pitch. */
    const struct region *r = &p->l.roll;
    for (int row = r->row; theme_paints(p->t) && row < r->row + r->rows; row++)
        for (int column = f.left; column <= f.right; column++)
            paint_tint(p, column, row, 0.10);
    for (int row = f.top; theme_paints(p->t) && row <= f.bottom; row++)
        for (int column = r->column; column < r->column + r->columns; column++)
            paint_tint(p, column, row, 0.07);
    /* The cursor's first cell is solid; the rest of its grid step is tinted. */
    for (int row = f.top; row <= f.bottom; row++)
        for (int column = f.left; column <= f.right; column++) {
            const bool is_first = column == f.left && !f.open_left;
            struct cell *cell = cells_at(p->c, column, row);
            /* The line of a beat goes. Half a note under the cursor stays half a note. */
            const uint32_t glyph = cell->glyph == 0x258F ? ' ' : cell->glyph;
            const bool is_half = glyph == 0x258C || glyph == 0x2590;
            if (theme_paints(p->t) && is_first)
                cells_put(p->c, column, row, glyph,
                          is_half ? COLOUR_KEEP : p->t->on_accent, p->t->accent,
                          ATTR_BOLD);
            else if (theme_paints(p->t))
                paint_tint(p, column, row, 0.45);
            else if (is_first)
                cells_put(p->c, column, row, glyph, p->t->on_accent, p->t->accent,
                          p->t->depth == DEPTH_MONO ? cell->attr ^ ATTR_REVERSE : 0);
            else
                cell->attr |= ATTR_UNDERLINE;
        }
}
