/* Rhythm: where notes begin, how long they last, how many there are, how loud. See
 * critic_facts.h. */
#include "app/critic/critic_facts.h"

#include <math.h>

enum { SIXTEENTH = STEPS_PER_QUARTER / 4, TRIPLET = STEPS_PER_QUARTER / 3 };

struct sums {
    double length, length_squares, loud, loud_squares;
    int32_t covered, sounds_to;
};

static void add_note(struct facts *f, struct sums *s, const struct grid_note *n)
{
    const double octaves = log2(n->length), loud = n->velocity;
    const int in_beat = n->step % STEPS_PER_QUARTER, length = (int)octaves;
    const int32_t end = n->step + n->length,
                  from = n->step > s->sounds_to ? n->step : s->sounds_to;
    s->length += octaves;
    s->length_squares += octaves * octaves;
    s->loud += loud;
    s->loud_squares += loud * loud;
    f->n_notes++;
    f->positions[in_beat * FACT_POSITIONS / STEPS_PER_QUARTER]++;
    f->lengths[length < 0 ? 0 : length < FACT_LENGTHS ? length : FACT_LENGTHS - 1]++;
    f->on_beat += in_beat == 0;
    f->off_grid += in_beat % SIXTEENTH != 0 && in_beat % TRIPLET != 0;
    s->covered += end > from ? end - from : 0;
    s->sounds_to = end > s->sounds_to ? end : s->sounds_to;
}

static double spread(double sum, double squares, double n)
{
    return sqrt(fmax(0, squares / n - sum / n * (sum / n)));
}

static void average(struct facts *f, const struct sums *s, const struct span *span)
{
    double n = f->n_notes ? f->n_notes : 1;
    double steps = span->to > span->from ? span->to - span->from : 1;
    double beats = steps / STEPS_PER_QUARTER;
    for (int i = 0; i < FACT_POSITIONS; i++)
        f->positions[i] /= n;
    for (int i = 0; i < FACT_LENGTHS; i++)
        f->lengths[i] /= n;
    f->on_beat /= n;
    f->off_grid /= n;
    f->length_mean = s->length / n;
    f->length_spread = spread(s->length, s->length_squares, n);
    f->loudness = s->loud / n;
    f->loudness_spread = spread(s->loud, s->loud_squares, n);
    f->notes_a_beat = f->n_notes / beats;
    f->onsets_a_beat = f->n_onsets / beats;
    f->silence = fmax(0, 1 - s->covered / steps);
}

void facts_rhythm(struct facts *f, const struct scene *c, const struct span *s)
{
    struct sums sums = {.sounds_to = s->from};
    for (size_t i = s->first; i < s->end; i++) {
        const struct grid_note *n = &c->notes[i];
        f->n_onsets += i == s->first || n->step != c->notes[i - 1].step;
        add_note(f, &sums, n);
    }
    average(f, &sums, s);
}
