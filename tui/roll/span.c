#include "tui/roll/roll.h"

#include "tui/base/text.h"

/* The half column of a tick, clamped to one outside the roll. */
static int half_column(const struct paint *p, int64_t tick)
{
    int64_t zoom = p->port.ticks_per_column, span = zoom * p->l.roll.columns;
    int64_t offset = tick - p->port.left_tick;
    if (offset < 0)
        return -1;
    if (offset >= span)
        return 2 * p->l.roll.columns;
    return (int)(2 * (offset / zoom)) + (2 * (offset % zoom) >= zoom);
}

bool span_of(const struct paint *p, const struct note *n, struct span *out)
{
    const struct region *r = &p->l.roll;
    out->row = p->rows[n->pitch & 127];
    if (n->pitch > 127 || out->row <= r->row - p->port.rows_per_pitch ||
        out->row >= r->row + r->rows)
        return false;
    if (p->v->kit.is_shown) {
        /* A hit of a kit has the cell in which it begins. */
        int half = half_column(p, n->start);
        out->from = half - half % 2;
        out->to = out->from + 2;
        out->cut_left = false;
        return half >= 0 && out->to <= 2 * p->l.roll.columns;
    }
    int64_t end = n->length < INT64_MAX - n->start ? n->start + n->length : INT64_MAX;
    out->from = half_column(p, n->start);
    out->to = half_column(p, end);
    if (out->to <= out->from)
        out->to = out->from + 1; /* a note too short to see is still shown */
    out->cut_left = out->from < 0;
    out->from = out->from < 0 ? 0 : out->from;
    out->to = out->to > 2 * r->columns ? 2 * r->columns : out->to;
    return out->from < out->to;
}

int span_label_row(const struct paint *p, const struct span *s)
{
    int row = s->row + (p->port.rows_per_pitch == 3 ? 1 : 0);
    return row >= p->l.roll.row && row < p->l.roll.row + p->l.roll.rows ? row : -1;
}

bool span_label(const struct paint *p, const struct span *s, const char *name,
                uint32_t ink, int attr)
{
    int first = (s->from + 1) / 2, columns = text_columns(name),
        row = span_label_row(p, s);
    if (s->to / 2 - first < columns || row < 0)
        return false;
    paint_text(p, p->l.roll.column + first, row, columns, name, ink, attr);
    return true;
}

enum { FULL = 0x2588, LEFT_HALF = 0x258C, RIGHT_HALF = 0x2590 };

void span_fill(const struct paint *p, const struct span *s, uint32_t colour,
               uint32_t fill)
{
    const struct region *r = &p->l.roll;
    const bool is_mono = p->t->depth == DEPTH_MONO;
    const int first = MAX(s->row, r->row),
              end = MIN(s->row + p->port.rows_per_pitch, r->row + r->rows);
    for (int row = first; row < end; row++)
        for (int half = s->from; half < s->to; half++) {
            const int column = r->column + half / 2;
            const struct cell *cell = cells_at(p->c, column, row);
            const uint32_t mine = half % 2 ? RIGHT_HALF : LEFT_HALF,
                           other = half % 2 ? LEFT_HALF : RIGHT_HALF;
            if (is_mono && fill) {
                cells_put(p->c, column, row, fill, COLOUR_DEFAULT, COLOUR_DEFAULT, 0);
            } else if (is_mono) { /* a half is painted or not */
                const bool is_full = cell->glyph == other || cell->glyph == FULL;
                cells_put(p->c, column, row, is_full ? FULL : mine, COLOUR_DEFAULT,
                          COLOUR_DEFAULT, 0);
            } else if (half % 2 == 0 && half + 1 < s->to) {
                cells_put(p->c, column, row, ' ', colour, colour, 0);
                half++;
            } else {
                const uint32_t beside = cell->glyph == other ? cell->fg : cell->bg;
                const bool is_full = beside == colour;
                cells_put(p->c, column, row, is_full ? ' ' : mine, colour, beside, 0);
            }
        }
}
