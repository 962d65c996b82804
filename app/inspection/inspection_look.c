/* Where a note looked, and who looked at it: rows and columns of attention, of one head
 * or of many, summed from tokens to notes; and heads as pictures. See inspection.h. */
#include "app/inspection/inspection_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int inspected_n_heads(const struct inspection *i, const struct inspected_look *l)
{
    return (l->layer < 0 ? i->c.n_layers : 1) * (l->head < 0 ? i->c.n_heads : 1);
}

struct attention_head inspected_head(const struct inspection *i,
                                     const struct inspected_look *l, int k)
{
    const int n_heads = l->head < 0 ? i->c.n_heads : 1;
    return (struct attention_head){l->of, l->layer < 0 ? k / n_heads : l->layer,
                                   l->head < 0 ? k % n_heads : l->head};
}

static int row_of(const struct inspected_look *l, int token)
{
    return l->row == LOOK_CHOOSING ? token - 1 : token;
}

/* Whether the token is of the note and counts, if only some parts are requested. */
static bool is_of(const struct inspected_token *t, int note, unsigned parts)
{
    return t->note == note && (!parts || parts >> t->part & 1);
}

int look_row(const struct inspection *i, const struct inspected_look *l, int token,
             int note)
{
    return is_of(&i->now.tokens[token], note, l->parts) ? row_of(l, token) : -1;
}

/* LOOKS_AT: the row `first`; else what n rows from it on give to keys [from, to). */
struct strip {
    int first, n, from, to;
};

/* together [n]: the sum of the heads, or their largest weights. */
static enum model_status join_heads(struct inspection *i,
                                    const struct inspected_look *l,
                                    const struct strip *s, float *together)
{
    struct decoder *d = i->main.decoder;
    enum model_status st = MODEL_OK;
    memset(together, 0, (size_t)s->n * sizeof *together);
    for (int k = 0; !st && k < inspected_n_heads(i, l); k++) {
        const struct attention_head h = inspected_head(i, l, k);
        if (inspection_is_cancelled(i))
            return MODEL_CANCELLED;
        st = l->way == LOOKS_AT
                 ? attention_rows(d, h, s->first, 1, i->row, (size_t)s->n)
                 : attention_column(d, h, s->from, s->to, s->first, s->n, i->row);
        for (int at = 0; !st && at < s->n; at++)
            together[at] = l->many == LOOK_STRONGEST ? fmaxf(together[at], i->row[at])
                                                     : together[at] + i->row[at];
    }
    return st;
}

/* weights [n_keys] += the row of one place, scaled to sum to one. */
static enum model_status add_place(struct inspection *i, const struct inspected_look *l,
                                   int place, int n_keys, float *weights)
{
    float *row = i->row + i->c.context;
    double sum = 0;
    enum model_status st =
        join_heads(i, l, &(struct strip){.first = place, .n = n_keys}, row);
    for (int k = 0; k < n_keys; k++)
        sum += (double)row[k];
    for (int k = 0; !st && k < n_keys; k++)
        weights[k] += sum > 0 ? (float)((double)row[k] / sum) : row[k];
    return st;
}

static enum model_status looked_at(struct inspection *i, int note,
                                   const struct inspected_look *look, float *per_note,
                                   float *other)
{
    int n, n_places = 0;
    const struct inspected_token *keys = inspection_keys(i, look->of, &n);
    float *weights = calloc((size_t)n + 1, sizeof *weights);
    enum model_status st = weights ? MODEL_OK : MODEL_NO_MEMORY;
    for (int t = 0; !st && t < i->now.n_tokens; t++)
        if (look_row(i, look, t, note) >= 0) {
            st = add_place(i, look, look_row(i, look, t, note), n, weights);
            n_places++;
        }
    for (int k = 0; !st && n_places && k < n; k++)
        *(keys[k].note >= 0 ? &per_note[keys[k].note]
                            : &other[keys[k].part - INSPECTED_NOTE_PARTS]) +=
            weights[k] / (float)n_places;
    free(weights);
    return st;
}

/* -- who looked at a note -- */

/* mass [n tokens] += what each row gives to keys [from, to). */
static enum model_status add_run(struct inspection *i,
                                 const struct inspected_look *look, int from, int to,
                                 float *mass)
{
    const int first = look->of == ATTENTION_CROSS ? 0 : from;
    const struct strip s = {first, i->now.n_tokens - first, from, to};
    const float share =
        look->many == LOOK_MEAN ? 1.0f / (float)inspected_n_heads(i, look) : 1.0f;
    float *together = i->row + i->c.context;
    enum model_status st = join_heads(i, look, &s, together);
    for (int k = 0; !st && k < s.n; k++)
        mass[first + k] += share * together[k];
    return st;
}

