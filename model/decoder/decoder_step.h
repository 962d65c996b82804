/* What the files of a step share: decoder_step.c takes the tokens through the layers,
 * decoder_step_attend.c attends. */
#ifndef MODEL_DECODER_STEP_H
#define MODEL_DECODER_STEP_H

#include "model/decoder/decoder_internal.h"

/* Decoders that make a step together. The first one's arena holds the rows of all. */
struct together {
    struct decoder *const *d;
    int n;
    /* Kept by all, bit for bit: so many first tokens, and the source. */
    int n_shared;
    bool source_shared;
};
struct together decoder_together(struct decoder *const *d, int n);

/* Tasks are the same however they are run, and so are the numbers. */
typedef void decoder_task(void *arg, int i, int thread);
void decoder_share(const struct decoder *d, decoder_task *task, void *arg, int n,
                   size_t n_products);

/* Vectors of `n` values, ldx floats apart, made ready in `to`. */
void decoder_make_ready(const struct decoder *d, struct ready *to, const float *x,
                        int ldx, int n_x, int n);
/* y [n_x], ldy apart = w x + its bias; all its rows. */
void decoder_multiply(const struct decoder *d, float *y, int ldy,
                      const struct packed *w, const struct ready *x, int n_x);
/* One part of what is added to the rows of the stream. */
static inline float *decoder_part(const struct step_arena *a, int i)
{
    return a->parts + (size_t)i * TOGETHER * (size_t)a->width;
}

/* Of the tasks of a part, in floats. */
size_t decoder_feed_scratch(const struct decoder *d);
size_t decoder_heads_scratch(const struct decoder *d);

/* Looks up how far in time the tokens before and the source are. */
void decoder_step_times(const struct together *t);
/* A part for each head: what the tokens before, or the source, say to the input. */
void decoder_step_attend(const struct together *t, int layer);
void decoder_step_cross(const struct together *t, int layer);
/* mixed [n, d] from the tokens' transforms [n, 2d], which go to the caches. */
void decoder_fourier_step(const struct together *t, int layer, const float *transforms);

#endif
