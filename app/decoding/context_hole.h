/* Places a hole in the music: an inner part of context.h, for context.c only. Pure. */
#ifndef APP_CONTEXT_HOLE_H
#define APP_CONTEXT_HOLE_H

#include "app/decoding/context.h"

/* The step where the hole ends; 0: there is none. */
int64_t context_hole_end(const struct score *s, const struct continuation_options *o);

/* Converts the hole from ticks to steps, rounded inwards. Requested tracks without notes are
 * numbered after those with notes. MIDI_TOO_LONG: there are more tracks than tokens can name.
 * MIDI_EMPTY: the hole has no step, no pitch or no track. */
enum midi_status context_hole_place(struct context *c, const struct score *s,
                                    const struct continuation_options *o);

/* The hole's pitches and the requested controls; no tracks yet. */
struct fill_request context_request(const struct hole *hole,
                                    const struct continuation_hole *asked);

/* The instrument family that the track is declared as; a piano's if there is no track. */
uint8_t context_family(const struct score *s, int track);
/* Makes a window of the music declare the tracks of the hole, with or without notes. */
void context_declare(const struct context *c, struct piece *window);

/* Limits each track to what its instrument can play or has played, and to one voice if it
 * has been a line and no more are requested; drums to the keys of the hole. Call when the
 * hole's tracks and pitches are known. */
void context_limit(struct context *c, const struct score *s,
                   const struct continuation_options *o);

/* Call after the hole is placed. Records the steps that each note of the score touches: the
 * grid has a note at the nearest step, only the onset of a drum hit, and nothing that is
 * muted, so the grid alone does not show them all. */
enum midi_status context_keep_standing(struct context *c, const struct score *s);

#endif
