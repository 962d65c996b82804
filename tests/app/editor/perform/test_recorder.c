/* Playing into the piece by keys and by a keyboard that is fed by hand, without a screen or
 * sound: the transport runs on the clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"
#include "app/editor/perform/recorder.h"
#include "midi/transport/live.h"
#include "tui/keys/bindings.h"

#include <time.h>

static struct keymap_state typed;

static int open_session(void **state)
{
    struct session *s = keyed_open();
    if (!s)
        return -1;
    typed = (struct keymap_state){0};
    act_command_line(s, "count-in 0");
    *state = s;
    return 0;
}

static void press(struct session *s, uint32_t code)
{
    const struct key key = {.code = code};
    struct command c;
    if (keys_feed(&typed, s->mode, &key, &c))
        act_run(s, &c);
}

static void type(struct session *s, const char *text)
{
    for (; *text; text++)
        press(s, *text == '\n'     ? (uint32_t)K_ENTER
                 : *text == '\033' ? (uint32_t)K_ESCAPE
                                   : (uint8_t)*text);
}

/* So long, with the looks that the loop of the ui would take. */
static void pass_ms(struct session *s, int ms)
{
    for (double end = live_now() + ms; live_now() < end; session_tick(s))
        nanosleep(&(struct timespec){0, 5000000}, NULL);
}

static void feed(struct session *s, int status, int data1, int data2)
{
    const uint8_t m[3] = {(uint8_t)status, (uint8_t)data1, (uint8_t)data2};
    live_feed(player_live(s->player), live_now(), m);
}

static void play(struct session *s, int channel, int pitch, int ms)
{
    feed(s, 0x90 | channel, pitch, 90);
    pass_ms(s, ms);
    feed(s, 0x80 | channel, pitch, 64);
    pass_ms(s, 20);
}

static const struct track *track(const struct session *s, int i)
{
    return &s->project.score->tracks[i];
}

static void assert_said(const struct session *s, const char *text)
{
    if (!strstr(s->message, text))
        fail_msg("said \"%s\", not \"%s\"", s->message, text);
}

/* A recording from the start with that note in it. */
static void record_note(struct session *s, int channel, int pitch)
{
    type(s, "ggR");
    pass_ms(s, 60);
    play(s, channel, pitch, 60);
    type(s, "R");
}

static void a_note_is_recorded_and_undone(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "R");
    pass_ms(s, 100);
    feed(s, 0x90, 67, 77);
    pass_ms(s, 60);
    session_view(s, &v, 0);
    assert_true(v.record.is_on);
    assert_non_null(strstr(v.record.label, "REC bar 1.1  1 note"));
    assert_int_equal(v.drafts.n, 1);
    assert_true(v.drafts.notes[0].note.length > 20); /* and grows */
    feed(s, 0x80, 67, 64);
    pass_ms(s, 40);
    type(s, " ");
    assert_said(s, "recorded 1 note; u takes it back");
    assert_false(player_is_playing(s->player));
    session_view(s, &v, 0);
    assert_false(v.record.is_on);
    assert_int_equal(track(s, 0)->n_notes, 1);
    const struct note *n = &track(s, 0)->notes[0];
    assert_int_equal(n->pitch, 67);
    assert_int_equal(n->velocity, 77);
    assert_in_range(n->start, 60, 400); /* 96 is 100 ms */
    assert_in_range(n->length, 40, 400);
    type(s, "u");
    assert_int_equal(track(s, 0)->n_notes, 0);
}

static void nothing_played_changes_nothing(void **state)
{
    struct session *s = *state;
    type(s, "R");
    pass_ms(s, 30);
    type(s, "R");
    assert_said(s, "nothing was played");
    assert_false(project_modified(&s->project));
}

static void bars_are_counted_first(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, ":count-in 1\n:tempo 240\nR");
    pass_ms(s, 60);
    session_view(s, &v, 0);
    assert_non_null(strstr(v.record.label, "REC in 4"));
    play(s, 0, 60, 30); /* long before it begins */
    pass_ms(s, 1200);
    session_view(s, &v, 0);
    assert_non_null(strstr(v.record.label, "REC bar 1."));
    type(s, "R");
    assert_said(s, "nothing was played");
}

