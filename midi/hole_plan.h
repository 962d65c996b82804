/* What new notes of a hole keep of others, most often of those they come in place of:
 * when they sound, or which pitches they have.
 *
 * The rhythm: each note is a slot, whose track, step and length are kept; pitches are
 * chosen anew, which rise within one track's onset. The pitches: each track has those
 * of its notes, in order; steps and lengths are chosen anew. midi/grammar.h says what
 * of a plan that does not fit is left out.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef MIDI_HOLE_PLAN_H
#define MIDI_HOLE_PLAN_H

#include "midi/piece.h"

enum hole_plan_kind {
    HOLE_PLAN_NONE, /* nothing is kept */
    HOLE_PLAN_RHYTHM,
    HOLE_PLAN_PITCHES,
};

struct hole_plan {
    enum hole_plan_kind kind;
    struct grid_note *notes; /* canonical order, no two of a (step, track, pitch) */
    size_t n_notes;
    /* the most notes that the track has at one onset; of a part, in the whole */
    uint8_t most_together[TOKEN_MAX_TRACKS];
};

/* Copies the notes, which may come in any order and count steps from anywhere; of two
 * of one pitch begun together the longer stays. MIDI_BAD_TOKEN: one has a track or
 * pitch that there is not, or no length. On failure `plan` is empty. */
enum midi_status hole_plan_rhythm(struct hole_plan *plan, const struct grid_note *notes,
                                  size_t n);
enum midi_status hole_plan_pitches(struct hole_plan *plan,
                                   const struct grid_note *notes, size_t n);
void hole_plan_fini(struct hole_plan *plan);

/* Those of its notes that begin in [from, to), for a hole filled part by part: their
 * steps then count from `origin`, and what sounds past `to` ends there. All three in
 * steps of `whole`. A hole's plan is the part of its own span. */
enum midi_status hole_plan_part(struct hole_plan *part, const struct hole_plan *whole,
                                int64_t from, int64_t to, int64_t origin);

#endif
