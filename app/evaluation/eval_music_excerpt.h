/* Some bars of a piece, the score that a continuation reads them from, and writers, which
 * continue the first bars of held-out pieces. A score counts in steps, so nothing is rounded.
 * One thread. */
#ifndef APP_EVAL_MUSIC_EXCERPT_H
#define APP_EVAL_MUSIC_EXCERPT_H

#include "app/decoding/continuation.h"
#include "app/generation/options.h"
#include "app/dataset/grid_corpus.h"

/* As piece_window, but only of the tracks in `tracks`; notes are cut at the end. */
enum midi_status excerpt_cut(struct piece *out, const struct piece *p,
                             int32_t first_bar, int32_t n_bars, uint64_t tracks);

/* Track numbers stay. The caller owns it. NULL: out of memory. */
struct score *excerpt_score(const struct piece *p);

/* Continues s by one take, the first of those that options->n_draws give a choice among
 * (app/generation/draws.h), and adds its notes that begin in the `length` ticks from
 * `origin`, moved to begin at 0, in canonical order. Returns DONE, CANCELLED or ERROR. */
enum continuation_state excerpt_continue(struct piece *out, struct continuation *c,
                                         const struct score *s,
                                         const struct continuation_options *options,
                                         int64_t origin, int64_t length);
const char *excerpt_fault(const struct continuation *c); /* why, after an ERROR */

/* -- writers: all that a writer is made of is borrowed and outlives it -- */

struct music_task {
    int piece;                   /* held out: its index in the corpus's split */
    const struct piece *context; /* its first bars */
    int32_t n_bars;              /* to write after them */
    struct sampling sampling;
};

struct music_written {
    struct piece
        bars; /* those after the context; the caller frees them in every case */
    int n_tokens;
    double masked;     /* probability that the grammar removed, summed */
    const char *fault; /* a plain phrase, when it failed */
};

enum music_outcome { MUSIC_WRITTEN, MUSIC_CANCELLED, MUSIC_FAILED };

struct music_writer {
    void *state;
    enum music_outcome (*write)(void *state, const struct music_task *task,
                                struct music_written *out);
    void (*close)(void *state);
    uint64_t tracks;    /* the voices it writes; the others stay */
    const char *remark; /* a remark for the reader of the figures, or NULL */
};

/* A model of score tokens; grid_writer_open is for the other kind. */
enum model_status music_writer_open(struct music_writer *w, const struct model *model,
                                    struct pool *pool, const atomic_bool *cancel);
void music_writer_close(struct music_writer *w); /* any writer, also a zeroed one */

/* Four-voice pieces as pieces of notes, and a model of four voices that continues them. Bars
 * are in common time from the first step on, the style is chorale, and a voice's track is its
 * number (soprano 0, bass 3). Pure but for the writer; any one thread. */

enum { GRID_BAR = 16 }; /* sixteenths */

/* Its bars reach to the end of the last note. The caller frees it with piece_fini. */
enum midi_status grid_music_piece(struct piece *p, const struct grid *g);

/* A corpus of one group, with the name of the grid corpus. Piece i of a split is its grid i.
 * Tokens are not counted, so no windows can be drawn from it. Close it with corpus_close. */
enum midi_status grid_music_corpus(struct corpus **out, const struct grid_corpus *g);

/* Opens the music of --data: a folder of MIDI files, or a file of four voices, which is
 * *grid, too. Close both. Prints errors and returns the exit status. */
int evaluated_music_open(struct corpus **out, struct grid_corpus **grid,
                         const struct options *o);

/* A writer that continues held-out pieces in all voices or, for a model with an encoder, in
 * the voices below the melody. q names the model, the corpus and split of the pieces, and
 * the flag that cancels; all is borrowed until music_writer_close. It writes nothing past
 * the end of a piece. */
enum model_status grid_writer_open(struct music_writer *w,
                                   const struct grid_score_request *q);

#endif
