/* How alike two fillings of one hole are, and whether a model follows wishes. Pure functions,
 * but for eval_hole_steer.
 *
 * Groove similarity is that of Wu & Yang 2020, "The Jazz Transformer on the Front
 * Line", of each bar with the same bar of the other. Histograms of pitch classes are
 * compared as Yang & Lerch 2020 do ("On the evaluation of generative models in music"),
 * whose overlapping area is one less the total variation. */
#ifndef APP_EVAL_HOLE_FIGURES_H
#define APP_EVAL_HOLE_FIGURES_H

#include "app/decoding/continuation.h"
#include "app/evaluation/eval_hole.h"

struct eval_hole_figures {
    double note_f1;       /* of notes alike in track, onset and pitch; 0 to 1 */
    double pitch_classes; /* total variation: 0 alike, 1 apart or nothing filled */
    double groove;        /* 0 to 1 for the same onsets, on any tracks */
};

/* Compares notes, in canonical order and inside the hole, with those that were there. */
struct eval_hole_figures eval_hole_compare(const struct eval_hole *h,
                                           const struct grid_note *notes, size_t n);

/* Spearman's rank correlation of n pairs; equals share the mean of their ranks. NaN
 * where either has no two different values, or without memory. */
double eval_hole_rank_correlation(const double *x, const double *y, size_t n);

/* -- wishes: each control is asked for at some levels in the same holes, and what comes is
 * measured as midi/tokens/fill.h defines the wish -- */

enum eval_hole_control {
    CONTROL_DENSITY,
    CONTROL_POLYPHONY,
    CONTROL_LENGTH,
    CONTROL_REGISTER,
    EVAL_HOLE_CONTROLS,
};
enum { EVAL_HOLE_LEVELS = 4 };

struct eval_hole_control_info {
    const char *label, *name;     /* with its unit; in JSON */
    int levels[EVAL_HOLE_LEVELS]; /* that are asked for, ascending */
};
extern const struct eval_hole_control_info eval_hole_controls[EVAL_HOLE_CONTROLS];

/* What a level asks for, in the control's unit. */
double eval_hole_asked(enum eval_hole_control control, int level);
/* What the notes that fill the hole have, in the same unit. NaN: there are none (density is
 * then 0). */
double eval_hole_got(enum eval_hole_control control, const struct fill_request *q,
                     const struct piece *filled);

struct eval_hole_answer {
    double got[EVAL_HOLE_CONTROLS][EVAL_HOLE_LEVELS];
};

/* Fills one hole for each level of each control alone, all with the same seed. Returns what
 * eval_hole_fill does. */
enum continuation_state eval_hole_steer(struct eval_hole_answer *a, const char **fault,
                                        struct continuation *c,
                                        const struct eval_hole *h,
                                        const struct continuation_options *how);

/* The mean of the answers that have a value at that level; *n is their number. */
double eval_hole_mean_got(const struct eval_hole_answer *answers, size_t n_answers,
                          enum eval_hole_control control, int level_index, size_t *n);
/* Spearman's correlation of what was asked and what came, over all levels. NaN: too few. */
double eval_hole_obedience(const struct eval_hole_answer *answers, size_t n_answers,
                           enum eval_hole_control control);

#endif
