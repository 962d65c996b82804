/* The figures of generated, held-out and training music, side by side: a table for each
 * corpus, and JSON. */
#ifndef APP_EVAL_MUSIC_REPORT_H
#define APP_EVAL_MUSIC_REPORT_H

#include "app/evaluation/eval_music.h"
#include "app/evaluation/statistics.h"

#include <cjson/cJSON.h>

/* false: out of memory. */
bool music_print(const struct music *m, const struct music_request *q);
cJSON *music_json(const struct music *m, const struct music_request *q); /* or NULL */

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

/* All figures of one kind of music. NaN: there is no such figure. */
void music_figures(double values[MUSIC_FIGURES], const struct music_sums *s,
                   enum music_kind k);

struct music_figure_name {
    const char *label; /* of its row; NULL: only in JSON */
    const char *name;  /* in JSON */
    int decimals;
};
extern const struct music_figure_name music_figure_names[MUSIC_FIGURES];

#endif
