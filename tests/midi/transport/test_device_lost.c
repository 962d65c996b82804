/* The sound comes and goes: a JACK server with a device of its own making is started, killed
 * in the middle of a note and started again, while the player plays. The transport keeps
 * time all along. Skipped where there is no jackd; CONTINUO_DEVICE_ROUNDS=N kills it N
 * times. */
#include "midi/transport/player.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/jack_server.h"

#include <math.h>

enum { QUARTER = 480 }; /* at 120: 0.96 ticks a millisecond */

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static void sleep_ms(int ms)
{
    server_sleep_ms(ms);
}

static int end_all(void **state)
{
    (void)state;
    clear_server();
    return 0;
}

/* Time as the playhead has it must be time as it is, whatever sounds. */
struct pace {
    double ms, tick;
};

static void assert_pace(const struct player *p, const struct pace *from,
                        double within_ms)
{
    double ms = (player_tick(p) - from->tick) / 0.96;
    double off = ms - (now_ms() - from->ms);
    if (fabs(off) > within_ms)
        fail_msg("the playhead is %.0f ms off", off);
}

static void wait_for_sound(const struct player *p, bool wanted, int ms)
{
    double until = now_ms() + ms;
    while (player_has_sound(p) != wanted && now_ms() < until)
        sleep_ms(20);
    char status[128];
    if (player_has_sound(p) != wanted)
        fail_msg("after %d ms: %s", ms, player_status(p, status, sizeof status));
}

static struct score *long_note(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "t", 0, 16), 0);
    struct note n = {.length = 4000 * QUARTER, .pitch = 60, .velocity = 90};
    assert_true(score_add_note(s, 0, n) != 0);
    return s;
}

static struct player *start_player(void)
{
    struct player *p = player_create(&(struct player_config){
        .soundfont = getenv("CONTINUO_TEST_SOUNDFONT"), .driver = "jack"});
    assert_non_null(p);
    player_set_score(p, long_note());
    player_play(p, 0);
    return p;
}

static void it_comes_back(void **state)
{
    (void)state;
    const char *rounds = getenv("CONTINUO_DEVICE_ROUNDS");
    int n = rounds ? atoi(rounds) : 1;
    if (!has_jackd())
        skip();
    name_server();
    struct player *p = start_player();
    sleep_ms(500);
    assert_false(player_has_sound(p));
    struct pace from = {now_ms(), player_tick(p)};
    for (int i = 0; i < n; i++) {
        start_server();
        wait_for_sound(p, true, 8000);
        sleep_ms(300);
        assert_pace(p, &from, 200);
        end_server(SIGKILL);
        wait_for_sound(p, false, 1000);
        sleep_ms(100);
        assert_true(player_is_playing(p));
        assert_pace(p, &from, 200);
    }
    start_server();
    wait_for_sound(p, true, 8000);
    assert_pace(p, &from, 200);
    player_stop(p);
    player_destroy(p);
}

/* The server stands still and answers nobody, as one in a debugger or out of memory. */
static void it_hangs(void **state)
{
    (void)state;
    begin_server();
    struct player *p = start_player();
    wait_for_sound(p, true, 8000);
    struct pace from = {now_ms(), player_tick(p)};
    kill(server_pid, SIGSTOP);
    wait_for_sound(p, false, 1000);
    for (int i = 0; i < 10; i++) {
        sleep_ms(50);
        assert_pace(p, &from, 200);
    }
    kill(server_pid, SIGCONT);
    wait_for_sound(p, true, 4000);
    sleep_ms(50);
    assert_pace(p, &from, 200);
    kill(server_pid, SIGSTOP);
    double before = now_ms();
    player_destroy(p); /* as when the program is left */
    assert_true(now_ms() - before < 3000);
}

/* One that hangs when it is asked for: the music goes on without. */
static void it_does_not_open(void **state)
{
    (void)state;
    begin_server();
    kill(server_pid, SIGSTOP);
    struct player *p = start_player();
    sleep_ms(1200);
    struct pace from = {now_ms(), player_tick(p)};
    assert_false(player_has_sound(p));
    assert_false(player_is_opening(p)); /* that is not said for long */
    assert_true(player_is_playing(p));
    sleep_ms(500);
    assert_pace(p, &from, 200);
    kill(server_pid, SIGCONT);
    wait_for_sound(p, true, 8000);
    sleep_ms(50);
    assert_pace(p, &from, 200);
    player_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(it_comes_back, end_all),
        cmocka_unit_test_teardown(it_hangs, end_all),
        cmocka_unit_test_teardown(it_does_not_open, end_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
