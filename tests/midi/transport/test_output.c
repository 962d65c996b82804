/* An external instrument, on the test's PortMidi: it gets what the score says, and nothing
 * hangs. That it does so in time: tests/app/editor/perform/test_instrument.c. */
#include "tests/check.h"
#include "tests/midi/instrument.h"

/* Many times while notes are about to be sent. */
TEST(what_is_taken_back_is_sent_once)
{
    start(make_run(1));
    player_play(player, 0);
    for (int i = 0; i < 80; i++, pass_ms(11))
        player_set_score(player, make_run(1));
    pass_ms(400);
    finish();
    assert_int_equal(count_sent(0, 0x92), 8);
    assert_int_equal(count_sent(0, 0x82), 8);
}

TEST(a_stop_ends_everything)
{
    struct score *s = score_of("480 | organ ch2 #16: [60 64]:100q");
    add_message(s, s->tracks[0].chunk, 10, 0xb2, 64, 127);
    start(s);
    for (int i = 0; i < 5; i++) {
        player_play(player, 0);
        pass_ms(60 + 17 * i);
        int before = fake_count_sent();
        if (i % 2)
            player_stop(player);
        else
            player_panic(player);
        pass_ms(60);
        assert_nothing_hangs();
        assert_true(find_sent(before, 0xb2, 123) >= 0);
    }
    player_play(player, 0);
    pass_ms(100);
    finish(); /* while it sounds */
    assert_nothing_hangs();
}

/* Programs, controllers and the pedal get the state of that place, and are not sent
 * again once they have it. */
TEST(a_seek_brings_the_state)
{
    struct score *s = score_of("480 | organ ch2 #16: C4:8q");
    add_message(s, s->tracks[0].chunk, QUARTER, 0xb2, 7, 33);
    add_message(s, s->tracks[0].chunk, QUARTER, 0xb2, 64, 127);
    start(s);
    int at = find_sent(0, 0xc2, 16);
    for (int i = 0; i < 100 && at < 0; i++, at = find_sent(0, 0xc2, 16))
        pass_ms(10);
    assert_true(at >= 0); /* of its track, before anything plays */
    player_play(player, 4 * QUARTER);
    pass_ms(100);
    at = find_sent(0, 0xb2, 7);
    while (find_sent(at + 1, 0xb2, 7) >= 0)
        at = find_sent(at + 1, 0xb2, 7);
    assert_int_equal(data2_of(&fake_sent[at]), 33);
    int pedal = find_sent(at, 0xb2, 64);
    assert_true(pedal >= 0 && data2_of(&fake_sent[pedal]) == 127);
    player_stop(player);
    pass_ms(50);
    int before = fake_count_sent();
    player_play(player, 4 * QUARTER);
    pass_ms(50);
    assert_int_equal(find_sent(before, 0xb2, 7), -1);
    assert_int_equal(find_sent(before, 0xc2, -1), -1);
    assert_true(find_sent(before, 0xb2, 64) >= 0);
    assert_true(fake_count_sent() - before < 4);
    /* No other channel gets a message. */
    for (int i = 0; i < fake_count_sent(); i++)
        assert_int_equal(status_of(&fake_sent[i]) & 15, 2);
    finish();
}

TEST(it_may_be_pulled_out)
{
    start(score_of("480 | organ ch2 #16: (C4:60 r)*40"));
    player_play(player, 0);
    pass_ms(300);
    fake_unplug(1);
    wait_for(PORT_OUT, PORT_LOST);
    int before = fake_count_sent();
    assert_true(player_is_playing(player));
    fake_replug(1);
    ports_choose(ports, PORT_OUT, "organ"); /* now, not at the next look */
    wait_for(PORT_OUT, PORT_OPEN);
    pass_ms(400);
    assert_true(find_sent(before, 0xc2, 16) >= 0);
    assert_true(find_sent(before, 0x92, 60) >= 0);
    ports_choose(ports, PORT_OUT, "none");
    wait_for(PORT_OUT, PORT_OFF);
    assert_nothing_hangs();
    before = fake_count_sent();
    pass_ms(200);
    assert_int_equal(fake_count_sent(), before);
    finish();
}

TEST(clicks_are_sent_when_asked_for)
{
    start(make_run(1));
    player_set_metronome(player, true);
    player_play(player, 0);
    pass_ms(200);
    assert_int_equal(find_sent(0, 0x99, -1), -1);
    output_set_clicks(player_output(player), true);
    pass_ms(600);
    finish();
    assert_true(count_sent(0, 0x99) >= 1);
    assert_nothing_hangs();
}

/* -- the clock that it gets; that it is even: test_instrument.c -- */

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
