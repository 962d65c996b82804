/* Finding notes, texts and bars by the keys that do it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/editor/edit/find_query.h"
#include "tests/app/keyed.h"

enum { QUARTER = 480, BAR = 4 * QUARTER };

/* C4 D4 E4 ... by quarters, ever louder; every fourth twice as long; then an octave up. */
static void put_notes(struct session *s)
{
    static const int SCALE[] = {60, 62, 64, 65, 67, 69, 71, 72};
    struct change *c = change_create("notes");
    for (int i = 0; i < 16; i++) {
        struct note n = {.start = i * QUARTER,
                         .length = i % 4 == 3 ? 960 : QUARTER,
                         .pitch = (uint8_t)(SCALE[i % 8] + 12 * (i / 8)),
                         .velocity = (uint8_t)(8 * (i + 1) - 4)};
        assert_int_equal(change_add_note(c, 0, n), MIDI_OK);
    }
    assert_true(session_do(s, c));
}

static void notes_are_found(void **state)
{
    struct session *s = *state;
    struct view v;
    put_notes(s);
    keys(s, "/E\r"); /* both */
    assert_int_equal(s->cursor_tick, 2 * QUARTER);
    assert_int_equal(s->cursor_pitch, 64);
    assert_string_equal(s->message, "2 notes on this track: n next, g/ selects them");
    keys(s, "n");
    assert_int_equal(s->cursor_pitch, 76);
    keys(s, "n");
    assert_int_equal(s->cursor_pitch, 64);
    assert_string_equal(s->message, "round to the first");
    keys(s, "N");
    assert_int_equal(s->cursor_pitch, 76);
    assert_string_equal(s->message, "round to the last");
    keys(s, "9999n"); /* as often round as it takes */
    assert_int_equal(s->cursor_pitch, 64);
    keys(s, "/E4\r/>100\r"); /* 108, 116, 124 */
    assert_int_equal(s->cursor_tick, 13 * QUARTER);
    session_view(s, &v, 0);
    assert_int_equal(v.found.n, 3);
    keys(s, "g/");
    assert_int_equal(s->n_selected, 3);
    keys(s, "\33\33");
    session_view(s, &v, 0);
    assert_int_equal(v.found.n, 0); /* out of sight, and not forgotten */
    keys(s, "n");
    session_view(s, &v, 0);
    assert_int_equal(v.found.n, 3);
    keys(s, "gg/len>1/4\r2n");
    assert_int_equal(s->cursor_tick, 11 * QUARTER);
    keys(s, "gg/\r"); /* nothing typed: the same again */
    assert_int_equal(s->cursor_tick, 3 * QUARTER);
    keys(s, "/Eb\r");
    assert_true(s->message_is_error);
    assert_int_equal(s->cursor_tick, 3 * QUARTER);
}

static void texts_and_bars_are_found(void **state)
{
    struct session *s = *state;
    keys(s, "3GmThe Verse\r9GmVerse two\r:track Inverse\rgg/VERSE\r");
    assert_int_equal(s->cursor_tick, 2 * BAR);
    assert_string_equal(s->message, "found 3 times: n next");
    keys(s, "n");
    assert_int_equal(s->cursor_tick, 8 * BAR);
    assert_string_equal(s->message, "marker: Verse two");
    s->track = 0;
    keys(s, "n");
    assert_int_equal(s->track, 1);
    keys(s, "n");
    assert_int_equal(s->cursor_tick, 2 * BAR);
    assert_string_equal(s->message, "round to the first");
    keys(s, "/12.3\r");
    assert_int_equal(s->cursor_tick, 11 * BAR + 2 * QUARTER);
    keys(s, "N"); /* a bar is no search to go on with */
    assert_int_equal(s->track, 1);
    keys(s, "/nowhere\r");
    assert_string_equal(s->message, "nowhere is nowhere");
}

