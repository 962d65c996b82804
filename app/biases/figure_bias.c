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

void figure_bias_apply(struct rules *r, const struct place *at)
{
    const struct piece *p = at->p;
    const struct grid_chord *chord = chord_bias_in_force(&r->chords, at->step);
    if (!r->has_figure || (at->next_bar >= at->end && at->bar > r->from))
        return;
    const struct grid_meter *m = meter_at(p, at->bar);
    const int unit = meter_steps(1, m->denominator);
    const int64_t begin = chord ? larger(at->bar, chord->step) : at->bar,
                  /* a bar has three beats at least */
        beat = larger(m->numerator < FEWEST_BEATS ? unit / 2 : unit, 1),
                  last = find_past(p, at->track, at->step + 1).step - at->bar,
                  due = last < 0 ? 0 : (last / beat + 1) * beat;
    for (int64_t i = 0; i < TOKEN_RADIX; i++) {
        const int64_t in_beat = (at->base + i) % beat;
        const bool is_between = 2 * in_beat % beat && 3 * in_beat % beat;
        bias_add(at, is_between ? -BETWEEN : 0, TOKEN_POS + (int)i, 1);
    }
    bias_passing(at, due < at->next_bar - at->bar ? -PASSED_BY : 0, due);
    int bass = -1; /* the lowest pitch of the track since the bar or chord began */
    for (const struct grid_note *n = NULL;
         (n = next_note(p, n, UINT64_C(1) << at->track, begin, at->step + 1));)
        bass = bass < 0 ? n->pitch : (int)smaller(bass, n->pitch);
    const bool begins = at->step == begin;
    for (int pitch = 0; pitch < N_PITCHES; pitch++) {
        const bool is_thick = begins && bass >= 0 && pitch != bass + OCTAVE,
                   is_low = bass < 0 ? begins && pitch > HIGHEST
                                     : !begins && pitch <= bass + NEAR;
        bias_pitch(at, is_thick ? -THICK : is_low ? -LOW : 0, pitch);
    }
    if (at->step > begin)
        bias_longer(at, -LONG, at->next_bar - at->step);
}
