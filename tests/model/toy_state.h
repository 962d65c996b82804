/* A kind of state for tests: a little of everything that one may do. It counts, remembers
 * the last tokens, and has a set of which any number may be in; token 1 begins anew. */
#ifndef TESTS_MODEL_TOY_STATE_H
#define TESTS_MODEL_TOY_STATE_H

#include "model/weights/model.h"

#include <string.h>

enum { TOY_COUNTS = 5, TOY_LAST = 3, TOY_NAMES = 7, TOY_SET = 8 };
enum { TOY_ROWS = TOY_COUNTS + TOY_NAMES + TOY_SET };

struct toy_state {
    int32_t n, last[TOY_LAST]; /* the last first */
    uint8_t in_set[TOY_SET];
};

static inline void toy_start(void *state)
{
    memset(state, 0, sizeof(struct toy_state));
}

static inline int toy_next(void *state, int32_t token, uint16_t *rows)
{
    struct toy_state *s = state;
    int n = 0;
    if (token == 1)
        toy_start(s);
    memmove(s->last + 1, s->last, (TOY_LAST - 1) * sizeof *s->last);
    s->last[0] = token;
    s->n++;
    s->in_set[token % TOY_SET] ^= 1;
    rows[n++] = (uint16_t)(s->n % TOY_COUNTS);
    for (int i = 0; i < TOY_LAST && i < s->n; i++)
        rows[n++] = (uint16_t)(TOY_COUNTS + s->last[i] % TOY_NAMES);
    for (int i = 0; i < TOY_SET; i++)
        if (s->in_set[i])
            rows[n++] = (uint16_t)(TOY_COUNTS + TOY_NAMES + i);
    return n;
}

static const struct model_state_kind TOY_STATE = {sizeof(struct toy_state), TOY_ROWS,
                                                  toy_start, toy_next};

#endif
