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
    int end = what->n_tokens;
    while (end > 0 && what->tokens[end - 1].note != note)
        end--;
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
    int before = 0; /* of those that go */
    bool *goes_of = calloc((size_t)i->now.n_notes + 1, sizeof *goes_of);
    if (!goes_of)
        return inspection_end(i, MODEL_NO_MEMORY);
    for (int k = 0; k < i->now.n_notes; k++) {
        goes_of[k] = k != note && goes(&i->now.notes[k], k, m);
        before += k < note && goes_of[k];
    }
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
    if (!i->other.decoder) {
        read_so_far_fini(&i->other);
        enum model_status st = read_so_far_init(&i->other, i->model, i->pool, false);
        if (st)
            return inspection_end(i, st);
        read_so_far_mute(&i->other, i, true);
    }
    enum inspection_state state = m->what == MUTE_HEAD
                                      ? mute_head(i, note, m->head, &after)
                                      : mute_notes(i, note, m, &after);
    if (state == INSPECTION_DONE)
        *out = (struct inspected_effect){judge(i, &i->main, &i->now, note), after};
    return state;
}

/* -- two notes: how much one looked at the other, and by which single weight most -- */

/* Whose weight of `other` at one place is the largest so far. */
static enum model_status seek_largest(struct inspection *i,
                                      const struct inspected_look *look, int place,
                                      int other, struct inspected_pair *out)
{
    int n;
    const struct inspected_token *keys = inspection_keys(i, look->of, &n);
    enum model_status st = MODEL_OK;
    for (int of = 0; !st && of < inspected_n_heads(i, look); of++) {
        const struct attention_head h = inspected_head(i, look, of);
        if (inspection_is_cancelled(i))
            return MODEL_CANCELLED;
        st = attention_rows(i->main.decoder, h, place, 1, i->row, (size_t)n);
        for (int k = 0; !st && k < n; k++)
            if (keys[k].note == other && i->row[k] > out->largest) {
                out->largest = i->row[k];
                out->head = h;
                out->query = place;
                out->key = k;
            }
    }
    return st;
}

/* The largest weight's score, part by part, and its row's entropy. */
static enum model_status describe_largest(struct inspection *i, int n_keys,
                                          struct inspected_pair *out)
{
    struct decoder *d = i->main.decoder;
    double bits = 0;
    float *parts = calloc(3 * (size_t)n_keys + 1, sizeof *parts);
    enum model_status st =
        parts ? attention_rows(d, out->head, out->query, 1, i->row, (size_t)n_keys)
              : MODEL_NO_MEMORY;
    for (int k = 0; !st && k < n_keys; k++)
        if (i->row[k] > 0)
            bits -= (double)i->row[k] * log2((double)i->row[k]);
    if (!st)
        st = attention_scores(d, out->head, out->query, parts, parts + n_keys,
                              parts + 2 * n_keys);
    if (!st) {
        out->entropy = (float)bits;
        out->content = parts[out->key];
        out->index = parts[n_keys + out->key];
        out->time = parts[2 * n_keys + out->key];
    }
    free(parts);
    return st;
}

enum inspection_state inspection_pair(struct inspection *i, int note, int other,
                                      const struct inspected_look *look,
                                      struct inspected_pair *out)
{
    struct inspected_look at = *look;
    float others[INSPECTED_KINDS];
    int n_keys;
    *out = (struct inspected_pair){0};
    at.way = LOOKS_AT;
    inspection_keys(i, at.of, &n_keys);
    if (other < 0 || other >= i->now.n_notes)
        return inspection_end(i, MODEL_NO_HEAD);
    float *per_note = calloc((size_t)i->now.n_notes + 1, sizeof *per_note);
    if (!per_note)
        return inspection_end(i, MODEL_NO_MEMORY);
    enum inspection_state state = inspection_weights(i, note, &at, per_note, others);
    out->weight = state == INSPECTION_DONE ? per_note[other] : 0;
    free(per_note);
    enum model_status st = MODEL_OK;
    for (int t = 0; !state && !st && t < i->now.n_tokens; t++)
        if (look_row(i, &at, t, note) >= 0)
            st = seek_largest(i, &at, look_row(i, &at, t, note), other, out);
    if (!state && !st && out->largest > 0)
        st = describe_largest(i, n_keys, out);
    return state ? state : inspection_end(i, st);
}
