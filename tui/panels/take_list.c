/* The list of takes: the quality of each in words or figures, and its progress while it
 * is written. */
#include "tui/panels/panels.h"

#include "tui/paint/paint.h"

#include <inttypes.h>
#include <stdio.h>

enum { FIGURES = 27, SEED = 9, BAR = 6, GAP = 2, WORDS = 7 };

struct list_box take_list_box(const struct layout *l, int n, int shown)
{
    const struct list_shape shape = {
        .place = LIST_AT_LEFT, .columns = l->takes.columns, .above = 1};
    struct layout own = *l;
    own.roll = l->takes;
    own.too_small |= l->takes.columns == 0;
    return list_box_for(&own, &shape, n, shown);
}

/* Leaves out columns that do not fit. */
static void write_columns(const struct paint *p, const struct list_row *r,
                          const char *figures, const char *seed, uint32_t ink)
{
    list_write(p, r, r->column, FIGURES, figures, ink, 0);
    if (r->end - r->column >= FIGURES + SEED)
        list_write(p, r, r->column + FIGURES, SEED, seed, ink, 0);
}

/* Played takes have no figures. */
static const char *figures(const struct take_row *t, char *buf, size_t n)
{
    char liking = t->liking > 0 ? '+' : t->liking < 0 ? '-' : ' ';
    int used =
        snprintf(buf, n, "%2d%c%3d %6zu", t->number, liking, t->rank, t->n_notes);
    if (t->is_drawn)
        snprintf(buf + used, n - (size_t)used, "%6.2f %6.1f%%", t->nats,
                 100 * t->masked);
    else
        snprintf(buf + used, n - (size_t)used, "%6s %7s", "-", "-");
    return buf;
}

/* As many whole phrases as fit. */
static const char *words(const struct take_row *t, int room, char *buf, size_t n)
{
    int fits = 0;
    room = room > 0 ? room : 0;
    snprintf(buf, n, "%s", t->why);
    for (int i = 0; i <= room && (size_t)i < n; i++) {
        if (buf[i] == ',' || buf[i] == ';' || !buf[i])
            fits = i;
        if (!buf[i])
            break;
    }
    buf[fits ? fits : room] = '\0';
    return buf;
}

/* Whether the list shows words. */
static bool has_words(const struct view *v)
{
    for (int i = 0; i < v->takes.n && !v->takes.figures; i++)
        if (v->takes.rows[i].why && *v->takes.rows[i].why)
            return true;
    return false;
}

static void paint_take(const struct paint *p, const struct list_box *b, int i)
{
    char text[96], seed[12];
    const struct take_row *t = &p->v->takes.rows[i];
    struct list_row r = list_paint_item(p, b, i, i == p->v->takes.shown);
    if (has_words(p->v) && t->why && *t->why) {
        char order[32], why[96];
        char liking = t->liking > 0 ? '+' : t->liking < 0 ? '-' : ' ';
        snprintf(order, sizeof order, "%2d%c%3d", t->number, liking, t->rank);
        list_write(p, &r, r.column, WORDS, order, r.ink, 0);
        words(t, r.end - r.column - WORDS, why, sizeof why);
        list_write(p, &r, r.column + WORDS, (int)sizeof why, why, r.ink, 0);
        return;
    }
    /* A long seed shows its last digits; the status line has all. */
    const uint64_t most = 100000000;
    if (t->seed < most)
        snprintf(seed, 12, "%9" PRIu64, t->seed);
    else
        snprintf(seed, 12, " ~%07" PRIu64, t->seed % (most / 10));
    write_columns(p, &r, figures(t, text, sizeof text), seed, r.ink);
    const int at = r.column + FIGURES + SEED + GAP;
    const double share = t->share >= 0 && t->share <= 1 ? t->share : 0;
    for (int k = 0; k < BAR && at + BAR <= r.end; k++)
        list_write(p, &r, at + k, 1, k < (int)(share * BAR + 0.5) ? "▮" : "▯", r.ink,
                   0);
}

void paint_take_list(const struct paint *p)
{
    const struct view *v = p->v;
    struct list_box b = take_list_box(&p->l, v->takes.n, v->takes.shown);
    cells_fill(p->c, p->l.takes, ' ', p->t->text, p->t->panel);
    if (!v->takes.is_listed || v->takes.n <= 0 || !b.frame.rows)
        return;
    list_paint(p, &b, "takes", "", paint_take);
    struct list_row head = list_plain_row(p, &b, b.frame.row + 1);
    if (has_words(v))
        list_write(p, &head, head.column, WORDS + 32, "  rank why; f: figures",
                   head.quiet, 0);
    else
        write_columns(p, &head, "  rank  notes  nats  forced", "     seed", head.quiet);
}
