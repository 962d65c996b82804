/* The engine: the music is read, then every take draws a token, round by round until all are
 * done, so that one reading of the weights serves them all. */
#include "app/decoding/learnt_styles.h"
#include "app/decoding/metadata.h"
#include "app/decoding/take_decoder.h"
#include "app/decoding/style_guess.h"
#include "midi/tokens/grid_chord.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_CONTEXT = 64 };

struct continuation {
    /* constant after create */
    const struct model *model;
    struct pool *pool;
    uint64_t styles; /* that the model has learnt */
    const atomic_bool *cancel;

    struct take_decoder decoders[CONTINUATION_AT_ONCE];
    int n_decoders; /* made so far; they are kept for later requests */

    /* of this request */
    int n_takes, n_begun; /* begun: those whose take decoder is of it */
    enum style style;
    int told; /* takes before this one have given all notes that they have so far */
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
        enum model_status st = take_decoder_init(t, c->model, c->pool);
        if (st) {
            take_decoder_fini(t);
            return st;
        }
        take_decoder_set_cancel(t, c->cancel);
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
                                      const struct model *model, struct pool *pool)
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

void continuation_set_cancel(struct continuation *c, const atomic_bool *flag)
{
    c->cancel = flag;
    for (int i = 0; i < c->n_decoders; i++)
        take_decoder_set_cancel(&c->decoders[i], flag);
}

bool continuation_has_controls(const struct continuation_options *o)
{
    const struct continuation_hole *h = &o->hole;
    return h->density != FILL_ANY || h->polyphony != FILL_ANY ||
           h->length != FILL_ANY || h->height != FILL_ANY || h->close;
}

enum continuation_state continuation_begin(struct continuation *c,
                                           const struct score *s,
                                           const struct continuation_options *o)
{
    struct context music = {0};
    const int n = o->n_takes + o->n_more, wanted = o->style;
    c->n_takes = n < 1 ? 1 : n > CONTINUATION_AT_ONCE ? CONTINUATION_AT_ONCE : n;
    c->n_begun = c->told = 0;
    enum midi_status st =
        make_decoders(c, c->n_takes) ? MIDI_NO_MEMORY : context_init(&music, s, o);
    c->style = wanted > 0 && wanted < STYLE_COUNT ? (enum style)wanted : STYLE_ANY;
    if (!st && wanted == CONTINUATION_STYLE_GUESS && music.music.n_notes) {
        st = style_guess(&c->style, &music.music, c->styles);
    } else if (!st && wanted == CONTINUATION_STYLE_GUESS) {
        const bool has_tune = music.is_band && learnt_has(c->styles, STYLE_LEADSHEET);
        c->style = has_tune ? STYLE_LEADSHEET : learnt_style_for(c->styles, s);
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
    for (int i = 0; c->state == CONTINUATION_BEGUN && i < c->n_takes; i++) {
        struct take_decoder *t = &c->decoders[i];
        const uint64_t seed = i < o->n_takes || !o->n_more
                                  ? o->sampling.seed + (uint64_t)i
                                  : o->more_seed + (uint64_t)(i - o->n_takes);
        const bool is_last = i == c->n_takes - 1;
        struct context own = {0};
        if (!is_last && context_copy(&own, &music)) {
            end(c, CONTINUATION_ERROR, model_strerror(MODEL_NO_MEMORY));
        } else {
            take_decoder_begin(t, is_last ? &music : &own, c->style, seed, o,
                               i ? &c->decoders[0] : NULL);
            c->n_begun = i + 1;
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

/* Gives the notes of each take, of its motif and drawn, in order of time; when none is left, draws one
 * token of every take that is not done. */
enum continuation_state continuation_next(struct continuation *c,
                                          struct continued_note *out)
{
    struct take_decoder *live[CONTINUATION_AT_ONCE]; /* those that want a token, */
    struct model_reader *readers[2 * CONTINUATION_AT_ONCE]; /* theirs, */
    const float *logits[2 * CONTINUATION_AT_ONCE];          /* in their order */
    struct draw_job job = {live, logits};
    while (c->state == CONTINUATION_BEGUN) {
        for (; c->told < c->n_takes; c->told++) {
            const int i = c->told;
            struct take_decoder *t = &c->decoders[i];
            const struct continued_note *next = t->has_drawn ? &t->drawn : NULL,
                                        *note = NULL;
            if (next || t->state == CONTINUATION_DONE)
                note = motif_tell(&t->motif, next);
            t->has_drawn = next && note;
            note = note ? note : next;
            if (note) {
                *out = *note;
                out->take = i;
                return CONTINUATION_NOTE;
            }
        }
        c->told = 0;
        bool is_done = true;
        int n = 0, n_readers = 0;
        for (int i = 0; c->state == CONTINUATION_BEGUN && i < c->n_takes; i++) {
            struct take_decoder *t = &c->decoders[i];
            if (t->state == CONTINUATION_BEGUN) {
                take_decoder_prepare(t);
                is_done = false;
            }
            if (t->state == CONTINUATION_BEGUN) {
                for (int k = 0; k < t->n_readers; k++)
                    readers[n_readers++] = t->readers[k];
                live[n++] = t;
            } else if (t->state != CONTINUATION_DONE) {
                end(c, t->state, t->error);
            }
        }
        if (c->state == CONTINUATION_BEGUN && is_done)
            end(c, CONTINUATION_DONE, "");
        for (int i = 0; c->state == CONTINUATION_BEGUN && i < n_readers;
             i += DECODER_MAX_BATCH) {
            const int left = n_readers - i;
            enum model_status st = model_reader_next(
                readers + i, left < DECODER_MAX_BATCH ? left : DECODER_MAX_BATCH,
                logits + i);
            if (st) {
                take_decoder_end_model(live[0], st);
                end(c, live[0]->state, live[0]->error);
            }
        }
        if (c->state == CONTINUATION_BEGUN && n)
            pool_run(c->pool, draw_task, &job, n);
        for (int i = 0; c->state == CONTINUATION_BEGUN && i < n; i++)
            if (live[i]->state != CONTINUATION_BEGUN)
                end(c, live[i]->state, live[i]->error);
    }
    return c->state;
}

void continuation_stats(const struct continuation *c, int take,
                        struct continuation_stats *out)
{
    *out = (struct continuation_stats){0};
    if (take < c->n_begun)
        take_decoder_stats(&c->decoders[take], out);
}

const int32_t *continuation_tokens(const struct continuation *c, int take, size_t *n)
{
    *n = take < c->n_begun ? c->decoders[take].n_tokens : 0;
    return *n ? c->decoders[take].tokens : NULL;
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

enum style continuation_style(const struct continuation *c)
{
    return c->style;
}

const char *continuation_error(const struct continuation *c)
{
    return c->error;
}
