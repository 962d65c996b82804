/* Where the bar lines of freely played music may be: beats by dynamic programming over the
 * strength of onsets (D. P. W. Ellis, "Beat Tracking by Dynamic Programming", Journal of New
 * Music Research 36(1), 2007), and bars by where the weight lies among them. A guess, for
 * somebody to mend. Pure functions, any thread; some milliseconds for ten minutes. */
#ifndef MIDI_BEAT_GUESS_H
#define MIDI_BEAT_GUESS_H

#include "midi/score/score.h"

struct beat_guess {
    int64_t from;     /* notes that begin earlier are not heard; tick */
    uint64_t tracks;  /* bits, of the first 64, that are */
    int beats_in_bar; /* 1 and more */
};

enum { BEAT_GUESS_SECONDS = 1800 }; /* no more is listened to */

/* Ticks of bar lines, ascending, into *out; to be freed. MIDI_EMPTY: there is too little to
 * go by. MIDI_TOO_LONG: it lasts longer than that. */
enum midi_status beat_guess_bars(const struct score *s, const struct beat_guess *wish,
                                 int64_t **out, size_t *n);

#endif
