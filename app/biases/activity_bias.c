/* The rule of activity: see rules.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

/* Gain of a track in a score without notes, in nats for each bar that it rests, and the most. */
#define A_REST        1.0f
#define MOST_OF_EMPTY 6.0f

/* A track that began notes in a share of the bars up to SELDOM_PLAYS gains MOST nats in a bar whose
 * given one has notes of it, until it plays, and loses as much in other bars. Of a brass section (A05)
 * that played in three of eight bars, all new bars had notes, up to 24 each; when it was held to its
 * share of the bars alone, it played in the first bar and then fell silent. */
#define SELDOM_PLAYS  0.5f
#define MOST          3.0f
enum { FEWEST_BARS = 4 }; /* fewer bars do not say how seldom a track plays */

struct activity_bias activity_bias_of(const struct piece *p, int64_t from)
{
    struct activity_bias a = {.is_empty = !p->n_notes, .end = piece_bar_at(p, from)};
    a.n_bars =
        a.end < ACTIVITY_BARS ? a.end / FEWEST_BARS * FEWEST_BARS : ACTIVITY_BARS;
    int n[TOKEN_MAX_TRACKS] = {0};
    for (int64_t i = 0; i < a.n_bars; i++) {
        const int64_t bar = a.end - a.n_bars + i;
        a.plays[i] =
            tracks_begin(p, piece_bar_start(p, bar), piece_bar_start(p, bar + 1));
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            n[t] += a.plays[i] >> t & 1;
    }
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        a.seldom |= (uint64_t)(n[t] && (float)n[t] <= SELDOM_PLAYS * (float)a.n_bars)
                    << t;
    return a;
}

void activity_bias_apply(struct rules *r, const struct place *at)
{
    const struct activity_bias *a = &r->activity;
    const uint64_t here = tracks_begin(at->p, at->bar, at->step + 1),
                   declared = a->is_empty ? piece_declared(at->p) : 0;
    const int64_t n = piece_bar_at(at->p, at->bar) - a->end;
    const uint64_t seldom = n < 0 ? 0 : a->seldom & ~here,
                   plays = seldom ? a->plays[n % a->n_bars] : 0;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (seldom >> t & 1)
            bias_add(at, plays >> t & 1 ? MOST : -MOST, TOKEN_TRACK + t, 1);
        if (!(declared >> t & 1))
            continue;
        const int64_t last = find_past(at->p, t, at->step + 1).step;
        const float bar = (float)bar_length(at->p, a->end),
                    rest = last < 0 ? MOST_OF_EMPTY : (float)(at->step - last) / bar;
        if (rest >= 1)
            bias_add(at, fminf(A_REST * rest, MOST_OF_EMPTY), TOKEN_TRACK + t, 1);
    }
}
