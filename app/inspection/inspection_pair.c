/* Two notes, one of which looked at the other: how much in all, and by which single weight
 * most. See inspection.h. */
#include "app/inspection/inspection_internal.h"

#include <math.h>
#include <stdlib.h>

struct pairing {
    struct inspection *i;
    const struct inspected_look *look;
    int other, place, n_keys;
    struct inspected_pair *out;
};

static enum model_status seek_largest(void *arg, struct attention_head h)
{
    const struct pairing *p = arg;
    int n;
    const struct inspected_token *keys = look_keys(p->i, p->look->of, &n);
    enum model_status st = attention_rows(p->i->main.decoder, h, p->place, 1, p->i->row,
                                          (size_t)p->n_keys);
    for (int k = 0; !st && k < p->n_keys; k++)
        if (keys[k].note == p->other && p->i->row[k] > p->out->largest) {
            p->out->largest = p->i->row[k];
            p->out->head = h;
            p->out->query = p->place;
            p->out->key = k;
        }
    return st;
}

static float entropy_bits(const float *row, int n)
{
    double bits = 0;
    for (int k = 0; k < n; k++)
        if (row[k] > 0)
            bits -= (double)row[k] * log2((double)row[k]);
    return (float)bits;
}

/* The largest weight's score, part by part, and its row's entropy. */
static enum model_status describe_largest(struct inspection *i, int n_keys,
                                          struct inspected_pair *out)
{
    struct decoder *d = i->main.decoder;
    float *parts = calloc(3 * (size_t)n_keys + 1, sizeof *parts);
    if (!parts)
        return MODEL_NO_MEMORY;
    enum model_status st =
        attention_rows(d, out->head, out->query, 1, i->row, (size_t)n_keys);
    if (!st)
        st = attention_scores(d, out->head, out->query, parts, parts + n_keys,
                              parts + 2 * n_keys);
    if (!st) {
        out->entropy = entropy_bits(i->row, n_keys);
        out->content = parts[out->key];
        out->index = parts[n_keys + out->key];
        out->time = parts[2 * n_keys + out->key];
    }
    free(parts);
    return st;
}

static enum model_status pair_rows(struct inspection *i, int note, int other,
                                   const struct inspected_look *look,
                                   struct inspected_pair *out)
{
    enum model_status st = MODEL_OK;
    struct pairing p = {i, look, other, 0, 0, out};
    look_keys(i, look->of, &p.n_keys);
    for (int t = 0; !st && t < i->now.n_tokens; t++)
        if (look_is_of(i, t, note, look->parts) && look_row(look, t) >= 0) {
            p.place = look_row(look, t);
            st = look_each_head(i, look, seek_largest, &p);
        }
    return !st && out->largest > 0 ? describe_largest(i, p.n_keys, out) : st;
}

enum inspection_state inspection_pair(struct inspection *i, int note, int other,
                                      const struct inspected_look *look,
                                      struct inspected_pair *out)
{
    struct inspected_look at = *look;
    float others[INSPECTED_KINDS];
    *out = (struct inspected_pair){0};
    at.way = LOOKS_AT;
    if (other < 0 || other >= i->now.n_notes)
        return inspection_end(i, MODEL_NO_HEAD);
    float *per_note = calloc((size_t)i->now.n_notes + 1, sizeof *per_note);
    if (!per_note)
        return inspection_end(i, MODEL_NO_MEMORY);
    enum inspection_state state = inspection_weights(i, note, &at, per_note, others);
    out->weight = state == INSPECTION_DONE ? per_note[other] : 0;
    free(per_note);
    return state ? state : inspection_end(i, pair_rows(i, note, other, &at, out));
}
