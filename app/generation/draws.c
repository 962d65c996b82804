/* See draws.h. */
#include "app/generation/draws.h"

/* The share of common notes that makes two takes alike: for notes with a pitch; and for
 * takes with only hits, which keep a groove, nearly all. */
#define ALIKE      0.5
#define ALIKE_HITS 0.9

/* The critic cannot judge shorter takes, or those with less music before them. */
static bool is_judged(const struct continuation_hole *h, const struct score *s)
{
    enum { BARS_BEFORE = 2 };
    const struct bar bar = timeline_bar_at(&s->timeline, h->from_tick);
    return bar.index >= BARS_BEFORE && h->to_tick - h->from_tick >= bar.length;
}

int draws_wanted(const struct continuation_options *o, const struct critic *c,
                 const struct score *s)
{
    bool is_hole = o->hole.to_tick > 0, is_answer = o->end_tick > 0;
    int most = o->n_draws < DRAWS_MOST ? o->n_draws : DRAWS_MOST;
    bool is_chosen =
        c && !is_answer && !o->is_band && (!is_hole || is_judged(&o->hole, s));
    return is_chosen && most > o->n_takes ? most : o->n_takes;
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

void draws_judge(struct draw *draws, int n, const struct critic *c,
                 const struct score *s)
{
    for (int i = 0; i < n; i++) {
        struct continuation_stats *t = draws[i].stats;
        critic_judge(c, s, t->from_tick, t->to_tick, draws[i].notes, draws[i].n_notes,
                     &t->verdict);
    }
}

static int compare_notes(const struct continued_note *a, const struct continued_note *b)
{
    if (a->note.start != b->note.start)
        return a->note.start < b->note.start ? -1 : 1;
    if (a->track != b->track)
        return a->track < b->track ? -1 : 1;
    return (a->note.pitch > b->note.pitch) - (a->note.pitch < b->note.pitch);
}

static bool has_pitches(const struct draw *d)
{
    for (size_t i = 0; i < d->n_notes; i++)
        if (!d->notes[i].is_hit)
            return true;
    return false;
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
                                      : compare_notes(&a->notes[i], &b->notes[k]);
        n++;
        n_both += order == 0;
        i = order <= 0 ? next_of(a, i + 1, hits) : i;
        k = order >= 0 ? next_of(b, k + 1, hits) : k;
    }
    return n ? (double)n_both / (double)n : 1;
}

static bool are_alike(const struct draw *a, const struct draw *b)
{
    const bool hits = !has_pitches(a) && !has_pitches(b);
    return likeness(a, b, hits) > (hits ? ALIKE_HITS : ALIKE);
}

static bool is_better(const struct draw *draws, int a, int b)
{
    if (!draws[a].n_notes != !draws[b].n_notes)
        return draws[a].n_notes > 0;
    int better = continuation_compare(draws[a].stats, draws[b].stats);
    return better > 0 || (better == 0 && a < b);
}

/* The number of takes ranked before it. */
static int place(const struct draw *draws, int n, int of)
{
    int before = 0;
    for (int i = 0; i < n; i++)
        before += i != of && is_better(draws, i, of);
    return before;
}

static bool differs(const struct draw *draws, int i, const int *chosen, int n)
{
    for (int k = 0; k < n; k++)
        if (are_alike(&draws[i], &draws[chosen[k]]))
            return false;
    return true;
}

static bool has(const int *chosen, int n, int i)
{
    for (int k = 0; k < n; k++)
        if (chosen[k] == i)
            return true;
    return false;
}

/* The best first. */
static void put(const struct draw *draws, int *chosen, int *n, int it)
{
    int at = (*n)++;
    for (; at > 0 && is_better(draws, it, chosen[at - 1]); at--)
        chosen[at] = chosen[at - 1];
    chosen[at] = it;
}

int draws_choose(const struct draw *draws, int n, int k, int chosen[])
{
    int order[DRAWS_MOST] = {0}, n_chosen = 0;
    n = n < DRAWS_MOST ? n : DRAWS_MOST;
    for (int i = 0; i < n; i++)
        order[place(draws, n, i)] = i;
    for (int i = 0; i < n && n_chosen < k; i++)
        if (differs(draws, order[i], chosen, n_chosen))
            chosen[n_chosen++] = order[i];
    for (int i = 0; i < n && n_chosen < k; i++)
        if (!has(chosen, n_chosen, order[i]))
            put(draws, chosen, &n_chosen, order[i]);
    return n_chosen;
}
