/* See inspection.h. Life, errors, which heads are left out, and what an inspection lends:
 * tokens, notes, names, alternatives. */
#include "app/inspection/inspection_internal.h"

#include "app/base/draw.h"
#include "app/decoding/metadata.h"
#include "midi/base/array.h"
#include "midi/base/larger.h"
#include "midi/score/chord.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_CONTEXT = 16 };

enum inspection_state inspection_fail(struct inspection *i, const char *why)
{
    i->error = why;
    return INSPECTION_FAILED;
}

enum inspection_state inspection_end(struct inspection *i, enum model_status st)
{
    if (st == MODEL_CANCELLED)
        return INSPECTION_CANCELLED;
    return st ? inspection_fail(i, model_strerror(st)) : INSPECTION_DONE;
}

enum inspection_state inspection_end_midi(struct inspection *i, enum midi_status st)
{
    if (st == MIDI_EMPTY)
        return inspection_fail(i, "there is no music to read there");
    if (st == MIDI_BAD_TOKEN)
        return inspection_fail(i, "that take cannot be read again");
    return st ? inspection_fail(i, midi_strerror(st)) : INSPECTION_DONE;
}

bool inspection_is_cancelled(const struct inspection *i)
{
    return i->cancel && atomic_load_explicit(i->cancel, memory_order_relaxed);
}

enum model_status inspection_create(struct inspection **out, const struct model *model,
                                    struct pool *pool)
{
    struct inspection *i = calloc(1, sizeof *i);
    if (!i)
        return MODEL_NO_MEMORY;
    i->model = model;
    i->pool = pool;
    i->c = model->config;
    i->error = "";
    i->is_grid = metadata_grid_lesson(model, &i->lesson);
    i->row = calloc(2 * (size_t)i->c.context, sizeof *i->row);
    i->nats = calloc((size_t)i->c.context, sizeof *i->nats);
    enum model_status st = i->row && i->nats ? MODEL_OK : MODEL_NO_MEMORY;
    if (!i->is_grid && (!metadata_fits_score(model) || i->c.n_encoder_layers))
        st = MODEL_OTHER_TOKENS;
    if (i->c.context < LEAST_CONTEXT)
        st = MODEL_BAD_CONFIG;
    if (!st)
        st = model_reader_create(&i->main, model, pool);
    if (!st)
        st = model_reader_keep_all(i->main, true);
    if (st) {
        inspection_destroy(i);
        return st;
    }
    *out = i;
    return MODEL_OK;
}

void inspection_destroy(struct inspection *i)
{
    if (!i)
        return;
    model_reader_destroy(i->main);
    model_reader_destroy(i->other);
    inspection_windows_fini(&i->windows);
    reading_fini(&i->now);
    replay_fini(&i->take);
    free(i->row);
    free(i->nats);
    free(i->muted);
    free(i);
}

void inspection_set_cancel(struct inspection *i, const atomic_bool *flag)
{
    i->cancel = flag;
    model_reader_set_cancel(i->main, flag);
    if (i->other)
        model_reader_set_cancel(i->other, flag);
}

enum inspection_state inspection_mute_heads(struct inspection *i,
                                            const struct attention_head *heads,
                                            size_t n)
{
    if (n == i->n_muted && (n == 0 || !memcmp(heads, i->muted, n * sizeof *heads)))
        return INSPECTION_DONE;
    struct attention_head *own = array_copy(heads, n, sizeof *own);
    if (!own)
        return inspection_end(i, MODEL_NO_MEMORY);
    free(i->muted);
    i->muted = own;
    i->n_muted = n;
    i->n_nats = 0;
    enum model_status st = model_reader_mute(i->main, own, n);
    if (!st && i->other)
        st = model_reader_mute(i->other, own, n);
    if (st) { /* no reader leaves any out; without heads this needs no memory */
        i->n_muted = 0;
        model_reader_mute(i->main, NULL, 0);
        if (i->other)
            model_reader_mute(i->other, NULL, 0);
    }
    return inspection_end(i, st);
}

double inspection_nats(const struct model_reader *read, const struct reading *what,
                       int at)
{
    return -likelihood_log(model_reader_logits(read, at - 1), model_reader_vocab(read),
                           what->ids[at]);
}

