/* The rectangle of time, pitch and tracks that is to be filled. Plain data; pure
 * functions, any thread. */
#ifndef MIDI_HOLE_H
#define MIDI_HOLE_H

#include "midi/tokens/fill.h"

enum { N_PITCHES = 128 };

struct hole {
    int64_t from, to;              /* steps from the first bar of the token sequence */
    uint8_t pitch_lo, pitch_hi;    /* inclusive */
    bool tracks[TOKEN_MAX_TRACKS]; /* tracks that may receive notes */
    uint16_t scale;                /* pitch classes, bit 0 is C; 0: all */
    /* For each track: the range of its instrument, inclusive, and how many notes may
     * sound at once; 0 means any number. */
    uint8_t low[TOKEN_MAX_TRACKS], high[TOKEN_MAX_TRACKS];
    int max_polyphony[TOKEN_MAX_TRACKS];
    /* Bit t: track t has hits, which low and high limit, but not pitches and scale. */
    uint64_t drums;
    /* For a request: the hole does not end with fewer notes while one fits. 0: no
     * minimum. */
    int min_notes;
};

/* Returns the tracks as a set, bit t: token track t. */
static inline uint64_t hole_tracks(const struct hole *h)
{
    uint64_t tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        tracks |= (uint64_t)h->tracks[t] << t;
    return tracks;
}

/* Lets every track take all pitches, and any number at once. */
void hole_free_tracks(struct hole *h);
/* Returns the hole of a request, with no limits of tracks and no drums. In both, steps
 * count from the first bar. */
struct hole hole_from_request(const struct fill_request *r);
/* Returns the part that both have in common; polyphony, scale, drums and min_notes are
 * those of `a`. */
struct hole hole_intersect(const struct hole *a, const struct hole *b);

/* Limits the hole to what a sequence can hold. Each track's low and high are then
 * pitches (or keys, on drums) that the track takes; if there is none, low is above
 * high. */
struct hole hole_clip(const struct hole *h);
bool hole_takes_pitch(const struct hole *h, int track, int pitch);

#endif
