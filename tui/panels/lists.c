/* The lists of what was done, of what changes along the piece, and of the instruments that
 * match the typed text. */
#include "midi/score/general_midi.h"
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"

#include <inttypes.h>
#include <stdio.h>

/* Branches are columns of the drawing. A state is in the column of the newest state
 * after it; other branches that begin at it join from the right. */
enum { HISTORY_COLUMNS = 50, NUMBER = 5, WHEN = 9 };

struct list_box history_list_box(const struct layout *l, size_t n, size_t chosen)
{
    static const struct list_shape SHAPE = {.place = LIST_AT_RIGHT,
                                            .columns = HISTORY_COLUMNS};
    return list_box_for(l, &SHAPE, list_count(n), list_count(chosen));
}

static uint32_t glyph_at(const struct history_row *h, int lane, int last)
{
    if (lane == h->lane)
        return h->is_present ? 0x25CF : 0x25CB;
    bool is_crossed = lane > h->lane && lane < last;
    if (h->joining >> lane & 1)
        return lane == last ? 0x2518 : 0x2534;
    if (h->passing >> lane & 1)
        return is_crossed ? 0x253C : 0x2502;
    return is_crossed ? 0x2500 : ' ';
}

static void paint_state(const struct paint *p, const struct list_box *b, int i)
{
    char text[160], number[16];
    const struct history_row *rows = p->v->history.rows, *h = &rows[i];
    unsigned used = 1;
    for (int k = b->first; k < b->first + b->n_shown; k++)
        used |= rows[k].passing | rows[k].joining | 1u << rows[k].lane;
    int n_lanes = 0, last = h->lane; /* the rightmost lane that joins this state */
    while (used >> n_lanes)
        n_lanes++;
    for (int lane = h->lane + 1; lane < HISTORY_LANES; lane++)
        if (h->joining >> lane & 1)
            last = lane;
    struct list_row r = list_paint_item(p, b, i, h->is_present);
    uint32_t ink = h->is_on_way ? r.ink : r.quiet;
    for (int lane = 0; lane < n_lanes; lane++) {
        bool is_node = lane == h->lane;
        paint_put(p, r.column + lane, r.row, glyph_at(h, lane, last),
                  is_node ? ink : r.quiet,
                  r.is_chosen ? r.attr
                  : is_node   ? ATTR_BOLD
                              : 0);
    }
    int at = r.column + (n_lanes + 1);
    snprintf(number, sizeof number, "%4" PRIu64, h->state);
    list_write(p, &r, at, NUMBER, number, ink, 0);
    at += NUMBER;
    snprintf(text, sizeof text, "%s%s", h->label, h->is_saved ? "  (saved)" : "");
    int when = *h->when ? WHEN : 0;
    if (r.end - at <= when)
        return;
    list_write(p, &r, at, r.end - at - when, text, ink, 0);
    if (when)
        list_write(p, &r, r.end - WHEN + 1, WHEN - 1, h->when, ink, 0);
}

void paint_history_list(const struct paint *p)
{
    const struct history_view *h = &p->v->history;
    struct list_box b = history_list_box(&p->l, h->n, h->chosen);
    if (h->n > 0 && b.frame.rows)
        list_paint(p, &b, "history", "", paint_state);
}

enum { MAP_COLUMNS = 48, WHERE = 13, KIND = 8 };

struct list_box map_list_box(const struct layout *l, const struct timeline_events *all,
                             int chosen)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_RIGHT, .columns = MAP_COLUMNS, .above = 1};
    return list_box_for(l, &SHAPE, list_count(all->n), chosen);
}

static void write_columns(const struct paint *p, const struct list_row *r,
                          const char *where, const char *kind, const char *words,
                          uint32_t ink)
{
    int at = r->column;
    list_write(p, r, at, WHERE, where, ink, 0);
    list_write(p, r, at + WHERE, KIND, kind, r->quiet, 0);
    list_write(p, r, at + WHERE + KIND, r->end, words, ink, 0);
}

/* "012.3.120  tempo   ♩=96": bar, beat, ticks. */
static void paint_sign(const struct paint *p, const struct list_box *b, int i)
{
    char where[80], words[SIGN_WORDS_BYTES];
    const struct timeline_event *g = &p->v->map_list.signs->list[i];
    struct list_row r = list_paint_item(p, b, i, i == p->v->map_list.chosen);
    struct position at = paint_position_of(p->v->score, g->tick);
    snprintf(where, sizeof where, "%03" PRId64 ".%" PRId64 ".%03" PRId64, at.bar,
             at.beat, at.past);
    write_columns(p, &r, where, sign_kind_name(g->kind),
                  sign_words(p->v->score, g, words), r.ink);
}

void paint_map_list(const struct paint *p)
{
    const struct timeline_events *all = p->v->map_list.signs;
    struct list_box b = {0};
    if (all)
        b = map_list_box(&p->l, all, p->v->map_list.chosen);
    if (!b.frame.rows)
        return;
    list_paint(p, &b, "map of the piece", "nothing yet: a adds one", paint_sign);
    struct list_row r = list_plain_row(p, &b, b.frame.row + 1);
    write_columns(p, &r, "bar beat", "what", "changes here", r.quiet);
}

static void paint_instrument(const struct paint *p, const struct list_box *b, int i)
{
    char text[64];
    const struct view *v = p->v;
    int program = v->instruments.programs[i];
    const char *name =
        v->instruments.are_kits ? gm_kit_name(program) : gm_program_name(program);
    struct list_row r = list_paint_item(p, b, i, i == v->instruments.chosen);
    snprintf(text, sizeof text, "%3d  %s", program + 1, name);
    list_write(p, &r, r.column, r.end - r.column, text, r.ink, 0);
}

void paint_instruments(const struct paint *p)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_FOOT, .columns = 36, .most_items = 14};
    const struct view *v = p->v;
    if (!v->instruments.programs)
        return;
    struct list_box b =
        list_box_for(&p->l, &SHAPE, v->instruments.n, v->instruments.chosen);
    if (b.frame.rows)
        list_paint(p, &b, v->instruments.are_kits ? "drum kits" : "instruments",
                   "no such instrument", paint_instrument);
}
