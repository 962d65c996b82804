/* Where a note looked, and who looked at it: rows and columns of attention, of one head
 * or of many, summed from tokens to notes. See inspection.h. */
#include "app/inspection/inspection_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The heads that a look is of. */
struct heads {
    int from_layer, to_layer, from_head, to_head;
};

static struct heads heads_of(const struct inspection *i, const struct inspected_look *l)
{
    struct heads h = {0, i->c.n_layers, 0, i->c.n_heads};
    if (l->layer >= 0) {
        h.from_layer = l->layer;
        h.to_layer = l->layer + 1;
    }
    if (l->head >= 0) {
        h.from_head = l->head;
        h.to_head = l->head + 1;
    }
    return h;
}

static int n_heads(struct heads h)
{
    return (h.to_layer - h.from_layer) * (h.to_head - h.from_head);
}

enum model_status look_each_head(struct inspection *i, const struct inspected_look *l,
                                 look_visit *visit, void *arg)
{
    const struct heads of = heads_of(i, l);
    enum model_status st = MODEL_OK;
    for (int layer = of.from_layer; !st && layer < of.to_layer; layer++) {
        if (inspection_is_cancelled(i))
            return MODEL_CANCELLED;
        for (int head = of.from_head; !st && head < of.to_head; head++)
            st = visit(arg, (struct attention_head){l->of, layer, head});
    }
    return st;
}

const struct inspected_token *look_keys(const struct inspection *i,
                                        enum attention_kind of, int *n)
{
    return of == ATTENTION_CROSS ? inspection_source(i, n) : inspection_tokens(i, n);
}

struct attention_head inspected_head(const struct inspected_look *l)
{
    return (struct attention_head){l->of, l->layer < 0 ? 0 : l->layer,
                                   l->head < 0 ? 0 : l->head};
}

int look_row(const struct inspected_look *l, int token)
{
    return l->row == LOOK_CHOOSING ? token - 1 : token;
}

/* -- a note's rows -- */

/* One place at a time: its row, of all heads. */
struct look_on {
    struct inspection *i;
    const struct inspected_look *look;
    int place, n_keys;
    float *row;      /* [n_keys] of one head */
    float *together; /* [n_keys] of all so far */
};

static enum model_status add_row(void *arg, struct attention_head h)
{
    const struct look_on *l = arg;
    enum model_status st =
        attention_rows(l->i->main.decoder, h, l->place, 1, l->row, (size_t)l->n_keys);
    bool largest = l->look->many == LOOK_STRONGEST;
    for (int k = 0; !st && k < l->n_keys; k++) {
        float *to = &l->together[k];
        *to = largest ? fmaxf(*to, l->row[k]) : *to + l->row[k];
    }
    return st;
}

static void scale_to_one(float *x, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (double)x[k];
    for (int k = 0; sum > 0 && k < n; k++)
        x[k] = (float)((double)x[k] / sum);
}

/* weights [n_keys] += the row of one place. */
static enum model_status add_place(struct inspection *i, const struct inspected_look *l,
                                   int place, int n_keys, float *weights)
{
    struct look_on on = {i, l, place, n_keys, i->row, i->row + i->c.context};
    memset(on.together, 0, (size_t)n_keys * sizeof *on.together);
    enum model_status st = look_each_head(i, l, add_row, &on);
    if (st)
        return st;
    scale_to_one(on.together, n_keys);
    for (int k = 0; k < n_keys; k++)
        weights[k] += on.together[k];
    return MODEL_OK;
}

/* Whether the token counts, if only some parts of a note are requested. */
static bool part_counts(unsigned parts, enum inspected_part part)
{
    return !parts || parts >> part & 1;
}

bool look_is_of(const struct inspection *i, int token, int note, unsigned parts)
{
    const struct inspected_token *t = &i->now.tokens[token];
    return t->note == note && part_counts(parts, t->part);
}

/* weights [n tokens, or tokens of the source]. LOOKS_AT only. */
static enum inspection_state token_weights(struct inspection *i, int note,
                                           const struct inspected_look *look,
                                           float *weights)
{
    int n_keys, n_places = 0;
    look_keys(i, look->of, &n_keys);
    memset(weights, 0, (size_t)n_keys * sizeof *weights);
    enum model_status st = MODEL_OK;
    for (int t = 0; !st && t < i->now.n_tokens; t++)
        if (look_is_of(i, t, note, look->parts) && look_row(look, t) >= 0) {
            st = add_place(i, look, look_row(look, t), n_keys, weights);
            n_places++;
        }
    for (int k = 0; n_places && k < n_keys; k++)
        weights[k] /= (float)n_places;
    return inspection_end(i, st);
}

