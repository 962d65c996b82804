/* What still fits into a hole, for one step, track and pitch at a time. */
#ifndef MIDI_OCCUPANCY_H
#define MIDI_OCCUPANCY_H

#include "midi/tokens/hole.h"

/* What sounds in a hole, as notes come in canonical order. Two notes of one pitch on a
 * track, which only a context has, count as one voice. Blocked notes only block their
 * pitch, and may come in any order; of these only held notes are voices. */
struct occupancy {
    struct hole hole; /* limited to what a sequence and each track can hold */
    bool takes[TOKEN_MAX_TRACKS][N_PITCHES];   /* pitches that the hole takes */
    int32_t ends[TOKEN_MAX_TRACKS][N_PITCHES]; /* end of its last note */
    int32_t open_from[TOKEN_MAX_TRACKS]; /* first step with a free voice and pitch */
    struct blocked_note *blocked;        /* sorted by (track, pitch, step) */
    size_t n_blocked, cap_blocked;
};

/* `o` starts zeroed; start may be called again. Only blocking allocates. */
void occupancy_start(struct occupancy *o, const struct hole *hole);
void occupancy_fini(struct occupancy *o);

/* Blocks a note that stays. Ignores it if the hole does not take its track and pitch. A
 * voice was sampled in an earlier part of the hole, and begins no later than new notes.
 * MIDI_TOO_LONG: no sequence can hold the note. */
enum midi_status occupancy_block(struct occupancy *o, int track, int pitch,
                                 int64_t step, int64_t length, bool is_voice);
void occupancy_add(struct occupancy *o, const struct grid_note *n);
/* Goes back to `step`, where a hole begins. All notes so far began before it; those
 * that still sound there are blocked. New notes start from held notes only. */
enum midi_status occupancy_go_back(struct occupancy *o, int64_t step);
/* Narrows the hole, which has no note yet, to a part of what start was given. */
void occupancy_narrow(struct occupancy *o, const struct hole *part);

/* Return the first step from `step` on, or the last one up to it, at which no blocked
 * note of that pitch sounds. Negative: there is none. */
int64_t occupancy_next_free(const struct occupancy *o, int track, int pitch,
                            int64_t step);
int64_t occupancy_last_free(const struct occupancy *o, int track, int pitch,
                            int64_t step);
/* Returns the most steps that a note beginning there in the hole can last; 0: it cannot
 * begin there. Does not check the number of voices. */
int64_t occupancy_longest(const struct occupancy *o, int track, int pitch,
                          int64_t step);
/* Returns how many more notes may sound at that step; N_PITCHES: any number. */
int occupancy_voices_left(const struct occupancy *o, int track, int64_t step);
/* Returns the lowest free pitch from `low` on at that step, or N_PITCHES. */
int occupancy_first_pitch(const struct occupancy *o, int track, int low, int64_t step);
/* Whether a note of pitch `low` or above can begin on this track at this step. The step
 * is not before the last note. */
bool occupancy_track_fits(const struct occupancy *o, int track, int low, int64_t step);
/* Returns the first step from `step` on at which a note can begin on any track, or
 * INT64_MAX. The step is not before the last note. */
int64_t occupancy_next_step(const struct occupancy *o, int64_t step);

#endif
