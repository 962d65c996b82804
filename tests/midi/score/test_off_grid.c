/* Music that was played to another tempo than the file's is off the grid; written music,
 * loose playing and swing are not. */
#include "tests/check.h"
#include "midi/score/score.h"
#include "tests/midi/random_change.h"

/* n notes, a step apart; quarters of 480 ticks */
static struct score *play(int n, double offset, double step, double jitter)
{
    uint64_t r = 7;
    struct score *s = score_of("480 | t:");
    for (int i = 0; i < n; i++) {
        double off = jitter * ((double)random_below(&r, 201) / 100 - 1);
        int64_t at = llround((offset + step * i + off) * 480);
        assert_true(score_add_note(s, 0, note(at, 100, 40 + i % 50)) != 0);
    }
    return s;
}

static bool is_off(int n, double offset, double step, double jitter)
{
    auto_score *s = play(n, offset, step, jitter);
    return score_is_off_grid(s);
}

TEST(test_another_tempo_is_off)
{
    assert_true(is_off(48, 0.62, 120.0 / 98, 0.02));
    assert_true(is_off(48, 0, 120.0 / 98, 0));
    assert_true(is_off(48, 0, 120.0 / 144, 0)); /* on sixths of a quarter by chance */
    assert_true(is_off(64, 0.3, 0.5 * 120 / 77, 0.02));
    assert_true(is_off(100, 0, 0.25 * 120 / 131, 0.02));
}

TEST(test_an_offset_is_off)
{
    assert_true(is_off(48, 0.62, 1, 0.02));
}

TEST(test_what_was_written_or_played_in_time_is_on)
{
    assert_false(is_off(48, 0, 1, 0));
    assert_false(is_off(48, 0, 0.25, 0));
    assert_false(is_off(48, 0, 1.0 / 3, 0));
    assert_false(is_off(90, 0, 1.0 / 8, 0));
    assert_false(is_off(90, 0, 1.0 / 6, 0));
    assert_false(is_off(48, 0, 1, 0.1));
    assert_false(is_off(48, 0, 0.5, 0.08));
}

TEST(test_swing_is_on)
{
    auto_score *s = play(24, 0, 1, 0.03);
    score_put(s, 0, "=300 (30:60 r:420)*24");
    assert_false(score_is_off_grid(s));
}

TEST(test_a_chord_counts_once)
{
    auto_score *s = score_of("480 | t: (40:7 41:7 42:7 43:567)*15");
    assert_false(score_is_off_grid(s)); /* fifteen are too few */
    score_put(s, 0, "=8820 40");
    assert_true(score_is_off_grid(s));
}
