/* The row of chord symbols above the roll. A symbol without room is a dot, not a part of
 * itself: "Am" is another chord than "Am7". The chord in force at the left edge is shown
 * there quietly, and the one at the cursor is accented. */
#include "tui/paint/paint.h"

#include "midi/base/array.h"
#include "tui/base/text.h"

enum { DOT = 0xB7 };

/* Columns of the row from `column` up to the next chord, with a gap. */
static int room_for(const struct paint *p, size_t i, int column)
{
    const struct chords_view *v = &p->v->chords;
    const struct region *r = &p->l.chords;
    int64_t end = r->column + r->columns;
    if (i + 1 < v->n) {
        int64_t next = layout_column(&p->l, &p->port, v->marks[i + 1].tick);
        end = next - 1 < end ? next - 1 : end;
    }
    return end > column ? (int)(end - column) : 0;
}

void paint_chords(const struct paint *p)
{
    const struct chords_view *v = &p->v->chords;
    const struct region *r = &p->l.chords;
    if (!r->rows)
        return;
    struct region whole = {0, r->row, r->column + r->columns, 1};
    cells_fill(p->c, whole, ' ', p->t->quiet, p->t->panel);
    paint_text(p, 0, r->row, r->column - 1, v->are_guessed ? "guess" : "chord",
               p->t->faint, 0);
    size_t i;
    ARRAY_PASS(i, v->n, v->marks[i].tick <= p->port.left_tick);
    for (i -= i > 0; i < v->n; i++) {
        if (layout_column(&p->l, &p->port, v->marks[i].tick) >= r->column + r->columns)
            break;
        const char *symbol = v->marks[i].symbol;
        int64_t at = layout_column(&p->l, &p->port, v->marks[i].tick);
        bool is_past = at < r->column,
             is_here = v->marks[i].tick <= p->v->cursor.tick &&
                       (i + 1 == v->n || v->marks[i + 1].tick > p->v->cursor.tick);
        int column = is_past ? r->column : (int)at, room = room_for(p, i, column);
        const bool is_planned = v->marks[i].tick >= v->plan_from &&
                                v->marks[i].tick < v->plan_to,
                   is_quiet = is_past || is_planned || v->are_guessed;
        uint32_t ink = is_here ? p->t->accent : is_quiet ? p->t->quiet : p->t->text;
        if (room >= text_columns(symbol))
            paint_text(p, column, r->row, room, symbol, ink, is_quiet ? 0 : ATTR_BOLD);
        else if (!is_past)
            paint_put(p, column, r->row, DOT, ink, 0);
    }
}
