/* The engine: the music is read, then every take draws a token, round by round until all are
 * done, so that one reading of the weights serves them all. */
#include "app/decoding/styles.h"
#include "app/decoding/metadata.h"
#include "app/decoding/take_decoder.h"
#include "midi/base/array.h"
#include "midi/tokens/grid_chord.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CONTEXT = 64 };

struct continuation {
    /* constant after create */
    const struct model *model;
    struct pool *pool;
    const atomic_bool *cancel;
    uint64_t styles; /* that the model has learnt */

    struct take_decoder decoders[CONTINUATION_AT_ONCE];
    int n_decoders; /* made so far; they are kept for later requests */

    int n_takes; /* of this request */
    enum continuation_state state;
    const char *error;
};

/* Sets the state, and returns it. */
static enum continuation_state end(struct continuation *c,
                                   enum continuation_state state, const char *error)
{
    c->state = state;
    c->error = error;
    return state;
}

/* Makes decoders until there are n. */
static enum model_status make_decoders(struct continuation *c, int n)
{
    while (c->n_decoders < n) {
        struct take_decoder *t = &c->decoders[c->n_decoders];
        enum model_status st = take_decoder_init(t, c->model, c->pool, c->cancel);
        if (st) {
            take_decoder_fini(t);
            return st;
        }
        c->n_decoders++;
    }
    return MODEL_OK;
}

int continuation_room(struct continuation *c, int n)
{
    make_decoders(c, n < CONTINUATION_AT_ONCE ? n : CONTINUATION_AT_ONCE);
    return n < c->n_decoders ? n : c->n_decoders;
}

enum model_status continuation_create(struct continuation **out,
                                      const struct model *model, struct pool *pool,
                                      const atomic_bool *cancel)
{
    const struct model_config *config = &model->config;
    if (!metadata_fits_score(model))
        return MODEL_OTHER_TOKENS;
    if (config->context < MIN_CONTEXT)
        return MODEL_BAD_CONFIG;
    struct continuation *c = calloc(1, sizeof *c);
    if (!c)
        return MODEL_NO_MEMORY;
    c->model = model;
    c->pool = pool;
    c->cancel = cancel;
    c->styles = learnt_styles(model);
    end(c, CONTINUATION_DONE, "");
    model_pack(model, pool);
    enum model_status st = make_decoders(c, 1);
    if (st) {
        continuation_destroy(c);
        return st;
    }
    *out = c;
    return MODEL_OK;
}

void continuation_destroy(struct continuation *c)
{
    if (!c)
        return;
    for (int i = 0; i < c->n_decoders; i++)
        take_decoder_fini(&c->decoders[i]);
    free(c);
}

bool continuation_has_controls(const struct continuation_options *o)
{
    const struct continuation_hole *h = &o->hole;
    return h->density != FILL_ANY || h->polyphony != FILL_ANY ||
           h->length != FILL_ANY || h->height != FILL_ANY || h->close;
}

bool continuation_options_copy(struct continuation_options *to,
                               const struct continuation_options *from)
{
    struct continuation_mark *marks =
        array_copy(from->marks, from->n_marks, sizeof *marks);
    *to = *from;
    to->marks = marks;
    to->n_marks = marks ? from->n_marks : 0;
    to->replaced = array_copy(from->replaced, from->n_replaced, sizeof *to->replaced);
    to->given = array_copy(from->given, from->n_given, sizeof *to->given);
    to->muted = array_copy(from->muted, from->n_muted, sizeof *to->muted);
    bool ok = marks && to->replaced && to->given && to->muted;
    for (size_t i = 0; i < to->n_marks; i++) {
        marks[i].notes = array_copy(from->marks[i].notes, from->marks[i].n_notes,
                                    sizeof *marks->notes);
        ok = ok && marks[i].notes;
    }
    if (!ok)
        continuation_options_fini(to);
    return ok;
}

void continuation_options_fini(struct continuation_options *o)
{
    for (size_t i = 0; i < o->n_marks; i++)
        free((void *)o->marks[i].notes);
    free((void *)o->marks);
    free((void *)o->replaced);
    free((void *)o->given);
    free((void *)o->muted);
    o->marks = NULL;
    o->replaced = NULL;
    o->given = NULL;
    o->muted = NULL;
    o->n_marks = o->n_replaced = o->n_given = o->n_muted = 0;
}

void take_fini(struct take *t)
{
    free(t->notes);
    free(t->tokens);
    *t = (struct take){0};
}

void takes_free(struct take *t, int n)
{
    for (int i = 0; t && i < n; i++)
        take_fini(&t[i]);
    free(t);
}

