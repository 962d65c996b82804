/* See activity_bias.h. */
#include "app/biases/activity_bias.h"

#include "app/base/draw.h"
#include "app/biases/analysis.h"

#include <string.h>

/* BARS: the bars before the take that are read. A rest longer than all but one of SELDOM is rare. */
enum { BARS = 8, SELDOM = 20, QUARTER = STEPS_PER_QUARTER, MOST_QUARTERS = 8 };

/* Nats for each usual rest that has passed (A_REST), and the most; in an empty score more, since
 * nothing else says that its tracks play. */
#define A_REST        1.0f
#define MOST          3.0f
#define MOST_OF_EMPTY 6.0f

/* A track that began notes in a share of the bars up to SELDOM_PLAYS rests: once it has had its
 * share of the take's bars, and its longest run less SHORT, a further bar costs MOST. Of a brass
 * section that played in two of eight bars, 64 of 64 new bars had notes, and semitones against the
 * others in 0.15 of the notes (0.05 without). */
#define SELDOM_PLAYS  0.5f
#define SHORT         0.5f
enum { FEWEST_BARS = 4 }; /* that say how seldom one plays */

/* What a track did in the bars that are read. */
struct activity {
    int n_bars;               /* bars with onsets */
    int run, longest;         /* such bars in a row: the newest, the most */
    int32_t bar;              /* the newest such bar, counted from 1; 0: none */
    int n, of[MOST_QUARTERS]; /* steps from onset to onset, by quarters begun */
};

/* Counts what each track does before step `from`; returns in how many of the bars any track has
 * onsets. */
static int count_onsets(struct activity_bias *a, const struct piece *p, int64_t from,
                        int32_t first, struct activity of[TOKEN_MAX_TRACKS])
{
    const int64_t begin = piece_bar_start(p, first);
    int64_t next_bar = piece_bar_start(p, first + 1);
    int32_t bar = first, last = 0;
    int n_bars = 0;
    for (size_t i = 0; i < p->n_notes && p->notes[i].step < from; i++) {
        const struct grid_note *n = &p->notes[i];
        struct activity *track = &of[n->track];
        const int64_t rest = n->step - a->last[n->track];
        a->last[n->track] = a->newest = n->step;
        if (n->step < begin)
            continue;
        while (next_bar <= n->step)
            next_bar = piece_bar_start(p, ++bar + 1);
        if (track->bar && rest > 0) {
            const int64_t quarters = (rest - 1) / QUARTER;
            track->of[quarters < MOST_QUARTERS ? quarters : MOST_QUARTERS - 1]++;
            track->n++;
        }
        if (track->bar != bar + 1) {
            track->n_bars++;
            track->run = track->bar == bar ? track->run + 1 : 1;
            track->longest = at_least(track->longest, track->run);
        }
        n_bars += last != bar + 1;
        track->bar = last = bar + 1;
    }
    return n_bars;
}

struct activity_bias activity_bias_of(const struct piece *p, int64_t from)
{
    struct activity_bias a = {.from = from, .most = MOST};
    struct activity of[TOKEN_MAX_TRACKS] = {{0}};
    memset(a.last, -1, sizeof a.last);
    const int32_t to = (int32_t)piece_bar_at(p, from);
    const int32_t first = to > BARS ? to - BARS : 0;
    const int64_t bar = bar_length(p, to);
    a.is_full = count_onsets(&a, p, from, first, of) == to - first && to > first;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        int quarters = 0, n_longer = of[t].n;
        while (quarters < MOST_QUARTERS && n_longer * SELDOM >= of[t].n)
            n_longer -= of[t].of[quarters++];
        const int64_t usual = (int64_t)quarters * QUARTER; /* a bar at most */
        a.rest[t] = usual < bar && of[t].n ? usual : bar;
        if (of[t].n_bars > 1 && 3 * of[t].n_bars >= 2 * (to - first))
            a.steady |= UINT64_C(1) << t;
        const float share = (float)of[t].n_bars / (float)at_least(to - first, 1);
        const bool is_seldom =
            to - first >= FEWEST_BARS && share > 0 && share <= SELDOM_PLAYS;
        a.share[t] = is_seldom ? share : 1;
        a.run[t] = of[t].longest;
    }
    if (p->n_notes)
        return a;
    /* all tracks should play and count as having rested for long */
    a.steady = piece_declared(p);
    a.most = MOST_OF_EMPTY;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        a.last[t] = from - (int64_t)MOST_OF_EMPTY * bar;
    return a;
}

void activity_bias_add(struct activity_bias *a, const struct piece *p,
                       const struct grid_note *n)
{
    const int64_t bar = piece_bar_start(p, piece_bar_at(p, n->step));
    a->n_played[n->track] += a->last[n->track] < bar;
    a->last[n->track] = a->newest = n->step;
}

/* Biases tracks that play seldom, have had their share, and have not begun in this bar. */
static void hold_back(const struct activity_bias *a, const struct place *at)
{
    const int64_t n_bars = piece_bar_at(at->p, at->bar) - piece_bar_at(at->p, a->from);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if (a->share[t] < 1 && a->last[t] < at->bar &&
            (float)a->n_played[t] >=
                a->share[t] * (float)n_bars + (float)a->run[t] - SHORT)
            bias_add(at, -MOST, TOKEN_TRACK + t, 1);
}

void activity_bias_apply(const struct activity_bias *a, const struct place *at)
{
    if (a->is_full && a->newest < at->bar)
        bias_add(at, -MOST, TOKEN_BAR, 1);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const int64_t rest = at->step - a->last[t];
        if (a->steady >> t & 1 && rest >= a->rest[t])
            bias_add(at, fminf(A_REST * (float)rest / (float)a->rest[t], a->most),
                     TOKEN_TRACK + t, 1);
    }
    hold_back(a, at);
}
