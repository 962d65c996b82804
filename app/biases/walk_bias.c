/* The rule of walking: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

#include <stdlib.h>

/* Costs and a gain in nats. */
#define PASSED_BY 4.0f /* cost of a beat that is skipped */
#define BETWEEN   3.0f /* of a note between two beats */
#define REPEATED  4.0f /* of the pitch before */
#define RETURNED  1.0f /* of the pitch before that */
#define LEAPT     0.3f /* of each semitone beyond a fifth, for an octave at most */
#define STEP                                                                           \
    1.0f /* gain of a step to the bass of a chord that begins with the next beat */
#define UNEVEN 3.0f /* cost of a note of more than a beat, or of half a beat or less */

/* A given bass walks with at least this share of its notes on beats, and of the beats with a note. */
#define WALKS  0.85

enum { FIFTH = 7, OCTAVE = 12, NEAR = 2, LEAST = 16 };

/* Returns the steps of a beat of the meter in force; 0: a bar has no even beats. */
static int beat_at(const struct piece *p, int64_t step)
{
    const struct grid_meter *m = meter_at(p, step);
    const int unit = meter_steps(1, m->denominator);
    return m->denominator <= 4                            ? STEPS_PER_QUARTER
           : m->denominator == 8 && m->numerator % 3 == 0 ? 3 * unit
                                                          : 0;
}

bool walk_bias_is_due(const struct piece *p,
                      const struct track_facts tracks[TOKEN_MAX_TRACKS],
                      enum style style)
{
    int n_rides = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        n_rides += p->families[t] == FAMILY_DRUMS ? tracks[t].n_rides : 0;
    return style == STYLE_JAZZ || (n_rides >= 2 * p->n_bars && tracks_swing(tracks));
}

bool walk_bias_goes_on(const struct track_facts *bass, int64_t from)
{
    const double n_beats = (double)from / STEPS_PER_QUARTER;
    return bass->n >= LEAST && bass->at[0] >= WALKS * bass->n &&
           bass->n >= WALKS * n_beats;
}

void walk_bias_pitches(const struct grid_chord *next, const struct place *at)
{
    const int beat = beat_at(at->p, at->bar);
    const struct track_past past = find_past(at->p, at->track, at->step);
    const bool leads = next && next->root != CHORD_NO_ROOT && next->step > at->step &&
                       next->step <= at->step + beat;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const int leap = past.pitch < 0 ? 1 : abs(pitch - past.pitch),
                  up = leads ? (pitch + 12 - next->bass) % 12 : 0;
        const bool is_near = up && (up <= NEAR || up >= 12 - NEAR);
        float nats = is_near ? STEP : 0;
        if (leap == 0)
            nats -= REPEATED;
        else if (pitch == past.before)
            nats -= RETURNED;
        else if (leap > FIFTH)
            nats -= LEAPT * (float)(leap < FIFTH + OCTAVE ? leap - FIFTH : OCTAVE);
        bias_pitch(at, nats, pitch);
    }
}

void walk_bias_apply(const struct grid_chord *next, const struct place *at)
{
    const int beat = beat_at(at->p, at->bar);
    if (!beat)
        return;
    const int64_t end = smaller(at->next_bar, at->end) - at->bar,
                  last = find_past(at->p, at->track, at->step + 1).step,
                  /* the first beat without a note */
        due = last >= at->bar ? ((last - at->bar) / beat + 1) * beat : 0;
    for (int i = 0; i < TOKEN_RADIX; i++)
        bias_add(at, (at->base + i) % beat ? -BETWEEN : 0, TOKEN_POS + i, 1);
    bias_passing(at, due < end ? -PASSED_BY : 0, due);
    walk_bias_pitches(next, at);
    bias_longer(at, -UNEVEN, beat);
    bias_add(at, -UNEVEN, TOKEN_DUR, beat / 2 - (int)at->held);
}
