/* An external instrument, on a PortMidi of the test's: it is sent what the score says, when
 * it says it, and nothing hangs. Times are of the machine, so what is late on a busy one is
 * played again, twice. CONTINUO_PLAY_SECONDS: for how long. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/instrument.h"

enum { AGAIN = 3 };

static int seconds(void)
{
    const char *text = getenv("CONTINUO_PLAY_SECONDS");
    return text ? atoi(text) : 1;
}

/* Sixteenths at 120 a minute, so many seconds of them. */
static struct score *make_run(int n_seconds)
{
    struct score *s = make_score();
    for (int i = 0; i < 8 * n_seconds; i++)
        add(s, i * QUARTER / 4, QUARTER / 8, 36 + i % 60);
    return s;
}

/* How far the strikes are from where they belong, in milliseconds. */
static void measure_run(struct spread *late, int n)
{
    int at = find_sent(0, 0x92, -1);
    double first = fake_sent[at].ms, sum = 0;
    late->n = 0;
    for (int i = 0; i < n; i++) {
        int found = find_sent(at, 0x92, -1);
        assert_true(found >= 0);
        assert_int_equal(data1_of(&fake_sent[found]), 36 + i % 60); /* in order */
        late->x[late->n++] = fake_sent[found].ms - first - i * 125.0;
        sum += late->x[i];
        at = found + 1;
    }
    assert_int_equal(find_sent(at, 0x92, -1), -1);
    for (int i = 0; i < n; i++) /* only the transport knows when it began */
        late->x[i] = fabs(late->x[i] - sum / n);
}

static void notes_are_in_time(void **state)
{
    (void)state;
    static struct spread late;
    int n = 8 * seconds();
    for (int i = 0; i < AGAIN; i++) {
        start(make_run(seconds()));
        player_play(player, 0);
        sleep_ms(seconds() * 1000 + 300);
        finish();
        measure_run(&late, n);
        assert_nothing_hangs();
        if (spread_at(&late, 0.99) < 2)
            break;
    }
    print_message("%d notes: off by %.2f ms (half of them), %.2f ms (99 in 100), %.2f ms "
                  "(all)\n",
                  n, spread_at(&late, 0.5), spread_at(&late, 0.99), spread_at(&late, 1));
    assert_true(spread_at(&late, 0.99) < 2);
}

/* A note is taken out 150 ms before it is due, and another put in; the one that sounds
 * meanwhile goes on. */
static void edits_are_followed(void **state)
{
    (void)state;
    struct score *s = make_score(), *edited = make_score();
    add(s, 0, 2 * QUARTER, 50);
    add(s, QUARTER / 2, 100, 60);
    add(edited, QUARTER / 2, 100, 61);
    add(edited, 0, 2 * QUARTER, 50);
    start(s);
    player_play(player, 0);
    sleep_ms(100);
    player_set_score(player, edited);
    sleep_ms(500);
    assert_int_equal(find_sent(0, 0x92, 60), -1);
    assert_true(find_sent(0, 0x92, 61) >= 0);
    player_stop(player);
    sleep_ms(50);
    assert_nothing_hangs();
    finish();
}

/* Many times while notes are about to be sent. */
static void what_is_taken_back_is_sent_once(void **state)
{
    (void)state;
    start(make_run(1));
    player_play(player, 0);
    for (int i = 0; i < 80; i++, sleep_ms(11))
        player_set_score(player, make_run(1));
    sleep_ms(400);
    finish();
    assert_int_equal(count_sent(0, 0x92), 8);
    assert_int_equal(count_sent(0, 0x82), 8);
}

static void a_stop_ends_everything(void **state)
{
    (void)state;
    struct score *s = make_score();
    add(s, 0, 100 * QUARTER, 60);
    add(s, 0, 100 * QUARTER, 64);
    add_controller(s, 10, 64, 127);
    start(s);
    for (int i = 0; i < 5; i++) {
        player_play(player, 0);
        sleep_ms(60 + 17 * i);
        int before = fake_count_sent();
        if (i % 2)
            player_stop(player);
        else
            player_panic(player);
        sleep_ms(60);
        assert_nothing_hangs();
        assert_true(find_sent(before, 0xb2, 123) >= 0);
    }
    player_play(player, 0);
    sleep_ms(100);
    finish(); /* while it sounds */
    assert_nothing_hangs();
}

/* Programs, controllers and the pedal are what they are at that place; and once they are
 * there, they are not sent again. */
