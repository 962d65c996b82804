/* Where a motif returns, and how far it is moved: all bars and steps of the key are tried.
 * See motif.h. */
#include "app/decoding/motif.h"

#include "app/biases/analysis.h"
#include "midi/score/scale.h"
#include "midi/tokens/grid_chord.h"

#include <stdlib.h>

enum {
    MOST_MOVES = 6,                   /* the seed chooses among this many */
    MOST_JUDGED = 64,                 /* notes whose harmony is looked at */
    LONGEST = 16 * STEPS_PER_QUARTER, /* of a note that was played at a position */
};

/* Moves that are worse by more than this are not chosen. */
#define MARGIN 1.2

/* What distances are worth: composers repeat after two, four or eight bars. */
static double worth_of_distance(int64_t bars)
{
    return bars % 8 == 0 ? 1.2 : bars % 4 == 0 ? 0.9 : bars % 2 == 0 ? 0.4 : -0.8;
}

/* Sequences go by steps, thirds, fourths and fifths; sixths and sevenths are rare. */
static const double WORTH_OF_DEGREES[MOTIF_MOST_STEPS + 1] = {0,  .3,  .2,  .4,
                                                              .3, -.2, -.5, 0};

int motif_pitch(const struct context *c, const struct grid_note *n, uint16_t scale,
                int degrees)
{
    return piece_is_hit(&c->music, n) ? n->pitch
                                      : degree_move(scale, n->pitch, degrees);
}

/* -- the harmony -- */

/* The current chord symbol, if symbols are written for the part to come. */
static void want_chord(const struct context *c, int64_t step, float want[12])
{
    const struct piece *p = &c->music;
    struct chord_symbol says;
    const size_t i = grid_chords_until(p->chords, p->n_chords, step);
    if (i == 0 || p->chords[p->n_chords - 1].step < c->hole.from ||
        !grid_chord_notes(&p->chords[i - 1], &says))
        return;
    for (int k = 0; k < 12; k++)
        want[k] += says.classes >> k & 1 ? 1.0f : -1.0f;
}

/* Semitones clash. */
static void want_what_sounds(const struct motif *m, const struct context *c,
                             int64_t step, float want[12])
{
    const struct piece *p = &c->music;
    for (size_t i = piece_note_at(p, step - LONGEST);
         i < p->n_notes && p->notes[i].step <= step; i++) {
        const struct grid_note *n = &p->notes[i];
        if (n->step + n->length <= step || piece_is_hit(p, n) ||
            m->tracks >> n->track & 1)
            continue;
        want[n->pitch % 12] += 0.5f;
        want[(n->pitch + 1) % 12] -= 0.5f;
        want[(n->pitch + 11) % 12] -= 0.5f;
    }
}

/* Of its notes, on the mean; longer ones count more. */
static double fit(const struct motif *m, const struct context *c,
                  const struct motif_move *to)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < m->n && i < MOST_JUDGED; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const int64_t step = n->step + to->by;
        float want[12] = {0};
        if (piece_is_hit(&c->music, n))
            continue;
        want_chord(c, step, want);
        want_what_sounds(m, c, step, want);
        const double weight =
            n->length < STEPS_PER_QUARTER ? n->length : STEPS_PER_QUARTER;
        sum += weight * (double)want[motif_pitch(c, n, m->scale, to->degrees) % 12];
        weights += weight;
    }
    return weights > 0 ? sum / weights : 0;
}

/* What its notes cost, on the mean, whose pitch class the music hardly uses: more if it is
 * outside the key, too. */
static double cost_of_classes(const struct motif *m, const struct context *c,
                              int degrees)
{
    const double HARDLY = 0.015, IN_KEY = 0.5, OUTSIDE = 2;
    const struct piece *p = &c->music;
    double of_class[12] = {0}, cost = 0;
    for (size_t i = 0; i < p->n_notes; i++)
        of_class[p->notes[i].pitch % 12] += !piece_is_hit(p, &p->notes[i]);
    for (size_t i = 0; i < m->n; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const int pitch = motif_pitch(c, n, m->scale, degrees);
        if (!piece_is_hit(p, n) && of_class[pitch % 12] < HARDLY * (double)p->n_notes)
            cost += scale_has(m->scale, pitch) ? IN_KEY : OUTSIDE;
    }
    return cost / (double)m->n;
}

/* Semitones that it goes beyond what its tracks have played, with a third to spare. */
static int beyond_range(const struct motif *m, const struct context *c,
                        const struct track_facts *tracks, int degrees)
{
    enum { SPARE = 4 };
    int most = 0;
    for (size_t i = 0; i < m->n; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const int pitch = motif_pitch(c, n, m->scale, degrees),
                  above = pitch - tracks[n->track].high,
                  below = tracks[n->track].low - pitch,
                  beyond = (above > below ? above : below) - SPARE;
        most = beyond > most ? beyond : most;
    }
    return most;
}

/* -- whether it may be there -- */

static bool overlaps(int64_t from, int64_t to, int64_t other_from, int64_t other_to)
{
    return from < other_to && other_from < to;
}

