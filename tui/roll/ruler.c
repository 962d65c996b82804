/* Bar and beat lines, the ruler with their numbers, and what is beside and below it.
 *
 * Each column looks up in the timeline what begins in it, so the cost depends on the
 * screen's width, not on the number of bars. */
#include "tui/paint/paint.h"
#include "midi/base/array.h"
#include "tui/base/text.h"

#include <inttypes.h>
#include <math.h>
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

/* -- events beside the ruler's numbers: markers, meters, tempos, keys, the loop and taps. Tall
 * screens have a row for the events. Markers are placed first, then the others where room is left.
 * An event without room near its place is left out; the list of events (MODE_MAP) has all -- */

enum {
    FLAG = 0x25B8,
    ASIDE = 12, /* columns that an event may be shown after its position */
    LEAST_TEXT = 3,
};

static int signs_row(const struct paint *p)
{
    return p->l.signs.rows ? p->l.signs.row : p->l.ruler.row;
}

static bool is_free(const struct paint *p, int column)
{
    const struct cell *cell = cells_at(p->c, column, signs_row(p));
    return cell && (cell->glyph == ' ' || cell->glyph == 0xB7);
}

static bool is_text(const struct timeline_event *g)
{
    return g->kind == TIMELINE_MARKER || g->kind == TIMELINE_CUE_POINT;
}

/* Whether an event is shown. A repeated value is not; on a shared row, neither is a
 * value at the piece's start. */
static bool is_news(const struct paint *p, const struct timeline_event *g)
{
    const struct timeline *t = &p->v->score->timeline;
    if (g->tick == 0 || g->kind == TIMELINE_KEY)
        return p->l.signs.rows || g->tick > 0;
    struct bar before = timeline_bar_at(t, g->tick - 1);
    if (g->kind == TIMELINE_METER)
        return before.numerator != g->numerator || before.denominator != g->denominator;
    return fabs(timeline_bpm(t, g->tick - 1) - g->bpm) >= 0.05;
}

/* Writes a marker behind a flag and as far as there is room, another event only if it has
 * room: at `column` or, with a free cell before it, a little after. */
static void put_sign(const struct paint *p, const struct timeline_event *g, int column,
                     int end)
{
    char words[SIGN_WORDS_BYTES];
    const int row = signs_row(p), right = p->l.ruler.column + p->l.ruler.columns;
    const bool has_flag = is_text(g), is_marker = g->kind == TIMELINE_MARKER;
    int at = column, room = 0;
    while (!is_free(p, at) ||
           (at != column && at != p->l.ruler.column && !is_free(p, at - 1)))
        if (++at > column + ASIDE || at >= right)
            return;
    if (has_flag)
        paint_put(p, at++, row, FLAG, p->t->accent, ATTR_BOLD);
    while (at + room < end && is_free(p, at + room))
        room++;
    const int wanted = text_columns(sign_words(p->v->score, g, words));
    room -= room < wanted + !has_flag; /* another event follows directly */
    if (room >= wanted || (has_flag && room >= LEAST_TEXT))
        paint_text(p, at, row, has_flag ? room : wanted, words,
                   is_marker ? p->t->text : p->t->quiet, is_marker ? ATTR_BOLD : 0);
}

/* Paints the markers if `texts`, else the other events. */
static void put_signs(const struct paint *p, bool texts)
{
    const struct timeline_events *all = &p->survey->signs;
    const struct region *r = &p->l.ruler;
    int64_t seen = -1;
    for (size_t i = ARRAY_FIRST_AT(all->list, all->n, p->port.left_tick); i < all->n;
         i++) {
        const struct timeline_event *g = &all->list[i];
        int64_t column = layout_column(&p->l, &p->port, g->tick);
        if (column >= r->column + r->columns)
            break;
        bool is_elsewhere = g->kind == TIMELINE_LYRIC || g->kind == TIMELINE_CHORD;
        if (is_elsewhere || is_text(g) != texts || column < r->column)
            continue;
        const bool is_shown = texts ? column != seen : is_news(p, g);
        /* A marker ends before the next one, which must stay visible. */
        int64_t end = r->column + r->columns;
        for (size_t k = i + 1; texts && is_shown && k < all->n; k++) {
            const int64_t next = layout_column(&p->l, &p->port, all->list[k].tick);
            if (next >= end)
                break;
            if (is_text(&all->list[k]) && next > column)
                end = next;
        }
        if (is_shown)
            put_sign(p, g, (int)column, (int)end);
        seen = column;
    }
}

void paint_signs(const struct paint *p)
{
    struct region row = {0, p->l.signs.row, p->l.columns, p->l.signs.rows};
    cells_fill(p->c, row, ' ', p->t->quiet, p->t->panel);
    put_signs(p, true);
    put_signs(p, false);
}

void paint_loop(const struct paint *p)
{
    const struct transport_view *v = &p->v->transport;
    const struct region *r = &p->l.ruler;
    if (!v->has_loop)
        return;
    const int64_t first = layout_column(&p->l, &p->port, v->loop_from),
                  last = layout_column(&p->l, &p->port, v->loop_to - 1),
                  end = MIN(last + 1, r->column + r->columns);
    const uint32_t colour = v->loop_on ? p->t->accent : p->t->quiet;
    for (int64_t column = MAX(first, r->column); column < end; column++) {
        struct cell *cell = cells_at(p->c, (int)column, r->row);
        if (theme_paints(p->t))
            cell->bg = theme_mix(p->t->panel, colour, v->loop_on ? 0.3 : 0.25);
        else if (v->loop_on)
            cell->attr |= ATTR_UNDERLINE;
        if (column == first || column == last)
            paint_put(p, (int)column, r->row, column == last ? ']' : '[', colour,
                      ATTR_BOLD);
    }
}

enum { TAP_LINE = 0x25BE, TAP_START = 0x25C7, DASHES = 0x2506 };

/* Taps are flags on the ruler; those that mark bars are lines through the roll, too. */
void paint_taps(const struct paint *p)
{
    const struct taps *t = &p->v->score->taps;
    const struct region *r = &p->l.ruler, *roll = &p->l.roll;
    for (size_t i = taps_first_at(t, p->port.left_tick); i < t->n; i++) {
        int64_t column = layout_column(&p->l, &p->port, t->list[i].tick);
        bool is_bar = t->list[i].kind == TAP_BAR;
        if (column >= r->column + r->columns)
            break;
        if (column < r->column)
            continue;
        paint_put(p, (int)column, r->row, is_bar ? TAP_LINE : TAP_START, p->t->accent,
                  ATTR_BOLD);
        for (int row = 0; is_bar && row < roll->rows; row++)
            paint_put(p, (int)column, roll->row + row, DASHES, p->t->accent, 0);
    }
}

enum { DOT = 0xB7 };

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
        const char *symbol = v->marks[i].symbol;
        const int64_t end = r->column + r->columns,
                      at = layout_column(&p->l, &p->port, v->marks[i].tick),
                      next =
                          i + 1 < v->n
                              ? layout_column(&p->l, &p->port, v->marks[i + 1].tick) - 1
                              : end;
        if (at >= end)
            break;
        const bool is_past = at < r->column,
                   is_here =
                       v->marks[i].tick <= p->v->cursor.tick &&
                       (i + 1 == v->n || v->marks[i + 1].tick > p->v->cursor.tick);
        const int column = is_past ? r->column : (int)at,
                  room = (int)(next < end ? next : end) - column;
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
