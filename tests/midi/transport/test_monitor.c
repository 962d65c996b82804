/* Live input as the player's thread handles it: switching monitoring off and on, keys that are held,
 * and floods. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "midi/transport/live.h"
#include "tests/midi/fake_sound.h"

enum { MOST_HEARD = 200, PEDAL = 64 };

static struct message heard[MOST_HEARD];
static int n_heard;

void sound_live(struct sound *s, const struct message *m)
{
    assert_true(n_heard < MOST_HEARD);
    heard[n_heard++] = *m;
}

static struct desk {
    struct bell wake;
    struct live *live;
    struct transport transport;
} desk;

static int sit_down(void **state)
{
    bell_init(&desk.wake);
    desk.live = live_create(&desk.wake);
    n_heard = 0;
    return desk.live ? 0 : -1;
}

static int get_up(void **state)
{
    live_destroy(desk.live);
    bell_fini(&desk.wake);
    return 0;
}

static void play(int status, int data1, int data2)
{
    const uint8_t m[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    assert_true(live_feed(desk.live, clock_now_ms(), m));
    live_pass(desk.live, NULL, &desk.transport);
}

static void monitor(bool is_on)
{
    live_set_monitor(desk.live, is_on);
    live_pass(desk.live, NULL, &desk.transport);
}

/* How often that was sent since message `from`. */
static int count(int from, int status, int data1, int data2)
{
    int n = 0;
    for (int i = from; i < n_heard; i++)
        n += heard[i].status == status && heard[i].data1 == data1 &&
             (data2 < 0 || heard[i].data2 == data2);
    return n;
}

/* Also if the key was struck before the route changed. */
TEST_IN(what_is_held_ends_with_monitoring, sit_down, get_up)
{
    struct channel_state piano = {.bend_high = 64, .bend_semitones = 2};
    play(0x90, 60, 100);
    live_set_route(desk.live, 0, 5, &piano);
    play(0x90, 64, 100);
    play(0xb5, PEDAL, 127);
    int before = n_heard;
    monitor(false);
    assert_int_equal(count(before, 0x80, 60, -1), 1);
    assert_int_equal(count(before, 0x85, 64, -1), 1);
    assert_true(count(before, 0xb5, PEDAL, 0) > 0);
}

/* A key goes up where it went down. */
TEST_IN(a_key_that_is_down_stays_on_its_route, sit_down, get_up)
{
    struct channel_state piano = {.bend_high = 64, .bend_semitones = 2};
    play(0x90, 60, 100);
    live_set_route(desk.live, 0, 5, &piano);
    play(0x80, 60, 64);
    assert_int_equal(count(0, 0x80, 60, -1), 1);
}

/* More than the thread handles in one pass, like midi/transport/player_thread.c: it is woken for the
 * rest, and nothing is lost. */
TEST_IN(a_flood_is_handled_in_parts, sit_down, get_up)
{
    enum { N_PLAYED = 8000 };
    int n = 0, n_passes = 0;
    monitor(false);
    live_listen(desk.live, true, false, -1);
    for (int i = 0; i < N_PLAYED; i++)
        assert_true(
            live_feed(desk.live, clock_now_ms(),
                      (uint8_t[]){0xe0, (uint8_t)(i & 127), (uint8_t)(i >> 7)}));
    for (; bell_wait(&desk.wake, &(struct timespec){0}); n_passes++) {
        live_pass(desk.live, NULL, &desk.transport);
        for (struct live_event e; live_take(desk.live, &e); n++)
            assert_int_equal(e.data1 | e.data2 << 7, n);
    }
    assert_int_equal(n, N_PLAYED);
    assert_true(n_passes >= 4);
}

TEST_IN(without_monitoring_nothing_is_sent, sit_down, get_up)
{
    monitor(false);
    int before = n_heard;
    play(0x90, 60, 100);
    play(0x80, 60, 64);
    play(0xb0, PEDAL, 127);
    assert_int_equal(n_heard, before);
    monitor(true);
    assert_int_equal(n_heard, before);
    play(0x90, 60, 100);
    assert_int_equal(n_heard, before + 1);
}
