/* See activity_bias.h. */
#include "app/biases/rules.h"

#include "midi/base/larger.h"

enum { BARS = 8 }; /* before the take, that are read */

/* Of an empty score, nats for each bar that has passed, and the most. */
#define A_REST        1.0f
#define MOST_OF_EMPTY 6.0f

/* A track that began notes in a share of the bars up to SELDOM_PLAYS rests: once it has had its
 * share of the take's bars, and its longest run less SHORT, a further bar costs MOST nats. Of a brass
 * section that played in two of eight bars, 64 of 64 new bars had notes, and semitones against the
 * others in 0.15 of the notes (0.05 without). */
#define SELDOM_PLAYS  0.5f
#define SHORT         0.5f
#define MOST          3.0f
enum { FEWEST_BARS = 4 }; /* that say how seldom one plays */

/* Whether the track begins notes in a bar before `end`, a step. */
static bool plays_in(const struct piece *p, int track, int64_t bar, int64_t end)
{
    const int64_t to = smaller(piece_bar_start(p, bar + 1), end);
    return tracks_begin(p, piece_bar_start(p, bar), to) >> track & 1;
}

struct activity_bias activity_bias_of(const struct piece *p, int64_t from)
{
    struct activity_bias a = {.from = from, .is_empty = !p->n_notes};
    const int64_t to = piece_bar_at(p, from), first = larger(to - BARS, 0);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        int n_bars = 0, run = 0;
        for (int64_t bar = first; bar <= to; bar++) {
            run = plays_in(p, t, bar, from) ? run + 1 : 0;
            n_bars += run > 0;
            a.run[t] = (int)larger(a.run[t], run);
        }
        const float share = (float)n_bars / (float)larger(to - first, 1);
        const bool is_seldom =
            to - first >= FEWEST_BARS && share > 0 && share <= SELDOM_PLAYS;
        a.share[t] = is_seldom ? share : 1;
    }
    return a;
}

/* Those of the tracks that have had their share of the bars before this one. */
static uint64_t had_enough(const struct activity_bias *a, const struct place *at,
                           uint64_t tracks)
{
    const int64_t first = piece_bar_at(at->p, a->from),
                  n_bars = piece_bar_at(at->p, at->bar) - first;
    int n_played[TOKEN_MAX_TRACKS] = {0};
    int64_t from = piece_bar_start(at->p, first);
    for (int64_t i = 1; tracks && i <= n_bars; i++) {
        const int64_t to = piece_bar_start(at->p, first + i);
        const uint64_t played = tracks_begin(at->p, from, to);
        for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
            n_played[t] += (int)(played >> t & 1);
        from = to;
    }
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        if ((float)n_played[t] < a->share[t] * (float)n_bars + (float)a->run[t] - SHORT)
            tracks &= ~(UINT64_C(1) << t);
    return tracks;
}

void activity_bias_apply(const struct activity_bias *a, const struct place *at)
{
    const uint64_t here = tracks_begin(at->p, at->bar, at->step + 1),
                   declared = a->is_empty ? piece_declared(at->p) : 0;
    const float bar = (float)bar_length(at->p, piece_bar_at(at->p, a->from));
    uint64_t rests = 0; /* in this bar so far, of those that play seldom and may come */
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        rests |= (uint64_t)(a->share[t] < 1 && at->allowed[TOKEN_TRACK + t]) << t;
    rests = had_enough(a, at, rests & ~here);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (rests >> t & 1)
            bias_add(at, -MOST, TOKEN_TRACK + t, 1);
        if (!(declared >> t & 1))
            continue;
        const int64_t last = find_past(at->p, t, at->step + 1).step;
        const float rest = last < 0 ? MOST_OF_EMPTY : (float)(at->step - last) / bar;
        if (rest >= 1)
            bias_add(at, fminf(A_REST * rest, MOST_OF_EMPTY), TOKEN_TRACK + t, 1);
    }
}
