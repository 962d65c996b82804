/* The windows that a training run is measured on: fixed when it begins, the
 * same for every run of the same music, batch and length. Of a folder some, spread
 * over its corpora; of a grid corpus all, so that every cell counts once. */
#ifndef APP_VALIDATION_H
#define APP_VALIDATION_H

#include "app/train_music.h"
#include "model/train.h"

struct validation {
    struct train_rows rows; /* a multiple of the batch; 0: nothing held out */
    int batch;
    struct baseline baseline; /* what counting alone predicts of them */
    struct train_rows holes;  /* the same bars with holes; none where none are learnt */
    int64_t n_hole_tokens;    /* to be filled in */
};

/* length is at least 8. Fini it whatever comes back. */
enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 int batch, int length);
void validation_fini(struct validation *v);

/* The sums of nats over all windows, and over the holes. */
enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     double *nats, double *hole_nats);

#endif
