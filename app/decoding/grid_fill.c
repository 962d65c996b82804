/* One window after another: encodes the melody, reads the cells there are, draws the rest, with
 * few parallel fifths and octaves. */
#include "app/decoding/grid_fill.h"

#include "app/base/draw.h"
#include "midi/score/parallel.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_STEPS = 4 /* of a window */, STEPS_PER_BAR = 16 };

/* Nats that a pitch loses for each parallel it makes. In a thousand chords Bach writes three
 * parallels, small models up to a hundred. */
#define PARALLEL 6.0f

struct grid_lesson grid_lesson_for(bool has_encoder, bool hold)
{
    struct grid_lesson l = {.told = has_encoder ? GRID_LOWER : GRID_ALL};
    if (has_encoder)
        l.heard = GRID_MELODY;
    l.told.hold = l.heard.hold = hold;
    return l;
}

int grid_lesson_source_length(const struct grid_lesson *lesson, int length)
{
    return lesson->heard.n ? (int)grid_n_tokens(lesson->heard,
                                                grid_n_steps(lesson->told, length + 1))
                           : 0;
}

struct grid_window grid_window_from(int n_steps, struct grid_form told, int from,
                                    int length)
{
    bool by_bars = length / 2 >= told.n * STEPS_PER_BAR;
    int unit = told.n * (by_bars ? STEPS_PER_BAR : 1);
    int first = from ? at_least(from - length / 2, 0) / unit * unit : 0;
    return (struct grid_window){
        .first_step = first / told.n,
        .from = from,
        .to = at_most(first + length, n_steps * told.n),
    };
}

/* -- writing -- */

struct run {
    const struct grid_fill_request *request;
    struct grid_fill_result *result;
    struct grid *grid;
    struct decoder *decoder;
    struct sampler *sampler;
    int length;           /* length of a window in target tokens: whole steps */
    int32_t *ids, *times; /* [context] */
    float logits[GRID_COUNT];
    uint8_t allowed[GRID_COUNT];
};

static int encode(struct run *r, struct grid_form form, int first_step, int n_steps)
{
    const size_t n = grid_n_tokens(form, n_steps);
    grid_encode(r->grid, form, first_step, n_steps, r->ids);
    grid_times(form, n, r->times);
    return (int)n;
}

static enum model_status fill_window(struct run *r, const struct grid_window *w)
{
    const struct grid_form told = r->request->lesson.told,
                           heard = r->request->lesson.heard;
    const int first = w->first_step;
    enum model_status st = MODEL_OK;
    decoder_truncate(r->decoder, 0);
    if (heard.n) {
        const int n = encode(r, heard, first, w->to / told.n - first);
        st = decoder_encode(r->decoder, r->ids, r->times, n);
    }
    if (!st) { /* all tokens before the first cell to draw */
        const int n = encode(r, told, first, w->from / told.n - first);
        st = decoder_prefill(r->decoder, r->ids, r->times, n, false, r->logits);
    }
    for (int i = w->from; !st && i < w->to; i++) {
        const int step = i / told.n, voice = told.first + i % told.n;
        struct grid_cell *cell = grid_at(r->grid, step, voice);
        /* Pitches that go in parallels with the upper voices, which are written at this step, are rarer. */
        for (int v = 0; step > 0 && v < voice; v++) {
            const int own = grid_at(r->grid, step - 1, voice)->pitch,
                      other = grid_at(r->grid, step - 1, v)->pitch,
                      now = grid_at(r->grid, step, v)->pitch;
            const bool all_sound = own >= 0 && other >= 0 && now >= 0;
            for (int pitch = 0; all_sound && pitch < 128; pitch++)
                if (parallel_of(own, pitch, other, now))
                    r->logits[GRID_PITCH + pitch] -= PARALLEL;
        }
        /* Rests and pitches; holding only what sounds, within the window. */
        memset(r->allowed, 0, GRID_REST);
        memset(r->allowed + GRID_REST, 1, GRID_COUNT - GRID_REST);
        r->allowed[GRID_HOLD] =
            told.hold && step != first && cell[-GRID_VOICES].pitch >= 0;
        const struct sampled drawn = sampler_draw(r->sampler, r->logits, r->allowed);
        const int16_t pitch = (int16_t)(drawn.token - GRID_PITCH);
        if (drawn.token == GRID_REST)
            *cell = (struct grid_cell){.pitch = GRID_SILENT};
        else if (drawn.token == GRID_HOLD)
            *cell = (struct grid_cell){cell[-GRID_VOICES].pitch, false};
        else /* without hold a continued pitch is not struck again */
            *cell = (struct grid_cell){pitch, told.hold || step == 0 ||
                                                  cell[-GRID_VOICES].pitch != pitch};
        r->result->n_tokens++;
        r->result->log_prob += (double)drawn.log_prob;
        r->result->masked += (double)drawn.masked;
        const size_t at = (size_t)(i - first * told.n) + 1;
        if (i + 1 < w->to)
            st = decoder_step(r->decoder, drawn.token, grid_time(told, at), r->logits);
    }
    return st;
}

enum model_status grid_fill(struct grid *g, const struct grid_fill_request *q,
                            struct grid_fill_result *result)
{
    const struct model_config *c = &q->model->config;
    const int told = q->lesson.told.n, heard = q->lesson.heard.n;
    *result = (struct grid_fill_result){0};
    if (c->vocab != GRID_COUNT || (c->n_encoder_layers > 0) != (heard > 0))
        return MODEL_BAD_CONFIG;
    /* The steps of a window: as many as leave room for the melody of these steps. */
    int steps = c->context / told;
    if (heard)
        steps = at_most(steps, (c->context - 1) / heard);
    if (steps < LEAST_STEPS)
        return MODEL_BAD_CONFIG;
    struct run r = {.request = q, .result = result, .grid = g, .length = told * steps};
    r.ids = calloc((size_t)c->context, sizeof *r.ids);
    r.times = calloc((size_t)c->context, sizeof *r.times);
    r.sampler = sampler_create(GRID_COUNT, &q->sampling);
    enum model_status st = r.ids && r.times && r.sampler
                               ? decoder_create(&r.decoder, q->model, q->pool)
                               : MODEL_NO_MEMORY;
    if (!st)
        decoder_set_cancel(r.decoder, q->cancel);
    for (int from = q->from_step * told; !st && from < g->n_steps * told;) {
        const struct grid_window w =
            grid_window_from(g->n_steps, q->lesson.told, from, r.length);
        st = fill_window(&r, &w);
        from = w.to;
    }
    if (result->n_tokens)
        result->masked /= result->n_tokens;
    decoder_destroy(r.decoder);
    sampler_destroy(r.sampler);
    free(r.ids);
    free(r.times);
    return st;
}
