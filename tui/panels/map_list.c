/* The list of tempos, meters, keys and markers, a line each. */
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"

#include <inttypes.h>
#include <stdio.h>

enum { LIST_COLUMNS = 48, WHERE = 13, KIND = 8 };

struct list_box map_list_box(const struct layout *l, const struct timeline_events *all,
                             int chosen)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_RIGHT, .columns = LIST_COLUMNS, .above = 1};
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
    list_paint(p, &b, "along the piece", "nothing yet: a adds", paint_sign);
    struct list_row r = list_plain_row(p, &b, b.frame.row + 1);
    write_columns(p, &r, "bar beat", "what", "changes here", r.quiet);
}
