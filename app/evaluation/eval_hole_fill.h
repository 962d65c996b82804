/* A hole filled by the model, as `continuo inpaint` does it: what is inside is taken
 * out of a score, and a continuation writes it anew. */
#ifndef APP_EVAL_HOLE_FILL_H
#define APP_EVAL_HOLE_FILL_H

#include "app/decoding/continuation.h"
#include "app/evaluation/eval_hole.h"

/* out: notes only, in canonical order, in the hole's own steps, the caller's to finish
 * whatever comes back. wishes: its levels are asked for, the rest is the hole's.
 * Returns DONE, CANCELLED or ERROR, and then *fault is a plain phrase that lasts until
 * the next filling. */
enum continuation_state eval_hole_fill(struct piece *out, const char **fault,
                                       struct continuation *c,
                                       const struct eval_hole *h,
                                       const struct fill_request *wishes,
                                       const struct continuation_options *how);

#endif
