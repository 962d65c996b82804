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

/* Bars in which a track begins notes, and the most of them in a row. */
struct played {
    int n, run;
};

static struct played count_played(const struct piece *p, int track, int64_t from,
                                  int64_t to)
{
    struct played played = {0};
    const int64_t end = piece_bar_at(p, to - 1) + 1;
    int run = 0;
    for (int64_t bar = piece_bar_at(p, from); from < to && bar < end; bar++) {
        const int64_t next = smaller(piece_bar_start(p, bar + 1), to);
        run = tracks_begin(p, piece_bar_start(p, bar), next) >> track & 1 ? run + 1 : 0;
        played.n += run > 0;
        played.run = at_least(played.run, run);
    }
    return played;
}

struct activity_bias activity_bias_of(const struct piece *p, int64_t from)
{
    struct activity_bias a = {.from = from, .is_empty = !p->n_notes};
    const int64_t to = piece_bar_at(p, from), first = larger(to - BARS, 0);
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        const struct played given = count_played(p, t, piece_bar_start(p, first), from);
        const float share = (float)given.n / (float)larger(to - first, 1);
        const bool is_seldom =
            to - first >= FEWEST_BARS && share > 0 && share <= SELDOM_PLAYS;
        a.share[t] = is_seldom ? share : 1;
        a.run[t] = given.run;
    }
    return a;
}

/* Returns whether the track has had its share of the bars before this one. */
static bool had_enough(const struct activity_bias *a, const struct place *at, int track)
{
    const int64_t first = piece_bar_at(at->p, a->from);
    const int n = count_played(at->p, track, piece_bar_start(at->p, first), at->bar).n;
    return (float)n >= a->share[track] * (float)(piece_bar_at(at->p, at->bar) - first) +
                           (float)a->run[track] - SHORT;
}

void activity_bias_apply(struct rules *r, const struct place *at)
{
    const struct activity_bias *a = &r->activity;
    const uint64_t here = tracks_begin(at->p, at->bar, at->step + 1),
                   declared = a->is_empty ? piece_declared(at->p) : 0;
    const float bar = (float)bar_length(at->p, piece_bar_at(at->p, a->from));
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++) {
        if (a->share[t] < 1 && at->allowed[TOKEN_TRACK + t] && !(here >> t & 1) &&
            had_enough(a, at, t))
            bias_add(at, -MOST, TOKEN_TRACK + t, 1);
        if (!(declared >> t & 1))
            continue;
        const int64_t last = find_past(at->p, t, at->step + 1).step;
        const float rest = last < 0 ? MOST_OF_EMPTY : (float)(at->step - last) / bar;
        if (rest >= 1)
            bias_add(at, fminf(A_REST * rest, MOST_OF_EMPTY), TOKEN_TRACK + t, 1);
    }
}
