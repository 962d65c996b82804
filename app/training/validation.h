/* The windows that measure a training run. They are fixed when it begins, and the same for
 * every run of the same music, batch and length. A folder gives some windows, spread over its
 * corpora; a grid corpus gives all, so that every cell counts once. */
#ifndef APP_VALIDATION_H
#define APP_VALIDATION_H

#include "app/training/train_music.h"
#include "model/train/train.h"

struct validation {
    struct train_rows rows; /* a multiple of the batch; 0: nothing held out */
    int batch;
    struct baseline baseline; /* what counting alone predicts of them */
    struct train_rows holes;  /* the same bars with holes; none where none are learnt */
    int64_t n_hole_tokens;    /* to be filled in */
    struct train_rows chords; /* the same bars over given chords, if any are learnt */
    int64_t n_chord_notes;    /* in them */
};

/* length is at least 8. Call validation_fini in every case. */
enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 int batch, int length);
void validation_fini(struct validation *v);

/* Sums of nats over all windows, the holes, and the bars with chords. */
struct validation_nats {
    double plain, holes, chords;
};
enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     struct validation_nats *nats);

#endif
