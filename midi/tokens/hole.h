/* The rectangle of time, pitch and tracks that is to be filled. Plain data; pure
 * functions, any thread. */
#ifndef MIDI_HOLE_H
#define MIDI_HOLE_H

#include "midi/tokens/fill.h"

enum { N_PITCHES = 128 };

struct hole {
    int64_t from, to; /* steps from the start of the token sequence's first bar */
    uint8_t pitch_lo, pitch_hi;    /* inclusive */
    bool tracks[TOKEN_MAX_TRACKS]; /* which may receive notes */
    uint16_t scale; /* pitch classes, bit 0 = C (midi/score/scale.h); 0: all */
    /* Of each track besides: what its instrument can play, inclusive; and how many notes
     * may sound on it at once, 0: no limit. */
    uint8_t low[TOKEN_MAX_TRACKS], high[TOKEN_MAX_TRACKS];
    int max_polyphony[TOKEN_MAX_TRACKS];
    /* Bit t: the track's notes are hits, which neither the pitches nor the scale limit, but
     * low and high. */
    uint64_t drums;
    int min_notes; /* of a request: it does not end before, while another fits; 0: none */
};

/* Every track can play all pitches, and as many at once as there are. */
void hole_free_tracks(struct hole *h);
/* What a request asks for, of tracks that are free and no drums; steps count from the
 * first bar in both. */
struct hole hole_from_request(const struct fill_request *r);
/* Notes that fit both; the limits, and the drums, are those of `a`. */
struct hole hole_intersect(const struct hole *a, const struct hole *b);

/* After this many sampled tokens at most, a hole is done, whether it ends at a bar
 * line or with FILL_END, which counts. */
int64_t hole_max_tokens(const struct hole *h);

/* Held to what a sequence can hold. The lowest pitch and the highest of each track are ones
 * that it takes, of drums keys, or the lowest lies above the highest. */
struct hole hole_clip(const struct hole *h);
bool hole_takes_pitch(const struct hole *h, int track, int pitch);

#endif
