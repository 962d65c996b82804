/* A passage as the critic sees it: the last bars before it, and the bars it fills with a
 * take in them, on the grid of 24 steps a quarter.
 *
 * It is made of a score and of new notes; it knows instruments and drums, not tokens or
 * models. Steps count from the start of the score; tracks are the score's first 64. Plain
 * data, one owner; pure functions, any thread. */
#ifndef APP_CRITIC_SCENE_H
#define APP_CRITIC_SCENE_H

#include "app/decoding/continuation.h"

enum { SCENE_HEARD_BARS = 16, SCENE_TRACKS = 64 };

/* Of all that the score has before the passage. */
struct scene_track {
    bool is_drums;
    int n_heard; /* notes, in the bars that are heard, */
    int n_bars;  /* and in how many of those bars */
    int low, high;
    int after; /* the highest that it goes on with within a bar; -1: it does not */
};

struct scene {
    struct grid_note *notes; /* canonical order; heard, then those of the passage */
    size_t n_notes, first_new;
    int32_t *bars; /* [n_bars + 1] first step of each; the last is the end */
    int n_bars, first_new_bar;
    int32_t from, to; /* the passage */
    struct scene_track tracks[SCENE_TRACKS];
};

/* The passage [from_tick, to_tick) of `s` with those n notes added. s need not be
 * initialised; on failure nothing is kept. MIDI_EMPTY: there is no note in it or before it,
 * or no time in it; MIDI_TOO_LONG: it ends past what the grid can hold. */
enum midi_status scene_init(struct scene *scene, const struct score *s,
                            int64_t from_tick, int64_t to_tick,
                            const struct continued_note *notes, size_t n);
void scene_fini(struct scene *scene); /* also when zeroed */

#endif
