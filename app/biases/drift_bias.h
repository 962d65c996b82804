/* Keeps a long take from drifting away from its piece, and from loops. The note lengths, melodic
 * steps, chord sizes and repetitions of each pitched track are counted in the piece and in the
 * last part of the take. What the take has more often than the piece becomes less likely; what it
 * has less often becomes likelier. The bias is bounded. Pure functions, any thread. */
#ifndef APP_DRIFT_BIAS_H
#define APP_DRIFT_BIAS_H

#include "app/biases/place.h"

enum { DRIFT_KINDS = 16, DRIFT_RECENT = 128 };

/* How often each kind came. */
struct drift_counts {
    float n, of[DRIFT_KINDS];
};

struct drift_habits {
    struct drift_counts lengths, steps;
    /* Kind 2k: chords that ended with their k-th note; 2k + 1: chords that had another. */
    struct drift_counts chords;
    /* Notes that end a repetition of what the track played in the bars before. Kind 0: none;
     * 1: of one note; 2: of two or three; 3: of four to seven; 4: of more. */
    struct drift_counts repeats;
};

struct drift_onset {
    int32_t step, wait; /* since the onset before */
    uint8_t pitch;
};

struct drift_bias {
    struct drift_track {
        struct drift_habits piece, take;
        struct drift_onset
            recent[DRIFT_RECENT]; /* the newest at n_recent - 1, modulo */
        int n_recent;
        int64_t onset; /* of its newest note, */
        int pitch; /* the lowest pitch there, which steps are counted from; -1: none */
        int size;  /* of its newest chord, notes */
        int low, high; /* the piece's lowest and highest pitch on it */
    } tracks[TOKEN_MAX_TRACKS];
    int64_t from; /* the step where the take begins */
    /* A form plans the chords, which notes longer than the piece's would blur. */
    bool has_progression;
    /* Sets of tracks, bit t: those that are no drums; those with enough notes in the piece for more
     * than the bias of repetitions; those that stay near their range; those that do not copy what
     * came before a step for more than so many steps. */
    uint64_t pitched, biased, ranged, fresh;
    int64_t copied_to, may_copy;
};

/* Counts the notes before step `from`. */
void drift_bias_init(struct drift_bias *d, const struct piece *p, int64_t from);
/* Forgets the piece's habits, since a request may be unlike them, and its ranges if the request is
 * of pitches. */
void drift_bias_let_differ(struct drift_bias *d, bool in_pitch);
/* Counts a note that was written. */
void drift_bias_add(struct drift_bias *d, const struct grid_note *n);
/* Biases pitches and lengths. */
void drift_bias_apply(const struct drift_bias *d, const struct place *at);
/* Biases pitches that go on with a copy. */
void drift_bias_copies(const struct drift_bias *d, const struct place *at);

#endif
