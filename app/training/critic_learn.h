/* Learns the critic's weights from pairs of feature vectors: the first of the original music,
 * the second of what the model wrote in its place. The first should have more merit (Bradley &
 * Terry 1952, on z and z z). Adam learns all pairs at once and stops when held-out pairs get
 * no better. Pure functions, any thread. */
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

/* Returns the number of steps; 0: out of memory, or there are no pairs. */
int critic_learn(struct critic *c, const struct critic_lesson *lesson);

/* The share of pairs in which the critic prefers the real one, faults aside. *nats, if not
 * NULL: its mean surprise. */
double critic_accuracy(const struct critic *c, const struct critic_pair *pairs,
                       size_t n, double *nats);

#endif
