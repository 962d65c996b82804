/* Choosing notes by keys and by the :select line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>

#include "app/editor/edit/note_filter.h"
#include "tests/app/keyed.h"

enum { BAR = 1920 };

/* Three tracks: a scale of C with one F sharp over two bars, an octave lower the same of
 * half length, and one note in bar 3. */
static int open_session(void **state)
{
    static const int PITCHES[] = {60, 62, 64, 66, 67, 69, 71, 72};
    struct session *s = keyed_open();
    if (!s)
        return -1;
    act_command_line(s, "track Second");
    act_command_line(s, "track Third");
    for (int i = 0; i < 8; i++) {
        put_note(s, 0, i * 480, 480, PITCHES[i], 40 + 10 * i);
        put_note(s, 1, i * 480, 240, PITCHES[i] - 12, 80);
    }
    put_note(s, 2, 2 * BAR, 960, 40, 80);
    s->track = 0;
    s->cursor_pitch = 60;
    *state = s;
    return 0;
}

static void selected(const struct session *s, size_t n, int n_tracks)
{
    assert_int_equal(s->n_selected, n);
    assert_int_equal(s->n_selected_tracks, n_tracks);
    for (size_t i = 1; i < n; i++)
        assert_true(s->selected[i - 1] < s->selected[i]);
}

static void bars_of_one_track_or_all(void **state)
{
    struct session *s = *state;
    keys(s, "V");
    selected(s, 4, 1);
    keys(s, "gV");
    selected(s, 8, 2);
    assert_int_equal(s->mode, MODE_SELECT);
    keys(s, "2L");
    selected(s, 17, 3);
    keys(s, "V");
    selected(s, 8, 1);
    keys(s, "gVgV");
    selected(s, 0, 0);
    assert_int_equal(s->mode, MODE_NORMAL);
    s->project.score->tracks[1].hide = true;
    keys(s, "gggV");
    selected(s, 4, 1);
}

static void by_pitch_class_and_scale(void **state)
{
    struct session *s = *state;
    keys(s, "*");
    selected(s, 1, 1);
    keys(s, "g*");
    selected(s, 2, 1); /* 60 and 72 */
    keys(s, "gO");
    assert_non_null(strstr(s->message, "no scale is set"));
    selected(s, 2, 1);
    keys(s, ":scale C\rgO");
    selected(s, 1, 1);
    assert_true(select_has(s, note_of(s, 0, 3)->id));
    keys(s, ":scale G\rgO");
    selected(s, 0, 0);
    assert_string_equal(s->message, "no note here is out of the scale");
}

static void by_track_all_and_the_rest(void **state)
{
    struct session *s = *state;
    keys(s, "gt");
    selected(s, 8, 1);
    keys(s, "3gt");
    selected(s, 1, 1);
    assert_int_equal(s->track, 2);
    keys(s, "9gt");
    assert_string_equal(s->message, "there are only 3 tracks");
    selected(s, 1, 1);
    keys(s, "gA");
    selected(s, 17, 3);
    assert_string_equal(s->message, "17 notes of 3 tracks selected");
    keys(s, "gi");
    selected(s, 0, 0);
    keys(s, "1gtVgi"); /* the bar, then the other */
    selected(s, 4, 1);
    assert_true(select_has(s, note_of(s, 0, 4)->id));
    keys(s, "gggVgi");
    selected(s, 9, 3);
    keys(s, "\033gi");
    selected(s, 8, 1);
    keys(s, "\001"); /* Ctrl-A */
    selected(s, 8, 1);
}

static void the_last_selection_comes_back(void **state)
{
    struct session *s = *state;
    keys(s, "gv");
    assert_string_equal(s->message, "nothing was selected before");
    keys(s, "vlllljjkkkkkkk"); /* a beat more, and up to 66 from 60 */
    size_t n = s->n_selected;
    struct box box = s->box;
    assert_true(n > 0);
    keys(s, "y");
    selected(s, 0, 0);
    keys(s, "Ggv");
    assert_int_equal(s->mode, MODE_SELECT);
    assert_int_equal(s->n_selected, n);
    assert_memory_equal(&s->box, &box, sizeof box);
    s->cursor_pitch = 60;
    keys(s, "\033gA\033*gv"); /* without a box they change places */
    selected(s, 17, 3);
    keys(s, "gv");
    selected(s, 1, 1);
    keys(s, "gg");
    keys(s, "\033gVy2Lgv");
    selected(s, 8, 2);
    keys(s, "xgv"); /* they are gone, the box is not */
    selected(s, 0, 0);
    assert_int_equal(s->mode, MODE_SELECT);
}

