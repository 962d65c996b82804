/* The metronome: where its clicks are, and when a transport sends them, with the
 * test's sound (tests/midi/fake_sound.h). */
#include "tests/check.h"
#include "tests/midi/transport/fake_transport.h"

/* 4/4; 6/8 from the third bar on, cut after a beat and a half; then 3/4. */
static struct score *make_metres(int bpm, const char *notes)
{
    return score_of("480 4/4 6/8=8q 3/4=11q360 %dbpm | t: %s", bpm, notes);
}

/* With clicks on. */
static void begin_clicks(struct score *score, int64_t from, int n_bars)
{
    begin(score);
    t.clicks = true;
    transport_play(&t, from, n_bars);
    assert_true(t.is_playing);
}

/* The first n clicks begin at `first_ms` and are 600 ms apart; `bar`, and each fourth or
 * other after it, by `in_bar`, is high. */
static void assert_clicks(int n, double first_ms, int bar, int in_bar)
{
    assert_int_equal(n_clicked, n);
    for (int i = 0; i < n; i++) {
        assert_true(fabs(clicked[i].ms - first_ms - 600.0 * i) < 1e-4);
        assert_int_equal(clicked[i].m.data1, i % in_bar == bar ? 76 : 77);
    }
}

TEST(beats_are_where_the_meter_has_them)
{
    auto_score *s = make_metres(120, "");
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
    /* The cut bar's last beat is half a beat; the new meter's bar begins after it. */
    c = click_at(&s->timeline, c.tick + 1);
    assert_int_equal(c.tick, 11 * QUARTER + 360);
    assert_int_equal(c.strength, CLICK_BAR);
}

TEST(louder_where_a_bar_begins)
{
    struct message bar = click_message(CLICK_BAR, 100),
                   beat = click_message(CLICK_BEAT, 100);
    assert_true(bar.data2 > beat.data2 && bar.data1 != beat.data1);
    assert_true(beat.data2 > click_message(CLICK_INSIDE, 100).data2);
    assert_true(bar.data2 > click_message(CLICK_BAR, 50).data2);
    assert_int_equal(click_message(CLICK_INSIDE, 0).data2,
                     1); /* 0 would be a note-off */
    assert_true(click_message(CLICK_BAR, CLICK_VOLUME_MOST).data2 < 128);
}

/* Every beat once, in time, as far as the music goes; none while off. */
TEST(clicks_go_with_the_music)
{
    struct score *s = make_metres(100, "C4:8q"); /* 600 ms a quarter */
    begin_clicks(s, 0, 0);
    run_for(1900);
    transport_set_clicks(&t, false);
    run_for(1200);
    transport_set_clicks(&t, true);
    run_for(6000);
    assert_false(t.is_playing);
    const double wanted[] = {0, 600, 1200, 1800, 3600, 4200};
    assert_int_equal(n_clicked, 6);
    for (int i = 0; i < 6; i++)
        assert_true(fabs(clicked[i].ms - 1010 - wanted[i]) < 1e-6);
}

TEST(a_loop_is_clicked_round)
{
    begin_clicks(make_metres(100, ""), 0, 0);
    transport_set_loop(&t, 0, 2 * QUARTER);
    run_for(60000);
    assert_in_range(n_clicked, 99, 102);
    assert_clicks(n_clicked, 1010, 0, 2);
}

/* Two bars, then the music; the playhead waits. */
TEST(bars_are_counted)
{
    struct score *s = make_metres(100, "C4");
    begin_clicks(s, 0, 2);
    assert_true(fabs(transport_count_in_ms(&t) - 8 * 600 - 10) < 1e-6);
    run_for(4790);
    assert_true(t.tick == 0);
    run_for(300);
    assert_true(transport_count_in_ms(&t) == 0);
    assert_true(t.tick > 0);
    assert_int_equal(n_heard(60), 1);
    assert_true(fabs(sent[0].ms - 1010 - 4800) < 1e-6);
    assert_clicks(9, 1010, 0, 4);
}

/* From the middle of a beat, the clicks are those of the bar, and go on without a
 * seam. An edit meanwhile neither loses nor doubles a click or the first note. */
TEST(counted_from_inside_a_bar)
{
    struct score *s = make_metres(100, "=2q120 C#4"); /* 150 ms after the third beat */
    begin_clicks(s, 2 * QUARTER + 120, 1);
    for (int i = 0; i < 40; i++) {
        run_for(70);
        change_music(s);
    }
    run_for(100);
    assert_int_equal(n_heard(61), 1);
    assert_clicks(5, 1010 + 450, 1, 4); /* at once, since the fifth is no bar's */
}

/* A loop removed shortly before its end does not turn; one set shortly before its
 * end does. */
TEST(a_loop_let_go_late)
{
    struct score *s = make_metres(100, "C4h. =2q D4q");
    begin_clicks(s, 0, 0);
    transport_set_loop(&t, 0, 2 * QUARTER); /* its end is heard at 2210 */
    run_for(1160);
    assert_int_equal(t.n_turns, 1); /* sent already */
    transport_set_loop(&t, 0, 0);
    run_for(400);
    assert_int_equal(n_heard(60), 1);
    assert_int_equal(n_heard(62), 1);
    assert_true(t.tick > 2 * QUARTER);
    begin_clicks(score_clone(s), 0, 0);
    run_for(1160);
    transport_set_loop(&t, 0, 2 * QUARTER);
    run_for(400);
    assert_int_equal(n_heard(60), 2);
    assert_int_equal(n_heard(62), 0);
}

/* A note removed just before it is due is not heard, one added there is; a sounding
 * note is neither struck again nor left hanging; another instrument and tempo are chosen. */
TEST(edits_are_heard_at_once)
{
    /* C4 is lengthened by the edit, and G4 ended; E4 is at 1610. */
    struct score *s = make_metres(100, "C4h =0 G4w =1q E4q"),
                 *edited = score_of("480 100bpm 50bpm=1w | t: C4h. =1q F4q =5q B4q");
    edited->tracks[0].program = 12;
    edited->chunks[edited->tracks[0].chunk].events[1].data[1] = 12; /* after the name */
    begin_clicks(s, 0, 0);
    run_for(570);
    assert_int_equal(n_heard(64), 1); /* that is, sent */
    change_music(edited);
    run_for(5000);
    assert_int_equal(n_heard(64), 0);
    assert_int_equal(n_heard(65), 1);
    assert_int_equal(n_heard(60), 1);
    int n_offs = 0, n_programs = 0;
    for (int i = 0; i < n_sent; i++) {
        n_programs += sent[i].m.status == 0xc0 && sent[i].m.data1 == 12;
        bool is_off = (sent[i].m.status & 0xf0) == 0x80;
        n_offs += is_off;
        assert_false(is_off && sent[i].m.data1 == 67 && sent[i].ms > 1610);
        assert_false(is_off && sent[i].m.data1 == 60 && sent[i].ms < 2800);
    }
    assert_int_equal(n_offs, 4);
    assert_int_equal(n_programs, 1);
    double at;
    assert_int_equal(onsets(71, &at, 1), 1);
    assert_float_equal(at, 1010 + 4 * 600 + 1200, 1e-6);
    score_destroy(edited);
}

/* A tempo too fast to click: clicks are left out. */
TEST(frantic_tempos)
{
    struct score *s = make_metres(60000, "C4:400000");
    begin_clicks(s, 0, 0);
    run_for(1000);
    assert_in_range(n_clicked, 20, 27);
}
