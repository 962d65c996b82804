/* See map_density.h. The survey has counted the score; only what a take changes is counted
 * in each frame: notes of its hole that go, and its ghosts. */
#include "tui/roll/map_density.h"

/* `by` in every bin that the note touches. */
static void count(const struct paint *p, int change[SURVEY_BINS + 1],
                  const struct note *n, int by)
{
    int64_t last = n->length > 0 ? n->length - 1 : 0;
    if (n->start > survey_end_tick(p->survey))
        return; /* the map ends with the score */
    change[survey_bin(p->survey, n->start)] += by;
    change[survey_bin(p->survey, n->start + last) + 1] -= by;
}

static void count_going(const struct paint *p, int change[SURVEY_BINS + 1])
{
    const struct view *v = p->v;
    for (int t = 0; v->ghosts.n_replaced && t < (int)v->score->n_tracks; t++) {
        const struct track *track = &v->score->tracks[t];
        for (size_t i = score_first_note_at(v->score, t, v->hole.box.from);
             i < track->n_notes && track->notes[i].start < v->hole.box.to; i++)
            if (paint_goes(p, track->notes[i].id))
                count(p, change, &track->notes[i], -1);
    }
}

void map_density_count(struct map_density *d, const struct paint *p)
{
    int change[SURVEY_BINS + 1] = {0};
    count_going(p, change);
    for (size_t i = 0; i < p->v->ghosts.n; i++)
        count(p, change, &p->v->ghosts.notes[i].note, 1);
    d->most = 0;
    for (int bin = 0, sum = 0; bin < SURVEY_BINS; bin++) {
        sum += change[bin];
        d->n[bin] = survey_density(p->survey, bin) + sum;
        d->most = d->n[bin] > d->most ? d->n[bin] : d->most;
    }
}

int map_density_most(const struct map_density *d, int first, int last)
{
    int most = d->n[first];
    for (int bin = first + 1; bin < last; bin++)
        most = d->n[bin] > most ? d->n[bin] : most;
    return most;
}
