/* Guesses the bar lines of freely played music.
 *
 * Beats come from dynamic programming over onset strength (D. P. W. Ellis, "Beat
 * Tracking by Dynamic Programming", Journal of New Music Research 36(1), 2007). The
 * heaviest beats become bar lines. The user corrects the guess. Pure functions, any
 * thread; ten minutes of music take milliseconds. */
#ifndef MIDI_BEAT_GUESS_H
#define MIDI_BEAT_GUESS_H

#include "midi/score/score.h"

struct beat_guess {
    int64_t from;     /* a tick; earlier notes are ignored */
    uint64_t tracks;  /* a bit for each of the first 64 tracks */
    int beats_in_bar; /* at least 1 */
};

enum { BEAT_GUESS_SECONDS = 1800 }; /* longest music that is accepted */

/* Returns the ticks of the bar lines, ascending, in *out, which the caller frees.
 * MIDI_EMPTY: too few notes. MIDI_TOO_LONG: more than BEAT_GUESS_SECONDS. */
enum midi_status beat_guess_bars(const struct score *s,
                                 const struct beat_guess *request, int64_t **out,
                                 size_t *n);

#endif
