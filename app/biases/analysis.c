/* See analysis.h. */
#include "app/biases/analysis.h"

#include "app/base/draw.h"

/* Of a bar under that meter; without one, of four quarters. */
static int32_t steps_into_bar(const struct piece *p, size_t meter, int32_t step)
{
    const struct grid_meter *m = &p->meters[meter];
    return p->n_meters ? (step - m->step) % meter_steps(m->numerator, m->denominator)
                       : step % (4 * STEPS_PER_QUARTER);
}

void analyse_tracks(struct track_facts of[TOKEN_MAX_TRACKS], const struct piece *p,
                    size_t first, size_t end)
{
    size_t meter = 0; /* that of the note, as they ascend */
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        of[t] = (struct track_facts){.low = 127, .onset = -1, .is_line = true};
    for (size_t i = first; i < end; i++) {
        const struct grid_note *n = &p->notes[i];
        struct track_facts *t = &of[n->track];
        while (meter + 1 < p->n_meters && p->meters[meter + 1].step <= n->step)
            meter++;
        t->n++;
        t->n_onsets += n->step != t->onset;
        t->low = at_most(t->low, n->pitch);
        t->high = at_least(t->high, n->pitch);
        t->sum += n->pitch;
        t->is_line = t->is_line && n->step >= t->end;
        t->onset = n->step;
        t->end = n->step + n->length;
        t->at[steps_into_bar(p, meter, n->step) % STEPS_PER_QUARTER]++;
    }
}