static void sum_to_notes(const struct inspected_token *tokens, int n,
                         const float *weights, float *per_note, float *other)
{
    for (int k = 0; k < n; k++) {
        if (tokens[k].note >= 0)
            per_note[tokens[k].note] += weights[k];
        else
            other[tokens[k].part - INSPECTED_NOTE_PARTS] += weights[k];
    }
}

static enum inspection_state looked_at(struct inspection *i, int note,
                                       const struct inspected_look *look,
                                       float *per_note, float *other)
{
    int n;
    const struct inspected_token *tokens = look_keys(i, look->of, &n);
    float *weights = calloc((size_t)n + 1, sizeof *weights);
    if (!weights)
        return inspection_end(i, MODEL_NO_MEMORY);
    enum inspection_state state = token_weights(i, note, look, weights);
    if (state == INSPECTION_DONE)
        sum_to_notes(tokens, n, weights, per_note, other);
    free(weights);
    return state;
}

/* -- who looked at a note -- */

/* A run of its tokens: the mass that every row gives to it. */
struct looked_on {
    struct inspection *i;
    const struct inspected_look *look;
    int from, to; /* keys */
    int first, n; /* rows */
    float *mass;  /* [n] of one head */
    float *together;
};

static enum model_status add_column(void *arg, struct attention_head h)
{
    const struct looked_on *l = arg;
    enum model_status st = attention_column(l->i->main.decoder, h, l->from, l->to,
                                            l->first, l->n, l->mass);
    bool largest = l->look->many == LOOK_STRONGEST;
    for (int k = 0; !st && k < l->n; k++) {
        float *to = &l->together[l->first + k];
        *to = largest ? fmaxf(*to, l->mass[k]) : *to + l->mass[k];
    }
    return st;
}

/* mass [n tokens] += what each row gives to keys [from, to). */
static enum model_status add_run(struct inspection *i,
                                 const struct inspected_look *look, int from, int to,
                                 float *mass)
{
    const bool is_source = look->of == ATTENTION_CROSS;
    const int first = is_source ? 0 : from, n = i->now.n_tokens;
    struct looked_on on = {i,     look,      from,   to,
                           first, n - first, i->row, i->row + i->c.context};
    memset(on.together, 0, (size_t)n * sizeof *on.together);
    enum model_status st = look_each_head(i, look, add_column, &on);
    const float share =
        look->many == LOOK_MEAN ? 1.0f / (float)n_heads(heads_of(i, look)) : 1.0f;
    for (int k = 0; !st && k < n; k++)
        mass[k] += share * on.together[k];
    return st;
}

static enum model_status add_runs(struct inspection *i, int note,
                                  const struct inspected_look *look, float *mass)
{
    int n;
    const struct inspected_token *keys = look_keys(i, look->of, &n);
    enum model_status st = MODEL_OK;
    for (int from = 0, to; !st && from < n; from = to + 1) {
        to = from;
        while (to < n && keys[to].note == note &&
               part_counts(look->parts, keys[to].part))
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
        float given = look_row(look, t) >= 0 ? mass[look_row(look, t)] : 0;
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

static enum inspection_state looked_at_by(struct inspection *i, int note,
                                          const struct inspected_look *look,
                                          float *per_note, float *other)
{
    float *mass = calloc((size_t)i->now.n_tokens + 1, sizeof *mass);
    enum model_status st = mass ? add_runs(i, note, look, mass) : MODEL_NO_MEMORY;
    if (!st)
        mean_by_note(i, look, mass, per_note, other);
    free(mass);
    return inspection_end(i, st);
}

static bool has_heads(const struct inspection *i, const struct inspected_look *l)
{
    return l->layer < i->c.n_layers && l->head < i->c.n_heads &&
           (l->of == ATTENTION_SELF || i->now.n_source > 0);
}

enum inspection_state inspection_weights(struct inspection *i, int note,
                                         const struct inspected_look *look,
                                         float *per_note, float other[INSPECTED_KINDS])
{
    memset(per_note, 0, (size_t)i->now.n_notes * sizeof *per_note);
    memset(other, 0, INSPECTED_KINDS * sizeof *other);
    if (note < 0 || note >= i->now.n_notes || !has_heads(i, look))
        return inspection_end(i, MODEL_NO_HEAD);
    return look->way == LOOKS_AT ? looked_at(i, note, look, per_note, other)
                                 : looked_at_by(i, note, look, per_note, other);
}
