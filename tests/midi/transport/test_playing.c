/* What is heard while working: edits at once, silence when asked for, another
 * soundfont without a gap, no drift. FluidSynth's file driver runs in real time.
 * With CONTINUO_PLAY_SECONDS=600 test_no_drift plays ten minutes. */
#include "tests/check.h"
#include "tests/midi/spread.h"
#include "midi/transport/player_state.h"
#include "tests/midi/transport/playing.h"

#include <dirent.h>
#include <sched.h>

/* Whether a note begins within 5 ms of `seconds` after the first. */
static bool is_heard_at(const double *onsets, int n, double seconds)
{
    for (int i = 0; i < n; i++)
        if (fabs(onsets[i] - onsets[0] - seconds) < 0.005)
            return true;
    return false;
}

/* Notes added 50 ms before they are due sound in time, except those that this
 * program itself was late with. */
TEST(test_edits_are_heard_within_50_ms)
{
    enum { N = 8 };
    double onsets[64], wanted[N];
    int n_put = 0;
    struct player *p = start_player("file");
    /* 0.96 ticks a millisecond */
    auto_score *s = score_of("480 | organ #16: C5:60 =3830 C5:10");
    player_set_score(p, score_clone(s));
    player_play(p, 0);
    for (int i = 0; i < N; i++) {
        sleep_ms(250);
        double before = clock_now_ms();
        int64_t start = (int64_t)(player_tick(p) + 50 * 0.96);
        add(s, 0, start, 60, 73 + i);
        player_set_score(p, score_clone(s));
        if (clock_now_ms() - before < 5)
            wanted[n_put++] = (double)start / 960;
    }
    sleep_ms(150);
    player_stop(p);
    assert_in_range(n_put, N - 2, N);
    auto_recording r = finish(p);
    int n = listen_onsets(&r, onsets, 64);
    for (int i = 0; i < n_put; i++)
        assert_true(is_heard_at(onsets, n, wanted[i]));
}

TEST(without_a_device_it_plays_silently)
{
    char status[128];
    auto_player *p = start_player("no such driver");
    assert_string_equal(player_status(p, status, sizeof status),
                        "no sound device: playing silently");
}

/* Many versions, collected only at the end: none is lost or leaked. */
TEST(versions_are_collected_at_the_end)
{
    auto_player *p = start_player("none");
    for (int i = 0; i < 300; i++) {
        player_set_score(p, score_of("480 | organ #16:"));
        if (i % 50 == 0)
            sleep_ms(3);
    }
    player_collect(p);
    assert_int_equal(p->n_dropped, 0);
    /* A full queue drops. It is filled while the player sleeps; it may wake up meanwhile. */
    const struct player_command again = {.kind = PLAYER_PANIC};
    for (int i = 0; i < 100 && p->n_dropped == 0; i++) {
        while (ring_push(p->commands, &again))
            continue;
        player_audition(p, 0, 0, 60, 100);
    }
    assert_true(p->n_dropped > 0);
}

/* Apart from the reverb. */
static void expect_silence(const struct recording *r, double from, double to,
                           double loud)
{
    double energy = listen_energy(r, from, to);
    if (energy > loud * 1e-3)
        fail_msg("%.1f dB at %.2f s", 10 * log10(energy / loud), from);
}

/* Held chords with the pedal down, ended in every possible way: nothing sounds on.
 * What ends sound is timed when it was asked for, what begins it before that; so
 * delays of this program are not in the silences. */
TEST(test_nothing_hangs)
{
    struct player *p = start_player("file");
    /* 0.25 s a quarter */
    player_set_score(p, score_of("480 240bpm | organ #16: [60 64 68 72]:12q =16q 60q"));
    double before = clock_now_ms();
    player_play(p, 0);
    double after = clock_now_ms();
    sleep_ms(300);
    player_seek(p, 13 * QUARTER); /* where nothing sounds */
    double at_seek = (clock_now_ms() - before) / 1000;
    sleep_ms(500);
    player_set_loop(p, 0, 8 * QUARTER);
    double at_play = (clock_now_ms() - after) / 1000;
    player_play(p, 0);
    sleep_ms(300);
    player_set_loop(p, 0, 0);
    player_stop(p);
    double at_stop = (clock_now_ms() - before) / 1000;
    sleep_ms(500);
    double at_again = (clock_now_ms() - after) / 1000;
    player_play(p, 0);
    sleep_ms(200);
    player_panic(p);
    double at_panic = (clock_now_ms() - before) / 1000;
    sleep_ms(450);
    player_audition(p, 3, 16, 90, 100); /* while nothing plays */
    sleep_ms(300);
    auto_recording r = finish(p);
    double end = (double)r.n / r.rate, onset = 0;
    assert_int_equal(listen_onsets(&r, &onset, 1), 1);
    assert_int_equal(listen_key(&r, 48, 96, end - 0.25, end - 0.1), 90);
    double loud = listen_energy(&r, onset + 0.1, onset + 0.25);
    expect_silence(&r, onset + at_seek + 0.35, onset + at_play - 0.02, loud);
    expect_silence(&r, onset + at_stop + 0.35, onset + at_again - 0.02, loud);
    expect_silence(&r, onset + at_panic + 0.3, onset + at_panic + 0.4, loud);
}

