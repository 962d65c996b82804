/* Whether two scores are the same music: whether they are written as the same bytes, with every
 * note (but for its id) and every event, in order. */
#ifndef TESTS_MIDI_SCORE_EQUAL_H
#define TESTS_MIDI_SCORE_EQUAL_H

#include "midi/smf/smf.h"
#include "tests/auto.h"

#include <string.h>

static inline bool score_equal(const struct score *a, const struct score *b)
{
    auto_free uint8_t *x = NULL, *y = NULL;
    size_t n_x, n_y;
    return !smf_write(a, &x, &n_x) && !smf_write(b, &y, &n_y) && n_x == n_y &&
           !memcmp(x, y, n_x);
}

#endif
