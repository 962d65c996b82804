/* The rectangle of time, pitch and tracks that is to be filled, and what there
 * still fits in it. */
#ifndef MIDI_HOLE_H
#define MIDI_HOLE_H

#include "midi/piece.h"

enum { N_PITCHES = 128 };

struct hole {
    int64_t from, to; /* steps from the start of the token sequence's first bar */
    uint8_t pitch_lo, pitch_hi;    /* inclusive */
    bool tracks[TOKEN_MAX_TRACKS]; /* which may receive notes */
    int max_polyphony;             /* notes sounding at once per track; 0: no limit */
};

/* After this many sampled tokens at most, a hole is done. */
int64_t hole_max_tokens(const struct hole *h);

/* What sounds where, as notes come in canonical order. Two notes of one pitch
 * on one track, which only a context has, count as one voice. */
struct occupancy {
    struct hole hole;                          /* clipped to what a sequence can hold */
    int32_t ends[TOKEN_MAX_TRACKS][N_PITCHES]; /* last note of that pitch is over */
    int32_t open_from[TOKEN_MAX_TRACKS]; /* first step with a voice and a pitch free */
    struct blocked_note *blocked;        /* sorted by (track, pitch, step) */
    size_t n_blocked, cap_blocked;
};

/* `o` starts zeroed; start may be called again. */
void occupancy_start(struct occupancy *o, const struct hole *hole);
void occupancy_fini(struct occupancy *o);

/* A note that stands at that place whatever comes. MIDI_TOO_LONG: it lies
 * outside what a sequence can hold. */
enum midi_status occupancy_block(struct occupancy *o, int track, int pitch,
                                 int64_t step, int64_t length);
void occupancy_add(struct occupancy *o, const struct grid_note *n);

/* Steps from `step` until a blocked note of that pitch; 0 while one sounds. */
int64_t occupancy_steps_free(const struct occupancy *o, int track, int pitch,
                             int64_t step);
/* The lowest pitch from `low` free at that step; N_PITCHES: none. */
int occupancy_first_pitch(const struct occupancy *o, int track, int low, int64_t step);
/* A note of pitch `low` or above can begin on this track at this step, which
 * is not before the last note added. */
bool occupancy_track_fits(const struct occupancy *o, int track, int low, int64_t step);
bool occupancy_step_fits(const struct occupancy *o, int64_t step); /* on any track */

#endif