/* A note of that pitch on that track sounds there. */
static bool is_taken(const struct context *c, const struct grid_note *n, int64_t step,
                     int pitch)
{
    const struct piece *p = &c->music;
    const int64_t end = step + n->length;
    for (size_t i = piece_note_at(p, c->hole.from - LONGEST);
         i < p->n_notes && p->notes[i].step < end; i++) {
        const struct grid_note *o = &p->notes[i];
        if (o->track == n->track && o->pitch == pitch &&
            overlaps(step, end, o->step, (int64_t)o->step + o->length))
            return true;
    }
    for (size_t i = 0; i < c->n_standing; i++) {
        const struct standing *o = &c->standing[i];
        if (o->track == n->track && o->pitch == pitch &&
            overlaps(step, end, o->from, o->to))
            return true;
    }
    return false;
}

/* As it is played, off the grid. */
static bool is_in_hole_as_played(const struct motif *m, const struct context *c,
                                 int64_t by)
{
    const int tpq = c->ticks_per_quarter;
    const int64_t from = tick_from_step(c->hole.from, tpq),
                  to = tick_from_step(c->hole.to, tpq), ticks = motif_ticks(m, c, by);
    for (size_t i = 0; i < m->n; i++) {
        const int64_t start = m->notes[i].out.note.start + ticks;
        if (start < from || start + m->notes[i].out.note.length > to)
            return false;
    }
    return true;
}

static bool fits(const struct motif *m, const struct context *c,
                 const struct motif_move *to)
{
    const struct hole *h = &c->hole;
    for (size_t i = 0; i < m->n; i++) {
        const struct grid_note *n = &m->notes[i].grid;
        const int64_t step = n->step + to->by;
        const int pitch = motif_pitch(c, n, m->scale, to->degrees);
        const bool is_in_range = piece_is_hit(&c->music, n) ||
                                 (pitch >= h->pitch_lo && pitch <= h->pitch_hi);
        if (!is_in_range || pitch < h->low[n->track] || pitch > h->high[n->track] ||
            step < h->from || step + n->length > h->to || is_taken(c, n, step, pitch))
            return false;
    }
    return is_in_hole_as_played(m, c, to->by);
}

/* -- choosing -- */

struct moves {
    struct motif_move list[MOST_MOVES];
    int n;
};

/* The best come first. */
static void keep(struct moves *best, const struct motif_move *it)
{
    int i = best->n < MOST_MOVES ? best->n++ : MOST_MOVES;
    for (; i > 0 && best->list[i - 1].worth < it->worth; i--)
        if (i < MOST_MOVES)
            best->list[i] = best->list[i - 1];
    if (i < MOST_MOVES)
        best->list[i] = *it;
}

/* Steps from the original's bar to that bar. */
static int64_t steps_to(const struct motif *m, const struct context *c, int64_t bar)
{
    const struct piece *p = &c->music;
    const int64_t own = piece_bar_at(p, m->notes[0].grid.step);
    return piece_bar_start(p, bar) - piece_bar_start(p, own);
}

static void try_bar(struct moves *best, const struct motif *m, const struct context *c,
                    const struct track_facts *tracks, int64_t bar)
{
    const struct piece *music = &c->music;
    const int most = m->place.kind == MOTIF_TRANSPOSED ? MOTIF_MOST_STEPS : 0;
    const int64_t own = piece_bar_at(music, m->notes[0].grid.step);
    const struct grid_note *last = &m->notes[m->n - 1].grid;
    const int64_t last_bar = piece_bar_at(music, last->step);
    const bool is_next = bar == last_bar + 1, /* and no return */
        spoils_close = c->request.close &&    /* which the last bar is for */
                       bar + last_bar - own >= piece_bar_at(music, c->hole.to - 1);
    for (int degrees = -most; degrees <= most; degrees++) {
        struct motif_move it = {steps_to(m, c, bar), degrees, 0};
        if ((most && !degrees) || !fits(m, c, &it))
            continue;
        it.worth = worth_of_distance(bar - own) + WORTH_OF_DEGREES[abs(degrees)] +
                   2 * fit(m, c, &it) - beyond_range(m, c, tracks, degrees) -
                   cost_of_classes(m, c, degrees) - (is_next ? 0.5 : 0) -
                   (spoils_close ? 3 : 0);
        keep(best, &it);
    }
}

bool motif_choose(struct motif_move *out, const struct motif *m,
                  const struct context *c, const struct continuation_motif *wanted)
{
    struct moves best = {.n = 0};
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    if (wanted->at.kind) { /* it is placed there, whatever its worth */
        const int64_t step = step_from_tick(wanted->at.tick, c->ticks_per_quarter);
        const int64_t bar = piece_bar_at(&c->music, step);
        *out = (struct motif_move){steps_to(m, c, bar), wanted->at.steps, 0};
        return fits(m, c, out);
    }
    const int64_t first = piece_bar_at(&c->music, c->hole.from),
                  last = piece_bar_at(&c->music, c->hole.to - 1);
    analyse_tracks(tracks, &c->music, 0, c->music.n_notes);
    for (int64_t bar = first; bar <= last; bar++)
        try_bar(&best, m, c, tracks, bar);
    int n = 0;
    while (n < best.n && best.list[n].worth > best.list[0].worth - MARGIN)
        n++;
    if (n)
        *out = best.list[m->seed % (uint64_t)n];
    return n > 0;
}