static void a_seek_brings_the_state(void **state)
{
    (void)state;
    struct score *s = make_score();
    add(s, 0, 8 * QUARTER, 60);
    add_controller(s, QUARTER, 7, 33);
    add_controller(s, QUARTER, 64, 127);
    start(s);
    int at = find_sent(0, 0xc2, 16);
    assert_true(at >= 0); /* of its track, before anything plays */
    player_play(player, 4 * QUARTER);
    sleep_ms(100);
    at = find_sent(0, 0xb2, 7);
    while (find_sent(at + 1, 0xb2, 7) >= 0)
        at = find_sent(at + 1, 0xb2, 7);
    assert_int_equal(data2_of(&fake_sent[at]), 33);
    int pedal = find_sent(at, 0xb2, 64);
    assert_true(pedal >= 0 && data2_of(&fake_sent[pedal]) == 127);
    player_stop(player);
    sleep_ms(50);
    int before = fake_count_sent();
    player_play(player, 4 * QUARTER);
    sleep_ms(50);
    assert_int_equal(find_sent(before, 0xb2, 7), -1);
    assert_int_equal(find_sent(before, 0xc2, -1), -1);
    assert_true(find_sent(before, 0xb2, 64) >= 0);
    assert_true(fake_count_sent() - before < 4);
    /* No other channel is spoken to. */
    for (int i = 0; i < fake_count_sent(); i++)
        assert_int_equal(status_of(&fake_sent[i]) & 15, 2);
    finish();
}

static void it_may_be_pulled_out(void **state)
{
    (void)state;
    struct score *s = make_score();
    for (int i = 0; i < 40; i++)
        add(s, i * QUARTER / 4, QUARTER / 8, 60);
    start(s);
    player_play(player, 0);
    sleep_ms(300);
    fake_unplug(1);
    wait_for(PORT_OUT, PORT_LOST);
    int before = fake_count_sent();
    assert_true(player_is_playing(player));
    fake_plug(1, "Organ", false);
    ports_choose(ports, PORT_OUT, "organ"); /* now, and not when it is looked for */
    wait_for(PORT_OUT, PORT_OPEN);
    sleep_ms(400);
    assert_true(find_sent(before, 0xc2, 16) >= 0);
    assert_true(find_sent(before, 0x92, 60) >= 0);
    ports_choose(ports, PORT_OUT, "none");
    wait_for(PORT_OUT, PORT_OFF);
    assert_nothing_hangs();
    before = fake_count_sent();
    sleep_ms(200);
    assert_int_equal(fake_count_sent(), before);
    finish();
}

static void clicks_are_sent_when_asked_for(void **state)
{
    (void)state;
    start(make_run(1));
    player_set_metronome(player, true);
    player_play(player, 0);
    sleep_ms(200);
    assert_int_equal(find_sent(0, 0x99, -1), -1);
    output_set_clicks(player_output(player), true);
    sleep_ms(1100);
    finish();
    assert_true(count_sent(0, 0x99) >= 1);
    assert_nothing_hangs();
}

/* -- clocks -- */

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
        if (spread_at(&off, 0.99) < 2)
            break;
    }
    int begin = find_sent(0, 0xfa, -1), first = find_sent(0, 0xf8, -1);
    assert_int_equal(first, begin + 1);
    assert_int_equal(find_sent(0, 0xf2, -1), -1);
    assert_int_equal(status_of(&fake_sent[find_sent(begin, 0x92, -1)]), 0x92);
    assert_true(find_sent(0, 0x92, -1) > first);
    assert_true(find_sent(begin, 0xfc, -1) > 0); /* it was closed while it played */
    assert_true(off.n >= 48 * seconds());
    print_message("%d clocks: off by %.2f ms (half of them), %.2f ms (99 in 100)\n",
                  off.n, spread_at(&off, 0.5), spread_at(&off, 0.99));
    assert_true(spread_at(&off, 0.99) < 2);
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
    sleep_ms(1250);
    player_stop(player);
    sleep_ms(50);
    assert_int_equal(count_sent(0, 0xfb), 4);
    assert_int_equal(count_sent(0, 0xf2), 4);
    for (int at = find_sent(0, 0xfb, -1); at >= 0; at = find_sent(at + 1, 0xfb, -1))
        assert_int_equal(status_of(&fake_sent[at + 1]), 0xf8);
    finish();
    assert_nothing_hangs();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_in_time),
        cmocka_unit_test(edits_are_followed),
        cmocka_unit_test(what_is_taken_back_is_sent_once),
        cmocka_unit_test(a_stop_ends_everything),
        cmocka_unit_test(a_seek_brings_the_state),
        cmocka_unit_test(it_may_be_pulled_out),
        cmocka_unit_test(clicks_are_sent_when_asked_for),
        cmocka_unit_test(clocks_are_sent),
        cmocka_unit_test(places_are_told),
        cmocka_unit_test(a_loop_tells_its_turns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
