/* Tempo and meter maps. */
#include "tests/check.h"
#include "tests/midi/random_piece.h"

static struct timeline make(const struct tempo *tempos, size_t n_tempos,
                            const struct meter *meters, size_t n_meters)
{
    struct timeline t;
    assert_ok(timeline_init(&t, 480, tempos, n_tempos, meters, n_meters));
    return t;
}

static void assert_bar(struct bar b, int64_t index, int64_t start, int64_t length)
{
    assert_int_equal(b.index, index);
    assert_int_equal(b.start, start);
    assert_int_equal(b.length, length);
}

TEST(defaults_to_120_and_common_time)
{
    auto_timeline t = make(NULL, 0, NULL, 0);
    assert_float_equal(timeline_seconds(&t, 960), 1.0, 1e-12);
    assert_float_equal(timeline_bpm(&t, 5), 120, 1e-12);
    assert_bar(timeline_bar_at(&t, 1920), 1, 1920, 1920);
    assert_bar(timeline_bar_at(&t, -5), 0, 0, 1920);
    assert_bar(timeline_bar(&t, 1000), 1000, 1920000, 1920);
    assert_int_equal(timeline_beat_ticks(&t, 0), 480);
}

TEST(changes_tempo_where_told)
{
    const struct tempo tempos[] = {
        {.tick = 960, .us_per_quarter = 1e6}, /* in any order */
        {.tick = 480, .us_per_quarter = 250000},
        {.tick = 960, .us_per_quarter = 2e6}, /* the last at a tick wins */
        {.tick = 100, .us_per_quarter = 0},
        {.tick = 100, .us_per_quarter = NAN},
        {.tick = -1, .us_per_quarter = 1},
    };
    auto_timeline t = make(tempos, 6, NULL, 0);
    assert_int_equal(t.n_tempos, 3);
    assert_float_equal(timeline_seconds(&t, 480), 0.5, 1e-12);
    assert_float_equal(timeline_seconds(&t, 960), 0.75, 1e-12);
    assert_float_equal(timeline_seconds(&t, 1440), 2.75, 1e-12);
    assert_float_equal(timeline_bpm(&t, 960), 30, 1e-12);
    assert_float_equal(timeline_bpm(&t, 959), 240, 1e-12);
}

TEST(seconds_and_ticks_are_inverses)
{
    uint64_t r = 5;
    struct tempo tempos[40];
    for (int i = 0; i < 40; i++)
        tempos[i] = (struct tempo){.tick = random_below(&r, 50000),
                                   .us_per_quarter = 1 + random_below(&r, 2000000)};
    auto_timeline t = make(tempos, 40, NULL, 0);
    for (int i = 0; i < 2000; i++) {
        double tick = random_below(&r, 100000) / 2.0;
        assert_float_equal(timeline_tick(&t, timeline_seconds(&t, tick)), tick, 1e-5);
    }
}

TEST(a_change_in_mid_bar_starts_a_bar)
{
    const struct meter meters[] = {
        {.tick = 2000, .numerator = 3, .denominator = 8},
        {.tick = 2000, .numerator = 6, .denominator = 8},
        {.tick = 500, .numerator = 3, .denominator = 5}, /* not a meter */
        {.tick = 500, .numerator = 0, .denominator = 4},
    };
    auto_timeline t = make(NULL, 0, meters, 4);
    assert_bar(timeline_bar_at(&t, 1999), 1, 1920, 80);
    assert_bar(timeline_bar_at(&t, 2000), 2, 2000, 1440);
    assert_bar(timeline_bar(&t, 1), 1, 1920, 80);
    assert_bar(timeline_bar(&t, 3), 3, 3440, 1440);
    assert_int_equal(timeline_bar_at(&t, 2000).numerator, 6);
    assert_int_equal(timeline_beat_ticks(&t, 2000), 240);
}

TEST(bars_follow_without_a_gap)
{
    uint64_t r = 6;
    struct meter meters[30];
    for (int i = 0; i < 30; i++)
        meters[i] = (struct meter){.tick = random_below(&r, 40000),
                                   .numerator = 1 + random_below(&r, 12),
                                   .denominator = 1 << random_below(&r, 6)};
    auto_timeline t = make(NULL, 0, meters, 30);
    int64_t end = 0;
    for (int64_t i = 0; end < 60000; i++) {
        struct bar b = timeline_bar(&t, i);
        assert_bar(b, i, end, b.length);
        assert_bar(timeline_bar_at(&t, b.start), i, end, b.length);
        assert_bar(timeline_bar_at(&t, b.start + b.length - 1), i, end, b.length);
        end = b.start + b.length;
    }
}

TEST(survives_extremes)
{
    const struct meter meters[] = {
        {.tick = 0, .numerator = 1, .denominator = 128},
        {.tick = (int64_t)1 << 60, .numerator = 255, .denominator = 1},
    };
    struct timeline t;
    assert_ok(timeline_init(&t, 1, NULL, 0, meters, 2));
    assert_int_equal(t.meters[0].bar_ticks, 1);
    assert_true(timeline_bar(&t, INT64_MAX).start > 0);
    assert_true(timeline_bar_at(&t, INT64_MAX).length > 0);
    auto_timeline copy;
    assert_ok(timeline_copy(&copy, &t));
    timeline_fini(&t);
    assert_int_equal(copy.n_meters, 2);
}
