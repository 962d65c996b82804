/* What edits do to notes, by keys and lines, without a screen: every one of them, undone
 * to the note, and repeated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"
#include "tests/midi/random_piece.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void line(struct session *s, const char *text)
{
    keys(s, ":");
    keys(s, text);
    keys(s, "\r");
}

static int open_session(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

static void put(struct session *s, int track, int64_t start, int64_t length, int pitch)
{
    put_note(s, track, start, length, pitch, 80);
}

/* "start+length pitch, ..." of the active track, or with velocities "start+length
 * pitch@velocity". */
static void expect(const struct session *s, bool velocities, const char *wanted)
{
    char text[512] = "";
    size_t n = 0;
    const struct track *t = &s->project.score->tracks[s->track];
    for (size_t i = 0; i < t->n_notes; i++) {
        const struct note *k = &t->notes[i];
        n +=
            (size_t)snprintf(text + n, sizeof text - n, "%s%lld+%lld %d", i ? ", " : "",
                             (long long)k->start, (long long)k->length, k->pitch);
        if (velocities)
            n += (size_t)snprintf(text + n, sizeof text - n, "@%d", k->velocity);
    }
    assert_string_equal(text, wanted);
}

#define NOTES(wanted)      expect(s, false, wanted)
#define VELOCITIES(wanted) expect(s, true, wanted)

static void select_all(struct session *s)
{
    act_run(s, &(struct command){.id = CMD_SELECT_ALL});
}

static void undo(struct session *s, const char *label)
{
    keys(s, "u");
    char wanted[100];
    snprintf(wanted, sizeof wanted, "undone: %s", label);
    assert_string_equal(s->message, wanted);
}

/* -- timing -- */

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

/* -- pitch -- */

static void pitches_move_by_step_and_octave(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 240, 60);
    put(s, 0, 240, 240, 61);
    put(s, 0, 480, 240, 64);
    keys(s, "g}");
    assert_non_null(strstr(s->message, ":scale"));
    line(s, "scale C");
    select_all(s);
    keys(s, "g}");
    NOTES("0+240 62, 240+240 63, 480+240 65");
    keys(s, "2g{");
    NOTES("0+240 59, 240+240 60, 480+240 62");
    undo(s, "transpose 3 notes");
    keys(s, "gK");
    keys(s, ".");
    keys(s, "gJ");
    NOTES("0+240 74, 240+240 75, 480+240 77");
    line(s, "transpose -12");
    keys(s, "2{");
    NOTES("0+240 60, 240+240 61, 480+240 63");
    keys(s, "100}");
    assert_string_equal(s->message, "cannot transpose any further");
    line(s, "transpose up");
    assert_true(s->message_is_error);
    line(s, "invert");
    NOTES("0+240 60, 240+240 59, 480+240 57");
    assert_string_equal(s->message, "turned over at C4");
    line(s, "invert E4");
    NOTES("0+240 68, 240+240 69, 480+240 71");
    keys(s, ".");
    NOTES("0+240 60, 240+240 59, 480+240 57");
    line(s, "invert H");
    assert_true(s->message_is_error);
}

static void a_note_alone_takes_the_cursor_along(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 240, 60);
    line(s, "scale C minor");
    keys(s, "2g}");
    assert_int_equal(s->cursor_pitch, 63);
    keys(s, "gK");
    assert_int_equal(s->cursor_pitch, 75);
    line(s, "transpose -1");
    assert_int_equal(s->cursor_pitch, 74);
    undo(s, "transpose a note");
}

/* -- length -- */

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

/* -- velocity -- */

static void velocities_keep_their_differences(void **state)
{
    struct session *s = *state;
    put(s, 0, 0, 240, 60);
    put(s, 0, 480, 240, 62);
    put(s, 0, 960, 240, 64);
    select_all(s);
    line(s, "velocity 60-100");
    VELOCITIES("0+240 60@60, 480+240 62@80, 960+240 64@100");
    keys(s, "9+");
    VELOCITIES("0+240 60@87, 480+240 62@107, 960+240 64@127");
    keys(s, "+");
    assert_string_equal(s->message, "it cannot be louder");
    keys(s, "-");
    VELOCITIES("0+240 60@79, 480+240 62@99, 960+240 64@119");
    undo(s, "soften 3 notes");
    undo(s, "strengthen 3 notes");
    line(s, "velocity *1.2");
    VELOCITIES("0+240 60@72, 480+240 62@96, 960+240 64@120");
    line(s, "velocity -10");
    keys(s, ".");
    VELOCITIES("0+240 60@52, 480+240 62@76, 960+240 64@100");
    line(s, "velocity 90");
    VELOCITIES("0+240 60@90, 480+240 62@90, 960+240 64@90");
    undo(s, "change the velocity of 3 notes");
    static const char *const BAD[] = {
        "velocity",   "velocity 0",    "velocity 128",      "velocity 1-",
        "velocity *", "velocity loud", "velocity 60-100-20"};
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        line(s, BAD[i]);
        assert_true(s->message_is_error);
    }
}

/* -- chords -- */