static enum model_status add_runs(struct inspection *i, int note,
                                  const struct inspected_look *look, float *mass)
{
    int n;
    const struct inspected_token *keys = inspection_keys(i, look->of, &n);
    enum model_status st = MODEL_OK;
    for (int from = 0, to; !st && from < n; from = to + 1) {
        to = from;
        while (to < n && is_of(&keys[to], note, look->parts))
            to++;
        if (to > from)
            st = add_run(i, look, from, to, mass);
    }
    return st;
}

/* Each note's mean, and each kind's. */
static void mean_by_note(const struct inspection *i, const struct inspected_look *look,
                         const float *mass, float *per_note, float *other)
{
    int n_other[INSPECTED_KINDS] = {0};
    for (int t = 0; t < i->now.n_tokens; t++) {
        const struct inspected_token *token = &i->now.tokens[t];
        float given = row_of(look, t) >= 0 ? mass[row_of(look, t)] : 0;
        int kind = (int)token->part - INSPECTED_NOTE_PARTS;
        if (token->note >= 0) {
            per_note[token->note] += given / (float)i->now.notes[token->note].n_tokens;
        } else {
            other[kind] += given;
            n_other[kind]++;
        }
    }
    for (int k = 0; k < INSPECTED_KINDS; k++)
        other[k] = n_other[k] ? other[k] / (float)n_other[k] : 0;
}

static enum model_status looked_at_by(struct inspection *i, int note,
                                      const struct inspected_look *look,
                                      float *per_note, float *other)
{
    float *mass = calloc((size_t)i->now.n_tokens + 1, sizeof *mass);
    enum model_status st = mass ? add_runs(i, note, look, mass) : MODEL_NO_MEMORY;
    if (!st)
        mean_by_note(i, look, mass, per_note, other);
    free(mass);
    return st;
}

enum inspection_state inspection_weights(struct inspection *i, int note,
                                         const struct inspected_look *look,
                                         float *per_note, float other[INSPECTED_KINDS])
{
    memset(per_note, 0, (size_t)i->now.n_notes * sizeof *per_note);
    memset(other, 0, INSPECTED_KINDS * sizeof *other);
    if (note < 0 || note >= i->now.n_notes || look->layer >= i->c.n_layers ||
        look->head >= i->c.n_heads || (look->of == ATTENTION_CROSS && !i->now.n_source))
        return inspection_end(i, MODEL_NO_HEAD);
    return inspection_end(i, (look->way == LOOKS_AT ? looked_at : looked_at_by)(
                                 i, note, look, per_note, other));
}

/* -- pictures: tiles of a size that can be drawn, each the largest weight in it -- */

/* [n_parts + 1] edges of n in parts that differ by one at most, malloc'd. NULL: no
 * memory. */
static int *divide(int n, int n_parts)
{
    int *edges = calloc((size_t)n_parts + 1, sizeof *edges);
    for (int k = 0; edges && k <= n_parts; k++)
        edges[k] = (int)((int64_t)n * k / n_parts);
    return edges;
}

/* Row k is of token k, as the look that chose it has it. */
enum inspection_state inspection_pool(struct inspection *i, struct attention_head first,
                                      int n_heads, int n_rows, int n_columns,
                                      float *cells)
{
    const size_t size = (size_t)n_rows * (size_t)n_columns;
    const int n_tokens = i->now.n_tokens;
    if (n_rows < 1 || n_columns < 1 || !n_tokens)
        return inspection_end(i, MODEL_NO_HEAD);
    int *rows = divide(n_tokens, n_rows);
    int *columns =
        divide(first.kind == ATTENTION_CROSS ? i->now.n_source : n_tokens, n_columns);
    enum model_status st = rows && columns ? MODEL_OK : MODEL_NO_MEMORY;
    for (int k = 0; !st && k < n_heads; k++) {
        const int at = first.layer * i->c.n_heads + first.head + k;
        const struct attention_head h = {first.kind, at / i->c.n_heads,
                                         at % i->c.n_heads};
        st = inspection_is_cancelled(i)
                 ? MODEL_CANCELLED
                 : attention_pool(i->main.decoder, h, rows, n_rows, columns, n_columns,
                                  cells + (size_t)k * size);
    }
    free(rows);
    free(columns);
    return inspection_end(i, st);
}
