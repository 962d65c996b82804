/* See analysis.h. */
#include "app/biases/analysis.h"

#include "app/base/draw.h"

void analyse_tracks(struct track_facts of[TOKEN_MAX_TRACKS], const struct piece *p,
                    size_t first, size_t end)
{
    int32_t bar = 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        of[t] = (struct track_facts){.low = 127, .onset = -1, .is_line = true};
    for (size_t i = first; i < end; i++) {
        const struct grid_note *n = &p->notes[i];
        struct track_facts *t = &of[n->track];
        while (piece_bar_start(p, bar + 1) <= n->step)
            bar++;
        t->n++;
        t->n_onsets += n->step != t->onset;
        t->low = at_most(t->low, n->pitch);
        t->high = at_least(t->high, n->pitch);
        t->sum += n->pitch;
        t->is_line = t->is_line && n->step >= t->end;
        t->onset = n->step;
        t->end = n->step + n->length;
        t->at[(n->step - piece_bar_start(p, bar)) % STEPS_PER_QUARTER]++;
    }
}
