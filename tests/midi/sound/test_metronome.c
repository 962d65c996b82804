/* The metronome: where its clicks are, and when a transport sends them, with a sound of
 * the test's (tests/midi/fake_sound.h). */
#include "midi/transport/transport.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/fake_sound.h"

#include <stdlib.h>

enum { QUARTER = 480 };

/* 4/4, 6/8 from the third bar on, which is cut after a beat and a half; then 3/4. */
static struct score *make_score(double bpm)
{
    static const struct meter meters[] = {
        {.tick = 0, .numerator = 4, .denominator = 4},
        {.tick = 8 * QUARTER, .numerator = 6, .denominator = 8},
        {.tick = 8 * QUARTER + 3 * QUARTER + 360, .numerator = 3, .denominator = 4}};
    const struct tempo tempo = {.us_per_quarter = 60e6 / bpm};
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "t", 0, 0), 0);
    timeline_fini(&s->timeline);
    assert_int_equal(timeline_init(&s->timeline, QUARTER, &tempo, 1, meters, 3),
                     MIDI_OK);
    return s;
}

static void add(struct score *s, int64_t start, int64_t length, int pitch)
{
    struct note n = {
        .start = start, .length = length, .pitch = (uint8_t)pitch, .velocity = 90};
    assert_true(score_add_note(s, 0, n) != 0);
}

static void begin(struct transport *t, const struct score *score, int64_t from,
                  int n_bars)
{
    clock_now = 1000;
    n_sent = n_clicked = 0;
    *t = (struct transport){
        .schedule = schedule_create(score), .clicks = true, .click_volume = 100};
    assert_non_null(t->schedule);
    transport_play_after(t, from, n_bars);
    assert_true(t->is_playing);
}

static void run_for(struct transport *t, double ms)
{
    for (double until = clock_now + ms; clock_now < until; clock_now += 10)
        transport_advance(t);
}

static int n_heard(int pitch)
{
    int n = 0;
    for (int i = 0; i < n_sent; i++)
        n += (sent[i].m.status & 0xf0) == 0x90 && sent[i].m.data1 == pitch;
    return n;
}

static void beats_are_where_the_meter_has_them(void **state)
{
    (void)state;
    struct score *s = make_score(120);
    const int at[] = {0, 2, 4, 6, 8, 10, 12, 14, 16, 17, 18, 19, 20, 21, 22, 23};
    struct click c = {-1, CLICK_BAR};
    for (int i = 0; i < 16; i++) {
        c = click_at(&s->timeline, c.tick + 1);
        assert_int_equal(c.tick, at[i] * QUARTER / 2);
        enum click_strength wanted = i == 0 || i == 4 || i == 8 || i == 14 ? CLICK_BAR
                                     : i > 8 && i != 11 ? CLICK_INSIDE
                                                        : CLICK_BEAT;
        assert_int_equal(c.strength, wanted);
    }
    /* The cut bar's last beat is half a one; the new meter's bar begins after it. */
    c = click_at(&s->timeline, c.tick + 1);
    assert_int_equal(c.tick, 11 * QUARTER + 360);
    assert_int_equal(c.strength, CLICK_BAR);
    score_destroy(s);
}

static void louder_where_a_bar_begins(void **state)
{
    (void)state;
    struct message bar = click_message(CLICK_BAR, 100),
                   beat = click_message(CLICK_BEAT, 100);
    assert_true(bar.data2 > beat.data2 && bar.data1 != beat.data1);
    assert_true(beat.data2 > click_message(CLICK_INSIDE, 100).data2);
    assert_true(bar.data2 > click_message(CLICK_BAR, 50).data2);
    assert_int_equal(click_message(CLICK_INSIDE, 0).data2, 1); /* 0 would end a note */
    assert_true(click_message(CLICK_BAR, CLICK_VOLUME_MOST).data2 < 128);
}

/* Every beat once, at its time, as far as the music goes; none when it is off. */
static void clicks_go_with_the_music(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(100); /* 600 ms a quarter */
    add(s, 0, 8 * QUARTER, 60);
    begin(&t, s, 0, 0);
    run_for(&t, 1900);
    transport_set_clicks(&t, false);
    run_for(&t, 1200);
    transport_set_clicks(&t, true);
    run_for(&t, 6000);
    assert_false(t.is_playing);
    const double wanted[] = {0, 600, 1200, 1800, 3600, 4200};
    assert_int_equal(n_clicked, 6);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(clicked[i].ms - 1010 - wanted[i]) < 1e-6);
    schedule_destroy(t.schedule);
    score_destroy(s);
}

static void a_loop_is_clicked_round(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(100);
    begin(&t, s, 0, 0);
    transport_set_loop(&t, 0, 2 * QUARTER);
    run_for(&t, 60000);
    assert_in_range(n_clicked, 99, 102);
    for (int i = 0; i < n_clicked; i++) {
        assert_true(fabs(clicked[i].ms - 1010 - 600.0 * i) < 1e-4);
        assert_int_equal(clicked[i].m.data1, i % 2 ? 77 : 76);
    }
    schedule_destroy(t.schedule);
    score_destroy(s);
}

