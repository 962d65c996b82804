/* What edits do to when notes begin and end, by keys and lines, without a screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/editor/edit/shaped.h"

static void quantising_goes_from_what_was_played(void **state)
{
    struct session *s = *state;
    put(s, 0, 20, 100, 60);
    put(s, 0, 130, 100, 62);
    select_all(s);
    keys(s, "50=");
    NOTES("10+100 60, 125+100 62");
    keys(s, "50=");
    NOTES("10+100 60, 125+100 62");
    assert_string_equal(s->message, "nothing to quantise here: it is so already");
    keys(s, "=");
    NOTES("0+100 60, 120+100 62");
    assert_string_equal(s->message, "2 notes quantised: 100% start");
    keys(s, ">");
    keys(s, "gu");
    NOTES("140+100 60, 250+100 62");
    assert_string_equal(s->message, "2 notes as played");
    keys(s, "gu");
    undo(s, "bring back the timing of 2 notes");
    keys(s, "u");
    undo(s, "quantise 2 notes");
    undo(s, "quantise 2 notes");
    NOTES("20+100 60, 130+100 62");
}

static void one_is_asked_how_to_quantise(void **state)
{
    struct session *s = *state;
    put(s, 0, 130, 100, 60);
    s->cursor_tick = 120;
    keys(s, "g=");
    assert_int_equal(s->mode, MODE_PROMPT);
    assert_string_equal(s->input, "100% start");
    keys(s, " end swing 66\r");
    NOTES("158+82 60"); /* 79 percent of 240 is 158.4 */
    assert_string_equal(s->message, "1 note quantised: 100% start end swing 66");
    line(s, "swing 50");
    NOTES("120+120 60");
    line(s, "quantise 0%");
    NOTES("130+100 60");
    line(s, "quantise backwards");
    assert_true(s->message_is_error);
    line(s, "swing 80");
    assert_true(s->message_is_error);
    s->cursor_tick = 1920;
    line(s, "quantise 90% swing 56");
    assert_string_equal(s->message, "= quantises: 90% start end swing 56");
    keys(s, "g=");
    assert_string_equal(s->input, "90% start end swing 56");
}

static void quantising_cuts_tails_and_names_the_bar(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 125, 60);
    put(s, 0, 130, 100, 60);
    s->cursor_tick = 120;
    keys(s, "=");
    NOTES("0+120 60, 120+100 60");
    assert_string_equal(s->message, "1 note quantised: 100% start; 1 tail cut");
    undo(s, "quantise a note");
    NOTES("0+125 60, 130+100 60");
    put(s, 0, 1930, 20, 61);
    put(s, 0, 1955, 20, 61);
    select_all(s);
    keys(s, "=");
    assert_string_equal(
        s->message, "cannot quantise 4 notes: two C♯4 would begin together in bar 2");
    NOTES("0+125 60, 130+100 60, 1930+20 61, 1955+20 61");
}

static void humanising_draws_anew_in_its_own_place(void **state)
{
    struct session *s = *state;
    for (int i = 0; i < 16; i++)
        put(s, 0, 480 + 240 * i, 240, 60 + i % 3);
    struct score *before = score_clone(s->project.score);
    select_all(s);
    line(s, "humanise 10ms 8 seed 7");
    assert_non_null(strstr(s->message, "seed 7"));
    struct score *seven = score_clone(s->project.score);
    keys(s, "~");
    assert_non_null(strstr(s->message, "seed 8"));
    assert_false(score_equal(seven, s->project.score));
    line(s, "humanise seed 7");
    assert_true(score_equal(seven, s->project.score));
    keys(s, "gu"); /* the time, not the velocity */
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(s->project.score->tracks[0].notes[i].start, 480 + 240 * i);
    keys(s, "u");
    undo(s, "humanise 16 notes");
    assert_true(score_equal(before, s->project.score));
    keys(s, "3~");
    assert_non_null(strstr(s->message, ": 30 ms, velocity 24"));
    keys(s, "x");
    undo(s, "remove notes");
    undo(s, "humanise 16 notes");
    assert_true(score_equal(before, s->project.score));
    line(s, "humanise wildly");
    assert_true(s->message_is_error);
    score_destroy(before);
    score_destroy(seven);
}

static void the_cursor_stays_on_a_note_alone(void **state)
{
    struct session *s = *state;
    put(s, 0, 470, 200, 60);
    s->cursor_tick = 360;
    keys(s, "=");
    NOTES("480+200 60");
    assert_int_equal(s->cursor_tick, 480);
    keys(s, "gu");
    NOTES("470+200 60");
    assert_int_equal(s->cursor_tick, 480); /* it sounds there */
}

