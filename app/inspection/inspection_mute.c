/* Cause, in contrast to attention: how a note's probability changes when something it could
 * attend to is missing. See inspection.h. Another decoder reads the changed music from the
 * first difference on, so that the first decoder keeps its tokens. */
#include "app/inspection/inspection_internal.h"

#include <math.h>
#include <stdlib.h>

/* The log probability of a note's tokens, in nats. */
static float judge(const struct inspection *i, const struct read_so_far *read,
                   const struct reading *what, int note)
{
    double sum = 0;
    for (int t = 1; t < what->n_tokens && t < read->n; t++)
        if (what->tokens[t].note == note)
            sum -= read_so_far_nats(read, i->c.vocab, t);
    return (float)sum;
}

/* Tokens up to the note's last. */
static int end_of(const struct reading *what, int note)
{
    int end = 0;
    for (int t = 0; t < what->n_tokens; t++)
        end = what->tokens[t].note == note ? t + 1 : end;
    return end;
}

static bool goes(const struct inspected_note *n, int index,
                 const struct inspected_mute *m)
{
    switch (m->what) {
    case MUTE_NOTE:
        return index == m->note;
    case MUTE_SPAN:
        return n->tick >= m->from && n->tick < m->to;
    default:
        return n->track == m->track;
    }
}

/* goes_of [n_notes]; how many of them before the note. */
static int choose(const struct inspection *i, int note, const struct inspected_mute *m,
                  bool *goes_of)
{
    int before = 0;
    for (int k = 0; k < i->now.n_notes; k++) {
        goes_of[k] = k != note && goes(&i->now.notes[k], k, m);
        before += k < note && goes_of[k];
    }
    return before;
}

static enum model_status make_other(struct inspection *i)
{
    if (i->other.decoder)
        return MODEL_OK;
    read_so_far_fini(&i->other);
    enum model_status st = read_so_far_init(&i->other, i->model, i->pool, false);
    if (!st)
        read_so_far_mute(&i->other, i, true);
    return st;
}

static enum model_status read_other(struct inspection *i, const struct reading *what,
                                    int note, float *out)
{
    int n = end_of(what, note);
    enum model_status st = read_so_far_share(&i->other, &i->main, what, n, i->c.vocab);
    if (!st)
        st = read_so_far_read(&i->other, i, what, n);
    if (!st)
        *out = judge(i, &i->other, what, note);
    return st;
}

static enum inspection_state mute_notes(struct inspection *i, int note,
                                        const struct inspected_mute *m, float *out)
{
    struct reading less;
    bool *goes_of = calloc((size_t)i->now.n_notes + 1, sizeof *goes_of);
    if (!goes_of)
        return inspection_end(i, MODEL_NO_MEMORY);
    int before = choose(i, note, m, goes_of);
    enum midi_status st = reading_without(&less, &i->now, goes_of);
    free(goes_of);
    if (st)
        return inspection_end_midi(i, st);
    enum model_status read = read_other(i, &less, note - before, out);
    reading_fini(&less);
    return inspection_end(i, read);
}

/* Tokens read with the head cannot be used without it, and the other way round. */
static enum inspection_state mute_head(struct inspection *i, int note,
                                       struct attention_head h, float *out)
{
    const bool is_muted = decoder_head_is_muted(i->other.decoder, h);
    i->other.n = 0;
    enum model_status st = decoder_mute_head(i->other.decoder, h, true);
    if (st)
        return inspection_end(i, st);
    st = read_so_far_read(&i->other, i, &i->now, end_of(&i->now, note));
    if (!st)
        *out = judge(i, &i->other, &i->now, note);
    decoder_mute_head(i->other.decoder, h, is_muted);
    i->other.n = 0;
    return inspection_end(i, st);
}

enum inspection_state inspection_mute(struct inspection *i, int note,
                                      const struct inspected_mute *m,
                                      struct inspected_effect *out)
{
    float after = 0;
    *out = (struct inspected_effect){0};
    if (note < 0 || note >= i->now.n_notes || i->now.notes[note].is_source)
        return inspection_fail(i, "the model did not write that note");
    enum model_status st = make_other(i);
    if (st)
        return inspection_end(i, st);
    enum inspection_state state = m->what == MUTE_HEAD
                                      ? mute_head(i, note, m->head, &after)
                                      : mute_notes(i, note, m, &after);
    if (state == INSPECTION_DONE)
        *out = (struct inspected_effect){judge(i, &i->main, &i->now, note), after};
    return state;
}

/* -- two notes: how much one looked at the other, and by which single weight most -- */

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
