/* Loops, by a transport that is given a sound of the test's (tests/midi/fake_sound.h). */
#include "midi/score/chunk.h"
#include "midi/transport/transport.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/fake_sound.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUARTER = 480 };

/* -- music -- */

static void add(struct score *s, int64_t start, int64_t length, int pitch)
{
    struct note n = {
        .start = start, .length = length, .pitch = (uint8_t)pitch, .velocity = 90};
    assert_true(score_add_note(s, 0, n) != 0);
}

static void add_controller(struct score *s, int64_t tick, uint8_t number, uint8_t value)
{
    uint8_t data[3] = {0xb0, number, value};
    struct event e = {.tick = tick, .order = ORDER_LAST, .n_data = 3, .data = data};
    assert_int_equal(chunk_insert_event(&s->chunks[0], &e), MIDI_OK);
}

static void set_tempos(struct score *s, double bpm, int64_t tick, double later_bpm)
{
    struct tempo tempos[] = {{0, 60e6 / bpm, 0}, {tick, 60e6 / later_bpm, 0}};
    timeline_fini(&s->timeline);
    assert_int_equal(timeline_init(&s->timeline, QUARTER, tempos, 2, NULL, 0), MIDI_OK);
}

static struct score *make_score(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "t", 0, 0), 0);
    set_tempos(s, 100, 2 * QUARTER, 173); /* 600 ms a quarter, then 346.82 */
    return s;
}

static void begin(struct transport *t, const struct score *score, int64_t from,
                  int64_t loop_from, int64_t loop_to)
{
    clock_now = 1000;
    n_sent = 0;
    *t = (struct transport){.schedule = schedule_create(score)};
    assert_non_null(t->schedule);
    transport_set_loop(t, loop_from, loop_to);
    transport_play(t, from);
    assert_true(t->is_playing);
}

static void end(struct transport *t)
{
    schedule_destroy(t->schedule);
}

static void run_for(struct transport *t, double ms, double step_ms)
{
    double from = clock_now;
    for (int i = 0; i * step_ms < ms; i++) {
        clock_now = from + i * step_ms;
        transport_advance(t);
    }
    clock_now = from + ms;
}

/* When a pitch is struck; how often. */
static int onsets(int pitch, double *ms, int most)
{
    int n = 0;
    for (int i = 0; i < n_sent; i++)
        if ((sent[i].m.status & 0xf0) == 0x90 && sent[i].m.data1 == pitch && n < most)
            ms[n++] = sent[i].ms;
    return n;
}

/* -- what must hold -- */

/* A run-in, then a thousand passes over a change of tempo: none drifts. */
static void every_pass_is_as_long(void **state)
{
    (void)state;
    struct transport t;
    double ms[1200];
    struct score *s = make_score();
    add(s, 0, 100, 50);
    for (int i = 1; i < 4; i++)
        add(s, i * QUARTER, QUARTER / 2, 60 + i);
    begin(&t, s, 0, QUARTER, 3 * QUARTER);
    double pass = 1000 * (timeline_seconds(&s->timeline, 3 * QUARTER) -
                          timeline_seconds(&s->timeline, QUARTER));
    run_for(&t, 1000 * pass + 600, 10);
    assert_int_equal(onsets(50, ms, 1200), 1);
    assert_int_equal(onsets(63, ms, 1200), 0); /* at the end: not in it */
    for (int pitch = 61; pitch <= 62; pitch++) {
        int n = onsets(pitch, ms, 1200);
        assert_in_range(n, 999, 1001);
        double first = 1010 + 600 * (pitch - 60);
        for (int i = 0; i < n; i++)
            assert_true(fabs(ms[i] - first - i * pass) < 1e-4);
    }
    end(&t);
    score_destroy(s);
}

/* The playhead never leaves the loop, and moves on at the music's pace. */
static void the_playhead_goes_round(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score();
    add(s, 0, 20 * QUARTER, 60);
    begin(&t, s, QUARTER, QUARTER, 2 * QUARTER); /* 600 ms */
    clock_now += 10;
    for (int i = 0; i < 2000; i++, clock_now += 7) {
        transport_advance(&t);
        double into = fmod(clock_now - 1010, 600) / 600 * QUARTER;
        assert_true(t.tick >= QUARTER && t.tick < 2 * QUARTER + 1e-6);
        assert_true(fabs(t.tick - QUARTER - into) < 0.01);
    }
    end(&t);
    score_destroy(s);
}

static void one_past_its_end_plays_on(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score();
    add(s, 0, QUARTER, 60);
    add(s, 2 * QUARTER, QUARTER, 61);
    begin(&t, s, 2 * QUARTER, 0, 2 * QUARTER);
    run_for(&t, 5000, 10);
    assert_false(t.is_playing);
    assert_int_equal(onsets(60, (double[8]){0}, 8), 0);
    assert_int_equal(onsets(61, (double[8]){0}, 8), 1);
    end(&t);
    score_destroy(s);
}

/* A loop of silence past the music's end goes round, too; let go, it stops. */
static void a_loop_past_the_music(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score();
    add(s, 0, QUARTER, 60);
    begin(&t, s, 0, 4 * QUARTER, 12 * QUARTER);
    run_for(&t, 60000, 10);
    assert_true(t.is_playing);
    assert_true(t.tick >= 4 * QUARTER);
    transport_set_loop(&t, 0, 0);
    run_for(&t, 10000, 10);
    assert_false(t.is_playing);
    end(&t);
    score_destroy(s);
}