static void legato_and_staccato(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 100, 60);
    put(s, 0, 0, 900, 55);
    put(s, 0, 240, 100, 62);
    put(s, 0, 480, 100, 64);
    select_all(s);
    keys(s, "gl");
    NOTES("0+240 55, 0+240 60, 240+240 62, 480+100 64");
    keys(s, "90gl");
    NOTES("0+216 55, 0+216 60, 240+216 62, 480+100 64");
    undo(s, "slur 4 notes");
    keys(s, "g.");
    NOTES("0+120 55, 0+120 60, 240+120 62, 480+50 64");
    keys(s, "2.");
    NOTES("0+30 55, 0+30 60, 240+30 62, 480+12 64");
    keys(s, "200g.");
    NOTES("0+60 55, 0+60 60, 240+60 62, 480+24 64");
    undo(s, "shorten 4 notes");
    keys(s, "\033");
    s->cursor_pitch = 60;
    keys(s, "gl"); /* alone: up to the track's next */
    NOTES("0+30 55, 0+240 60, 240+30 62, 480+12 64");
}

static void a_phrase_is_stretched_and_reversed(void **state)
{
    struct session *s = *state;
    put(s, 0, 480, 240, 60);
    put(s, 0, 720, 120, 62);
    put(s, 0, 960, 240, 64);
    select_all(s);
    line(s, "stretch 200%");
    NOTES("480+480 60, 960+240 62, 1440+480 64");
    line(s, "stretch 1/3");
    NOTES("480+160 60, 640+80 62, 800+160 64");
    keys(s, ".");
    NOTES("480+53 60, 533+27 62, 587+53 64");
    keys(s, "u");
    undo(s, "stretch 3 notes");
    undo(s, "stretch 3 notes");
    line(s, "reverse");
    NOTES("480+240 64, 840+120 62, 960+240 60");
    keys(s, ".");
    NOTES("480+240 60, 720+120 62, 960+240 64");
    static const char *const BAD[] = {
        "stretch",      "stretch 0%",     "stretch 2",
        "stretch 2/0",  "stretch 20000%", "stretch 2/3x",
        "stretch -1/3", "stretch 100%%",  "stretch 5/100%"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        line(s, BAD[i]);
        assert_true(s->message_is_error);
    }
    NOTES("480+240 60, 720+120 62, 960+240 64");
}

static void notes_are_joined(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 120, 60);
    put(s, 0, 120, 120, 60);
    put(s, 0, 300, 120, 60);
    put(s, 0, 300, 120, 64);
    put(s, 0, 960, 120, 60);
    keys(s, "gj");
    NOTES("0+240 60, 300+120 60, 300+120 64, 960+120 60");
    undo(s, "join 2 notes");
    select_all(s);
    keys(s, "gj");
    NOTES("0+420 60, 300+120 64, 960+120 60");
    assert_string_equal(s->message, "5 notes are 3 now");
    keys(s, "gj");
    assert_non_null(strstr(s->message, "nothing to join"));
    keys(s, "9gj");
    NOTES("0+1080 60, 300+120 64");
    select_all(s);
    keys(s, "x");
    put(s, 0, 0, 120, 60);
    keys(s, "gj");
    assert_non_null(strstr(s->message, "nothing to join"));
}

static void notes_are_split(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 480, 60);
    put(s, 0, 120, 480, 64);
    keys(s, "3s");
    NOTES("0+160 60, 120+480 64, 160+160 60, 320+160 60");
    undo(s, "split a note");
    select_all(s);
    s->cursor_tick = 240;
    keys(s, "s");
    NOTES("0+240 60, 120+120 64, 240+240 60, 240+360 64");
    assert_int_equal(s->n_selected, 4);
    keys(s, "}");
    NOTES("0+240 61, 120+120 65, 240+240 61, 240+360 65");
    keys(s, "u");
    undo(s, "split 2 notes");
    s->cursor_tick = 0;
    keys(s, "s");
    assert_string_equal(s->message, "put the cursor inside a note to split it there");
    keys(s, "2s");
    NOTES("0+240 60, 120+240 64, 240+240 60, 360+240 64");
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        CASE(quantising_goes_from_what_was_played),
        CASE(one_is_asked_how_to_quantise),
        CASE(quantising_cuts_tails_and_names_the_bar),
        CASE(humanising_draws_anew_in_its_own_place),
        CASE(the_cursor_stays_on_a_note_alone),
        CASE(legato_and_staccato),
        CASE(a_phrase_is_stretched_and_reversed),
        CASE(notes_are_joined),
        CASE(notes_are_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
