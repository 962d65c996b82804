/* See draws.h. */
#include "app/generation/draws.h"

/* The share of common notes that makes two takes alike: for notes with a pitch; and for
 * takes with only hits, which keep a groove, nearly all. */
#define ALIKE      0.5
#define ALIKE_HITS 0.9

int draws_wanted(const struct continuation_options *o, const struct critic *c)
{
    const bool is_answer = o->end_tick > 0, is_hole = o->hole.to_tick > 0;
    const int most = o->n_draws < DRAWS_MOST ? o->n_draws : DRAWS_MOST;
    return (c || is_hole) && !is_answer && !o->is_band && most > o->n_takes
               ? most
               : o->n_takes;
}

uint64_t draws_mix(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

uint64_t draws_seed(uint64_t seed, int n_takes, int i)
{
    const uint64_t least = 10000000, room = 80000000;
    return i < n_takes ? seed + (uint64_t)i
                       : least + draws_mix(seed) % room + (uint64_t)(i - n_takes);
}

/* The first from i on that counts. */
static size_t next_of(const struct draw *d, size_t i, bool hits)
{
    while (i < d->n_notes && d->notes[i].is_hit != hits)
        i++;
    return i;
}

/* Notes come by start, track and pitch. */
static double likeness(const struct draw *a, const struct draw *b, bool hits)
{
    size_t i = next_of(a, 0, hits), k = next_of(b, 0, hits), n_both = 0, n = 0;
    while (i < a->n_notes || k < b->n_notes) {
        int order = i == a->n_notes   ? 1
                    : k == b->n_notes ? -1
                                      : continued_compare(&a->notes[i], &b->notes[k]);
        n++;
        n_both += order == 0;
        i = order <= 0 ? next_of(a, i + 1, hits) : i;
        k = order >= 0 ? next_of(b, k + 1, hits) : k;
    }
    return n ? (double)n_both / (double)n : 1;
}

/* Hits count only where there is nothing else. */
static bool are_alike(const struct draw *a, const struct draw *b)
{
    const bool hits =
        next_of(a, 0, false) == a->n_notes && next_of(b, 0, false) == b->n_notes;
    return likeness(a, b, hits) > (hits ? ALIKE_HITS : ALIKE);
}

static double agreement(const struct draw *draws, int n, int of)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        if (i != of)
            sum += likeness(&draws[of], &draws[i],
                            next_of(&draws[of], 0, false) == draws[of].n_notes);
    return sum / (n > 1 ? n - 1 : 1);
}

/* Whether each track that is asked for plays outside the hole, too. */
static bool plays_around(const struct score *s, const struct continuation_options *o)
{
    bool plays = true;
    for (size_t t = 0; t < s->n_tracks && t < TOKEN_MAX_TRACKS; t++)
        plays = plays && (!(o->tracks >> t & 1) || s->tracks[t].n_notes > 0);
    return plays;
}

void draws_judge(struct draw *draws, int n, const struct continuation_options *o,
                 const struct critic *c, const struct score *s)
{
    const bool agrees = o->hole.to_tick > 0 && !o->is_band && plays_around(s, o);
    for (int i = 0; i < n; i++) {
        struct continuation_stats *t = draws[i].stats;
        const struct critic_request r = critic_request_of(o, t);
        if (c)
            critic_judge(c, s, &r, draws[i].notes, draws[i].n_notes, &t->verdict);
        if (agrees) { /* of the critic's verdict its words stay */
            t->verdict.is_judged = true;
            t->verdict.merit = (float)agreement(draws, n, i);
        }
    }
}

static bool is_better(const struct draw *draws, int a, int b)
{
    if (!draws[a].n_notes != !draws[b].n_notes)
        return draws[a].n_notes > 0;
    int better = continuation_compare(draws[a].stats, draws[b].stats);
    return better > 0 || (better == 0 && a < b);
}

/* The best first. */
static void put(const struct draw *draws, int *list, int *n, int it)
{
    int at = (*n)++;
    for (; at > 0 && is_better(draws, it, list[at - 1]); at--)
        list[at] = list[at - 1];
    list[at] = it;
}

int draws_choose(const struct draw *draws, int n, int k, int chosen[])
{
    int order[DRAWS_MOST], n_ordered = 0, n_chosen = 0;
    bool is_chosen[DRAWS_MOST] = {0};
    n = n < DRAWS_MOST ? n : DRAWS_MOST;
    for (int i = 0; i < n; i++)
        put(draws, order, &n_ordered, i);
    for (int i = 0; i < n && n_chosen < k; i++) {
        bool differs = true;
        for (int c = 0; c < n_chosen; c++)
            differs = differs && !are_alike(&draws[order[i]], &draws[chosen[c]]);
        is_chosen[i] = differs;
        if (differs)
            chosen[n_chosen++] = order[i];
    }
    for (int i = 0; i < n && n_chosen < k; i++)
        if (!is_chosen[i])
            put(draws, chosen, &n_chosen, order[i]);
    return n_chosen;
}