/* Every note on has its off before the pitch is struck again, and none hangs. */
static void notes_across_the_end_are_ended(void **state)
{
    (void)state;
    struct transport t;
    int sounding[128] = {0};
    struct score *s = make_score();
    for (int i = 0; i < 5; i++)
        add(s, i * 100, 5000, 60 + i);
    begin(&t, s, 0, 150, 1000);
    run_for(&t, 9000, 10);
    for (int i = 0; i < n_sent; i++) {
        int kind = sent[i].m.status & 0xf0, pitch = sent[i].m.data1;
        sounding[pitch] += kind == 0x90 ? 1 : kind == 0x80 ? -1 : 0;
        assert_in_range(sounding[pitch], 0, 1);
    }
    assert_int_equal(onsets(61, (double[8]){0}, 8), 1); /* before the loop */
    assert_true(onsets(62, (double[64]){0}, 64) > 7);
    assert_int_equal(t.voices.n, 3);
    end(&t);
    score_destroy(s);
}

static int n_of(int status, int data1, int data2)
{
    int n = 0;
    for (int i = 0; i < n_sent; i++)
        n += sent[i].m.status == status && sent[i].m.data1 == data1 &&
             sent[i].m.data2 == data2;
    return n;
}

/* Pedals that are down at the end are lifted, and pressed again where the start has them
 * so; what is alike is not said again. */
static void channels_are_as_at_the_start(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score();
    add(s, 0, 4000, 60);
    add_controller(s, 10, 7, 90);
    add_controller(s, 10, 64, 127);  /* down before the loop and all through it */
    add_controller(s, 700, 1, 30);   /* in it, not said at its start */
    add_controller(s, 2000, 11, 10); /* after it */
    begin(&t, s, 0, QUARTER, 2 * QUARTER);
    run_for(&t, 600 * 5, 10);
    int turns = t.n_turns;
    assert_in_range(turns, 3, 5);
    assert_int_equal(n_of(0xb0, 64, 0), turns);
    assert_int_equal(n_of(0xb0, 64, 127), turns + 1);
    assert_int_equal(n_of(0xb0, 1, 0), turns);
    assert_int_equal(n_of(0xb0, 7, 90), 1);
    assert_int_equal(n_of(0xb0, 11, 10), 0);
    end(&t);
    score_destroy(s);
}

/* Passes shorter than what is sent ahead; too short a one is none. */
static void short_loops(void **state)
{
    (void)state;
    struct transport t;
    double ms[400];
    struct score *s = make_score();
    add(s, 0, 10, 60);
    begin(&t, s, 0, 0, 20); /* 25 ms */
    run_for(&t, 5000, 10);
    int n = onsets(60, ms, 400);
    assert_in_range(n, 198, 204);
    for (int i = 0; i < n; i++)
        assert_true(fabs(ms[i] - 1010 - 25.0 * i) < 1e-6);
    assert_true(t.tick >= 0 && t.tick < 20);
    end(&t);
    begin(&t, s, 0, 0, 1);
    run_for(&t, 5000, 10);
    assert_int_equal(onsets(60, ms, 400), 1);
    assert_false(t.is_playing);
    end(&t);
    score_destroy(s);
}

/* Edits at any moment, also between a turn's sending and its being heard: nothing is
 * sent twice, nothing is left out, and the time stays. */
static void edits_leave_the_time_alone(void **state)
{
    (void)state;
    struct transport t;
    double ms[64];
    struct score *s = make_score();
    add(s, QUARTER, 100, 60);
    add(s, QUARTER + 240, 100, 61);
    for (int shift = 0; shift < 40; shift++) {
        begin(&t, s, QUARTER, QUARTER, 2 * QUARTER);
        for (int i = 0; i < 30; i++) {
            run_for(&t, 97 + shift, 10);
            struct schedule *old = t.schedule;
            transport_set_schedule(&t, schedule_create(s));
            schedule_destroy(old);
        }
        int n = onsets(61, ms, 64);
        assert_true(n >= 4);
        for (int i = 0; i < n; i++)
            assert_true(fabs(ms[i] - 1310 - 600.0 * i) < 1e-3);
        end(&t);
    }
    score_destroy(s);
}

/* Set and let go while it plays, at any moment: it never stalls, and time goes on. */
static void loops_change_while_it_plays(void **state)
{
    (void)state;
    struct transport t;
    struct score *s = make_score();
    for (int i = 0; i < 400; i++)
        add(s, i * 120, 60, 60);
    unsigned seed = 3;
    begin(&t, s, 0, 0, 0);
    for (int i = 0; i < 600; i++) {
        seed = seed * 1664525u + 1013904223u;
        int64_t from = (seed >> 8) % 2000, length = (seed >> 20) % 1500;
        transport_set_loop(&t, from, from + length);
        run_for(&t, 1 + (seed >> 16) % 90, 10);
        assert_true(t.tick >= 0 && t.tick <= (double)t.end_tick + 4000);
        n_sent = 0;
        if (!t.is_playing)
            transport_play(&t, from);
    }
    end(&t);
    score_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pass_is_as_long),
        cmocka_unit_test(the_playhead_goes_round),
        cmocka_unit_test(one_past_its_end_plays_on),
        cmocka_unit_test(a_loop_past_the_music),
        cmocka_unit_test(notes_across_the_end_are_ended),
        cmocka_unit_test(channels_are_as_at_the_start),
        cmocka_unit_test(short_loops),
        cmocka_unit_test(edits_leave_the_time_alone),
        cmocka_unit_test(loops_change_while_it_plays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
