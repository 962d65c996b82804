/* Keeps what a track does in nearly every bar: the four beats of a walking bass, the three notes
 * of a chord on the first beat, the snare on the second. A tune may instead repeat its rhythm
 * after two, four or more bars. These notes are due again. A token that passes by a place before
 * its notes are there becomes less likely. A bounded bias of the logits, which fades during the
 * take. Pure functions, any thread. */
#ifndef APP_DUE_BIAS_H
#define APP_DUE_BIAS_H

#include "app/biases/place.h"

enum { DUE_PLACES = 2 * TOKEN_RADIX, DUE_BARS = 16 };

struct due_bias {
    int64_t from; /* the take begins, steps */
    bool is_band;
    int32_t first, end; /* the bars that are read */
    /* Bars after which a track's rhythm returns; 0: it is not held to one. And how far it is
     * held to it, 0..1. */
    uint8_t period[TOKEN_MAX_TRACKS];
    float steady[TOKEN_MAX_TRACKS];
    uint64_t lines; /* bit t: token track t plays one note at a time */
    /* Of the bar that is written: its first step, its length; the notes that are due at each
     * step, on each track and on all; and the tracks that may begin notes there. */
    int64_t bar;
    int length;
    uint8_t n[DUE_PLACES][TOKEN_MAX_TRACKS];
    float n_at[DUE_PLACES];
    uint64_t may[DUE_PLACES];
};

/* Of the bars before `from`, for these token tracks. is_band: the piece has drums, or repeats its
 * chords; such music is held more strictly, and for longer. */
void due_bias_init(struct due_bias *b, const struct piece *p, int64_t from,
                   const bool tracks[TOKEN_MAX_TRACKS], bool is_band);
/* free_tracks: those that do something else in this bar. */
void due_bias_apply(struct due_bias *b, const struct place *at, uint64_t free_tracks);

#endif
