/* What a model writes beside what was written: held-out pieces are broken off
 * after four bars, the model goes on from there, and its bars are set beside
 * those of the piece, and beside as many of a training piece, which say how far
 * apart two samples of the same corpus are anyway.
 *
 * The same corpus, model, seed and settings give the same music. One thread. */
#ifndef APP_EVAL_MUSIC_H
#define APP_EVAL_MUSIC_H

#include "app/evaluation/copied.h"
#include "app/dataset/corpus.h"
#include "app/evaluation/eval_music_excerpt.h"
#include "app/dataset/voices.h"

enum { MUSIC_CONTEXT_BARS = 4, MUSIC_LEAST_BARS = 4 };

enum music_kind { MUSIC_GENERATED, MUSIC_HELD_OUT, MUSIC_TRAINING, MUSIC_KINDS };

struct music_request {
    const struct corpus *corpus;
    enum corpus_split split;  /* held out */
    int n_pieces;             /* of each corpus, as far as it has them */
    int bars;                 /* to write, at most */
    struct sampling sampling; /* the seed counts up by the piece */
    const struct music_writer *writer;
    void (*progress)(int n_done, int n_all); /* before each piece; may be NULL */
};

/* The bars after the context, of one held-out piece, its training partner (of
 * no notes where there is none) and the model; of all tracks, also those that it
 * does not write itself. */
struct music_sample {
    int group;
    bool is_in_voices;      /* the held-out piece is, by */
    uint8_t tracks[VOICES]; /* these */
    struct piece bars[MUSIC_KINDS];
    struct copied_run copied[MUSIC_TRAINING]; /* from the training pieces */
};

struct music {
    struct music_sample *samples; /* by corpus */
    size_t n_samples;
    bool is_cancelled; /* the samples are those made before */
    int64_t n_tokens;
    double masked; /* probability the grammar took away, summed over them */
};

/* The exit status; it has said what went wrong. Fini it whatever it is. */
int music_generate(struct music *m, const struct music_request *q);
void music_fini(struct music *m);

/* Looks for the longest runs of what is written, and of the same tracks of the
 * held-out bars, in the training pieces; `source` in them is the index there.
 * false: out of memory. */
bool music_find_copies(struct music *m, const struct music_request *q);

#endif