static void channels_go_to_the_armed_tracks(void **state)
{
    struct session *s = *state;
    type(s, ":track two\n:channel 5\nBa\033:track three\n:channel 6\nBa\033");
    assert_int_equal(recorder_target(s, 4), 1);
    assert_int_equal(recorder_target(s, 5), 2);
    assert_int_equal(recorder_target(s, 0), 2); /* the active one is armed */
    press(s, K_BACKTAB);
    press(s, K_BACKTAB);
    assert_int_equal(s->track, 0);
    assert_int_equal(recorder_target(s, 0), 1); /* the first that is */
    type(s, "R");
    pass_ms(s, 40);
    play(s, 4, 60, 30);
    play(s, 5, 64, 30);
    type(s, "R");
    assert_int_equal(track(s, 0)->n_notes, 0);
    assert_int_equal(track(s, 1)->n_notes, 1);
    assert_int_equal(track(s, 2)->n_notes, 1);
    type(s, "u");
    assert_int_equal(track(s, 1)->n_notes + track(s, 2)->n_notes, 0);
}

static void merging_replacing_punching(void **state)
{
    struct session *s = *state;
    record_note(s, 0, 60);
    record_note(s, 0, 64);
    assert_int_equal(track(s, 0)->n_notes, 2);
    type(s, ":record replace\n");
    record_note(s, 0, 67);
    assert_int_equal(track(s, 0)->n_notes, 1);
    assert_int_equal(track(s, 0)->notes[0].pitch, 67);
    type(s, ":record punch\nR");
    assert_said(s, "punch needs marks");
    type(s, "ggL1\\\\"); /* a loop of bar 2, which is not gone round */
    record_note(s, 0, 69);
    assert_said(s, "nothing was played between the marks");
    assert_int_equal(track(s, 0)->n_notes, 1);
    type(s, ":record other\n");
    assert_true(s->message_is_error);
}

/* A bar at 999 a minute is 240 ms. */
static void passes_of_a_loop_stand_one_at_a_time(void **state)
{
    struct session *s = *state;
    type(s, ":tempo 999\ngg1\\R");
    for (int i = 0; i < 3; i++) {
        pass_ms(s, 60);
        play(s, 0, 60 + i, 40);
        while (player_pass(s->player) <= (unsigned)i)
            pass_ms(s, 5);
    }
    type(s, "R");
    assert_said(s, "3 passes; the last stands");
    assert_int_equal(track(s, 0)->n_notes, 1);
    assert_int_equal(track(s, 0)->notes[0].pitch, 62);
    type(s, ":pass 1\n");
    assert_said(s, "pass 1 of 3");
    assert_int_equal(track(s, 0)->n_notes, 1);
    assert_int_equal(track(s, 0)->notes[0].pitch, 60);
    type(s, ":pass 2\n");
    assert_int_equal(track(s, 0)->notes[0].pitch, 61);
    type(s, "u");
    assert_int_equal(track(s, 0)->n_notes, 0);
    type(s, ":pass 4\n");
    assert_said(s, "passes 1 to 3");
}

static void the_latency_is_taken_off(void **state)
{
    struct session *s = *state;
    int64_t starts[2];
    for (int i = 0; i < 2; i++) {
        type(s, i ? ":latency 200\nR" : "R");
        pass_ms(s, 300);
        int64_t now = (int64_t)player_tick(s->player);
        play(s, 0, 60 + i, 30);
        type(s, "R");
        starts[i] = track(s, 0)->notes[0].start - now;
    }
    assert_in_range(starts[0] + 100, 80, 200); /* 0.96 ticks are a millisecond */
    assert_in_range(starts[1] + 300, 80, 200);
}