/* Also of more notes than were ever chosen before, and with others chosen before. */
static void what_is_found_is_selected(void **state)
{
    enum { N = 200 };
    struct session *s = *state;
    struct change *c = change_create("a row");
    for (int i = 0; i < N; i++)
        assert_int_equal(
            change_add_note(c, 0, edit_new_note(i * QUARTER, QUARTER, 60 + i % 2, 80)),
            MIDI_OK);
    assert_true(session_do(s, c));
    keys(s, "/C#4\r");
    select_one(s, s->project.score->tracks[0].notes[0].id);
    keys(s, "g/");
    assert_int_equal(s->n_selected, N / 2);
    assert_int_equal(s->n_selected_tracks, 1);
    assert_ptr_not_equal(s->selected, s->selected_before.ids);
    assert_int_equal(s->selected_before.n, 1);
    keys(s, "gv");
    assert_int_equal(s->n_selected, 1);
    keys(s, "gv");
    assert_int_equal(s->n_selected, N / 2);
}

static void the_view_follows_what_is_typed(void **state)
{
    struct session *s = *state;
    put_notes(s);
    keys(s, "2G");
    struct viewport port = s->port;
    keys(s, "/C");
    assert_int_equal(s->cursor_tick, 7 * QUARTER);
    keys(s, "4");
    assert_int_equal(s->cursor_tick, 0);
    keys(s, "\b\b40");
    assert_int_equal(s->cursor_tick, 39 * BAR);
    assert_int_not_equal(s->port.left_tick, port.left_tick);
    keys(s, "\33");
    assert_int_equal(s->cursor_tick, BAR);
    assert_int_equal(s->port.left_tick, port.left_tick);
    keys(s, "n");
    assert_string_equal(s->message, "nothing was sought yet: / asks what");
}

static void what_is_typed_decides(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum find_kind kind;
    } CASES[] = {
        {"", FIND_NOTHING},       {"12", FIND_BAR},        {"12.3", FIND_BAR},
        {"0", FIND_TEXT},         {"12.", FIND_TEXT},      {"999999999999", FIND_TEXT},
        {"C4", FIND_PITCH},       {"c", FIND_PITCH},       {"F#", FIND_PITCH},
        {"Bb-1", FIND_PITCH},     {"b", FIND_PITCH},       {"Cb-1", FIND_TEXT},
        {"G#9", FIND_TEXT},       {"C11", FIND_TEXT},      {"Cantus", FIND_TEXT},
        {">100", FIND_VELOCITY},  {"<=5", FIND_VELOCITY},  {"=64", FIND_VELOCITY},
        {">", FIND_TEXT},         {">200", FIND_TEXT},     {"=>5", FIND_TEXT},
        {"len>1/2", FIND_LENGTH}, {"LEN=1", FIND_LENGTH},  {"len>1/0", FIND_TEXT},
        {"len", FIND_TEXT},       {"len>1/2x", FIND_TEXT}, {"la", FIND_TEXT},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        struct find_query q = find_parse(CASES[i].text);
        if (q.kind != CASES[i].kind)
            fail_msg("\"%s\" is %d", CASES[i].text, q.kind);
        assert_string_equal(q.text, CASES[i].text);
    }
    struct find_query q = find_parse("Cb");
    assert_int_equal(q.pitch, 11);
    assert_true(q.any_octave);
    assert_int_equal(find_parse("B#3").pitch, 60);
    q = find_parse("na\xC3\xAFve");
    assert_true(find_fits_text(&q, "x NA\xC3\xAFVE", 8));
    assert_false(find_fits_text(&q, "na", 2));
}

int main(void)
{
#define IN_SESSION(test)                                                               \
    cmocka_unit_test_setup_teardown(test, keyed_set_up, keyed_close)
    const struct CMUnitTest tests[] = {
        IN_SESSION(notes_are_found),
        IN_SESSION(texts_and_bars_are_found),
        IN_SESSION(what_is_found_is_selected),
        IN_SESSION(the_view_follows_what_is_typed),
        cmocka_unit_test(what_is_typed_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
