/* How like two fillings of the same hole are. Pure functions.
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

/* -- eval_hole_steer -- */

/* Whether a model heeds wishes: each control is asked for at some levels in the same
 * holes, and what comes is measured as the wish is defined (midi/tokens/fill.h). */

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

/* In the control's unit: what a level of it asks for. */
double eval_hole_asked(enum eval_hole_control control, int level);
/* And what the notes in the hole of that request have: NaN where there are none, but
 * for their density. */
double eval_hole_got(enum eval_hole_control control, const struct fill_request *q,
                     const struct piece *filled);

struct eval_hole_answer {
    double got[EVAL_HOLE_CONTROLS][EVAL_HOLE_LEVELS];
};

/* One hole, asked for each level of each control alone, all with the same seed. What
 * comes back is as eval_hole_fill says. */
enum continuation_state eval_hole_steer(struct eval_hole_answer *a, const char **fault,
                                        struct continuation *c,
                                        const struct eval_hole *h,
                                        const struct continuation_options *how);

/* Of all answers that have a value. n: how many of the level have one. */
double eval_hole_mean_got(const struct eval_hole_answer *answers, size_t n_answers,
                          enum eval_hole_control control, int level_index, size_t *n);
/* Spearman's, of what was asked and what was got over all levels; NaN: too few. */
double eval_hole_obedience(const struct eval_hole_answer *answers, size_t n_answers,
                           enum eval_hole_control control);

#endif
