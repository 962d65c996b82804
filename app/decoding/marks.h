/* Notes of the score that shape a take, in the terms of its tokens: marked takes as a taste,
 * and the notes of a hole as its plan. Pure functions, any thread. */
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
