/* The rectangle of time, pitch and tracks that is to be filled. Plain data; pure
 * functions, any thread. */
#ifndef MIDI_HOLE_H
#define MIDI_HOLE_H

#include "midi/fill.h"

enum { N_PITCHES = 128 };

struct hole {
    int64_t from, to; /* steps from the start of the token sequence's first bar */
    uint8_t pitch_lo, pitch_hi;    /* inclusive */
    bool tracks[TOKEN_MAX_TRACKS]; /* which may receive notes */
    uint16_t scale;                /* pitch classes, bit 0 = C (midi/scale.h); 0: all */
    int max_polyphony;             /* notes sounding at once per track; 0: no limit */
    int min_notes; /* of a request: it does not end before, while another fits; 0: none */
};

/* What a request asks for; steps count from the first bar in both. */
struct hole hole_from_request(const struct fill_request *r);
/* Notes that fit both; the limits are those of `a`. */
struct hole hole_intersect(const struct hole *a, const struct hole *b);

/* After this many sampled tokens at most, a hole is done, whether it ends at a bar
 * line or with FILL_END, which counts. */
int64_t hole_max_tokens(const struct hole *h);

/* With its pitches held to the scale and the rest to what a sequence can hold. Its lowest
 * pitch and its highest are ones that it takes, or the lowest lies above the highest. */
struct hole hole_clip(const struct hole *h);
bool hole_takes_pitch(const struct hole *h, int pitch); /* of any track */

#endif
