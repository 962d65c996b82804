/* What new notes of a hole keep of others, most often of those they come in place of:
 * when they sound, or which pitches they have.
 *
 * The rhythm: each note is a slot, whose track, step and length are kept; pitches are
 * chosen anew, which rise within one track's onset. The pitches: each track has those
 * of its notes, in order; steps and lengths are chosen anew. midi/tokens/grammar.h says what
 * of a plan that does not fit is left out.
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
    /* Canonical order, no two of a (step, track, pitch). No length: it has come. */
    struct grid_note *notes;
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

/* A hole may be filled part by part, each with its part of the plan: what begins in
 * [from, to), and of pitches also what should have come sooner and has not. Steps then
 * count from `origin`, and what sounds past `to` ends there. All three are steps of
 * `whole`. A hole's plan is the part of its own span. */
enum midi_status hole_plan_part(struct hole_plan *part, const struct hole_plan *whole,
                                int64_t from, int64_t to, int64_t origin);
/* This note, in steps of `whole`, was made for it: no later part has its slot, or its
 * pitch and those passed over before it. Without, parts must not overlap, and of
 * pitches only the first is right. */
void hole_plan_pass(struct hole_plan *whole, const struct grid_note *note);

#endif