/* Two bars, then the music; the playhead stands until then. */
static void bars_are_counted(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(100);
    add(s, 0, QUARTER, 60);
    begin(&t, s, 0, 2);
    assert_true(fabs(transport_count_in_ms(&t) - 8 * 600 - 10) < 1e-6);
    run_for(&t, 4790);
    assert_true(t.tick == 0);
    run_for(&t, 300);
    assert_true(transport_count_in_ms(&t) == 0);
    assert_true(t.tick > 0);
    assert_int_equal(n_heard(60), 1);
    assert_true(fabs(sent[0].ms - 1010 - 4800) < 1e-6);
    assert_int_equal(n_clicked, 9);
    for (int i = 0; i < 9; i++) {
        assert_true(fabs(clicked[i].ms - 1010 - 600.0 * i) < 1e-6);
        assert_int_equal(clicked[i].m.data1, i % 4 ? 77 : 76);
    }
    schedule_destroy(t.schedule);
    score_destroy(s);
}

/* From the middle of a beat the clicks are the bar's, too, and go on without a seam. An
 * edit while they sound neither loses nor doubles one, nor the music's first note. */
static void counted_from_inside_a_bar(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(100);
    int64_t from = 2 * QUARTER + 120; /* 150 ms after the third beat */
    add(s, from, QUARTER, 61);
    begin(&t, s, from, 1);
    for (int i = 0; i < 40; i++) {
        run_for(&t, 70);
        struct schedule *old = t.schedule;
        transport_set_schedule(&t, schedule_create(s));
        schedule_destroy(old);
    }
    run_for(&t, 100);
    assert_int_equal(n_heard(61), 1);
    assert_int_equal(n_clicked, 5);
    for (int i = 0; i < 5; i++) {
        assert_true(fabs(clicked[i].ms - 1010 - 450 - 600.0 * i) < 1e-6);
        assert_int_equal(clicked[i].m.data1, i == 1 ? 76 : 77);
    }
    schedule_destroy(t.schedule);
    score_destroy(s);
}

/* A loop that is let go shortly before its end is not gone round again, and one that is
 * set shortly before it is. */
static void a_loop_let_go_late(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(100);
    add(s, 0, 3 * QUARTER, 60);
    add(s, 2 * QUARTER, QUARTER, 62);
    begin(&t, s, 0, 0);
    transport_set_loop(&t, 0, 2 * QUARTER); /* its end is heard at 2210 */
    run_for(&t, 1160);
    assert_int_equal(t.n_turns, 1); /* it is sent already */
    transport_set_loop(&t, 0, 0);
    run_for(&t, 400);
    assert_int_equal(n_heard(60), 1);
    assert_int_equal(n_heard(62), 1);
    assert_true(t.tick > 2 * QUARTER);
    schedule_destroy(t.schedule);
    begin(&t, s, 0, 0);
    run_for(&t, 1160);
    transport_set_loop(&t, 0, 2 * QUARTER);
    run_for(&t, 400);
    assert_int_equal(n_heard(60), 2);
    assert_int_equal(n_heard(62), 0);
    schedule_destroy(t.schedule);
    score_destroy(s);
}

/* What an edit takes out a moment before it is due is not heard, what it puts there is,
 * and a note that sounds on is neither struck again nor left. */
static void edits_are_heard_at_once(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(100), *edited = make_score(100);
    add(s, 0, 2 * QUARTER, 60);
    add(edited, 0, 2 * QUARTER, 60);
    add(s, QUARTER, QUARTER, 64); /* at 1610 */
    add(edited, QUARTER, QUARTER, 65);
    begin(&t, s, 0, 0);
    run_for(&t, 570);
    assert_int_equal(n_heard(64), 1); /* that is: sent */
    struct schedule *old = t.schedule;
    transport_set_schedule(&t, schedule_create(edited));
    schedule_destroy(old);
    run_for(&t, 5000);
    assert_int_equal(n_heard(64), 0);
    assert_int_equal(n_heard(65), 1);
    assert_int_equal(n_heard(60), 1);
    int n_offs = 0;
    for (int i = 0; i < n_sent; i++)
        n_offs += (sent[i].m.status & 0xf0) == 0x80;
    assert_int_equal(n_offs, 2);
    schedule_destroy(t.schedule);
    score_destroy(s);
    score_destroy(edited);
}

/* A tempo no drummer plays: not one click after the other. */
static void frantic_tempos(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score(60000);
    add(s, 0, 400000, 60);
    begin(&t, s, 0, 0);
    run_for(&t, 1000);
    assert_in_range(n_clicked, 20, 27);
    schedule_destroy(t.schedule);
    score_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beats_are_where_the_meter_has_them),
        cmocka_unit_test(louder_where_a_bar_begins),
        cmocka_unit_test(clicks_go_with_the_music),
        cmocka_unit_test(a_loop_is_clicked_round),
        cmocka_unit_test(bars_are_counted),
        cmocka_unit_test(counted_from_inside_a_bar),
        cmocka_unit_test(a_loop_let_go_late),
        cmocka_unit_test(edits_are_heard_at_once),
        cmocka_unit_test(frantic_tempos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
