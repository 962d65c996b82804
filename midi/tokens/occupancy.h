/* What still fits into a hole, for one step, track and pitch at a time. */
#ifndef MIDI_OCCUPANCY_H
#define MIDI_OCCUPANCY_H

#include "midi/tokens/hole.h"

/* What sounds, as notes come in canonical order. Two notes of one pitch on a track,
 * which only a context has, count as one voice. Blocked notes only block their
 * pitch, and may come in any order; of them only held ones are voices. */
struct occupancy {
    struct hole hole; /* clipped to what a sequence and each track can hold */
    bool takes[TOKEN_MAX_TRACKS][N_PITCHES];   /* pitches of the hole */
    int32_t ends[TOKEN_MAX_TRACKS][N_PITCHES]; /* the last note of the pitch ends */
    int32_t open_from[TOKEN_MAX_TRACKS]; /* first step with a voice and a pitch free */
    struct blocked_note *blocked;        /* sorted by (track, pitch, step) */
    size_t n_blocked, cap_blocked;
};

/* `o` starts zeroed; start may be called again. Only blocking allocates. */
void occupancy_start(struct occupancy *o, const struct hole *hole);
void occupancy_fini(struct occupancy *o);

/* Blocks a note that stays; ignores other tracks and pitches than the hole's. A voice
 * begins no later than new notes, and was sampled in an earlier part of the hole.
 * MIDI_TOO_LONG: outside what a sequence can hold. */
enum midi_status occupancy_block(struct occupancy *o, int track, int pitch,
                                 int64_t step, int64_t length, bool is_voice);
void occupancy_add(struct occupancy *o, const struct grid_note *n);
/* Goes back to `step`, where a hole begins. Notes so far began before; those that
 * still sound there are blocked. New notes start from nothing but held ones. */
enum midi_status occupancy_go_back(struct occupancy *o, int64_t step);
/* Narrows the hole to a part of what start was given; it has no note yet. */
void occupancy_narrow(struct occupancy *o, const struct hole *part);

/* The first step from `step` on, or the last up to it, without a blocked note of
 * that pitch; negative: none. */
int64_t occupancy_next_free(const struct occupancy *o, int track, int pitch,
                            int64_t step);
int64_t occupancy_last_free(const struct occupancy *o, int track, int pitch,
                            int64_t step);
/* The most steps that a note beginning there, in the hole, can last; 0: none. Does
 * not check voices. */
int64_t occupancy_longest(const struct occupancy *o, int track, int pitch,
                          int64_t step);
/* How many more notes may sound at that step; N_PITCHES: any number. */
int occupancy_voices_left(const struct occupancy *o, int track, int64_t step);
/* The lowest free pitch from `low` at that step; N_PITCHES: none. */
int occupancy_first_pitch(const struct occupancy *o, int track, int low, int64_t step);
/* Whether a note of pitch `low` or above can begin on this track at this step, which
 * is not before the last note. */
bool occupancy_track_fits(const struct occupancy *o, int track, int low, int64_t step);
/* The first step from `step` on where a note can begin on any track, not before the
 * last note; INT64_MAX: none. */
int64_t occupancy_next_step(const struct occupancy *o, int64_t step);

#endif
