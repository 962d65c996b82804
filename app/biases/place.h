/* A place of a take where a token is chosen: what the tokens before it said, decoded once for all
 * rules. Rules add nats to the logits of the allowed tokens. Times are steps of the music. */
#ifndef APP_PLACE_H
#define APP_PLACE_H

#include "app/biases/analysis.h"
#include "midi/tokens/hole.h"
#include "midi/tokens/tokens.h"

#include <math.h>

struct place {
    const struct piece *p; /* the piece so far, with the written notes */
    int64_t step;          /* the current onset */
    int64_t bar, next_bar; /* the first step of its bar, and of the next */
    int64_t end;           /* the end of what is written now */
    int64_t base;     /* what a POSX before this token adds to its position; else 0 */
    int64_t held;     /* what a DURX before this token adds to its length; else 0 */
    int track, pitch; /* the last ones that the tokens said; -1: none */
    int32_t last;     /* the token before */
    bool after_bar;   /* whether that was a bar line */
    const uint8_t *allowed; /* [TOKEN_COUNT] */
    float *logits;          /* [TOKEN_COUNT] */
};

/* Returns the next note after n (NULL: the first) that begins at the place's step on its track;
 * NULL: n was the last. */
static inline const struct grid_note *note_here(const struct place *at,
                                                const struct grid_note *n)
{
    const uint64_t track = at->track < 0 ? 0 : UINT64_C(1) << at->track;
    return next_note(at->p, n, track, at->step, at->step + 1);
}

/* Adds nats to the allowed ones of n tokens from `first` on. */
static inline void bias_add(const struct place *at, float nats, int first, int n)
{
    for (int i = first; nats != 0 && i < first + n; i++)
        if (at->allowed[i])
            at->logits[i] += nats;
}

/* Adds nats to a pitch. */
static inline void bias_pitch(const struct place *at, float nats, int pitch)
{
    bias_add(at, nats, TOKEN_PITCH + pitch, 1);
}

/* Adds nats to a hit of this key, which is_hit_key. */
static inline void bias_hit(const struct place *at, float nats, int key)
{
    bias_add(at, nats, TOKEN_HIT + key - HIT_FIRST, 1);
}

/* Adds nats to the position `place` steps after the bar line, if one token says it. */
static inline void bias_onset(const struct place *at, float nats, int64_t place)
{
    if (place >= at->base && place < at->base + TOKEN_RADIX)
        bias_add(at, nats, TOKEN_POS + (int)(place - at->base), 1);
}

/* Adds nats to the tokens by which a note of the track begins at this step. */
static inline void bias_track(const struct place *at, float nats, int track)
{
    bias_add(at, nats, TOKEN_TRACK + track, 1);
    if (track != at->track)
        return;
    bias_add(at, nats, TOKEN_VEL, TOKEN_VELOCITIES);
    bias_add(at, nats, TOKEN_PITCH, N_PITCHES);
    bias_add(at, nats, TOKEN_HIT, HIT_COUNT);
}

/* Adds nats to the tokens that leave the bar. */
static inline void bias_leaving(const struct place *at, float nats)
{
    bias_add(at, nats, TOKEN_BAR, 1);
    bias_add(at, nats, TOKEN_FILL_END, 1);
}

/* Adds nats to the tokens that pass by the position `due` steps after the bar line. */
static inline void bias_passing(const struct place *at, float nats, int64_t due)
{
    for (int i = 0; i < TOKEN_RADIX; i++)
        bias_add(at, at->base + i > due ? nats : 0, TOKEN_POS + i, 1);
    for (int i = 0; i < TOKEN_TRACK - TOKEN_POSX; i++)
        bias_add(at, TOKEN_RADIX * (i + 1) > due ? nats : 0, TOKEN_POSX + i, 1);
    bias_leaving(at, nats);
}

/* Adds nats to the tokens of lengths of fewer than `least` steps, if no DURX came. */
static inline void bias_shorter(const struct place *at, float nats, float least)
{
    for (int i = 0; at->held == 0 && i < TOKEN_RADIX && (float)(i + 1) < least; i++)
        bias_add(at, nats, TOKEN_DUR + i, 1);
}

/* Adds nats to the tokens of lengths of more than `most` steps. A DURX is followed by at least one
 * step more. */
static inline void bias_longer(const struct place *at, float nats, int64_t most)
{
    for (int i = 0; i < TOKEN_RADIX; i++)
        bias_add(at, at->held + i + 1 > most ? nats : 0, TOKEN_DUR + i, 1);
    for (int i = 0; i < TOKEN_MAX_DURX; i++)
        bias_add(at, at->held + TOKEN_RADIX * (i + 1) >= most ? nats : 0,
                 TOKEN_DURX + i, 1);
}

/* Returns whether the next token belongs to a note's length. */
static inline bool place_has_length(const struct place *at)
{
    const enum token last = token_kind(at->last);
    return at->pitch >= 0 && (last == TOKEN_PITCH || last == TOKEN_DURX);
}

/* Returns the logarithm of the sum of the exponentials of the allowed ones of n logits from
 * `first` on; -INFINITY: none is allowed. */
static inline float bias_sum(const struct place *at, int first, int n)
{
    float most = -INFINITY, sum = 0;
    for (int i = first; i < first + n; i++)
        most = at->allowed[i] ? fmaxf(most, at->logits[i]) : most;
    for (int i = first; i < first + n; i++)
        sum += at->allowed[i] ? expf(at->logits[i] - most) : 0;
    return sum > 0 ? most + logf(sum) : -INFINITY;
}

/* Restores that sum to `nats`: a bias then says which of the tokens comes, not whether one of them
 * does. */
static inline void bias_keep_sum(const struct place *at, float nats, int first, int n)
{
    const float lost = nats - bias_sum(at, first, n);
    bias_add(at, isfinite(lost) ? lost : 0, first, n);
}

#endif
