/* Chooses among more takes than are shown: those of most merit that differ. A continuation
 * and a part that is missing have the critic's merit. What fills a hole of tracks that play
 * around it has more merit the more of its notes the other takes have, too: what most takes
 * agree on is nearest to what a composer wrote there (minimum Bayes risk, Kumar & Byrne 2004;
 * models/README.md has the figures). The same takes give the same choice. Pure functions, any
 * thread. */
#ifndef APP_DRAWS_H
#define APP_DRAWS_H

#include "app/critic/critic.h"

enum { DRAWS_MOST = 99 };

/* A take as it is judged; all is borrowed. Notes are in the order they came in. */
struct draw {
    const struct continued_note *notes;
    size_t n_notes;
    struct continuation_stats *stats;
};

/* How many are drawn: n_draws of what fills a hole, and of a continuation if there is a
 * critic to choose; else as many as are shown. An answer cannot wait, and a band would take
 * long. */
int draws_wanted(const struct continuation_options *o, const struct critic *c);

/* Of draw i, of which the first n_takes count up from the request's seed. Those of the
 * others do from a number of eight digits that follows from it, so that the next seeds
 * have other draws. Any of them gives its take alone, too. */
uint64_t draws_seed(uint64_t seed, int n_takes, int i);

/* A number that looks like chance: splitmix64 (Steele, Lea & Flood 2014). */
uint64_t draws_mix(uint64_t x);

/* Stores a verdict in the stats of each, judged as part of `s`. c NULL: no critic. */
void draws_judge(struct draw *draws, int n, const struct continuation_options *o,
                 const struct critic *c, const struct score *s);
/* The places of min(k, n) of them, the best first. One that shares more than half of
 * its notes with a better one is passed over, while there are others; hits count only
 * where there is nothing else, and nine in ten of them. */
int draws_choose(const struct draw *draws, int n, int k, int chosen[]);

#endif
