/* Whether a model heeds wishes: each control is asked for at some levels in the same
 * holes, and what comes is measured as the wish is defined (midi/tokens/fill.h). */
#ifndef APP_EVAL_HOLE_STEER_H
#define APP_EVAL_HOLE_STEER_H

#include "app/decoding/continuation.h"
#include "app/evaluation/eval_hole.h"

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
