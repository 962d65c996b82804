/* The clock that an instrument is sent, on a PortMidi of the test's. CONTINUO_PLAY_SECONDS:
 * for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/instrument.h"

/* Even, but for what the machine does: their distances, less what the tempo says. */
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

static void clocks_are_sent(void **state)
{
    (void)state;
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
    assert_true(find_sent(begin, 0xfc, -1) > 0); /* it was closed while it played */
    assert_true(off.n >= 48 * seconds());
    spread_print("clocks", &off);
    assert_true(spread_at(&off, MOST) < 2);
}

static int position_of(int at)
{
    return data1_of(&fake_sent[at]) | data2_of(&fake_sent[at]) << 7;
}

/* In the middle, a little after a sixteenth: it is continued at the next one, with that
 * clock. A seek moves it, also while it stands. */
static void places_are_told(void **state)
{
    (void)state;
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
    /* The sixteenth that has that position is struck with it. */
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

/* Round a loop of three sixteenths: each turn tells where it goes on. */
static void a_loop_tells_its_turns(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_sent),
        cmocka_unit_test(places_are_told),
        cmocka_unit_test(a_loop_tells_its_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
