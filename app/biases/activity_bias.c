/* The rule of activity: see rules.h. */
#include "app/biases/rules.h"

#include "app/base/draw.h"
#include "midi/base/larger.h"

enum { BARS = 8 }; /* bars that are read before the take */

/* Gain of a track in a score without notes, in nats for each bar that it rests, and the most. */
#define A_REST        1.0f
#define MOST_OF_EMPTY 6.0f

/* A track that began notes in a share of the bars up to SELDOM_PLAYS rests: once it has had its
 * share of the take's bars, and its longest run less SHORT, a further bar costs MOST nats. Of a brass
 * section that played in two of eight bars, 64 of 64 new bars had notes, and semitones against the
 * others in 0.15 of the notes (0.05 without). */
#define SELDOM_PLAYS  0.5f
#define SHORT         0.5f
#define MOST          3.0f
enum { FEWEST_BARS = 4 }; /* fewer bars do not say how seldom a track plays */

/* Bars in which each track begins notes, and the most of them in a row. */
struct played {
    int n[TOKEN_MAX_TRACKS], run[TOKEN_MAX_TRACKS];
};

/* Counts the bars from a bar line on. One pass serves all tracks: bar lines are dear where meters are
 * many. */
static void count_played(struct played *played, const struct piece *p, int64_t from,
                         int64_t to)
{
    int run[TOKEN_MAX_TRACKS] = {0};
    *played = (struct played){0};
    for (int64_t bar = piece_bar_at(p, from); from < to; bar++) {
        const int64_t next = piece_bar_start(p, bar + 1);
        const uint64_t tracks = tracks_begin(p, from, smaller(next, to));
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
            run[t] = tracks >> t & 1 ? run[t] + 1 : 0;
            played->n[t] += run[t] > 0;
            played->run[t] = at_least(played->run[t], run[t]);
        }
        from = next;
    }
}

struct activity_bias activity_bias_of(const struct piece *p, int64_t from)
{
    struct activity_bias a = {.from = from, .is_empty = !p->n_notes};
    const int64_t to = piece_bar_at(p, from), first = larger(to - BARS, 0);
    struct played given;
    count_played(&given, p, piece_bar_start(p, first), from);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const float share = (float)given.n[t] / (float)larger(to - first, 1);
        const bool is_seldom =
            to - first >= FEWEST_BARS && share > 0 && share <= SELDOM_PLAYS;
        a.share[t] = is_seldom ? share : 1;
        a.run[t] = given.run[t];
    }
    return a;
}

void activity_bias_apply(struct rules *r, const struct place *at)
{
    const struct activity_bias *a = &r->activity;
    const uint64_t here = tracks_begin(at->p, at->bar, at->step + 1),
                   declared = a->is_empty ? piece_declared(at->p) : 0;
    const int64_t first = piece_bar_at(at->p, a->from),
                  n_bars = piece_bar_at(at->p, at->bar) - first;
    const float bar = (float)bar_length(at->p, first);
    /* Tracks that play seldom, rest in this bar so far, and may come. */
    uint64_t seldom = 0;
    struct played so_far = {0};
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        seldom |= (uint64_t)(a->share[t] < 1 && at->allowed[TOKEN_TRACK + t]) << t;
    seldom &= ~here;
    if (seldom)
        count_played(&so_far, at->p, piece_bar_start(at->p, first), at->bar);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        /* It has had its share of the bars before this one. */
        if (seldom >> t & 1 && (float)so_far.n[t] >= a->share[t] * (float)n_bars +
                                                         (float)a->run[t] - SHORT)
            bias_add(at, -MOST, TOKEN_TRACK + t, 1);
        if (!(declared >> t & 1))
            continue;
        const int64_t last = find_past(at->p, t, at->step + 1).step;
        const float rest = last < 0 ? MOST_OF_EMPTY : (float)(at->step - last) / bar;
        if (rest >= 1)
            bias_add(at, fminf(A_REST * rest, MOST_OF_EMPTY), TOKEN_TRACK + t, 1);
    }
}
