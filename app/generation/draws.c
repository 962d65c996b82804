/* See draws.h. */
#include "app/generation/draws.h"

#include "midi/base/clock.h"
#include "midi/base/hash.h"

#include <stdlib.h>
#include <string.h>

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

uint64_t draws_seed(uint64_t seed, int n_takes, int i)
{
    const uint64_t least = 10000000, room = 80000000;
    return i < n_takes
               ? seed + (uint64_t)i
               : least + hash_number(seed + HASH_STEP) % room + (uint64_t)(i - n_takes);
}

/* The first from i on that counts. */
static size_t next_of(const struct take *d, size_t i, bool hits)
{
    while (i < d->n_notes && d->notes[i].is_hit != hits)
        i++;
    return i;
}

/* Notes come by start, track and pitch. */
static double likeness(const struct take *a, const struct take *b, bool hits)
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

bool draws_judge(struct take *takes, int n, const struct continuation_options *o,
                 const struct critic *c, const struct score *s)
{
    bool agrees = o->hole.to_tick > 0 && !o->is_band;
    /* Each track that is asked for plays outside the hole, too. */
    for (size_t t = 0; t < s->n_tracks && t < TOKEN_MAX_TRACKS; t++)
        agrees = agrees && (!(o->tracks >> t & 1) || s->tracks[t].n_notes > 0);
    n = n < DRAWS_MOST ? n : DRAWS_MOST;
    for (int i = 0; i < n; i++) {
        if (c && !critic_judge(c, s, o, &takes[i]))
            return false;
        if (!agrees)
            continue;
        /* The share of its notes that the others have, on the mean; the critic's words stay. */
        const bool hits = next_of(&takes[i], 0, false) == takes[i].n_notes;
        double sum = 0;
        for (int k = 0; k < n; k++)
            if (k != i)
                sum += likeness(&takes[i], &takes[k], hits);
        takes[i].stats.verdict.is_judged = true;
        takes[i].stats.verdict.merit = (float)(sum / (n > 1 ? n - 1 : 1));
    }
    return true;
}

/* The best first; those without notes come last, and of equals those of a lower rank first. */
static int compare_merit(const void *x, const void *y)
{
    const struct take *a = x, *b = y;
    const int better = continuation_compare(&b->stats, &a->stats);
    if (!a->n_notes != !b->n_notes)
        return a->n_notes ? -1 : 1;
    return better ? better : a->rank - b->rank;
}

void draws_sort(struct take *takes, int n, int k)
{
    int n_chosen = 0;
    for (int i = 0; i < n; i++)
        takes[i].rank = i;
    qsort(takes, (size_t)n, sizeof *takes, compare_merit);
    for (int i = 0; i < n && n_chosen < k; i++) {
        const struct take it = takes[i];
        bool differs = true;
        for (int c = 0; differs && c < n_chosen; c++) {
            const bool hits = next_of(&it, 0, false) == it.n_notes &&
                              next_of(&takes[c], 0, false) == takes[c].n_notes;
            differs = likeness(&it, &takes[c], hits) <= (hits ? ALIKE_HITS : ALIKE);
        }
        if (!differs)
            continue;
        memmove(&takes[n_chosen + 1], &takes[n_chosen],
                (size_t)(i - n_chosen) * sizeof *takes);
        takes[n_chosen++] = it;
    }
    /* Where too few differ, the best of the others follow. */
    qsort(takes, (size_t)(k < n ? k : n), sizeof *takes, compare_merit);
    for (int i = 0; i < n; i++)
        takes[i].rank = i < k ? i + 1 : 0;
}

enum continuation_state draws_make(struct take *takes, int n, struct continuation *c,
                                   const struct score *s,
                                   const struct continuation_options *o,
                                   const struct draws_listener *l, int *n_drawn)
{
    enum continuation_state state = CONTINUATION_DONE;
    struct continuation_options some = *o;
    for (int i = 0; i < n; i++)
        takes[i].seed = draws_seed(o->sampling.seed, o->n_takes, i);
    *n_drawn = 0;
    while (state == CONTINUATION_DONE && *n_drawn < n) { /* a round, side by side */
        const int at = *n_drawn, shown = o->n_takes > at ? o->n_takes - at : 0,
                  n_round = continuation_room(
                      c, shown && l->hears_shown_first ? shown : n - at);
        struct take *round = &takes[at];
        const double started = clock_now_seconds();
        state = continuation_begin(c, s, &some, round, n_round);
        const double read = clock_now_seconds() - started;
        for (;;) { /* after the reading, and after every token */
            double drawn = at;
            for (int i = 0; i < n_round; i++) {
                drawn += continuation_share(&round[i].stats);
                if (round[i].n_notes && !round[i].seconds_to_first)
                    round[i].seconds_to_first = clock_now_seconds() - started;
            }
            if (!l->hear(l->owner, takes, at, drawn))
                state = CONTINUATION_ERROR;
            if (state != CONTINUATION_BEGUN)
                break;
            state = continuation_next(c);
        }
        for (int i = 0; i < n_round; i++) {
            round[i].seconds = clock_now_seconds() - started;
            round[i].seconds_to_read = read;
        }
        some.style = (int)round->style; /* not guessed again */
        *n_drawn += state == CONTINUATION_DONE ? n_round : 0;
    }
    return state;
}
