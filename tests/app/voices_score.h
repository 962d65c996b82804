/* Scores of voices in quarters, one voice to a track. Include cmocka.h before it. */
#ifndef TESTS_APP_VOICES_SCORE_H
#define TESTS_APP_VOICES_SCORE_H

#include "midi/score/score.h"

static inline void put(struct score *s, int track, int64_t start, int64_t length,
                       int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = (uint8_t)(60 + pitch % 3 * 12),
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    assert_int_not_equal(score_add_note(s, track, n), 0);
}

/* In quarter i a voice has the pitch that `pitch` says. */
static inline struct score *voices_score(int quarter, const char *name, int n_voices,
                                         int n_quarters, int (*pitch)(int voice, int i))
{
    struct score *s = score_create(quarter);
    assert_non_null(s);
    for (int v = 0; v < n_voices; v++)
        assert_int_equal(score_add_track(s, name, (uint8_t)v, 0), v);
    for (int i = 0; i < n_quarters; i++)
        for (int v = 0; v < n_voices; v++)
            put(s, v, (int64_t)i * quarter, quarter, pitch(v, i));
    return s;
}

#endif
