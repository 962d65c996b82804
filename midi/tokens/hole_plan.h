/* What new notes of a hole keep of other notes, mostly of those they replace: their
 * rhythm or their pitches.
 *
 * Rhythm: each note is a slot; track, step and length are kept, the pitch is new;
 * pitches ascend within a track's onset. Pitches: each track keeps its pitches in
 * order; steps and lengths are new. midi/tokens/grammar.h says which parts of a plan
 * may be left out.
 *
 * Plain data, one owner; pure functions, any thread. */
#ifndef MIDI_HOLE_PLAN_H
#define MIDI_HOLE_PLAN_H

#include "midi/tokens/piece.h"

enum hole_plan_kind {
    HOLE_PLAN_NONE, /* nothing is kept */
    HOLE_PLAN_RHYTHM,
    HOLE_PLAN_PITCHES,
};

struct hole_plan {
    enum hole_plan_kind kind;
    /* Canonical order, one of each (step, track, pitch). Length 0: used already. */
    struct grid_note *notes;
    size_t n_notes;
    /* The most notes of the track at one onset; in a part, that of the whole. */
    uint8_t most_together[TOKEN_MAX_TRACKS];
};

/* Copies the notes, in any order, with steps from anywhere; of two notes of one
 * pitch begun together the longer stays. MIDI_BAD_TOKEN: an invalid track, pitch or
 * length. On failure `plan` is empty. */
enum midi_status hole_plan_make(struct hole_plan *plan, enum hole_plan_kind kind,
                                const struct grid_note *notes, size_t n);
void hole_plan_fini(struct hole_plan *plan);

/* A hole may be filled in parts, each with its part of the plan: the notes that
 * begin in [from, to); of pitches, also earlier ones that are not used yet. Steps of
 * the part count from `origin`; notes end at `to`. All three are steps of `whole`. A
 * single part covers the hole's span. */
enum midi_status hole_plan_part(struct hole_plan *part, const struct hole_plan *whole,
                                int64_t from, int64_t to, int64_t origin);
/* Marks the slot of this note, in steps of `whole`, as used; or its pitch and those
 * skipped before it. Without this, parts must not overlap, and of pitches only the
 * first part is right. */
void hole_plan_pass(struct hole_plan *whole, const struct grid_note *note);

#endif
