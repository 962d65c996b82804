/* Takes, from the first token to the choice: draws them round by round, judges them, and
 * chooses those of most merit that differ. A continuation and a part that is missing have the
 * critic's merit. A take that fills a hole of tracks that play around it has more merit the
 * more of its notes the other takes have, too: what most takes agree on is nearest to what a
 * composer wrote there (minimum Bayes risk, Kumar & Byrne 2004; models/README.md has the
 * figures). The same takes give the same choice. Any thread, one at a time for each
 * continuation. */
#ifndef APP_DRAWS_H
#define APP_DRAWS_H

#include "app/critic/critic.h"

enum { DRAWS_MOST = 99 };

/* How many are drawn: n_draws of what fills a hole, and of a continuation if there is a
 * critic to choose; else as many as are shown. An answer cannot wait, and a band would take
 * long. */
int draws_wanted(const struct continuation_options *o, const struct critic *c);

/* The seed of draw i. The first n_takes count up from the request's seed. The others count up
 * from a number of eight digits that follows from it, so that the next seeds have other draws.
 * Any of them gives its take alone, too. */
uint64_t draws_seed(uint64_t seed, int n_takes, int i);

/* The listener to the drawing. After every token `hear` gets the takes as they are by now; the number of
 * those that earlier rounds have drawn; and how many takes there are by now, parts of running ones too.
 * false ends the drawing. */
struct draws_listener {
    bool (*hear)(void *owner, const struct take *takes, int n_before, double drawn);
    void *owner;
    bool hears_shown_first; /* the takes that are shown have a round of their own */
};

/* Draws n takes (draws_wanted) that continue `s`: the first o->n_takes, and then others to
 * choose among. Returns the state of the last round, ERROR also where `hear` ended it or
 * memory ran out (continuation_error is then ""). *n_drawn takes are complete; those of the
 * failed round have what came. */
enum continuation_state draws_make(struct take *takes, int n, struct continuation *c,
                                   const struct score *s,
                                   const struct continuation_options *o,
                                   const struct draws_listener *l, int *n_drawn);

/* Stores a verdict in the stats of each take, at most DRAWS_MOST of them, judged as part of
 * `s`. c NULL: no critic. false: out of memory; some takes are not judged. */
bool draws_judge(struct take *takes, int n, const struct continuation_options *o,
                 const struct critic *c, const struct score *s);
/* Sorts takes so that the best k that differ come first, the best of them first, and ranks these from 1;
 * the others have rank 0. A take that shares more than half of its notes with a better one is passed over,
 * while there are others; hits count only where there is nothing else, and nine in ten of them. */
void draws_sort(struct take *takes, int n, int k);

#endif