/* -- what was read -- */

struct inspected inspection_now(const struct inspection *i)
{
    const struct reading *r = &i->now;
    const bool is_grid = r->kind == READING_GRID;
    const int tpq = r->ticks_per_quarter > 0 ? r->ticks_per_quarter : 1;
    struct inspected now = {
        .tokens = r->tokens,
        .source = r->source,
        .n_tokens = r->n_tokens,
        .n_source = r->n_source,
        .notes = r->notes,
        .n_notes = r->n_notes,
        .from_tick = tick_from_step(r->origin * (is_grid ? GRID_STEP : 1), tpq),
        .n_windows = i->is_grid ? r->n_windows : i->windows.n,
        .style = i->style,
        .decoder = model_reader_decoder(i->main),
        .error = i->error,
    };
    now.to_tick = now.from_tick;
    for (int k = 0; k < r->n_notes; k++)
        now.to_tick =
            larger(now.to_tick, r->notes[k].note.start + r->notes[k].note.length);
    return now;
}

/* A note that the encoder reads may also be written: the written one counts. */
int inspection_find(const struct inspection *i, uint64_t id)
{
    for (int k = 0; id && k < i->now.n_notes; k++)
        if (i->now.notes[k].id == id)
            return k;
    return -1;
}

const char *inspected_pitch_name(char *buf, size_t n, int pitch)
{
    snprintf(buf, n, "%s%d", chord_class_name(pitch % 12, false),
             (pitch & 127) / 12 - 1);
    return buf;
}

const char *inspection_token_name(const struct inspection *i, int32_t token, char *buf,
                                  size_t n_buf)
{
    return i->is_grid ? grid_token_name(token, buf, n_buf)
                      : token_name(token, buf, n_buf);
}

/* -- what else there could have been -- */

/* The first token of the note with that part; -1: none. */
static int find_part(const struct inspection *i, int note, enum inspected_part part)
{
    for (int t = 1; t < i->now.n_tokens; t++)
        if (i->now.tokens[t].note == note && i->now.tokens[t].part == part)
            return t;
    return -1;
}

/* Into its place among those that are likelier; the last falls out. */
static int insert_alternative(struct inspect_guess *out, int n, int most,
                              struct inspect_guess a)
{
    if (n == most && out[n - 1].probability >= a.probability)
        return n;
    int at = n < most ? n++ : n - 1;
    for (; at > 0 && out[at - 1].probability < a.probability; at--)
        out[at] = out[at - 1];
    out[at] = a;
    return n;
}

int inspection_alternatives(const struct inspection *i, int note,
                            enum inspected_part part, struct inspect_guess *out,
                            int most)
{
    const int at = find_part(i, note, part), vocab = i->c.vocab;
    if (at < 0 || most < 1 || part >= INSPECTED_NOTE_PARTS)
        return 0;
    const float *logits = model_reader_logits(i->main, at - 1);
    /* For a take: what the grammar allows at the note that it was read for. */
    const bool is_free =
        !i->take.ids || i->now.notes[note].id != i->wanted || !i->take.is_known[part];
    struct inspect_guess own = {.token = i->now.ids[at], .is_written = true};
    const double all = (double)logits[own.token] -
                       likelihood_log(logits, vocab, own.token); /* log sum exp */
    int n = 0, k = 0;
    for (int32_t t = 0; t < vocab; t++) {
        const struct inspect_guess a = {
            .token = t,
            .probability = (float)exp((double)logits[t] - all),
            .is_written = t == own.token,
            .is_allowed = is_free || i->take.allowed[part][t]};
        own = a.is_written ? a : own;
        n = insert_alternative(out, n, most, a);
    }
    while (k < n && !out[k].is_written)
        k++;
    if (k == n)
        out[n - 1] = own;
    return n;
}

int inspection_n_given(const struct inspection *i, int note, enum inspected_part part)
{
    const struct replay *r = &i->take;
    const bool is_of_take =
        note >= 0 && note < i->now.n_notes && i->now.notes[note].is_take;
    const int at = is_of_take ? find_part(i, note, part) : -1;
    return at < 0 || at < r->n_read /* it was drawn in another reading */
               ? -1
               : (int)r->n_before + at - r->n_read;
}
