/* What stands on the ruler beside its numbers: markers, meters, tempos and keys where
 * they begin, in a row of their own where the screen has one, and the loop.
 *
 * Markers are put first, whatever else has the room that is left; a sign for which there
 * is none near its place is not shown, and the list of them (MODE_MAP) has it. */
#include "tui/paint/paint.h"
#include "tui/roll/sign_words.h"
#include "tui/base/text.h"

#include <math.h>

enum {
    FLAG = 0x25B8,
    ASIDE = 12, /* columns that a sign may stand after its place */
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

/* From `column` on, leaving one free after what is there; -1: not near. */
static int find_room(const struct paint *p, int column)
{
    const struct region *r = &p->l.ruler;
    for (int at = column; at <= column + ASIDE && at < r->column + r->columns; at++)
        if (is_free(p, at) && (at == r->column || at == column || is_free(p, at - 1)))
            return at;
    return -1;
}

/* Free cells from there on, up to `end`. */
static int room_at(const struct paint *p, int column, int end)
{
    int n = 0;
    while (column + n < end && is_free(p, column + n))
        n++;
    return n;
}

static bool is_text(const struct sign *g)
{
    return g->kind == SIGN_MARKER || g->kind == SIGN_CUE;
}

/* What is told again says nothing; nor does, on a shared row, how the piece begins. */
static bool is_news(const struct paint *p, const struct sign *g)
{
    const struct timeline *t = &p->v->score->timeline;
    if (g->tick == 0 || g->kind == SIGN_KEY)
        return p->l.signs.rows || g->tick > 0;
    struct bar before = timeline_bar_at(t, g->tick - 1);
    if (g->kind == SIGN_METER)
        return before.numerator != g->numerator || before.denominator != g->denominator;
    return fabs(timeline_bpm(t, g->tick - 1) - g->bpm) >= 0.05;
}

static void put_marker(const struct paint *p, const struct sign *g, int column, int end)
{
    char words[SIGN_WORDS_BYTES];
    int row = signs_row(p), at = find_room(p, column);
    uint32_t ink = g->kind == SIGN_MARKER ? p->t->text : p->t->quiet;
    if (at < 0)
        return;
    cells_put(p->c, at, row, FLAG, p->t->accent, COLOUR_KEEP, ATTR_BOLD);
    int room = room_at(p, at + 1, end), wanted;
    wanted = text_columns(sign_words(p->v->score, g, words));
    room -= room < wanted; /* something else comes right after it */
    if (room >= LEAST_TEXT || room >= wanted)
        cells_text(p->c, at + 1, row, room, words, ink, COLOUR_KEEP,
                   g->kind == SIGN_MARKER ? ATTR_BOLD : 0);
}

static void put_value(const struct paint *p, const struct sign *g, int column, int end)
{
    char words[SIGN_WORDS_BYTES];
    int at = find_room(p, column);
    if (at < 0)
        return;
    sign_words(p->v->score, g, words);
    if (room_at(p, at, end) > text_columns(words))
        cells_text(p->c, at, signs_row(p), text_columns(words), words, p->t->quiet,
                   COLOUR_KEEP, 0);
}

/* The column of the next marker right of it, so that each is seen to begin. */
static int next_column(const struct paint *p, const struct signs *all, size_t i)
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

static void put_signs(const struct paint *p, const struct signs *all, bool texts)
{
    const struct region *r = &p->l.ruler;
    int64_t seen = -1;
    for (size_t i = signs_first_at(all, p->port.left_tick); i < all->n; i++) {
        const struct sign *g = &all->list[i];
        int64_t column = layout_column(&p->l, &p->port, g->tick);
        if (column >= r->column + r->columns)
            break;
        if (g->kind == SIGN_LYRIC || is_text(g) != texts || column < r->column)
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

/* -- the loop -- */

static void tint_loop(const struct paint *p, int column)
{
    struct cell *cell = cells_at(p->c, column, p->l.ruler.row);
    if (theme_paints(p->t))
        cell->bg = p->v->transport.loop_on ? theme_mix(p->t->panel, p->t->accent, 0.3)
                                           : theme_mix(p->t->panel, p->t->quiet, 0.25);
    else if (p->v->transport.loop_on)
        cell->attr |= ATTR_UNDERLINE;
}

static void put_bracket(const struct paint *p, int64_t column, uint32_t glyph)
{
    const struct region *r = &p->l.ruler;
    if (column >= r->column && column < r->column + r->columns)
        cells_put(p->c, (int)column, r->row, glyph,
                  p->v->transport.loop_on ? p->t->accent : p->t->quiet, COLOUR_KEEP,
                  ATTR_BOLD);
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
    for (int column = from; column <= last && column < r->column + r->columns; column++)
        tint_loop(p, column);
    put_bracket(p, first, '[');
    put_bracket(p, last, ']');
}
