/* What the critic (app/critic/critic.h) says of a take. Plain data; zeros are no verdict. */
#ifndef APP_CRITIC_VERDICT_H
#define APP_CRITIC_VERDICT_H

#include <stdbool.h>

enum { CRITIC_WORDS = 3 };

struct critic_verdict {
    bool is_judged;
    float merit;  /* the logarithm of odds, less what faults cost; more is better */
    int n_faults; /* that put it behind all takes without */
    int words
        [CRITIC_WORDS]; /* critic_word() tells them, the most telling first; 0: none */
};

#endif
