/* Ways to fill a hole: by the model, and three without a model to compare it with. Each makes
 * notes only, in canonical order, in the hole's steps; the caller frees them with
 * piece_fini. */
#ifndef APP_EVAL_HOLE_FILL_H
#define APP_EVAL_HOLE_FILL_H

#include "app/decoding/continuation.h"
#include "app/evaluation/eval_hole.h"

/* By the model, as `continuo inpaint` does it: the notes are taken out of a score, and a
 * continuation writes others. Of `wishes` the levels count; the rest is the hole's. Returns
 * DONE, CANCELLED or ERROR; for ERROR *fault is a plain phrase, valid until the next call.
 * Finish `out` in every case. */
enum continuation_state eval_hole_fill(struct piece *out, const char **fault,
                                       struct continuation *c,
                                       const struct eval_hole *h,
                                       const struct fill_request *wishes,
                                       const struct continuation_options *how);

/* Copies the notes of as many bars before or after the hole, on its tracks. What would go on
 * past its end is cut there. Pure, as are the next two. */
enum midi_status eval_hole_copy_before(struct piece *out, const struct eval_hole *h);
enum midi_status eval_hole_copy_after(struct piece *out, const struct eval_hole *h);

/* As many random notes as were there, on the same tracks. Each begins at a sixteenth and has
 * the length of a note around it on its track. Its pitch lies between the lowest and the
 * highest of its track there, and in the scale that fits the music around best. */
enum midi_status eval_hole_guess(struct piece *out, const struct eval_hole *h,
                                 struct rng *r);

/* That scale's pitch classes as bits, C first: the major, natural minor or harmonic minor
 * scale that most notes are in; of equals the first major one. */
unsigned eval_hole_scale(const struct piece *p);

#endif
