/* The rectangle of time, pitch and tracks to fill. Plain data; pure functions, any
 * thread. */
#ifndef MIDI_HOLE_H
#define MIDI_HOLE_H

#include "midi/tokens/fill.h"

enum { N_PITCHES = 128 };

struct hole {
    int64_t from, to; /* steps from the start of the token sequence's first bar */
    uint8_t pitch_lo, pitch_hi;    /* inclusive */
    bool tracks[TOKEN_MAX_TRACKS]; /* may receive notes */
    uint16_t scale; /* pitch classes, bit 0 is C (midi/score/scale.h); 0: all */
    /* For each track: the range of its instrument, inclusive; and how many notes may
     * sound at once, 0: any number. */
    uint8_t low[TOKEN_MAX_TRACKS], high[TOKEN_MAX_TRACKS];
    int max_polyphony[TOKEN_MAX_TRACKS];
    /* Bit t: hits, limited by low and high, not by pitches and scale. */
    uint64_t drums;
    /* Of a request: it does not end with fewer while a note fits; 0: no minimum. */
    int min_notes;
};

/* Its tracks, bit t: token track t. */
static inline uint64_t hole_tracks(const struct hole *h)
{
    uint64_t tracks = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        tracks |= (uint64_t)h->tracks[t] << t;
    return tracks;
}

/* Lets every track take all pitches, any number at once. */
void hole_free_tracks(struct hole *h);
/* The hole of a request: free tracks, no drums; steps count from the first bar in
 * both. */
struct hole hole_from_request(const struct fill_request *r);
/* The common part; limits, scale and drums are those of `a`. */
struct hole hole_intersect(const struct hole *a, const struct hole *b);

/* Limits the hole to what a sequence can hold. Each track's lowest and highest pitch
 * (key, on drums) are then ones it takes, or the lowest is above the highest. */
struct hole hole_clip(const struct hole *h);
bool hole_takes_pitch(const struct hole *h, int track, int pitch);

#endif
