/* Following a clock: how far the line fitted to uneven clocks is from the true one;
 * and a whole player that goes by the clock of a keyboard. When its notes are sent:
 * tests/app/editor/perform/test_instrument.c. */
#include "tests/check.h"
#include "midi/transport/sync_follow.h"
#include "tests/midi/instrument.h"
#include "tests/midi/spread.h"

enum { MOST_CLOCKS = 20000 };

/* -- a clock -- */

/* Quarters a minute at clock i. */
typedef double tempo_of(int i);

static double steady(int i)
{
    return 120;
}

static double steps(int i)
{
    return i / 48 % 2 ? 126 : 120;
}

static double far_steps(int i)
{
    return i / 96 % 2 ? 150 : 100;
}

/* Over sixteen quarters, and back. */
static double ramps(int i)
{
    double x = (double)(i % 768) / 384;
    return x < 1 ? 120 - 30 * x : 90 + 30 * (x - 1);
}

/* The moments of n clocks from 0 on. */
static void make_clock(double *ms, int n, tempo_of *tempo)
{
    ms[0] = 0;
    for (int i = 1; i < n; i++)
        ms[i] = ms[i - 1] + 60e3 / 24 / tempo(i);
}

/* -- the line alone -- */

static unsigned random_state;

static double random_share(void)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (double)(random_state >> 8) / (1 << 24);
}

/* Clocks come stamped in milliseconds, and late by up to jitter_ms. */
static const struct {
    const char *name;
    tempo_of *tempo;
    double jitter_ms, most_ms; /* off, of 99 in 100 */
} LINES[] = {
    {"steady", steady, 0, 0.6},
    {"steady", steady, 2, 1.5},
    {"steps of 5 %", steps, 0, 2},
    {"steps of 5 %", steps, 2, 3},
    {"ramps", ramps, 0, 2},
    {"ramps", ramps, 2, 3},
    {"steps of 50 %", far_steps, 0, 12},
};

TEST(the_line_is_near)
{
    enum { N_CLOCKS = 4000 };
    static double ms[MOST_CLOCKS];
    for (size_t k = 0; k < sizeof LINES / sizeof *LINES; k++) {
        const double jitter_ms = LINES[k].jitter_ms;
        struct spread off = {.n = 0};
        struct sync_follow f = {0};
        random_state = 7;
        make_clock(ms, N_CLOCKS, LINES[k].tempo);
        sync_follow_feed(&f, &(struct sync_message){0, 0xfa, 0, 0}, 20);
        for (int i = 0; i < N_CLOCKS; i++) {
            double came = floor(ms[i] + jitter_ms * random_share()) + 0.5;
            sync_follow_feed(&f, &(struct sync_message){came, 0xf8, 0, 0}, 20);
            double at = ms[i] + 0.5 * jitter_ms; /* their mean delay */
            if (i >= 24)
                spread_add(&off, (sync_follow_position(&f, at) - i) * f.period_ms);
        }
        spread_print(LINES[k].name, &off);
        assert_true(spread_at(&off, 0.99) < LINES[k].most_ms);
    }
}

static enum sync_event feed(struct sync_follow *f, double ms, int status, int a, int b)
{
    return sync_follow_feed(
        f, &(struct sync_message){ms, (uint8_t)status, (uint8_t)a, (uint8_t)b}, 20);
}

TEST(starts_stops_and_places)
{
    struct sync_follow f = {0};
    assert_int_equal(feed(&f, 0, 0xf8, 0, 0), SYNC_NOTHING);
    assert_false(f.is_running);
    feed(&f, 20, 0xf8, 0, 0);
    assert_int_equal(feed(&f, 30, 0xfa, 0, 0), SYNC_NOTHING);
    assert_int_equal(feed(&f, 40, 0xf8, 0, 0), SYNC_STARTED);
    assert_float_equal(sync_follow_position(&f, 40), 0, 0.01);
    assert_float_equal(sync_follow_bpm(&f), 125, 0.1);
    for (int i = 1; i < 10; i++)
        assert_int_equal(feed(&f, 40 + 20 * i, 0xf8, 0, 0), SYNC_NOTHING);
    assert_float_equal(sync_follow_position(&f, 230), 9.5, 0.01);
    assert_int_equal(feed(&f, 225, 0xfc, 0, 0), SYNC_STOPPED);
    feed(&f, 230, 0xfb, 0, 0);
    assert_int_equal(feed(&f, 240, 0xf8, 0, 0), SYNC_STARTED);
    assert_float_equal(f.position, 10, 0); /* the next one */
    feed(&f, 245, 0xfc, 0, 0);
    assert_int_equal(feed(&f, 250, 0xf2, 1, 1), SYNC_MOVED);
    feed(&f, 255, 0xfb, 0, 0);
    assert_int_equal(feed(&f, 260, 0xf8, 0, 0), SYNC_STARTED);
    assert_float_equal(f.position, 6 * 129, 0);
    /* While running, it goes on there. */
    assert_int_equal(feed(&f, 270, 0xf2, 2, 0), SYNC_NOTHING);
    assert_int_equal(feed(&f, 280, 0xf8, 0, 0), SYNC_STARTED);
    assert_float_equal(f.position, 12, 0);
    assert_true(sync_follow_is_alive(&f, 700));
    assert_false(sync_follow_is_alive(&f, 781));
}

