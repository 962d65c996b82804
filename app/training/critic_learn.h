/* Learning the critic's weights from pairs: of two vectors of features, the first of what
 * was written, the second of what the model would have written there, the first is to have
 * more merit (Bradley & Terry 1952, on z and z z; Adam on all pairs at once; stopped when
 * pairs kept apart get no better). Pure functions, any thread. */
#ifndef APP_CRITIC_LEARN_H
#define APP_CRITIC_LEARN_H

#include "app/critic/critic.h"

struct critic_pair {
    float real[FEATURES_MOST], ours[FEATURES_MOST];
    int passage; /* pairs of one passage have the same real one */
};

struct critic_lesson {
    const struct critic_pair *learn, *apart; /* [n_learn] learnt, [n_apart] stop it */
    size_t n_learn, n_apart;
    double decay; /* of the squared weights, for each pair */
    int most_steps;
};

/* The steps taken; 0: out of memory, or there is nothing to learn from. */
int critic_learn(struct critic *c, const struct critic_lesson *lesson);

/* Share of pairs that the critic decides for the real one, faults aside; and the mean
 * nats that it is surprised by, if nats is not NULL. */
double critic_accuracy(const struct critic *c, const struct critic_pair *pairs,
                       size_t n, double *nats);

#endif
