/* What a model writes, compared with real music. Held-out pieces are cut after four bars
 * and the model continues them. Its bars are compared with those of the piece, and with as
 * many of a training piece, which shows how far apart two samples of one corpus are.
 *
 * The same corpus, model, seed and settings give the same music. One thread. */
#ifndef APP_EVAL_MUSIC_H
#define APP_EVAL_MUSIC_H

#include "app/evaluation/statistics.h"
#include "app/evaluation/copied.h"
#include "app/dataset/corpus.h"
#include "app/evaluation/eval_music_excerpt.h"
#include "app/dataset/voices.h"

#include <cjson/cJSON.h>

enum { MUSIC_CONTEXT_BARS = 4, MUSIC_LEAST_BARS = 4 };

enum music_kind { MUSIC_GENERATED, MUSIC_HELD_OUT, MUSIC_TRAINING, MUSIC_KINDS };

struct music_request {
    const struct corpus *corpus;
    enum corpus_split split;  /* held out */
    int n_pieces;             /* of each corpus, as far as it has them */
    int bars;                 /* to write, at most */
    struct sampling sampling; /* the seed counts up by the piece */
    const struct music_writer *writer;
};

/* The bars after the context of one held-out piece, of its training partner (without notes if
 * there is none), and by the model. All have all tracks, also those that the model does not
 * write. */
struct music_sample {
    int group;
    bool is_in_voices;      /* the held-out piece is in four voices, */
    uint8_t tracks[VOICES]; /* on these tracks */
    struct piece bars[MUSIC_KINDS];
    struct copied_run copied[MUSIC_TRAINING]; /* from the training pieces */
};

struct music {
    struct music_sample *samples; /* by corpus */
    size_t n_samples;
    bool is_cancelled; /* the samples are those made before */
    int64_t n_tokens;
    double masked; /* probability that the grammar removed, summed over tokens */
};

/* Returns the exit status, after saying what went wrong. Call music_fini in every case. */
int music_generate(struct music *m, const struct music_request *q);
void music_fini(struct music *m);

/* Finds the longest runs that the written bars, and the same tracks of the held-out bars, share
 * with training pieces; their `source` is the piece's index. false: out of memory. */
bool music_find_copies(struct music *m, const struct music_request *q);

/* The figures of generated, held-out and training music, side by side. NULL: out of memory. */
cJSON *music_json(const struct music *m, const struct music_request *q);
void music_print(const cJSON *music); /* a table for each corpus */

/* -- the figures -- */

struct music_sums {
    int n_samples;
    struct statistics statistics[MUSIC_KINDS];
    /* Of pieces in four voices. Generated music is compared with the whole corpus, since
     * what Bach avoids is rare in a few bars. */
    struct voices voices[MUSIC_KINDS];
    struct copied_run longest[MUSIC_TRAINING];
    int64_t copied[MUSIC_TRAINING]; /* notes of the samples' longest runs */
};

enum { MUSIC_ALL = -1 };

/* Adds up the samples of one corpus, or of all. false: out of memory. */
bool music_sum(struct music_sums *sums, const struct music *m,
               const struct music_request *q, int group);

enum music_figure {
    FIGURE_DENSITY,
    FIGURE_POLYPHONY,
    FIGURE_GROOVE,
    FIGURE_ENTROPY,
    FIGURE_PITCH_CLASSES, /* total variation to the held-out music's, */
    FIGURE_DURATIONS,
    FIGURE_INTERVALS,
    FIGURE_PITCH_CLASSES_JS, /* and Jensen-Shannon divergence */
    FIGURE_DURATIONS_JS,
    FIGURE_INTERVALS_JS,
    FIGURE_FIFTHS,
    FIGURE_OCTAVES,
    FIGURE_OUT_OF_RANGE,
    FIGURE_CROSSED,
    FIGURE_LONGEST_COPY,
    FIGURE_MEAN_COPY,
    MUSIC_FIGURES,
};

/* All figures of one kind of music. NaN: no such figure. */
void music_figures(double values[MUSIC_FIGURES], const struct music_sums *s,
                   enum music_kind k);

struct music_figure_name {
    const char *label; /* of its row; NULL: only in JSON */
    const char *name;  /* in JSON */
    int decimals;
};
extern const struct music_figure_name music_figure_names[MUSIC_FIGURES];

#endif
