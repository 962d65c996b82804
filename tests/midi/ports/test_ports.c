/* The thread that owns PortMidi, with a PortMidi of the test's (tests/midi/fake_portmidi.h):
 * what is played stays in order, however late it was stamped; however much it is, the
 * thread does the rest of its work. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/ports/ports.h"
#include "midi/transport/player.h"
#include "tests/midi/fake_portmidi.h"

#include <string.h>
#include <time.h>

static void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

static struct player *start_player(void)
{
    struct player *p = player_create(&(struct player_config){.driver = "none"});
    assert_non_null(p);
    struct score *s = score_create(480);
    assert_int_equal(score_add_track(s, "organ", 0, 16), 0);
    player_set_score(p, s);
    for (int i = 0; i < 300 && player_is_opening(p); i++)
        sleep_ms(10);
    return p;
}

static PmTimestamp stamp_now(void)
{
    return (PmTimestamp)(uint32_t)(uint64_t)live_now();
}

/* Bends in threes, of which each first is stamped up to some milliseconds late, as by a
 * thread that had to wait; and so is every last before a pause. */
static void play_late_stamps(int n)
{
    PmEvent events[3];
    for (int i = 0; i < n; i += 3) {
        for (int j = 0; j < 3; j++)
            events[j] = (PmEvent){Pm_Message(0xe0, (i + j) & 127, (i + j) >> 7),
                                  stamp_now() + (j == i % 2 * 2 ? i % 7 : 0)};
        fake_play(events, 3);
        if (i % 30 == 0)
            sleep_ms(2);
    }
}

static void late_stamps_change_no_order(void **state)
{
    (void)state;
    enum { N = 1500 };
    struct live_event e;
    double last_ms = 0, last_tick = -1e9;
    int n = 0;
    fake_reset();
    fake_plug(0, "Piano", true);
    struct player *p = start_player();
    struct ports *ports = ports_create(p, "piano", "none");
    live_listen(player_live(p), true, true, -1);
    player_play(p, 0);
    play_late_stamps(N);
    for (int i = 0; i < 1000 && n < N; i++, sleep_ms(2))
        while (n < N && live_take(player_live(p), &e)) {
            assert_int_equal(e.data1 | e.data2 << 7, n++);
            assert_true(e.ms >= last_ms);
            assert_true(e.tick >= last_tick);
            last_ms = e.ms;
            last_tick = e.tick;
        }
    assert_int_equal(n, N);
    assert_int_equal(live_n_lost(player_live(p)), 0);
    ports_destroy(ports);
    player_destroy(p);
}

static bool comes_to(struct ports *ports, enum port_state wanted)
{
    struct port_news news;
    for (int i = 0; i < 1000; i++, sleep_ms(5)) {
        ports_news(ports, PORT_IN, &news);
        if (news.state == wanted)
            return true;
    }
    return false;
}

/* A device that always has one more event is left when another is chosen. */
static void a_flood_without_end_keeps_nothing_waiting(void **state)
{
    (void)state;
    fake_reset();
    fake_plug(0, "Piano", true);
    struct player *p = start_player();
    struct ports *ports = ports_create(p, "piano", "none");
    assert_true(comes_to(ports, PORT_OPEN));
    fake_go_on_for_ever();
    fake_play(&(PmEvent){Pm_Message(0xe0, 0, 64), stamp_now()}, 1);
    sleep_ms(20);
    ports_choose(ports, PORT_IN, "none");
    assert_true(comes_to(ports, PORT_OFF));
    ports_destroy(ports);
    player_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_stamps_change_no_order),
        cmocka_unit_test(a_flood_without_end_keeps_nothing_waiting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