static void wait_for_font(struct player *p, enum font_status wanted)
{
    assert_int_equal(font_news(p), wanted);
    assert_false(player_is_loading(p));
}

/* Loaded while playing, no note is late; an invalid file changes nothing. */
TEST(test_another_soundfont)
{
    const char *bad = temp_path("bad.sf2");
    char status[128], before[128];
    double onsets[32];
    FILE *f = fopen(bad, "wb");
    assert_non_null(f);
    fwrite("RIFF\0\0\0\0sfbk....", 1, 16, f);
    fclose(f);
    struct player *p = start_player("file");
    player_set_score(p, score_of("480 150bpm | organ #16: 72s =1q 73 =2q 74 =3q 75 "
                                 "=4q 76 =5q 77"));
    player_status(p, before, sizeof before);
    player_play(p, 0);
    sleep_ms(100);
    assert_true(player_set_soundfont(p, bad));
    assert_false(player_set_soundfont(p, bad)); /* one at a time */
    wait_for_font(p, FONT_IS_BAD);
    assert_string_equal(player_status(p, status, sizeof status), before);
    for (int i = 0; i < 2; i++) {
        assert_true(player_set_soundfont(p, own_soundfont()));
        wait_for_font(p, FONT_IS_HEARD);
    }
    wait_until_stopped(p, 5000);
    auto_recording r = finish(p);
    assert_int_equal(listen_onsets(&r, onsets, 32), 6);
    for (int i = 0; i < 6; i++)
        assert_true(is_heard_at(onsets, 6, 0.4 * i));
    assert_int_equal(listen_key(&r, 60, 96, onsets[5] + 0.02, onsets[5] + 0.09), 77);
}

enum { MOST_NOTES = 4000 };

/* Four notes a second: none is missing, and none drifts. */
TEST(test_no_drift)
{
    static double onsets[MOST_NOTES];
    static struct spread off;
    const int asked = 4 * (int)asked_for("CONTINUO_PLAY_SECONDS", 4);
    const int n = asked < MOST_NOTES ? asked : MOST_NOTES;
    struct player *p = start_player("file");
    struct score *s = score_of("480 240bpm | organ #16:"); /* 0.25 s a quarter */
    for (int i = 0; i < n; i++)
        add(s, 0, i * QUARTER, QUARTER / 3, 72 + i % 7);
    player_set_score(p, s);
    player_play(p, 0);
    wait_until_stopped(p, n * 250 + 8000);
    auto_recording r = finish(p);
    assert_int_equal(listen_onsets(&r, onsets, MOST_NOTES), n);
    for (int i = 0; i < n; i++)
        spread_add(&off, 1e3 * (onsets[i] - onsets[0] - 0.25 * i));
    spread_print("notes", &off);
    assert_true(spread_at(&off, 1) < 3.5);
}

static bool may_come_first(void)
{
    const struct sched_param ordinary = {0}, param = {.sched_priority = 5};
    bool may = sched_setscheduler(0, SCHED_RR, &param) == 0;
    sched_setscheduler(0, SCHED_OTHER, &ordinary);
    return may;
}

/* Whether a thread of this program is real-time. */
static bool one_comes_first(void)
{
    bool does = false;
    DIR *d = opendir("/proc/self/task");
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d));) {
        pid_t thread = (pid_t)atoi(e->d_name);
        does |=
            thread && (sched_getscheduler(thread) & ~SCHED_RESET_ON_FORK) == SCHED_RR;
    }
    closedir(d);
    return does;
}

/* Where the system lets the player have priority (midi/base/thread.h). */
TEST(a_thread_of_the_player_comes_first)
{
    if (!may_come_first())
        skip();
    auto_player *p = start_player("none");
    assert_false(player_is_playing(p));
    assert_true(one_comes_first());
}
