/* Bar and beat lines, and the ruler with their numbers.
 *
 * Each column looks up in the timeline what begins in it, so the cost depends on the
 * screen's width, not on the number of bars. */
#include "tui/paint/paint.h"

#include <inttypes.h>
#include <stdio.h>

enum { NUMBER_COLUMNS = 6, LINE_COLUMNS = 3 };

/* Numbers every power of two bars at which numbers fit. */
static int64_t number_stride(const struct paint *p, const struct bar *bar)
{
    int64_t stride = 1;
    int64_t columns = bar->length / p->port.ticks_per_column;
    while (stride < INT64_C(1) << 40 && stride * columns < NUMBER_COLUMNS) {
        stride *= 2;
        if (columns == 0 &&
            stride * bar->length >= NUMBER_COLUMNS * p->port.ticks_per_column)
            break;
    }
    return stride;
}

enum mark paint_mark_at(const struct paint *p, int column, int64_t *bar_index)
{
    int64_t zoom = p->port.ticks_per_column;
    int64_t first = layout_tick(&p->l, &p->port, column), last = first + zoom - 1;
    const struct timeline *t = &p->v->score->timeline;
    struct bar bar = timeline_bar_at(t, last);
    int64_t stride = number_stride(p, &bar);
    int64_t before = first > 0 ? timeline_bar_at(t, first - 1).index : -1;
    if (bar.index > before) {
        int64_t numbered = bar.index / stride * stride;
        bool wide = bar.length >= LINE_COLUMNS * zoom;
        *bar_index = numbered > before ? numbered : bar.index;
        return numbered > before || wide ? MARK_BAR : MARK_NONE;
    }
    int64_t beat = timeline_beat_ticks(t, first);
    bool has_room = beat >= LINE_COLUMNS * zoom && last >= bar.start;
    return has_room && (last - bar.start) % beat < zoom ? MARK_BEAT : MARK_NONE;
}

void paint_ruler(const struct paint *p)
{
    const struct region *r = &p->l.ruler;
    struct region whole = {0, r->row, p->l.columns, 1};
    cells_fill(p->c, whole, ' ', p->t->quiet, p->t->panel);
    for (int column = r->column; column < r->column + r->columns; column++) {
        int64_t bar;
        enum mark mark = paint_mark_at(p, column, &bar);
        if (mark == MARK_BEAT && cells_at(p->c, column, r->row)->glyph == ' ')
            paint_put(p, column, r->row, 0xB7, p->t->faint, 0);
        if (mark != MARK_BAR)
            continue;
        paint_put(p, column, r->row, 0x258F, p->t->quiet, 0);
        struct bar numbered = timeline_bar(&p->v->score->timeline, bar);
        char number[24];
        if (bar % number_stride(p, &numbered) != 0)
            continue;
        snprintf(number, sizeof number, "%" PRId64, bar + 1);
        paint_text(p, column + 1, r->row, 20, number, p->t->text, ATTR_BOLD);
    }
    /* Marks the cursor's time on the ruler. */
    int64_t from = layout_column(&p->l, &p->port, p->v->cursor.tick);
    if (!region_has(&p->l.ruler, (int)(from < CELLS_MAX ? from : CELLS_MAX),
                    p->l.ruler.row))
        return;
    struct cell *cell = cells_at(p->c, (int)from, p->l.ruler.row);
    if (cell && (cell->glyph == ' ' || cell->glyph == 0xB7 || cell->glyph == 0x258F))
        paint_put(p, (int)from, p->l.ruler.row, 0x25BC, p->t->accent, 0);
}
