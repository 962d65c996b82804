/* Marked takes as a taste: from notes of the score to what a strand's tokens speak of. */
#ifndef APP_MARKS_H
#define APP_MARKS_H

#include "app/context.h"
#include "app/taste.h"

/* The caller's; *out NULL with MIDI_OK: nothing is liked or disliked. */
enum midi_status marks_taste(struct taste **out, const struct context *music,
                             const struct continuation_options *o);

#endif
