/* Guessed bar lines are where a performance with a wandering tempo has them. */
#include "tests/check.h"
#include "midi/score/beat_guess.h"
#include "tests/midi/random_change.h"

enum { BARS = 40 };

static void play(struct score *s, double seconds, double lasts, int pitch, int velocity,
                 uint64_t *r)
{
    double off = (random_below(r, 21) - 10) * 1e-3;
    score_put(s, 0, "=%.0f %d:%.0f@%d",
              timeline_tick(&s->timeline, fmax(seconds + off, 0)), pitch, lasts * 960,
              velocity);
}

/* A bass note at each bar, chords on the beats, a line of quavers with gaps; the
 * tempo wanders by a tenth. Returns the starts of the bars in seconds. */
static struct score *perform(int beats_in_bar, double beat, double bars[BARS],
                             uint64_t *r)
{
    struct score *s = score_of("480 | t:");
    double at = 0.4;
    for (int bar = 0; bar < BARS; bar++) {
        bars[bar] = at;
        for (int i = 0; i < beats_in_bar; i++) {
            double now = beat * (1 + 0.1 * sin(bar * 0.3 + i * 0.07));
            if (i == 0)
                play(s, at, 2 * now, 40, 90, r);
            play(s, at, now * 0.9, 60 + i, i ? 60 : 72, r);
            if (random_below(r, 3))
                play(s, at + now / 2, now / 2, 72 + random_below(r, 7), 60, r);
            at += now;
        }
    }
    return s;
}

static int n_found(const struct score *s, const double bars[BARS], const int64_t *lines,
                   size_t n)
{
    int found = 0;
    for (int bar = 0; bar < BARS; bar++) {
        bool is_near = false;
        for (size_t i = 0; i < n; i++)
            is_near |= fabs(timeline_seconds(&s->timeline, (double)lines[i]) -
                            bars[bar]) < 0.06;
        found += is_near;
    }
    return found;
}

static void check_beats(int beats_in_bar, double beat, uint64_t seed)
{
    double bars[BARS];
    uint64_t r = seed;
    auto_free int64_t *lines = NULL;
    size_t n = 0;
    auto_score *s = perform(beats_in_bar, beat, bars, &r);
    const struct beat_guess request = {.tracks = 1, .beats_in_bar = beats_in_bar};
    assert_ok(beat_guess_bars(s, &request, &lines, &n));
    int found = n_found(s, bars, lines, n);
    if (found < BARS * 9 / 10 || n > BARS + 2)
        fail_msg("%d of %d bars found by %zu lines", found, BARS, n);
}

TEST(test_bars_are_found)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        check_beats(4, 0.5, seed);
        check_beats(3, 0.55, seed);
        check_beats(4, 0.62, seed);
    }
}

TEST(a_bar_that_begins_with_a_rest_has_a_line)
{
    auto_score *s =
        score_of("480 | t: ([40 60]q 62 64 65)*6 rq 62q 64 65 ([40 60]q 62 64 65)*6");
    const struct beat_guess request = {.tracks = 1, .beats_in_bar = 4};
    auto_free int64_t *lines = NULL;
    size_t n = 0;
    assert_ok(beat_guess_bars(s, &request, &lines, &n));
    assert_int_equal(n, 13);
    assert_in_range(lines[6], 6 * 1920 - 48, 6 * 1920 + 48);
}

TEST(test_too_little_is_said)
{
    auto_score *s = score_of("480 | t:");
    const struct beat_guess request = {.tracks = 1, .beats_in_bar = 4};
    int64_t *lines = NULL;
    size_t n = 0;
    assert_int_equal(beat_guess_bars(s, &request, &lines, &n), MIDI_EMPTY);
    score_put(s, 0, "[60 61 62 63 64 65 66 67]:10");
    assert_int_equal(beat_guess_bars(s, &request, &lines, &n), MIDI_EMPTY);
    score_put(s, 0, "=1099511627776 [60 61 62 63 64 65 66 67]:10");
    assert_int_equal(beat_guess_bars(s, &request, &lines, &n), MIDI_TOO_LONG);
}
