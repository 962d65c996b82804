/* What the files of a step share: decoder_step.c takes the tokens through the layers,
 * attention_step.c attends. */
#ifndef MODEL_DECODER_STEP_H
#define MODEL_DECODER_STEP_H

#include "model/decoder/decoder_internal.h"

/* Decoders that take one step together. The arena of the first holds the rows of all. */
struct step_batch {
    struct decoder *const *d;
    int n;
    /* How many first tokens all have, bit for bit, and whether they share a source. */
    int n_shared;
    bool source_shared;
};
struct step_batch step_batch_of(struct decoder *const *d, int n);

/* Runs n tasks, on the pool if there is work enough for it; the numbers are the same. */
typedef void decoder_task(void *arg, int i, int thread);
void decoder_run_tasks(const struct decoder *d, decoder_task *task, void *arg, int n,
                       size_t n_products);

/* y [n_x], ldy apart = w x + bias, for all rows of w. */
void decoder_multiply(const struct decoder *d, float *y, int ldy,
                      const struct packed *w, const struct prepared *x, int n_x);
/* Part i of what will be added to the rows of the stream. */
static inline float *decoder_part(const struct step_arena *a, int i)
{
    return a->parts + (size_t)i * MAX_BATCH * (size_t)a->width;
}

/* The scratch of one task, in floats. */
size_t decoder_feed_scratch(const struct decoder *d);

/* Looks up the rows of the time tables, for the tokens so far and the source. */
void decoder_step_times(const struct step_batch *t);
/* Attention of the input to the past or to the source: each head leaves one part. */
void decoder_step_attend(const struct step_batch *t, enum attention_kind kind,
                         int layer);
/* mixed [n, d] from the tokens' transforms [n, 2d], which it also stores in the caches. */
void decoder_fourier_step(const struct step_batch *t, int layer,
                          const float *transforms);

#endif
