/* The rule of figures: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

/* Nats. Of 32 bars each of two songs whose piano was missing (A17, and one of ours in four beats)
 * 11 and 13 held one chord, 6 and none had a figure; with these none and 1, and 32 and 28. */
#define PASSED_BY 5.0f /* cost of a beat that is skipped */
#define BETWEEN   3.0f /* of a note between halves and thirds of beats */
#define THICK     6.0f /* of another note beside the bass than its octave */
#define LOW       3.0f /* of a later note near the bass, and of a bass above HIGHEST */
#define LONG      2.0f /* of a later note that lasts into the next bar or chord */

enum { OCTAVE = 12, NEAR = 4, HIGHEST = 52, FEWEST_BEATS = 3 };

/* Returns the steps of a beat, of which a bar has three at least. */
static int64_t beat_at(const struct piece *p, int64_t step)
{
    const struct grid_meter *m = meter_at(p, step);
    const int unit = meter_steps(1, m->denominator);
    return larger(m->numerator < FEWEST_BEATS ? unit / 2 : unit, 1);
}

/* Returns the lowest pitch of the track from a step up to the place; -1: it has none. */
static int find_bass(const struct place *at, int64_t from)
{
    const struct grid_note *n = NULL;
    int bass = -1;
    while ((n = next_note(at->p, n, UINT64_C(1) << at->track, from, at->step + 1)))
        bass = bass < 0 ? n->pitch : (int)smaller(bass, n->pitch);
    return bass;
}

static void bias_pitches(const struct place *at, int64_t begin)
{
    const int bass = find_bass(at, begin);
    const bool begins = at->step == begin;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const bool is_thick = begins && bass >= 0 && pitch != bass + OCTAVE,
                   is_low = bass < 0 ? begins && pitch > HIGHEST
                                     : !begins && pitch <= bass + NEAR;
        bias_pitch(at, is_thick ? -THICK : is_low ? -LOW : 0, pitch);
    }
}

static void bias_positions(const struct place *at, int64_t beat)
{
    const int64_t last = find_past(at->p, at->track, at->step + 1).step - at->bar,
                  due = last < 0 ? 0 : (last / beat + 1) * beat;
    const bool is_in_bar = due < at->next_bar - at->bar;
    for (int64_t i = 0; i < TOKEN_RADIX; i++) {
        const int64_t in_beat = (at->base + i) % beat;
        const bool is_between = 2 * in_beat % beat && 3 * in_beat % beat;
        bias_add(at, is_between ? -BETWEEN : 0, TOKEN_POS + (int)i, 1);
    }
    bias_passing(at, is_in_bar ? -PASSED_BY : 0, due);
}

void figure_bias_apply(struct rules *r, const struct place *at)
{
    const struct grid_chord *chord = chord_bias_in_force(&r->chords, at->step);
    if (!r->has_figure || (at->next_bar >= at->end && at->bar > r->from))
        return;
    const int64_t begin = chord ? larger(at->bar, chord->step) : at->bar;
    bias_positions(at, beat_at(at->p, at->bar));
    bias_pitches(at, begin);
    if (at->step > begin)
        bias_longer(at, -LONG, at->next_bar - at->step);
}