/* Two clocks that never came are counted; a clock of half the speed misses none. */
TEST(missed_clocks_are_counted)
{
    struct sync_follow f = {0};
    feed(&f, 0, 0xfa, 0, 0);
    for (int i = 0; i < 100; i++)
        if (i != 40 && i != 41)
            feed(&f, 20 * i, 0xf8, 0, 0);
    assert_float_equal(f.position, 99, 0);
    assert_float_equal(sync_follow_position(&f, 20 * 99), 99, 0.05);
    for (int i = 1; i <= 30; i++)
        feed(&f, 20 * 99 + 40 * i, 0xf8, 0, 0);
    assert_float_equal(f.position, 129, 0);
    assert_float_equal(f.period_ms, 40, 0.1);
}

/* Three clocks that a busy machine delivers late, right after each other, are those
 * that were due. */
TEST(late_clocks_are_counted_once)
{
    struct sync_follow f = {0};
    feed(&f, 0, 0xfa, 0, 0);
    for (int i = 0; i < 100; i++)
        feed(&f, i == 40 || i == 41 ? 20 * 42 - 1 : 20 * i, 0xf8, 0, 0);
    assert_float_equal(f.position, 99, 0);
    assert_float_equal(sync_follow_position(&f, 20 * 99), 99, 0.05);
    assert_float_equal(f.period_ms, 20, 0.1);
}

/* -- whole -- */

static void play(int status, int data1, int data2)
{
    fake_play(&(PmEvent){Pm_Message(status, data1, data2),
                         (PmTimestamp)(uint32_t)(uint64_t)clock_now_ms()},
              1);
}

/* Plays clocks when they are due; the first at start_ms. */
static void play_clock(const double *ms, int n, double start_ms)
{
    for (int i = 0; i < n; i++) {
        pass_ms(start_ms + ms[i] - clock_now_ms());
        play(0xf8, 0, 0);
    }
}

/* A piece of a sixteenth for each six of n clocks, and some more, which goes by them. */
static void start_following(double *ms, int n, tempo_of *tempo)
{
    /* The tempos are not heard: the clock decides. */
    struct score *s = score_of("480 77bpm 208bpm=1q | organ ch2 #16:");
    for (int i = 0; i < n / 6 + 56; i++)
        add(s, 0, i * QUARTER / 4, QUARTER / 8, 36 + i % 60);
    make_clock(ms, n, tempo);
    start(s);
    sync_set_mode(player_sync(player), SYNC_FOLLOW);
}

/* Half a second without clocks stops it. The same clock may go on where it was. */
TEST(a_clock_may_be_lost)
{
    double ms[48];
    start_following(ms, 48, steady);
    play(0xfa, 0, 0);
    play_clock(ms, 48, clock_now_ms() + 20);
    assert_true(player_is_playing(player));
    pass_ms(300);
    assert_true(player_is_playing(player));
    pass_ms(400);
    assert_false(player_is_playing(player));
    struct sync_status news = sync_status(player_sync(player));
    assert_int_equal(news.n_lost, 1);
    assert_int_equal(news.state, SYNC_SILENT);
    assert_nothing_hangs();
    int before = fake_count_sent();
    play(0xfb, 0, 0);
    play_clock(ms, 24, clock_now_ms() + 20);
    assert_true(find_sent(before, 0x92, 36 + 8) >= 0); /* the ninth sixteenth */
    assert_int_equal(find_sent(before, 0x92, 36 + 7), -1);
    finish();
}

/* Play while an unstarted clock ticks: at its tempo, from there. */
TEST(one_may_begin_by_hand)
{
    double ms[48];
    start_following(ms, 48, steady);
    play_clock(ms, 12, clock_now_ms() + 20);
    player_play(player, 2 * QUARTER);
    play_clock(ms, 24, clock_now_ms() + 500.0 / 24);
    assert_true(player_is_playing(player));
    assert_true(find_sent(0, 0x92, 36 + 8) >= 0);
    assert_float_equal(player_tick(player), 3 * QUARTER, QUARTER / 4);
    player_stop(player);
    pass_ms(50);
    assert_false(player_is_playing(player));
    sync_set_mode(player_sync(player), SYNC_OFF);
    pass_ms(50);
    player_play(player, 0);
    pass_ms(50);
    assert_true(player_is_playing(player)); /* by its own tempo */
    finish();
    assert_nothing_hangs();
}
