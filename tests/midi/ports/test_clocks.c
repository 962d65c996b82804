/* The clock sent to an instrument, on the test's PortMidi. That it is even:
 * tests/app/editor/perform/test_instrument.c. */
#include "tests/check.h"
#include "tests/midi/instrument.h"

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
    pass_ms(200);
    player_stop(player);
    pass_ms(50);
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
    pass_ms(50);
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
    pass_ms(860);
    finish(); /* while it plays */
    assert_true(find_sent(0, 0xfc, -1) > 0);
    assert_int_equal(count_sent(0, 0xfb), 3);
    assert_int_equal(count_sent(0, 0xf2), 3);
    for (int at = find_sent(0, 0xfb, -1); at >= 0; at = find_sent(at + 1, 0xfb, -1))
        assert_int_equal(status_of(&fake_sent[at + 1]), 0xf8);
    assert_nothing_hangs();
}
