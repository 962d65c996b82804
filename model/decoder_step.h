/* What the files of a step share: decoder_step.c takes the tokens through the layers,
 * decoder_step_attend.c attends. */
#ifndef MODEL_DECODER_STEP_H
#define MODEL_DECODER_STEP_H

#include "model/decoder_internal.h"

/* Decoders that make a step together. The first one's arena holds the rows of all:
 * x, h, mixed [n, d], qkv [n, 3d], hidden [n, d_ff], turns [n, d_head]. */
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

/* mixed [n, d]: what the tokens before, or the source, say to from [n, d]. */
void decoder_step_attend(const struct together *t, int layer, const float *from);
void decoder_step_cross(const struct together *t, int layer, const float *from);
/* mixed [n, d] from the tokens' transforms [n, 2d], which go to the caches. */
void decoder_fourier_step(const struct together *t, int layer, const float *transforms);

#endif
