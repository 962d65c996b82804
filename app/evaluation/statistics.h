/* Statistics of music, counted over any number of pieces, to be compared with other music's.
 *
 * Groove similarity and the entropy of a bar are those of Wu & Yang 2020, "The Jazz Transformer
 * on the Front Line". Comparing histograms of pitch classes, durations and intervals goes back
 * to Yang & Lerch 2020, "On the evaluation of generative models in music"; their overlapping
 * area of two histograms is 1 minus the total variation. The divergence is that of Lin 1991.
 *
 * Plain data, zero at first; pure functions, any thread. */
#ifndef APP_STATISTICS_H
#define APP_STATISTICS_H

#include "midi/tokens/piece.h"

enum {
    STATISTICS_PITCH_CLASSES = 12,
    STATISTICS_DURATIONS = 98, /* of 1 to 96 steps; the last: longer. 0 is unused */
    STATISTICS_WIDEST = 24,    /* semitones; wider intervals count as this */
    STATISTICS_INTERVALS = 2 * STATISTICS_WIDEST + 1,
    STATISTICS_POSITIONS = 64, /* in a bar, as Wu & Yang have it: bits of a pattern */
};

struct statistics {
    int64_t n_pieces, n_notes;
    int64_t n_steps;    /* from the first bar line to the last */
    int64_t n_onsets;   /* steps where a note begins, */
    int64_t n_sounding; /* and the notes that sound then, summed over them */
    int64_t pitch_classes[STATISTICS_PITCH_CLASSES]; /* notes of each */
    int64_t durations[STATISTICS_DURATIONS];         /* notes by length in steps */
    /* From one onset of a track to its next, by the highest note of each; unison is the
     * middle. */
    int64_t intervals[STATISTICS_INTERVALS];
    double entropy;    /* of the pitch classes of a bar, in bits, summed over */
    int64_t n_bars;    /* the bars where a note begins */
    double groove;     /* mean similarity of two bars of a piece, summed over */
    int64_t n_grooves; /* the pieces of two bars or more */
};

/* Adds a canonical piece to the sums. false: out of memory, and nothing is added. */
bool statistics_add(struct statistics *sum, const struct piece *p);

/* NaN if nothing was counted. */
struct statistics_means {
    double density;   /* notes a quarter */
    double polyphony; /* notes at an onset */
    double entropy;   /* bits, 0 to log2(12) */
    double groove;    /* 0 to 1 */
};
struct statistics_means statistics_means(const struct statistics *s);

/* The distance of two histograms of n bins, each as shares of its sum. 0: equal shares.
 * With no bin in common the variation is 1 and the divergence ln 2 nats. NaN if either is
 * empty. */
double statistics_total_variation(const int64_t *a, const int64_t *b, int n);
double statistics_divergence(const int64_t *a, const int64_t *b, int n);

/* The positions in the bar of steps [from, from + length) where any of the notes `first` to
 * `end` begins, as bits. */
uint64_t statistics_onsets(const struct grid_note *notes, size_t first, size_t end,
                           int32_t from, int32_t length);

#endif