static void chords_are_of_the_scale(void **state)
{
    struct session *s = *state;
    line(s, "scale G");
    s->cursor_pitch = 66;
    keys(s, "o");
    NOTES("0+120 66, 0+120 69, 0+120 72");
    assert_string_equal(s->message, "F#dim");
    keys(s, "4o"); /* the fourth is put to them */
    NOTES("0+120 66, 0+120 69, 0+120 72, 0+120 76");
    assert_string_equal(s->message, "F#m7b5; 3 of its notes were there");
    keys(s, "4o");
    assert_string_equal(s->message, "F#m7b5 is here already");
    undo(s, "chord F#m7b5");
    undo(s, "chord F#dim");
    line(s, "scale F");
    s->cursor_pitch = 70;
    keys(s, "o");
    assert_string_equal(s->message, "Bb");
    keys(s, "u");
    line(s, "scale any");
    s->cursor_pitch = 62;
    keys(s, "4o");
    assert_string_equal(s->message, "Dmaj7");
}

static void chords_have_symbols(void **state)
{
    struct session *s = *state;
    put(s, 0, 480, 480, 62);
    line(s, "chord G7/B");
    NOTES("0+120 59, 0+120 62, 0+120 65, 0+120 67, 480+480 62");
    assert_string_equal(s->message, "G7/B");
    keys(s, "u");
    keys(s, "i");
    s->cursor_pitch = 59;
    keys(s, "6o"); /* six notes */
    assert_int_equal(s->cursor_tick, 120);
    keys(s, "u");
    keys(s, "\033");
    s->cursor_tick = 0;
    s->cursor_pitch = 62;
    keys(s, "8\r");
    NOTES("0+480 62, 480+480 62"); /* up to the next */
    line(s, "chord m7");
    NOTES("0+480 62, 0+480 65, 0+480 69, 0+480 72, 480+480 62");
    s->cursor_tick = 480;
    keys(s, ".");
    NOTES("0+480 62, 0+480 65, 0+480 69, 0+480 72, "
          "480+480 62, 480+480 65, 480+480 69, 480+480 72");
    line(s, "chord X");
    assert_true(s->message_is_error);
}

/* -- all of them -- */

static void put_at_random(struct session *s, uint64_t *r)
{
    for (int track = 0; track < 2; track++)
        for (int i = 0; i < 40; i++)
            put(s, track, 100 * i + random_below(r, 60), 1 + random_below(r, 40),
                50 + random_below(r, 20));
}

/* Of two tracks together; whatever is done, it undoes to the note, and no two of one
 * pitch overlap. */
static void whatever_is_done_is_undone(void **state)
{
    static const char *const KEYS[] = {
        "=",  "60=", "gu", "~",  "4~", "gl", "50gl", "g.", "gj", "2gj", "s", "3s",
        "g}", "2g{", "gJ", "gK", "o",  "5o", "+",    "-",  "[",  "]",   ".", "u"};
    static const char *const LINES[] = {"quantise 70% start end swing 60",
                                        "quantise length",
                                        "swing 55",
                                        "humanise 40ms 20",
                                        "transpose 3",
                                        "invert",
                                        "stretch 150%",
                                        "stretch 2/3",
                                        "reverse",
                                        "velocity 20-110",
                                        "velocity *0.8",
                                        "chord m9"};
    struct session *s = *state;
    uint64_t r = 1;
    struct score *before = score_clone(s->project.score);
    line(s, "track Two");
    put_at_random(s, &r);
    line(s, "scale D dorian");
    for (int i = 0; i < 400; i++) {
        s->track = random_below(&r, 2);
        s->cursor_tick = 120 * random_below(&r, 40);
        s->cursor_pitch = 50 + random_below(&r, 20);
        if (random_below(&r, 3))
            select_all(s);
        else
            session_clear_selection(s);
        if (random_below(&r, 2))
            keys(s, KEYS[random_below(&r, (int)(sizeof KEYS / sizeof *KEYS))]);
        else
            line(s, LINES[random_below(&r, (int)(sizeof LINES / sizeof *LINES))]);
        for (int t = 0; t < (int)s->project.score->n_tracks; t++) {
            int64_t end[128] = {0};
            const struct track *track = &s->project.score->tracks[t];
            for (size_t k = 0; k < track->n_notes; k++) {
                const struct note *n = &track->notes[k];
                assert_true(n->start >= end[n->pitch]);
                end[n->pitch] = note_end(n);
            }
        }
    }
    while (project_undo(&s->project, NULL))
        continue;
    assert_true(score_equal(before, s->project.score));
    score_destroy(before);
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
        CASE(pitches_move_by_step_and_octave),
        CASE(a_note_alone_takes_the_cursor_along),
        CASE(legato_and_staccato),
        CASE(a_phrase_is_stretched_and_reversed),
        CASE(notes_are_joined),
        CASE(notes_are_split),
        CASE(velocities_keep_their_differences),
        CASE(chords_are_of_the_scale),
        CASE(chords_have_symbols),
        CASE(whatever_is_done_is_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
