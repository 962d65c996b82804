/* The part of app/decoding/context.h that places a hole; used by context.c only. */
#ifndef APP_CONTEXT_HOLE_H
#define APP_CONTEXT_HOLE_H

#include "app/decoding/context.h"

/* The step it ends at; 0: there is none. */
int64_t context_hole_end(const struct score *s, const struct continuation_options *o);

/* From ticks to steps, inwards; tracks that are named and have no notes are numbered
 * after those that have. MIDI_TOO_LONG: it names more tracks than tokens can;
 * MIDI_EMPTY: there is no step, no pitch or no track in it. */
enum midi_status context_hole_place(struct context *c, const struct score *s,
                                    const struct continuation_options *o);

/* What the score's track is declared as; of no track a piano's. */
uint8_t context_family(const struct score *s, int track);
/* A window of the music declares the tracks of the hole, with or without notes there. */
void context_declare(const struct context *c, struct piece *window);

/* Once its tracks and pitches are known: of each track what its instrument can play, and
 * what it has played, and one voice where it has been a line and nobody wants more; of drums the keys of the
 * hole. */
void context_limit(struct context *c, const struct score *s,
                   const struct continuation_options *o);

/* Once it is placed. On the grid a note moves to the nearest step, of a hit only the
 * onset is there, and nothing of what is muted; all steps that it touches in the score are
 * kept off it. */
enum midi_status context_keep_standing(struct context *c, const struct score *s);

#endif
