/* See span.h. */
#include "tui/paint/span.h"

#include "tui/base/text.h"

/* The half column a tick lies in, clamped to just outside the roll. */
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
    if (out->row <= r->row - p->port.rows_per_pitch || out->row >= r->row + r->rows)
        return false;
    int64_t end = n->length < INT64_MAX - n->start ? n->start + n->length : INT64_MAX;
    out->from = half_column(p, n->start);
    out->to = half_column(p, end);
    if (out->to <= out->from)
        out->to = out->from + 1; /* too short to see is shown all the same */
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
    cells_text(p->c, p->l.roll.column + first, row, columns, name, ink, COLOUR_KEEP,
               attr);
    return true;
}
