/* The ports' thread, with the test's PortMidi (tests/midi/fake_portmidi.h): events
 * stay in order, however late their stamps; a flood does not stop the thread's other
 * work. */
#include "tests/check.h"
#include "midi/base/clock.h"
#include "midi/ports/ports.h"
#include "midi/transport/live.h"
#include "tests/midi/fake_portmidi.h"
#include "tests/midi/music.h"

/* A player without music, and a piano for it. */
static struct player *start_player(void)
{
    fake_reset();
    fake_plug(0, "Piano", true);
    struct player *p = open_player(&(struct player_config){.driver = "none"});
    player_set_score(p, score_of("480 | organ #16:"));
    return p;
}

static PmTimestamp stamp_now(void)
{
    return (PmTimestamp)(uint32_t)(uint64_t)clock_now_ms();
}

/* Bends in threes; the first of three, and the last before a pause, is stamped some
 * milliseconds late, as by a thread that had to wait. */
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

TEST(late_stamps_change_no_order)
{
    enum { N = 1500 };
    struct live_event e;
    double last_ms = 0, last_tick = -1e9;
    int n = 0;
    auto_player *p = start_player();
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
}

static bool comes_to(struct ports *ports, enum port_state wanted)
{
    struct port_status news;
    for (int i = 0; i < 1000; i++, sleep_ms(5)) {
        ports_status(ports, PORT_IN, &news);
        if (news.state == wanted)
            return true;
    }
    return false;
}

/* A device that never runs out of events is closed when another is chosen. */
TEST(a_flood_without_end_keeps_nothing_waiting)
{
    auto_player *p = start_player();
    struct ports *ports = ports_create(p, "piano", "none");
    assert_true(comes_to(ports, PORT_OPEN));
    fake_go_on_for_ever();
    fake_play(&(PmEvent){Pm_Message(0xe0, 0, 64), stamp_now()}, 1);
    sleep_ms(20);
    ports_choose(ports, PORT_IN, "none");
    assert_true(comes_to(ports, PORT_OFF));
    ports_destroy(ports);
}