static void by_the_line(void **state)
{
    struct session *s = *state;
    keys(s, ":select velocity>90\r");
    selected(s, 2, 1); /* 100, 110 */
    keys(s, "\033:select velocity<=50\r");
    selected(s, 2, 1);
    keys(s, "\033:select pitch E4-G4\r");
    selected(s, 3, 1);
    keys(s, ":select velocity > 65\r"); /* of those */
    selected(s, 2, 1);
    keys(s, "\033gA:select length<1/4\r");
    selected(s, 8, 1);
    assert_true(select_has(s, note_of(s, 1, 0)->id));
    keys(s, "\033gA:select bar 2-3 length >= 1/4\r");
    selected(s, 5, 2);
    keys(s, "\033:select bar 9\r");
    selected(s, 0, 0);
    assert_false(s->message_is_error);
    static const char *const BAD[] = {
        "",           "velocity",       "velocity>", "loud",        "velocity>x",
        "length<off", "length<1/3",     "pitch H2",  "bar 5-3",     "velocity>90 and",
        "bar -",      "pitch C3-G4-C5", "bar3bar",   "length 1/16x"};
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "select %s", BAD[i]);
        act_command_line(s, line);
        if (!s->message_is_error)
            fail_msg("%s was understood", BAD[i]);
        s->message_is_error = false;
    }
}

static bool has(const char *text, const struct score *score, struct note n)
{
    struct note_filter f;
    assert_true(note_filter_parse(text, &f));
    return note_filter_has(&f, score, &n);
}

static void the_filter_in_detail(void **state)
{
    struct session *s = *state;
    const struct score *score = s->project.score;
    struct note n = {.start = BAR, .length = 160, .pitch = 0, .velocity = 64};
    assert_true(has("length=1/8T", score, n));
    assert_true(has("length 1/8t", score, n));
    assert_false(has("length>1/8T", score, n));
    assert_true(has("length<1/8", score, n));
    n.length = 45; /* a dotted 1/64 */
    assert_true(has("length = 1/64.", score, n));
    assert_true(has("length 1/64-1/32", score, n));
    n.length = INT64_MAX / 2;
    assert_true(has("length>1/1", score, n));
    assert_true(has("pitch C-1", score, n));
    assert_true(has("pitch C-1-C4", score, n));
    struct note_filter f;
    assert_false(note_filter_parse("pitch<C4bar=2", &f)); /* spaces part them */
    assert_true(has("bar 2  velocity 60-70 pitch<12", score, n));
    assert_false(has("bar 1 velocity 60-70", score, n));
}

/* Any text ends in a filter or a refusal. */
static void noise_is_refused(void **state)
{
    (void)state;
    static const char SPICE[] = "velocity length pitch bar <>=-/.tC#b0123456789";
    uint32_t seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[40];
        size_t n = seed % 39;
        for (size_t k = 0; k < n; k++) {
            seed = seed * 1664525u + 1013904223u;
            text[k] = SPICE[(seed >> 8) % (sizeof SPICE - 1)];
        }
        text[n] = '\0';
        seed = seed * 1664525u + 1013904223u;
        struct note_filter f;
        if (i % 3 == 0 && n > 10)
            memcpy(text, "velocity>", 9);
        note_filter_parse(text, &f);
    }
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        CASE(bars_of_one_track_or_all),
        CASE(by_pitch_class_and_scale),
        CASE(by_track_all_and_the_rest),
        CASE(the_last_selection_comes_back),
        CASE(by_the_line),
        CASE(the_filter_in_detail),
        cmocka_unit_test(noise_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
