/* Notes of the score that bear on what is written, as the tokens of a strand speak of
 * them: marked takes as a taste, and what a hole held as its plan. */
#ifndef APP_MARKS_H
#define APP_MARKS_H

#include "app/decoding/context.h"
#include "app/decoding/taste.h"

/* The caller's; *out NULL with MIDI_OK: nothing is liked or disliked. */
enum midi_status marks_taste(struct taste **out, const struct context *music,
                             const struct continuation_options *o);
/* Steps count from the start of the music; finish with hole_plan_fini. */
enum midi_status marks_plan(struct hole_plan *out, const struct context *music,
                            const struct continuation_options *o);

#endif
