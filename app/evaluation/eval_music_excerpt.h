/* Some bars of a piece, and the way between them and the score that a
 * continuation takes: the score counts in steps, so that nothing is rounded. */
#ifndef APP_EVAL_MUSIC_EXCERPT_H
#define APP_EVAL_MUSIC_EXCERPT_H

#include "app/decoding/continuation.h"

uint64_t excerpt_tracks(const struct piece *p); /* bit t: track t has notes */

/* As piece_window, but of the tracks in `tracks` only, and with notes that
 * would ring past the end cut there. */
enum midi_status excerpt_cut(struct piece *out, const struct piece *p,
                             int32_t first_bar, int32_t n_bars, uint64_t tracks);

/* Each track of the piece as that of the same number. NULL: out of memory. */
struct score *excerpt_score(const struct piece *p);

/* What goes on from `context`, empty as yet: n_bars in its last meter. Notes
 * continued from its score join it from its end on; sort it when all have. */
enum midi_status excerpt_begin(struct piece *out, const struct piece *context,
                               int32_t n_bars);
enum midi_status excerpt_add(struct piece *p, const struct piece *context,
                             const struct continued_note *n);

/* -- eval_music_writer -- */

/* Who goes on from the first bars of a held-out piece: a model of score tokens or
 * one of grid tokens, as the samples of eval_music.h need not know.
 *
 * One thread; everything a writer is made of is borrowed and outlives it. */

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
