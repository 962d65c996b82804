/* The player by the system's clock, and by FluidSynth's file driver, which runs in
 * real time; what was heard is read back from its WAV. */
#include "tests/check.h"
#include "tests/midi/transport/playing.h"
#include "midi/transport/player_state.h"

TEST(test_clock)
{
    auto_player *p = start_player("none");
    char status[128];
    assert_string_equal(player_status(p, status, sizeof status),
                        "sound is off: playing silently");
    assert_false(player_has_sound(p));
    player_set_score(p, score_of("480 | organ #16: C4:2w"));
    player_play(p, QUARTER);
    assert_true(player_is_playing(p)); /* at once */
    assert_true(player_tick(p) >= QUARTER);
    double before = clock_now_ms(), tick = player_tick(p);
    sleep_ms(400);
    double expected = (clock_now_ms() - before) / 500 * QUARTER;
    assert_true(fabs(player_tick(p) - tick - expected) < 40); /* 42 ms */
    player_stop(p);
    assert_false(player_is_playing(p));
    sleep_ms(30);
    double stopped = player_tick(p);
    sleep_ms(30);
    assert_true(player_tick(p) == stopped);
    player_seek(p, 77);
    assert_true(player_tick(p) == 77);
}

/* At 600 a minute a bar lasts 0.4 s; playing ends with the last bar. */
TEST(test_stops_at_the_end)
{
    auto_player *p = start_player("none");
    player_set_score(p, score_of("480 600bpm | organ #16: C4"));
    player_play(p, 0);
    sleep_ms(200);
    assert_true(player_is_playing(p));
    wait_until_stopped(p, 2000);
    assert_true(player_tick(p) == BAR);
    player_play(p, 5 * BAR); /* beyond the end: to the end of that bar */
    wait_until_stopped(p, 2000);
    assert_true(player_tick(p) == 6 * BAR);
}

TEST(test_no_device)
{
    char status[128];
    auto_player *p = start_player("no such driver");
    assert_string_equal(player_status(p, status, sizeof status),
                        "no sound device: playing silently");
    unlink(wav_path);
}

/* Many versions, collected only at the end: none is lost or leaked. */
TEST(test_snapshots)
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

/* Notes in time; a new note and a new tempo take effect while playing. */
TEST(test_heard_in_time)
{
    struct player *p = start_player("file");
    assert_true(player_has_sound(p));
    /* 0.2 s a quarter, then 0.4 */
    player_set_score(p, score_of("480 300bpm | organ #16: 72e r 73 r 74 r 75"));
    player_play(p, 0);
    sleep_ms(250);
    player_set_score(p, score_of("480 300bpm 150bpm=1w | organ #16: 72e r 73 r 74 r 75 "
                                 "=6q 84"));
    wait_until_stopped(p, 4000);
    auto_recording r = finish(p);
    assert_onsets(&r, (double[]){0, 0.2, 0.4, 0.6, 1.6}, 5);
    double onsets[32];
    listen_onsets(&r, onsets, 32);
    assert_int_equal(listen_key(&r, 60, 96, onsets[2] + 0.02, onsets[2] + 0.09), 74);
    assert_int_equal(listen_key(&r, 60, 96, onsets[4] + 0.02, onsets[4] + 0.09), 84);
}

/* Held notes end on stop; programs in force are chased; nothing that began before
 * the start is struck; an audition is heard while nothing plays. */
TEST(test_stop_chase_and_audition)
{
    struct player *p = start_player("file");
    player_set_score(p, score_of("480 | organ #16: C4:2w =1q E5"));
    player_play(p, QUARTER);
    sleep_ms(300);
    player_stop(p);
    sleep_ms(600);
    player_audition(p, 3, 16, 90, 100);
    sleep_ms(500);
    auto_recording r = finish(p);
    double onsets[8];
    assert_int_equal(listen_onsets(&r, onsets, 8), 2);
    double from = onsets[0] + 0.05, to = onsets[0] + 0.25;
    assert_int_equal(listen_key(&r, 48, 96, from, to), 76);
    double sounding = listen_energy(&r, from, to);
    assert_true(fabs(listen_energy(&r, from, from + 0.1) / sounding - 1) <
                0.3); /* organ */
    assert_true(listen_energy(&r, onsets[0] + 0.6, onsets[0] + 0.7) < sounding / 300);
    assert_int_equal(listen_key(&r, 48, 96, onsets[1] + 0.05, onsets[1] + 0.2), 90);
    assert_true(listen_energy(&r, onsets[1] + 0.42, onsets[1] + 0.5) < sounding / 30);
}

GROUP(make_name, NULL)