static void steps_are_put_one_after_another(void **state)
{
    struct session *s = *state;
    const int64_t sixteenth = 120;
    type(s, "Q");
    assert_int_equal(s->mode, MODE_STEP);
    pass_ms(s, 20);
    feed(s, 0x90, 60, 90);
    feed(s, 0x90, 64, 91);
    pass_ms(s, 30);
    assert_int_equal(track(s, 0)->n_notes, 0); /* until they are let go */
    feed(s, 0x80, 60, 0);
    pass_ms(s, 30);
    assert_int_equal(track(s, 0)->n_notes, 0);
    feed(s, 0x80, 64, 0);
    pass_ms(s, 30);
    assert_int_equal(track(s, 0)->n_notes, 2);
    assert_int_equal(track(s, 0)->notes[1].velocity, 91);
    assert_int_equal(track(s, 0)->notes[1].length, sixteenth);
    assert_int_equal(s->cursor_tick, sixteenth);
    type(s, " ");
    assert_int_equal(s->cursor_tick, 2 * sixteenth);
    type(s, "q"); /* the computer's keys do as well */
    pass_ms(s, 250);
    assert_int_equal(track(s, 0)->n_notes, 3);
    assert_int_equal(track(s, 0)->notes[2].pitch, 72);
    assert_int_equal(track(s, 0)->notes[2].start, 2 * sixteenth);
    press(s, K_BACKSPACE); /* the note, */
    assert_int_equal(track(s, 0)->n_notes, 2);
    assert_int_equal(s->cursor_tick, 2 * sixteenth);
    press(s, K_BACKSPACE); /* the rest, */
    assert_int_equal(track(s, 0)->n_notes, 2);
    press(s, K_BACKSPACE); /* and the chord */
    assert_int_equal(track(s, 0)->n_notes, 0);
    assert_int_equal(s->cursor_tick, 0);
    press(s, K_ESCAPE);
    assert_int_equal(s->mode, MODE_NORMAL);
}

/* One key lasts a step; one that repeats is held. */
static void computer_keys_last_a_step_or_as_long_as_they_repeat(void **state)
{
    struct session *s = *state;
    type(s, ":grid 1/8\nqR"); /* 250 ms */
    assert_int_equal(s->mode, MODE_PLAY);
    pass_ms(s, 40);
    type(s, "z");
    pass_ms(s, 400);
    for (int i = 0; i < 12; i++) {
        type(s, "x");
        pass_ms(s, 35);
    }
    pass_ms(s, 250);
    type(s, "<v");
    pass_ms(s, 40);
    type(s, "R");
    assert_said(s, "recorded 3 notes");
    const struct note *n = track(s, 0)->notes;
    assert_int_equal(n[0].pitch, 60);
    assert_in_range(n[0].length, 220, 330); /* 240 is 250 ms */
    assert_int_equal(n[1].pitch, 62);
    assert_in_range(n[1].length, 450, 720); /* some 570 ms are 547 */
    assert_int_equal(n[2].pitch, 53);
}

static void leaving_keeps_what_was_played(void **state)
{
    struct session *s = *state;
    type(s, "R");
    pass_ms(s, 40);
    play(s, 0, 60, 30);
    type(s, ":q\n");
    assert_false(s->quit);
    assert_said(s, "unsaved changes");
    assert_int_equal(track(s, 0)->n_notes, 1);
}

static void without_a_track_there_is_nothing_to_record_onto(void **state)
{
    struct session *s = *state;
    while (s->project.score->n_tracks)
        type(s, "BX\033");
    type(s, "R");
    assert_said(s, "no tracks");
    type(s, "qz");
    assert_said(s, "no tracks");
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        CASE(a_note_is_recorded_and_undone),
        CASE(nothing_played_changes_nothing),
        CASE(bars_are_counted_first),
        CASE(channels_go_to_the_armed_tracks),
        CASE(merging_replacing_punching),
        CASE(passes_of_a_loop_stand_one_at_a_time),
        CASE(the_latency_is_taken_off),
        CASE(steps_are_put_one_after_another),
        CASE(computer_keys_last_a_step_or_as_long_as_they_repeat),
        CASE(leaving_keeps_what_was_played),
        CASE(without_a_track_there_is_nothing_to_record_onto),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
