/* How like two fillings of the same hole are. Pure functions.
 *
 * Groove similarity is that of Wu & Yang 2020, "The Jazz Transformer on the Front
 * Line", of each bar with the same bar of the other. Histograms of pitch classes are
 * compared as Yang & Lerch 2020 do ("On the evaluation of generative models in music"),
 * whose overlapping area is one less the total variation. */
#ifndef APP_EVAL_HOLE_FIGURES_H
#define APP_EVAL_HOLE_FIGURES_H

#include "app/evaluation/eval_hole.h"

struct eval_hole_figures {
    double note_f1; /* of notes alike in track, onset and pitch; 0 to 1 */
    double
        pitch_classes; /* total variation, 0 alike to 1; 1 where nothing was filled */
    double groove;     /* 0 to 1 for the same onsets, on any tracks */
};

/* Of these notes, in canonical order and inside the hole, with those that were there. */
struct eval_hole_figures eval_hole_compare(const struct eval_hole *h,
                                           const struct grid_note *notes, size_t n);

/* Spearman's rank correlation of n pairs; equals share the mean of their ranks. NaN
 * where either has no two different values, or without memory. */
double eval_hole_rank_correlation(const double *x, const double *y, size_t n);

#endif
