/* Live input while the transport runs: the ticks it gets, where it is heard, and
 * that a flood loses nothing. */
#include "tests/check.h"
#include "midi/transport/live.h"
#include "tests/midi/transport/playing.h"

enum { FINE_QUARTER = 9600 }; /* at 120 a minute 19.2 ticks are a millisecond */
static const double TICKS_A_MS = FINE_QUARTER / 500.0;

static struct player *start(const char *driver)
{
    struct player *p = start_player(driver);
    struct score *s = score_create(FINE_QUARTER);
    assert_int_equal(score_add_track(s, "organ", 0, 16), 0);
    player_set_score(p, s);
    return p;
}

static void feed(struct player *p, double ms, int status, int data1, int data2)
{
    const uint8_t m[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    assert_true(live_feed(player_live(p), ms, m));
}

static struct live_event take(struct player *p)
{
    struct live_event e;
    for (int i = 0; i < 500; i++, sleep_ms(2))
        if (live_take(player_live(p), &e))
            return e;
    fail_msg("nothing came");
    return (struct live_event){0};
}

TEST(events_have_the_ticks_of_their_moments)
{
    auto_player *p = start("none");
    live_listen(player_live(p), true, true, -1);
    feed(p, clock_now_ms(), 0x90, 60, 100);
    assert_false(take(p).has_tick);
    player_play(p, FINE_QUARTER);
    sleep_ms(100);
    double now = clock_now_ms(), at = player_tick(p);
    feed(p, now, 0x90, 60, 100);
    feed(p, now - 50, 0x80, 60, 64);
    live_set_latency(player_live(p), 0);
    struct live_event on = take(p), off = take(p);
    assert_true(on.has_tick && off.has_tick);
    assert_int_equal(on.status, 0x90);
    assert_float_equal(on.tick - off.tick, 50 * TICKS_A_MS, 0.01);
    /* The ui's playhead is a few milliseconds old. */
    assert_true(on.tick > at - TICKS_A_MS && on.tick < at + 60 * TICKS_A_MS);
    live_set_latency(player_live(p), 12);
    feed(p, now, 0x90, 60, 100);
    assert_float_equal(on.tick - take(p).tick, 12 * TICKS_A_MS, 0.01);
}

/* Past the end of the piece, which has no note. */
TEST(recording_does_not_end_with_the_piece)
{
    auto_player *p = start("none");
    live_listen(player_live(p), true, true, -1);
    player_play(p, 4 * FINE_QUARTER - 1000); /* 52 ms before the bar ends */
    sleep_ms(250);
    assert_true(player_is_playing(p));
    assert_true(player_tick(p) > 4 * FINE_QUARTER);
    live_listen(player_live(p), false, false, -1);
    sleep_ms(60);
    assert_false(player_is_playing(p));
}

/* With FluidSynth's file driver and nothing playing: heard when struck, silent when
 * released, also by a key released after the route changed. */
TEST(it_is_heard_at_once)
{
    struct channel_state organ = {.program = 16, .bend_high = 64, .bend_semitones = 2};
    struct player *p = start("file");
    double start_ms = clock_now_ms();
    live_set_route(player_live(p), 0, 0, &organ);
    sleep_ms(300);
    feed(p, clock_now_ms(), 0x90, 60, 110);
    live_set_route(player_live(p), 0, 5, &organ);
    sleep_ms(300);
    feed(p, clock_now_ms(), 0x80, 60, 64);
    sleep_ms(900);
    double took = clock_now_ms() - start_ms;
    auto_recording r = finish(p);
    double end = (double)r.n / r.rate, from = end - took / 1000;
    assert_true(listen_energy(&r, from + 0.4, from + 0.55) > 1e-6);
    assert_true(listen_energy(&r, from, from + 0.2) < 1e-8);
    assert_true(listen_energy(&r, end - 0.2, end) <
                1e-3 * listen_energy(&r, from + 0.4, from + 0.55));
}

GROUP(make_name, NULL)
