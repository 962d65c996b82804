/* Sound devices come and go: a JACK server with a dummy device is started, killed
 * during a note and started again while the player plays. The transport keeps time
 * throughout. Skipped without jackd; CONTINUO_DEVICE_ROUNDS=N kills it N times. */
#include "midi/base/clock.h"

#include "tests/check.h"
#include "tests/midi/jack_server.h"
#include "tests/midi/music.h"

static const double TICKS_A_MS = 0.96; /* at 120 a minute */

static int end_all(void **state)
{
    clear_server();
    return 0;
}

/* The playhead keeps real time, whatever sounds. */
struct pace {
    double ms, tick;
};

static void assert_pace(const struct player *p, const struct pace *from,
                        double within_ms)
{
    double ms = (player_tick(p) - from->tick) / TICKS_A_MS;
    double off = ms - (clock_now_ms() - from->ms);
    if (fabs(off) > within_ms)
        fail_msg("the playhead is %.0f ms off", off);
}

static void wait_for_sound(const struct player *p, bool wanted, int ms)
{
    double until = clock_now_ms() + ms;
    while (player_has_sound(p) != wanted && clock_now_ms() < until)
        sleep_ms(20);
    char status[128];
    if (player_has_sound(p) != wanted)
        fail_msg("after %d ms: %s", ms, player_status(p, status, sizeof status));
}

static struct player *start_player(void)
{
    struct player *p = player_create(&(struct player_config){
        .soundfont = getenv("CONTINUO_TEST_SOUNDFONT"), .driver = "jack"});
    assert_non_null(p);
    player_set_score(p, score_of("480 | organ #16: C4:4000q"));
    player_play(p, 0);
    return p;
}

TEST_IN(it_comes_back, NULL, end_all)
{
    const char *rounds = getenv("CONTINUO_DEVICE_ROUNDS");
    int n = rounds ? atoi(rounds) : 1;
    if (!has_jackd())
        skip();
    name_server();
    auto_player *p = start_player();
    sleep_ms(500);
    assert_false(player_has_sound(p));
    struct pace from = {clock_now_ms(), player_tick(p)};
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
}

/* The server stops and answers nobody, as one in a debugger or out of memory. */
TEST_IN(it_hangs, NULL, end_all)
{
    begin_server();
    struct player *p = start_player();
    wait_for_sound(p, true, 8000);
    struct pace from = {clock_now_ms(), player_tick(p)};
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
    double before = clock_now_ms();
    player_destroy(p); /* as when the program ends */
    assert_true(clock_now_ms() - before < 3000);
}

/* One that hangs when it is opened: the music goes on without it. */
TEST_IN(it_does_not_open, NULL, end_all)
{
    begin_server();
    kill(server_pid, SIGSTOP);
    auto_player *p = start_player();
    sleep_ms(1200);
    struct pace from = {clock_now_ms(), player_tick(p)};
    assert_false(player_has_sound(p));
    assert_false(player_is_opening(p)); /* shown for a short while only */
    assert_true(player_is_playing(p));
    sleep_ms(500);
    assert_pace(p, &from, 200);
    kill(server_pid, SIGCONT);
    wait_for_sound(p, true, 8000);
    sleep_ms(50);
    assert_pace(p, &from, 200);
}
