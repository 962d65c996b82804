/* What edits do to the pitches and velocities of notes, alone and in chords, by keys and
 * lines, without a screen; and every edit there is, undone to the note, and repeated. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/editor/edit/shaped.h"
#include "tests/midi/random_piece.h"

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
        CASE(pitches_move_by_step_and_octave),
        CASE(a_note_alone_takes_the_cursor_along),
        CASE(velocities_keep_their_differences),
        CASE(chords_are_of_the_scale),
        CASE(chords_have_symbols),
        CASE(whatever_is_done_is_undone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
