/* The clock sent to an instrument, on the test's PortMidi, for
 * CONTINUO_PLAY_SECONDS. */
#include "tests/check.h"
#include "tests/midi/instrument.h"

/* Clocks are even, apart from the machine's load: distances minus the tempo's. */
static void measure_clocks(struct spread *off, int from, double period_ms)
{
    int at = find_sent(from, 0xf8, -1), i = 0;
    double first = fake_sent[at].ms, sum = 0;
    off->n = 0;
    for (; at >= 0; at = find_sent(at + 1, 0xf8, -1), i++) {
        off->x[off->n++] = fake_sent[at].ms - first - i * period_ms;
        sum += off->x[i];
    }
    for (int j = 0; j < off->n; j++)
        off->x[j] = fabs(off->x[j] - sum / off->n);
}

TEST(clocks_are_sent)
{
    static struct spread off;
    for (int i = 0; i < AGAIN; i++) {
        start(make_run(seconds()));
        sync_set_mode(player_sync(player), SYNC_SEND);
        player_play(player, 0);
        sleep_ms(seconds() * 1000 + 200);
        finish();
        measure_clocks(&off, 0, 500.0 / 24);
        if (spread_at(&off, MOST) < 2)
            break;
    }
    int begin = find_sent(0, 0xfa, -1), first = find_sent(0, 0xf8, -1);
    assert_int_equal(first, begin + 1);
    assert_int_equal(find_sent(0, 0xf2, -1), -1);
    assert_int_equal(status_of(&fake_sent[find_sent(begin, 0x92, -1)]), 0x92);
    assert_true(find_sent(0, 0x92, -1) > first);
    assert_true(find_sent(begin, 0xfc, -1) > 0); /* closed while playing */
    assert_true(off.n >= 48 * seconds());
    spread_print("clocks", &off);
    assert_true(spread_at(&off, MOST) < 2);
}

static int position_of(int at)
{
    return data1_of(&fake_sent[at]) | data2_of(&fake_sent[at]) << 7;
}

/* In the middle, a little after a sixteenth: it continues at the next one, with that
 * clock. A seek moves it, also while stopped. */
TEST(places_are_told)
{
    start(make_run(4));
    sync_set_mode(player_sync(player), SYNC_SEND);
    player_play(player, 2 * QUARTER + 30);
    sleep_ms(200);
    player_stop(player);
    sleep_ms(50);
    int place = find_sent(0, 0xf2, -1), go = find_sent(0, 0xfb, -1);
    assert_true(place >= 0 && go > place);
    assert_int_equal(position_of(place), 9);
    assert_int_equal(status_of(&fake_sent[go + 1]), 0xf8);
    /* The sixteenth at that position is struck with it. */
    int struck = find_sent(0, 0x92, 36 + 9);
    assert_true(fabs(fake_sent[struck].ms - fake_sent[go].ms) < 2);
    int stop = find_sent(go, 0xfc, -1);
    assert_true(stop > go);
    assert_int_equal(find_sent(stop, 0xf8, -1), -1);
    player_seek(player, QUARTER);
    sleep_ms(50);
    place = find_sent(stop, 0xf2, -1);
    assert_true(place > stop);
    assert_int_equal(position_of(place), 4);
    finish();
}

/* Around a loop of three sixteenths: each turn sends its position. */
TEST(a_loop_tells_its_turns)
{
    start(make_run(4));
    sync_set_mode(player_sync(player), SYNC_SEND);
    player_set_loop(player, QUARTER, QUARTER + 3 * QUARTER / 4);
    player_play(player, QUARTER);
    sleep_ms(860);
    player_stop(player);
    sleep_ms(50);
    assert_int_equal(count_sent(0, 0xfb), 3);
    assert_int_equal(count_sent(0, 0xf2), 3);
    for (int at = find_sent(0, 0xfb, -1); at >= 0; at = find_sent(at + 1, 0xfb, -1))
        assert_int_equal(status_of(&fake_sent[at + 1]), 0xf8);
    finish();
    assert_nothing_hangs();
}
