/* What the new notes of a hole take from other notes, mostly those that they replace:
 * their rhythm or their pitches.
 *
 * Rhythm: each note is a slot, with a track, step and length; the pitch is new. Pitches
 * ascend within one onset of a track. Pitches: each track has its pitches in order;
 * steps and lengths are new. midi/tokens/grammar.h says which parts of a plan may be
 * left out.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef MIDI_HOLE_PLAN_H
#define MIDI_HOLE_PLAN_H

#include "midi/tokens/piece.h"

enum hole_plan_kind {
    HOLE_PLAN_NONE, /* there is no plan */
    HOLE_PLAN_RHYTHM,
    HOLE_PLAN_PITCHES,
};

struct hole_plan {
    enum hole_plan_kind kind;
    /* In canonical order, one for each (step, track, pitch). Length 0: it is used
     * already. */
    struct grid_note *notes;
    size_t n_notes;
    /* The most notes of the track at one onset; for a part of a plan, those of the
     * whole. */
    uint8_t most_together[TOKEN_MAX_TRACKS];
};

/* Copies the notes, which may come in any order, with steps from anywhere. If two notes
 * of one pitch begin together, the longer stays. MIDI_BAD_TOKEN: a track, pitch or
 * length is invalid. On failure `plan` is empty. */
enum midi_status hole_plan_make(struct hole_plan *plan, enum hole_plan_kind kind,
                                const struct grid_note *notes, size_t n);
void hole_plan_fini(struct hole_plan *plan);

/* Makes a part of a plan, for a hole that is filled in parts: the notes that begin in
 * [from, to), and if the plan is one of pitches, also earlier ones that are not used
 * yet. Steps of the part count from `origin`, and notes end at `to`. All three are
 * steps of `whole`. A single part covers the span of the hole. */
enum midi_status hole_plan_part(struct hole_plan *part, const struct hole_plan *whole,
                                int64_t from, int64_t to, int64_t origin);
/* Marks the slot of this note, in steps of `whole`, as used; for a plan of pitches, its
 * pitch and those that were skipped before it. Without these marks, parts must not
 * overlap, and only the first part of a plan of pitches is right. */
void hole_plan_pass(struct hole_plan *whole, const struct grid_note *note);

#endif
