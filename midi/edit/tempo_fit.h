/* Fits the tempo map to freely played music. Taps become bar lines, and each bar gets
 * the tempo at which it was played, so the music sounds as before.
 *
 * Everything that begins at `from` or later, on all tracks, moves to the new tick of
 * its moment, exact to half a tick. Earlier music stays. Music before the first tap is
 * an upbeat, a shorter bar with the tempo of the first bar. A tap right after `from`
 * counts as one at `from`. After the last tap the tempo stays. A file's tempos are
 * whole microseconds a quarter; each corrects the rounding of those before it, so
 * errors do not add up.
 *
 * Pure functions, any thread. */
#ifndef MIDI_TEMPO_FIT_H
#define MIDI_TEMPO_FIT_H

#include "midi/edit/edit.h"

struct tempo_fit_request {
    int64_t from;               /* a tick, at least 0 */
    int numerator, denominator; /* meter of all new bars */
    /* Each tap is a beat, as the metronome clicks, and the first one begins a bar. If
     * false, each tap is a bar line. */
    bool are_beats;
};

enum tempo_fit_error {
    TEMPO_FIT_OK,
    TEMPO_FIT_SMPTE_TIME, /* SMPTE time has no tempo */
    TEMPO_FIT_NEEDS_TAPS, /* fewer than two taps at `from` or later */
    TEMPO_FIT_NO_TEMPO,   /* a bar is too fast or too slow for a file */
    TEMPO_FIT_TOO_LATE,   /* the music would end past TICK_MAX */
    TEMPO_FIT_TOO_CLOSE,  /* notes of one pitch would begin at the same tick */
};

struct tempo_fit_report {
    enum tempo_fit_error error; /* set when MIDI_BAD_EDIT is returned */
    size_t n_bars;              /* between the first and the last tap */
    double slowest, fastest;    /* quarters a minute */
    int64_t first_tick;         /* new tick of the first tap */
    int64_t tapped_tick;        /* for TEMPO_FIT_NO_TEMPO: the tap before the bad bar */
    int64_t close_tick; /* for TEMPO_FIT_TOO_CLOSE: present start of the later note */
};

/* Returns the number of the metronome's beats in a bar: two in 6/8. */
int tempo_fit_beats_in_bar(const struct tempo_fit_request *w);

/* Adds all edits to `c`, which is empty. Also removes the taps from `from` on. */
enum midi_status change_fit_tempo(struct change *c, const struct score *s,
                                  const struct tempo_fit_request *w,
                                  struct tempo_fit_report *report);

#endif
