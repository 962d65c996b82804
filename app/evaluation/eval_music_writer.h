/* Who goes on from the first bars of a held-out piece: a model of score tokens or
 * one of grid tokens, as the samples of eval_music.h need not know.
 *
 * One thread; everything a writer is made of is borrowed and outlives it. */
#ifndef APP_EVAL_MUSIC_WRITER_H
#define APP_EVAL_MUSIC_WRITER_H

#include "app/decoding/continuation.h"

struct music_task {
    int piece;                   /* held out: its index in the corpus's split */
    const struct piece *context; /* its first bars */
    int32_t n_bars;              /* to write after them */
    struct sampling sampling;
};

struct music_written {
    struct piece bars; /* those after the context; the caller's, whatever happened */
    int n_tokens;
    double masked;     /* probability the grammar took away, summed over them */
    const char *fault; /* a plain phrase, when it failed */
};

enum music_outcome { MUSIC_WRITTEN, MUSIC_CANCELLED, MUSIC_FAILED };

struct music_writer {
    void *state;
    enum music_outcome (*write)(void *state, const struct music_task *task,
                                struct music_written *out);
    void (*close)(void *state);
    uint64_t tracks;    /* that it writes; on others stands what stood there */
    const char *remark; /* what a reader of the figures should know, or NULL */
};

/* With a model of score tokens, as app/decoding/continuation.h says. */
enum model_status music_writer_open(struct music_writer *w, const struct model *model,
                                    struct pool *pool, const atomic_bool *cancel);
void music_writer_close(struct music_writer *w); /* any; one of zeros is fine */

#endif
