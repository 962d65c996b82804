/* Timeline events beside the ruler's numbers: markers, meters, tempos, keys, the loop
 * and taps. Tall screens have a row for the events.
 *
 * Markers are placed first, then the others where room is left. An event without room
 * near its place is left out; the list of events (MODE_MAP) has all. */
#include "tui/paint/paint.h"
#include "midi/base/array.h"
#include "tui/base/text.h"

#include <math.h>

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

/* The first column with a free one before it, at or near `column`; -1: none. */
static int find_room(const struct paint *p, int column)
{
    const struct region *r = &p->l.ruler;
    for (int at = column; at <= column + ASIDE && at < r->column + r->columns; at++)
        if (is_free(p, at) && (at == r->column || at == column || is_free(p, at - 1)))
            return at;
    return -1;
}

/* Free cells from `column` on, up to `end`. */
static int room_at(const struct paint *p, int column, int end)
{
    int n = 0;
    while (column + n < end && is_free(p, column + n))
        n++;
    return n;
}

static bool is_text(const struct timeline_event *g)
{
    return g->kind == TIMELINE_MARKER || g->kind == TIMELINE_CUE_POINT;
}

/* Repeated values are not shown. On a shared row, those at the piece's start are not
 * either. */
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

static void put_marker(const struct paint *p, const struct timeline_event *g,
                       int column, int end)
{
    char words[SIGN_WORDS_BYTES];
    int row = signs_row(p), at = find_room(p, column);
    uint32_t ink = g->kind == TIMELINE_MARKER ? p->t->text : p->t->quiet;
    if (at < 0)
        return;
    paint_put(p, at, row, FLAG, p->t->accent, ATTR_BOLD);
    int room = room_at(p, at + 1, end), wanted;
    wanted = text_columns(sign_words(p->v->score, g, words));
    room -= room < wanted; /* another event follows directly */
    if (room >= LEAST_TEXT || room >= wanted)
        paint_text(p, at + 1, row, room, words, ink,
                   g->kind == TIMELINE_MARKER ? ATTR_BOLD : 0);
}

static void put_value(const struct paint *p, const struct timeline_event *g, int column,
                      int end)
{
    char words[SIGN_WORDS_BYTES];
    int at = find_room(p, column);
    if (at < 0)
        return;
    sign_words(p->v->score, g, words);
    if (room_at(p, at, end) > text_columns(words))
        paint_text(p, at, signs_row(p), text_columns(words), words, p->t->quiet, 0);
}

/* The column of the next marker, which must stay visible. */
static int next_column(const struct paint *p, const struct timeline_events *all,
                       size_t i)
{
    int64_t here = layout_column(&p->l, &p->port, all->list[i].tick);
    int end = p->l.ruler.column + p->l.ruler.columns;
    for (size_t k = i + 1; k < all->n; k++) {
        int64_t column = layout_column(&p->l, &p->port, all->list[k].tick);
        if (column >= end)
            break;
        if (is_text(&all->list[k]) && column > here)
            return (int)column;
    }
    return end;
}

static void put_signs(const struct paint *p, const struct timeline_events *all,
                      bool texts)
{
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
        if (texts && column != seen)
            put_marker(p, g, (int)column, next_column(p, all, i));
        else if (!texts && is_news(p, g))
            put_value(p, g, (int)column, r->column + r->columns);
        seen = column;
    }
}

void paint_signs(const struct paint *p)
{
    struct region row = {0, p->l.signs.row, p->l.columns, p->l.signs.rows};
    cells_fill(p->c, row, ' ', p->t->quiet, p->t->panel);
    put_signs(p, survey_signs(p->survey), true);
    put_signs(p, survey_signs(p->survey), false);
}

static void put_bracket(const struct paint *p, int64_t column, uint32_t glyph)
{
    const struct region *r = &p->l.ruler;
    if (column >= r->column && column < r->column + r->columns)
        paint_put(p, (int)column, r->row, glyph,
                  p->v->transport.loop_on ? p->t->accent : p->t->quiet, ATTR_BOLD);
}

void paint_loop(const struct paint *p)
{
    const struct view *v = p->v;
    const struct region *r = &p->l.ruler;
    if (!v->transport.has_loop)
        return;
    int64_t first = layout_column(&p->l, &p->port, v->transport.loop_from);
    int64_t last = layout_column(&p->l, &p->port, v->transport.loop_to - 1);
    int from =
        first > r->column ? (int)(first < CELLS_MAX ? first : CELLS_MAX) : r->column;
    for (int column = from; column <= last && column < r->column + r->columns;
         column++) {
        struct cell *cell = cells_at(p->c, column, p->l.ruler.row);
        if (theme_paints(p->t))
            cell->bg = p->v->transport.loop_on
                           ? theme_mix(p->t->panel, p->t->accent, 0.3)
                           : theme_mix(p->t->panel, p->t->quiet, 0.25);
        else if (p->v->transport.loop_on)
            cell->attr |= ATTR_UNDERLINE;
    }
    put_bracket(p, first, '[');
    put_bracket(p, last, ']');
}

enum { TAP_LINE = 0x25BE, TAP_START = 0x25C7, DASHES = 0x2506 };

/* Draws all taps in view: lines through the roll, or flags on the ruler. */
static void paint_all_taps(const struct paint *p, bool are_lines)
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
        if (!are_lines)
            paint_put(p, (int)column, r->row, is_bar ? TAP_LINE : TAP_START,
                      p->t->accent, ATTR_BOLD);
        for (int row = 0; are_lines && is_bar && row < roll->rows; row++)
            paint_put(p, (int)column, roll->row + row, DASHES, p->t->accent, 0);
    }
}

void paint_tap_lines(const struct paint *p)
{
    paint_all_taps(p, true);
}

void paint_taps(const struct paint *p)
{
    paint_all_taps(p, false);
}
