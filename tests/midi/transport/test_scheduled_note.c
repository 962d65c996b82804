/* Scheduled notes, and waiting, by a transport with the test's sound
 * (tests/midi/fake_sound.h). */
#include "tests/check.h"
#include "tests/midi/transport/fake_transport.h"

enum { QUARTER_MS = 500, STARTS_MS = 1010 }; /* a command and 10 ms */

static double ms_of(double quarters)
{
    return STARTS_MS + quarters * QUARTER_MS;
}

/* A note in each of eight quarters; the transport plays on without end. */
static int begin_piece(void **state)
{
    begin(score_of("480 | organ #16: (40e r)*8"));
    t.is_endless = true;
    transport_play(&t, 0, 0);
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
    struct scheduled_note c = {.start = (int64_t)(from * QUARTER),
                               .end = (int64_t)(to * QUARTER),
                               .pitch = (uint8_t)pitch,
                               .velocity = 70};
    transport_schedule_note(&t, &c);
}

/* What is scheduled: "+pitch@quarter " for a note that begins, "-" for one that ends. */
static void assert_scheduled(const char *wanted)
{
    char text[256] = "";
    for (int i = 0, n = 0; i < n_scheduled && n < (int)sizeof text - 40; i++)
        n += sprintf(text + n, "%c%d@%.3f ", scheduled[i].m.status == 0x90 ? '+' : '-',
                     scheduled[i].m.data1, (scheduled[i].ms - STARTS_MS) / QUARTER_MS);
    assert_string_equal(text, wanted);
}

/* "cue FROM TO PITCH", "run UNTIL", "cut", "edit", "stop", by quarters: what is scheduled. */
static const char *const PLAYED[][2] = {
    {"cue 1 1.5 60, cue 2 3 61, run 3.2", "+60@1.000 -60@1.500 +61@2.000 -61@3.000 "},
    /* One that is late is struck at once, unless it would be over. */
    {"run 1, cue 0.9 2 60, cue 0.5 0.8 61, run 2.1", "+60@1.000 -60@2.000 "},
    /* What sounds ends when they are cut, and what is to come is not heard, */
    {"cue 1 4 60, cue 2 3 61, run 1.5, cut, run 4", "+60@1.000 -60@1.560 "},
    {"cue 1 4 60, run 0.9, cut, run 1.2", ""}, /* though it was sent. */
    {"cue 1 1.5 60, run 0.9, edit, run 2", "+60@1.000 -60@1.500 "},
    {"cue 1 2 60, stop, run 5", ""},
};

TEST(cues_are_heard_when_they_are_due)
{
    for (size_t i = 0; i < sizeof PLAYED / sizeof *PLAYED; i++) {
        begin_piece(state);
        for (const char *at = PLAYED[i][0], *end; *at; at = end + strspn(end, ", ")) {
            double x = 0, y = 0;
            int pitch = 0;
            end = at + strcspn(at, ",");
            if (sscanf(at, "cue %lf %lf %d", &x, &y, &pitch) == 3)
                cue(x, y, pitch);
            else if (sscanf(at, "run %lf", &x) == 1)
                run_to(ms_of(x));
            else if (*at == 'c')
                transport_cut_scheduled(&t);
            else if (*at == 'e')
                transport_set_schedule(&t, t.schedule);
            else {
                transport_stop(&t);
                transport_play(&t, 0, 0);
            }
        }
        assert_scheduled(PLAYED[i][1]);
        assert_int_equal(t.scheduled.n, 0);
    }
}

TEST_IN(another_clock_goes_on_with_them, begin_piece, NULL)
{
    cue(3, 4, 60);
    run_to(ms_of(1));
    transport_set_sound(&t, NULL, 0);
    run_to(ms_of(4.2));
    assert_int_equal(n_scheduled, 2);
    assert_float_equal(scheduled[1].ms - scheduled[0].ms, QUARTER_MS, 0.2);
}

/* -- waiting -- */

TEST_IN(the_playhead_waits_and_goes_on, begin_piece, NULL)
{
    t.hold_tick = 2 * QUARTER;
    cue(2, 3, 60);
    run_to(ms_of(5));
    transport_advance(&t); /* woken early, by a key, it waits all the same */
    assert_true(t.is_held);
    assert_float_equal(t.tick, 2 * QUARTER, 1e-6);
    assert_int_equal(n_heard(40), 2); /* of the piece; the third is at the line */
    assert_scheduled("");
    t.hold_tick = 0;
    run_to(ms_of(5.5));
    assert_false(t.is_held);
    assert_int_equal(n_heard(40), 3);
    assert_scheduled("+60@5.020 ");
    assert_float_equal(t.tick, 2.48 * QUARTER, 0.02 * QUARTER);
}

/* As if it had never been asked to wait. */
TEST_IN(what_is_there_in_time_does_not_wait, begin_piece, NULL)
{
    t.hold_tick = 2 * QUARTER;
    run_to(ms_of(2) - 70);
    t.hold_tick = 4 * QUARTER;
    run_to(ms_of(3));
    assert_false(t.is_held);
    assert_float_equal(t.tick, 3 * QUARTER, 1e-6);
    assert_int_equal(n_heard(40), 4);
}

/* If it was passed, or what is there was sent, it is too late to wait. */
TEST_IN(a_line_that_is_passed_is_not_waited_at, begin_piece, NULL)
{
    run_to(ms_of(2.5));
    t.hold_tick = 2 * QUARTER;
    run_to(ms_of(3));
    assert_false(t.is_held);
    assert_float_equal(t.tick, 3 * QUARTER, 1e-6);
}
