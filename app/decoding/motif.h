/* A phrase of the music returns in a take: exact, transposed within the key, or varied.
 *
 * It begins at the same place in a bar as the original. The places, and the steps it may be
 * moved by, are judged by how far away the original is in bars (phrases come in twos, fours
 * and eights) and by the harmony that is known there: chord symbols, other tracks, a
 * progression that repeats. The take's seed chooses among the best of them, so that takes
 * differ; the critic then ranks the takes.
 *
 * Its notes join the music before the rest is written, and its tracks take no other notes
 * while it lasts. Of a varied one the model first chooses the pitches, in a hole that is the
 * phrase alone: its rhythm is a plan, and motif_mask keeps its contour.
 *
 * A part of struct context; pure functions, any thread. */
#ifndef APP_MOTIF_H
#define APP_MOTIF_H

#include "app/decoding/context.h"

/* Places the phrase of `c` and adds it to the music; or makes the phrase the hole of `c` if the model
 * should vary it. MIDI_EMPTY: it fits nowhere. */
enum midi_status motif_begin(struct context *c, const struct continuation_motif *wanted,
                             uint64_t seed);

/* Whether the note, in steps of the music, is one of its notes: where it is, its tracks have
 * no others. */
static inline bool motif_has(const struct motif *m, const struct grid_note *n)
{
    return m->n && m->tracks >> n->track & 1 && n->step >= m->from && n->step < m->to;
}

/* -- of one that is varying -- */

/* Forbids pitches that break the contour, for the next note of that token track at that step
 * of the music, where others are allowed. */
void motif_mask(const struct motif *m, int64_t step, int track,
                uint8_t allowed[TOKEN_COUNT]);
/* A note of it was drawn; in steps of the music. Returns it as it is handed out, for the
 * caller to say how probable it was; NULL: it is none. */
struct continued_note *motif_set(struct motif *m, const struct grid_note *drawn);
/* All are drawn: it joins the music, and the hole is that of the rest. */
enum midi_status motif_settle(struct context *c);

/* -- */

/* The next motif note to hand out if it comes before `next` (NULL: no more), or NULL. */
const struct continued_note *motif_tell(struct motif *m,
                                        const struct continued_note *next);

/* The next motif note that begins at this step or before and was not returned yet, or NULL. */
const struct grid_note *motif_hear(struct motif *m, int64_t step);

#endif
