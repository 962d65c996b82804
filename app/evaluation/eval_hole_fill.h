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

/* -- eval_hole_guess -- */

/* Filling a hole without a model, to set a model beside: the bars before it or after it
 * once more, and notes at random from the right scale. Each makes notes only, in
 * canonical order, in the hole's own steps; the caller finishes them with piece_fini.
 * Pure functions. */

/* What begins in as many bars beside it, on its tracks; ends are cut at its end. */
enum midi_status eval_hole_copy_before(struct piece *out, const struct eval_hole *h);
enum midi_status eval_hole_copy_after(struct piece *out, const struct eval_hole *h);

/* As many notes as were there, on the tracks they were on. Each begins at any sixteenth,
 * is as long as any note around on its track, or less to end with the hole, and has any
 * pitch between its track's lowest and highest there that is in the scale which fits
 * the music around best. */
enum midi_status eval_hole_guess(struct piece *out, const struct eval_hole *h,
                                 struct rng *r);

/* Pitch classes, bit 0 is C, of the major, natural minor or harmonic minor scale that
 * most of the notes are in; of equals the first major one. */
unsigned eval_hole_scale(const struct piece *p);

#endif
