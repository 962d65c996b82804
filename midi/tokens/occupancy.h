/* What still fits in a hole: one of its steps, tracks and pitches at a time. */
#ifndef MIDI_OCCUPANCY_H
#define MIDI_OCCUPANCY_H

#include "midi/tokens/hole.h"

/* What sounds where, as notes come in canonical order. Two notes of one pitch
 * on one track, which only a context has, count as one voice. Blocked notes are no
 * voices, but those that are held: they only keep their pitch off, and may come in any
 * order. */
struct occupancy {
    struct hole hole; /* clipped to what a sequence can hold and each track can take */
    bool takes[TOKEN_MAX_TRACKS][N_PITCHES];   /* the pitches of the hole */
    int32_t ends[TOKEN_MAX_TRACKS][N_PITCHES]; /* last note of that pitch is over */
    int32_t open_from[TOKEN_MAX_TRACKS]; /* first step with a voice and a pitch free */
    struct blocked_note *blocked;        /* sorted by (track, pitch, step) */
    size_t n_blocked, cap_blocked;
};

/* `o` starts zeroed; start may be called again. Only blocking allocates. */
void occupancy_start(struct occupancy *o, const struct hole *hole);
void occupancy_fini(struct occupancy *o);

/* A note that stands at that place whatever comes; no other than the hole's tracks
 * and pitches are kept. MIDI_TOO_LONG: it lies outside what a sequence can hold. */
enum midi_status occupancy_block(struct occupancy *o, int track, int pitch,
                                 int64_t step, int64_t length);
/* The same of a note that is a voice: it begins where those to come may or before, and
 * was sampled when an earlier part of the hole was. */
enum midi_status occupancy_hold(struct occupancy *o, int track, int pitch, int64_t step,
                                int64_t length);
void occupancy_add(struct occupancy *o, const struct grid_note *n);
/* Goes back to `step`, where a hole begins. Of the notes so far, all of which began
 * before, what still sounds there is blocked, and those to come begin afresh, beside
 * those that are held. */
enum midi_status occupancy_go_back(struct occupancy *o, int64_t step);
/* The hole is only this part of what start was given; no note is in it yet. */
void occupancy_narrow(struct occupancy *o, const struct hole *part);

/* Steps from `step` until a blocked note of that pitch; 0 while one sounds. */
int64_t occupancy_steps_free(const struct occupancy *o, int track, int pitch,
                             int64_t step);
/* The first step from `step` on, and the last up to it, at which no blocked note of
 * that pitch sounds; negative: none. */
int64_t occupancy_next_free(const struct occupancy *o, int track, int pitch,
                            int64_t step);
int64_t occupancy_last_free(const struct occupancy *o, int track, int pitch,
                            int64_t step);
/* The most steps that a note which begins there, in the hole, can last; 0: none can.
 * Of voices nothing is said. */
int64_t occupancy_longest(const struct occupancy *o, int track, int pitch,
                          int64_t step);
/* So many notes more may sound on the track at that step; N_PITCHES: no limit. */
int occupancy_voices_left(const struct occupancy *o, int track, int64_t step);
/* The lowest pitch from `low` free at that step; N_PITCHES: none. */
int occupancy_first_pitch(const struct occupancy *o, int track, int low, int64_t step);
/* A note of pitch `low` or above can begin on this track at this step, which
 * is not before the last note added. */
bool occupancy_track_fits(const struct occupancy *o, int track, int low, int64_t step);
/* The first step from `step` on at which a note can begin on any track;
 * INT64_MAX: none. Before the last note added nothing can. */
int64_t occupancy_next_step(const struct occupancy *o, int64_t step);

#endif
