/* Loops, by a transport with the test's sound (tests/midi/fake_sound.h). */
#include "tests/check.h"
#include "tests/midi/transport/fake_transport.h"

/* 600 ms a quarter, then 346.82. */
static struct score *two_tempos(const char *notes)
{
    return score_of("480 100bpm 173bpm=2q | organ #16: %s", notes);
}

static void begin_loop(struct score *score, int64_t from, int64_t loop_from,
                       int64_t loop_to)
{
    begin(score);
    transport_set_loop(&t, loop_from, loop_to);
    transport_play(&t, from, 0);
    assert_true(t.is_playing);
}

/* A run-in, then a thousand passes over a change of tempo: no drift. */
TEST(every_pass_is_as_long)
{
    double ms[1200];
    struct score *s = two_tempos("50:100 =1q 61e r 62 r 63");
    begin_loop(s, 0, QUARTER, 3 * QUARTER);
    double pass = 1000 * (timeline_seconds(&s->timeline, 3 * QUARTER) -
                          timeline_seconds(&s->timeline, QUARTER));
    run_for(1000 * pass + 600);
    assert_int_equal(n_heard(50), 1);
    assert_int_equal(n_heard(63), 0); /* at the end, so not in it */
    for (int pitch = 61; pitch <= 62; pitch++) {
        int n = onsets(pitch, ms, 1200);
        assert_in_range(n, 999, 1001);
        double first = 1010 + 600 * (pitch - 60);
        for (int i = 0; i < n; i++)
            assert_true(fabs(ms[i] - first - i * pass) < 1e-4);
    }
}

/* The playhead never leaves the loop, and moves at the music's pace. */
TEST(the_playhead_goes_round)
{
    begin_loop(two_tempos("C4:20q"), QUARTER, QUARTER, 2 * QUARTER); /* 600 ms */
    clock_now += 10;
    for (int i = 0; i < 2000; i++, clock_now += 7) {
        transport_advance(&t);
        double into = fmod(clock_now - 1010, 600) / 600 * QUARTER;
        assert_true(t.tick >= QUARTER && t.tick < 2 * QUARTER + 1e-6);
        assert_true(fabs(t.tick - QUARTER - into) < 0.01);
    }
}

TEST(one_past_its_end_plays_on)
{
    begin_loop(two_tempos("60 r 61"), 2 * QUARTER, 0, 2 * QUARTER);
    run_for(5000);
    assert_false(t.is_playing);
    assert_int_equal(n_heard(60), 0);
    assert_int_equal(n_heard(61), 1);
    transport_play(&t, 21 * QUARTER, 0); /* past all music: to the end of that bar */
    run_for(5000);
    assert_false(t.is_playing);
    assert_float_equal(t.tick, 24 * QUARTER, 1e-6);
}

/* A silent loop past the music's end turns, too; without it playing stops. */
TEST(a_loop_past_the_music)
{
    begin_loop(two_tempos("C4"), 0, 4 * QUARTER, 12 * QUARTER);
    run_for(60000);
    assert_true(t.is_playing);
    assert_true(t.tick >= 4 * QUARTER);
    transport_set_loop(&t, 0, 0);
    run_for(10000);
    assert_false(t.is_playing);
}

/* Every note-on has its off before the pitch is struck again, and none hangs. Notes that
 * sound where the loop begins are struck again in each pass. */
TEST(notes_across_the_end_are_ended)
{
    int sounding[128] = {0};
    begin_loop(two_tempos("60:5000 =100 61 =200 62 =300 63 =400 64"), 0, 150, 1000);
    run_for(9000);
    for (int i = 0; i < n_sent; i++) {
        int kind = sent[i].m.status & 0xf0, pitch = sent[i].m.data1;
        sounding[pitch] += kind == 0x90 ? 1 : kind == 0x80 ? -1 : 0;
        assert_in_range(sounding[pitch], 0, 1);
    }
    assert_true(n_heard(61) > 7 && n_heard(62) > 7);
    assert_int_equal(t.voices.n, 5);
}

static int n_of(int status, int data1, int data2)
{
    int n = 0;
    for (int i = 0; i < n_sent; i++)
        n += sent[i].m.status == status && sent[i].m.data1 == data1 &&
             sent[i].m.data2 == data2;
    return n;
}

/* Pedals down at the end are lifted, and pressed again if the start has them so;
 * what is equal is not sent again. */
TEST(channels_are_as_at_the_start)
{
    struct score *s = two_tempos("C4:4000");
    add_message(s, 0, 10, 0xb0, 7, 90);
    add_message(s, 0, 10, 0xb0, 64, 127);  /* down before the loop and all through it */
    add_message(s, 0, 700, 0xb0, 1, 30);   /* inside the loop, unset at its start */
    add_message(s, 0, 2000, 0xb0, 11, 10); /* after it */
    begin_loop(s, 0, QUARTER, 2 * QUARTER);
    run_for(600 * 5);
    int turns = t.n_turns;
    assert_in_range(turns, 3, 5);
    assert_int_equal(n_of(0xb0, 64, 0), turns);
    assert_int_equal(n_of(0xb0, 64, 127), turns + 1);
    assert_int_equal(n_of(0xb0, 1, 0), turns);
    assert_int_equal(n_of(0xb0, 7, 90), 1);
    assert_int_equal(n_of(0xb0, 11, 10), 0);
}

/* Passes shorter than what is sent ahead; one that is too short is no loop. */
TEST(short_loops)
{
    double ms[400];
    begin_loop(two_tempos("C4:10"), 0, 0, 20); /* 25 ms */
    run_for(5000);
    int n = onsets(60, ms, 400);
    assert_in_range(n, 198, 204);
    for (int i = 0; i < n; i++)
        assert_true(fabs(ms[i] - 1010 - 25.0 * i) < 1e-6);
    assert_true(t.tick >= 0 && t.tick < 20);
    begin_loop(two_tempos("C4:10"), 0, 0, 1);
    run_for(5000);
    assert_int_equal(n_heard(60), 1);
    assert_false(t.is_playing);
}

/* Edits at any moment, also between sending a turn and hearing it: nothing is sent
 * twice or left out, and the time stays. */
TEST(edits_leave_the_time_alone)
{
    double ms[64];
    for (int shift = 0; shift < 40; shift++) {
        struct score *s = two_tempos("=1q 60:100 =1q1e 61");
        begin_loop(s, QUARTER, QUARTER, 2 * QUARTER);
        for (int i = 0; i < 30; i++) {
            run_for(97 + shift);
            change_music(s);
        }
        int n = onsets(61, ms, 64);
        assert_true(n >= 4);
        for (int i = 0; i < n; i++)
            assert_true(fabs(ms[i] - 1310 - 600.0 * i) < 1e-3);
    }
}

/* Loops set and removed at any moment while playing: it never stalls, and time goes
 * on. */
TEST(loops_change_while_it_plays)
{
    unsigned seed = 3;
    begin_loop(two_tempos("(C4:60 r)*400"), 0, 0, 0);
    for (int i = 0; i < 600; i++) {
        seed = seed * 1664525u + 1013904223u;
        int64_t from = (seed >> 8) % 2000, length = (seed >> 20) % 1500;
        transport_set_loop(&t, from, from + length);
        run_for(1 + (seed >> 16) % 90);
        assert_true(t.tick >= 0 && t.tick <= (double)t.end_tick + 4000);
        n_sent = 0;
        if (!t.is_playing)
            transport_play(&t, from, 0);
    }
}
