/* The list of tempos, meters, keys and markers, a line each. */
#include "tui/panels/map_list.h"

#include "tui/paint/list_paint.h"
#include "tui/roll/sign_words.h"

#include <inttypes.h>
#include <stdio.h>

enum { LIST_COLUMNS = 48, WHERE = 13, KIND = 8 };

struct list_box map_list_box(const struct layout *l, const struct signs *all,
                             int chosen)
{
    static const struct list_shape SHAPE = {
        .place = LIST_AT_RIGHT, .columns = LIST_COLUMNS, .above = 1};
    return list_box_for(l, &SHAPE, list_count(all->n), chosen);
}

/* -- drawing -- */

static void write_columns(const struct paint *p, const struct list_row *r,
                          const char *where, const char *kind, const char *words,
                          uint32_t ink)
{
    int at = r->column;
    list_write(p, r, at, WHERE, where, ink, 0);
    list_write(p, r, at + WHERE, KIND, kind, r->quiet, 0);
    list_write(p, r, at + WHERE + KIND, r->end, words, ink, 0);
}

/* "012.3.120  tempo   ♩=96": bar, beat, ticks past it. */
static void paint_sign(const struct paint *p, const struct list_box *b, int i)
{
    char where[80], words[SIGN_WORDS_BYTES];
    const struct sign *g = &p->v->map_list.signs->list[i];
    const struct timeline *t = &p->v->score->timeline;
    struct list_row r = list_paint_item(p, b, i, i == p->v->map_list.chosen);
    struct bar bar = timeline_bar_at(t, g->tick);
    int64_t beat = timeline_beat_ticks(t, g->tick), into = g->tick - bar.start;
    snprintf(where, sizeof where, "%03" PRId64 ".%" PRId64 ".%03" PRId64, bar.index + 1,
             into / beat + 1, into % beat);
    write_columns(p, &r, where, sign_kind_name(g->kind),
                  sign_words(p->v->score, g, words), r.ink);
}

void paint_map_list(const struct paint *p)
{
    const struct signs *all = p->v->map_list.signs;
    struct list_box b = {0};
    if (all)
        b = map_list_box(&p->l, all, p->v->map_list.chosen);
    if (!b.frame.rows)
        return;
    list_paint_frame(p, &b, "along the piece");
    struct list_row r = list_plain_row(p, &b, b.frame.row + 1);
    write_columns(p, &r, "bar beat", "what", "changes here", r.quiet);
    list_paint_nothing(p, &b, "nothing yet: a adds");
    for (int i = b.first; i < b.first + b.n_shown; i++)
        paint_sign(p, &b, i);
}
