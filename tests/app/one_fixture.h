/* The model, the music and the take of the test that runs. Include tests/check.h before it. */
#ifndef TESTS_APP_ONE_FIXTURE_H
#define TESTS_APP_ONE_FIXTURE_H

#include "tests/app/filled_holes.h"

static struct fixture f;
static __attribute__((unused)) struct score *music;
static __attribute__((unused)) struct result r;

static inline int begin_tiny(void **state)
{
    set_up(&f, 512, TOKEN_COUNT, 1);
    return 0;
}

static inline int end(void **state)
{
    tear_down(&f);
    score_destroy(music);
    music = NULL;
    return 0;
}

#endif
