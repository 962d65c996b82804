/* Notes beside the music, and waiting, by a transport that is given a sound of the test's
 * (tests/midi/fake_sound.h). */
#include "midi/transport/transport.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/fake_sound.h"

#include <math.h>
#include <stdlib.h>

enum { QUARTER = 480, QUARTER_MS = 500, STARTS_MS = 1010 }; /* a command and 10 ms */

static struct transport t;
static struct score *score;

static double ms_of(double quarters)
{
    return STARTS_MS + quarters * QUARTER_MS;
}

/* A note in each of eight quarters, of which the transport plays on without an end. */
static int begin(void **state)
{
    (void)state;
    score = score_create(QUARTER);
    assert_int_equal(score_add_track(score, "t", 0, 0), 0);
    for (int i = 0; i < 8; i++) {
        struct note n = {
            .start = i * QUARTER, .length = QUARTER / 2, .pitch = 40, .velocity = 90};
        assert_true(score_add_note(score, 0, n) != 0);
    }
    clock_now = 1000;
    n_sent = n_cued = 0;
    t = (struct transport){.schedule = schedule_create(score), .is_endless = true};
    assert_non_null(t.schedule);
    transport_play(&t, 0);
    return 0;
}

static int end(void **state)
{
    (void)state;
    schedule_destroy(t.schedule);
    score_destroy(score);
    return 0;
}

static void run_to(double ms)
{
    for (; clock_now < ms; clock_now += 7)
        transport_advance(&t);
    clock_now = ms;
    transport_advance(&t);
}

static void cue(double from, double to, int pitch)
{
    struct cue c = {.start = (int64_t)(from * QUARTER),
                    .end = (int64_t)(to * QUARTER),
                    .pitch = (uint8_t)pitch,
                    .velocity = 70};
    transport_cue(&t, &c);
}

static void expect(int i, int status, int pitch, double ms)
{
    assert_true(i < n_cued);
    assert_int_equal(cued[i].m.status, status);
    assert_int_equal(cued[i].m.data1, pitch);
    assert_float_equal(cued[i].ms, ms, 0.2);
}

static void a_cue_is_heard_when_it_is_due(void **state)
{
    (void)state;
    cue(1, 1.5, 60);
    cue(2, 3, 61);
    run_to(ms_of(3.2));
    assert_int_equal(n_cued, 4);
    expect(0, 0x90, 60, ms_of(1));
    expect(1, 0x80, 60, ms_of(1.5));
    expect(2, 0x90, 61, ms_of(2));
    expect(3, 0x80, 61, ms_of(3));
    assert_int_equal(t.cues.n, 0);
}

static void one_that_is_late_is_struck_at_once(void **state)
{
    (void)state;
    run_to(ms_of(1));
    cue(0.9, 2, 60);
    cue(0.5, 0.8, 61); /* it would be over */
    run_to(ms_of(2.1));
    assert_int_equal(n_cued, 2);
    expect(0, 0x90, 60, ms_of(1));
    expect(1, 0x80, 60, ms_of(2));
    assert_int_equal(t.cues.n, 0);
}

static void what_sounds_ends_when_they_are_cut(void **state)
{
    (void)state;
    cue(1, 4, 60);
    cue(2, 3, 61);
    run_to(ms_of(1.5));
    transport_cut_cues(&t);
    assert_int_equal(n_cued, 2);
    assert_int_equal(cued[1].m.status, 0x80);
    assert_true(cued[1].ms < ms_of(1.5) + 40);
    run_to(ms_of(4));
    assert_int_equal(n_cued, 2);
}

/* It was sent, and is about to be heard. */
static void one_that_is_cut_in_time_is_not_heard(void **state)
{
    (void)state;
    cue(1, 4, 60);
    run_to(ms_of(1) - 50);
    assert_int_equal(n_cued, 1);
    transport_cut_cues(&t);
    assert_int_equal(n_cued, 0);
}

static void an_edit_leaves_them_where_they_are(void **state)
{
    (void)state;
    cue(1, 1.5, 60);
    run_to(ms_of(1) - 50);
    transport_set_schedule(&t, t.schedule);
    run_to(ms_of(2));
    assert_int_equal(n_cued, 2);
    expect(0, 0x90, 60, ms_of(1));
    expect(1, 0x80, 60, ms_of(1.5));
}

static void another_clock_goes_on_with_them(void **state)
{
    (void)state;
    cue(3, 4, 60);
    run_to(ms_of(1));
    transport_set_sound(&t, NULL, 0);
    run_to(ms_of(4.2));
    assert_int_equal(n_cued, 2);
    assert_float_equal(cued[1].ms - cued[0].ms, QUARTER_MS, 0.2);
}

static void stopping_forgets_them(void **state)
{
    (void)state;
    cue(1, 2, 60);
    transport_stop(&t);
    transport_play(&t, 0);
    run_to(clock_now + 5 * QUARTER_MS);
    assert_int_equal(n_cued, 0);
}

/* -- waiting -- */

static int n_struck(void)
{
    int n = 0;
    for (int i = 0; i < n_sent; i++)
        n += sent[i].m.status == 0x90;
    return n;
}

static void the_playhead_waits_and_goes_on(void **state)
{
    (void)state;
    t.hold_tick = 2 * QUARTER;
    cue(2, 3, 60);
    run_to(ms_of(5));
    assert_true(t.is_held);
    assert_float_equal(t.tick, 2 * QUARTER, 1e-6);
    assert_int_equal(n_struck(), 2); /* of the piece; the third stands at the line */
    assert_int_equal(n_cued, 0);
    t.hold_tick = 0;
    run_to(ms_of(5.5));
    assert_false(t.is_held);
    assert_int_equal(n_struck(), 3);
    expect(0, 0x90, 60, ms_of(5) + 10);
    assert_float_equal(t.tick, 2.48 * QUARTER, 0.02 * QUARTER);
}

/* As if it had never been asked to wait. */
static void what_is_there_in_time_does_not_wait(void **state)
{
    (void)state;
    t.hold_tick = 2 * QUARTER;
    run_to(ms_of(2) - 70);
    t.hold_tick = 4 * QUARTER;
    run_to(ms_of(3));
    assert_false(t.is_held);
    assert_float_equal(t.tick, 3 * QUARTER, 1e-6);
    assert_int_equal(n_struck(), 4);
}

/* Where it was passed, or what stands there was sent, it is too late to wait. */
static void a_line_that_is_passed_is_not_waited_at(void **state)
{
    (void)state;
    run_to(ms_of(2.5));
    t.hold_tick = 2 * QUARTER;
    run_to(ms_of(3));
    assert_false(t.is_held);
    assert_float_equal(t.tick, 3 * QUARTER, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_cue_is_heard_when_it_is_due, begin, end),
        cmocka_unit_test_setup_teardown(one_that_is_late_is_struck_at_once, begin, end),
        cmocka_unit_test_setup_teardown(what_sounds_ends_when_they_are_cut, begin, end),
        cmocka_unit_test_setup_teardown(one_that_is_cut_in_time_is_not_heard, begin,
                                        end),
        cmocka_unit_test_setup_teardown(an_edit_leaves_them_where_they_are, begin, end),
        cmocka_unit_test_setup_teardown(another_clock_goes_on_with_them, begin, end),
        cmocka_unit_test_setup_teardown(stopping_forgets_them, begin, end),
        cmocka_unit_test_setup_teardown(the_playhead_waits_and_goes_on, begin, end),
        cmocka_unit_test_setup_teardown(what_is_there_in_time_does_not_wait, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_line_that_is_passed_is_not_waited_at, begin,
                                        end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