enum continuation_state continuation_begin(struct continuation *c,
                                           const struct score *s,
                                           const struct continuation_options *o,
                                           struct take *takes, int n)
{
    struct context music = {0};
    const int wanted = o->style;
    enum style style =
        wanted > 0 && wanted < STYLE_COUNT ? (enum style)wanted : STYLE_ANY;
    c->n_takes = n;
    enum midi_status st =
        make_decoders(c, n) ? MIDI_NO_MEMORY : context_init(&music, s, o);
    if (!st && wanted == CONTINUATION_STYLE_GUESS && music.music.n_notes) {
        st = style_guess(&style, &music.music, c->styles);
    } else if (!st && wanted == CONTINUATION_STYLE_GUESS) {
        const bool has_tune = music.is_band && learnt_has(c->styles, STYLE_LEADSHEET);
        style = has_tune ? STYLE_LEADSHEET : learnt_style_for(c->styles, s);
    }
    const char *why = st ? midi_strerror(st) : NULL;
    if (st == MIDI_EMPTY)
        why = "that hole has no room for a note";
    else if (st == MIDI_TOO_LONG && o->hole.to_tick > 0)
        why = "the model cannot reach that hole or its tracks";
    else if (!st && o->motif.kind && !music.begins_there && !music.motif.n)
        why = "the motif has no notes on the tracks that are written on";
    end(c, why ? CONTINUATION_ERROR : CONTINUATION_BEGUN, why ? why : "");
    /* The first take reads the music; the others have what it read. The last has the music itself. */
    for (int i = 0; c->state == CONTINUATION_BEGUN && i < n; i++) {
        struct take_decoder *t = &c->decoders[i];
        const bool is_last = i == n - 1;
        struct context own = {0};
        takes[i].style = style;
        if (!is_last && context_copy(&own, &music)) {
            end(c, CONTINUATION_ERROR, model_strerror(MODEL_NO_MEMORY));
        } else {
            take_decoder_begin(t, is_last ? &music : &own, o, &takes[i],
                               i ? &c->decoders[0] : NULL);
            take_decoder_stats(t);
            if (t->state != CONTINUATION_BEGUN && t->state != CONTINUATION_DONE)
                end(c, t->state, t->error);
        }
        context_fini(&own);
    }
    context_fini(&music);
    return c->state;
}

struct draw_job {
    struct take_decoder *const *live;
    const float *const *logits; /* of all their readers */
};

/* Takes share nothing that is written; all have as many readers. */
static void draw_task(void *arg, int i, int thread)
{
    const struct draw_job *job = arg;
    struct take_decoder *t = job->live[i];
    (void)thread;
    take_decoder_draw(t, job->logits + (ptrdiff_t)i * t->n_readers);
}

enum continuation_state continuation_next(struct continuation *c)
{
    struct take_decoder *live[CONTINUATION_AT_ONCE]; /* those that want a token, */
    struct model_reader *readers[2 * CONTINUATION_AT_ONCE]; /* theirs, */
    const float *logits[2 * CONTINUATION_AT_ONCE];          /* in their order */
    struct draw_job job = {live, logits};
    int n = 0, n_readers = 0;
    if (c->state != CONTINUATION_BEGUN)
        return c->state;
    for (int i = 0; i < c->n_takes; i++) {
        struct take_decoder *t = &c->decoders[i];
        if (t->state == CONTINUATION_BEGUN)
            take_decoder_prepare(t);
        for (int k = 0; t->state == CONTINUATION_BEGUN && k < t->n_readers; k++)
            readers[n_readers++] = t->readers[k];
        if (t->state == CONTINUATION_BEGUN)
            live[n++] = t;
    }
    for (int i = 0; n && i < n_readers; i += DECODER_MAX_BATCH) {
        const int left = n_readers - i;
        enum model_status st = model_reader_next(
            readers + i, left < DECODER_MAX_BATCH ? left : DECODER_MAX_BATCH,
            logits + i);
        if (st)
            take_decoder_end_model(live[0], st);
        n = st ? 0 : n;
    }
    if (n)
        pool_run(c->pool, draw_task, &job, n);
    else
        end(c, CONTINUATION_DONE, "");
    for (int i = 0; i < c->n_takes; i++) {
        struct take_decoder *t = &c->decoders[i];
        take_decoder_stats(t);
        if (t->state != CONTINUATION_BEGUN && t->state != CONTINUATION_DONE)
            end(c, t->state, t->error);
    }
    return c->state;
}

const char *continuation_say_read(const struct continuation_stats *s,
                                  const struct continuation_options *o,
                                  char buf[CONTINUATION_READ_TEXT])
{
    const bool is_more = o->hole.to_tick <= 0 && o->end_tick <= 0;
    *buf = '\0';
    if (is_more && s->n_bars_read < s->n_bars)
        snprintf(buf, CONTINUATION_READ_TEXT, ", the model read %d of %d bars",
                 (int)s->n_bars_read, (int)s->n_bars);
    return buf;
}

double continuation_share(const struct continuation_stats *s)
{
    const double all = (double)(s->to_tick - s->from_tick);
    return s->is_done ? 1 : all > 0 ? (double)(s->at_tick - s->from_tick) / all : 0;
}

double continuation_nats(const struct continuation_stats *s)
{
    return s->n_tokens ? s->own_log_prob / s->n_tokens : 0.0;
}

const char *planned_chord_name(const struct planned_chord *c, char buf[CHORD_TEXT])
{
    const struct grid_chord chord = {
        .root = c->root, .quality = c->quality, .bass = c->bass};
    return grid_chord_name(&chord, c->flats, buf);
}

int continued_compare(const struct continued_note *a, const struct continued_note *b)
{
    if (a->note.start != b->note.start)
        return a->note.start < b->note.start ? -1 : 1;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    return (a->note.pitch > b->note.pitch) - (a->note.pitch < b->note.pitch);
}

int continuation_compare(const struct continuation_stats *a,
                         const struct continuation_stats *b)
{
    const bool is_judged = a->verdict.is_judged;
    const double x = is_judged ? (double)a->verdict.merit : continuation_nats(a),
                 y = is_judged ? (double)b->verdict.merit : continuation_nats(b);
    if (is_judged != b->verdict.is_judged)
        return is_judged ? 1 : -1;
    return (x > y) - (x < y);
}

const char *continuation_error(const struct continuation *c)
{
    return c->error;
}
