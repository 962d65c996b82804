/* See walk_bias.h. */
#include "app/biases/walk_bias.h"

#include "app/biases/analysis.h"
#include "app/biases/groove_bias.h"
#include "midi/base/larger.h"

#include <stdlib.h>

/* Nats: of a beat that is passed by; of a note between two beats; of the pitch before, and of the
 * one before that; of each semitone that is leapt beyond a fifth, up to an octave beyond it; of a
 * step to the bass of a chord that begins with the next beat; and of a note that lasts more than a
 * beat, or half of one or less. */
#define PASSED_BY 4.0f
#define BETWEEN   3.0f
#define REPEATED  4.0f
#define RETURNED  1.0f
#define LEAPT     0.3f
#define STEP      1.0f
#define UNEVEN    3.0f

enum { FIFTH = 7, OCTAVE = 12, NEAR = 2 };

/* The steps of a beat of the meter in force; 0: a bar has no even beats. */
static int beat_at(const struct piece *p, int64_t step)
{
    const struct grid_meter *m = meter_at(p, step);
    const int unit = meter_steps(1, m->denominator);
    return m->denominator <= 4                            ? STEPS_PER_QUARTER
           : m->denominator == 8 && m->numerator % 3 == 0 ? 3 * unit
                                                          : 0;
}

bool walk_bias_is_due(const struct piece *p, enum style style)
{
    int n_rides = 0;
    for (size_t i = 0; i < p->n_notes; i++) {
        const struct grid_note *n = &p->notes[i];
        const int64_t place = n->step - piece_bar_start(p, piece_bar_at(p, n->step));
        n_rides += piece_is_hit(p, n) && place % STEPS_PER_QUARTER == 0 &&
                   (n->pitch == 51 || n->pitch == 53 || n->pitch == 59);
    }
    return style == STYLE_JAZZ || (n_rides >= 2 * p->n_bars && groove_swings(p));
}

/* The pitch of the track's newest note before a step, and of the one before; -1: there is none. */
struct steps {
    int64_t at; /* where the newest begins; -1 */
    int last, before;
};

static struct steps find_last(const struct piece *p, int track, int64_t step)
{
    struct steps s = {-1, -1, -1};
    for (size_t i = piece_note_at(p, step); i-- > 0 && s.before < 0;) {
        const struct grid_note *n = &p->notes[i];
        if (n->track == track && s.last >= 0)
            s.before = n->pitch;
        else if (n->track == track)
            s = (struct steps){n->step, n->pitch, -1};
    }
    return s;
}

static void bias_positions(const struct place *at, int beat)
{
    const int64_t end = smaller(at->next_bar, at->end) - at->bar,
                  last = find_last(at->p, at->track, at->step + 1).at,
                  /* the first beat without a note */
        due = last >= at->bar ? ((last - at->bar) / beat + 1) * beat : 0;
    const float cost = due < end ? -PASSED_BY : 0;
    for (int64_t i = 0; i < TOKEN_RADIX; i++) {
        const int64_t place = at->base + i;
        bias_add(at, place % beat ? -BETWEEN : 0, TOKEN_POS + (int)i, 1);
    }
    bias_passing(at, cost, due);
}

static void bias_pitches(const struct place *at, const struct grid_chord *next,
                         int beat)
{
    const struct steps s = find_last(at->p, at->track, at->step);
    const bool leads = next && next->root != CHORD_NO_ROOT && next->step > at->step &&
                       next->step <= at->step + beat;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const int leap = s.last < 0 ? 1 : abs(pitch - s.last),
                  up = leads ? (pitch + 12 - next->bass) % 12 : 0;
        const bool is_near = up && (up <= NEAR || up >= 12 - NEAR);
        float nats = is_near ? STEP : 0;
        if (leap == 0)
            nats -= REPEATED;
        else if (pitch == s.before)
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
    bias_positions(at, beat);
    bias_pitches(at, next, beat);
    bias_longer(at, -UNEVEN, beat);
    bias_add(at, -UNEVEN, TOKEN_DUR, beat / 2);
}
