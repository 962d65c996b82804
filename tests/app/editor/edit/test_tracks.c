/* The list of tracks by its keys: what becomes of the score, and what is undone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/editor/edit/track_keys.h"
#include "tui/panels/track_list.h"

static void enter_renames(void **state)
{
    struct session *s = *state;
    type(s, "Bk~");
    assert_string_equal(s->input, "rename Tenor");
    type(s, "_____of the choir~");
    assert_string_equal(track(s, 2)->name, "of the choir");
    assert_int_equal(s->mode, MODE_TRACKS);
    type(s, "u");
    assert_string_equal(track(s, 2)->name, "Tenor");
    type(s, ":rename \033[2J~");
    assert_null(strchr(s->message, '\033'));
}

static void letters_find_an_instrument(void **state)
{
    struct session *s = *state;
    struct view v;
    type(s, "Bicello");
    session_view(s, &v, 0);
    assert_true(v.tracks.is_listed && v.instruments.n > 0);
    assert_int_equal(v.instruments.programs[v.instruments.chosen], 42);
    type(s, "~");
    assert_int_equal(track(s, 3)->program, 42);
    session_view(s, &v, 0);
    assert_null(v.instruments.programs);
    type(s, "iepia\1~");
    assert_int_equal(track(s, 3)->program, 5);
    type(s, "i~"); /* nothing typed: as it was */
    assert_int_equal(track(s, 3)->program, 5);
    type(s, "i\1\1\2~");
    assert_int_equal(track(s, 3)->program, 6);
    type(s, ":instrument 74~");
    assert_int_equal(track(s, 3)->program, 73);
    type(s, "izzzz~");
    assert_true(s->message_is_error);
    assert_int_equal(track(s, 3)->program, 73);
    type(s, "4u");
    assert_int_equal(track(s, 3)->program, 0);
}

/* Steps that were made for a line that was then left do not count for the next. */
static void a_choice_is_forgotten_with_its_line(void **state)
{
    struct session *s = *state;
    type(s, "Biviol\1\1^:instrument cello~");
    assert_int_equal(track(s, 3)->program, 42);
}

static void drums_have_kits(void **state)
{
    struct session *s = *state;
    type(s, "B10nijazz~");
    assert_int_equal(track(s, 3)->channel, 9);
    assert_int_equal(track(s, 3)->program, 32);
    type(s, "2u");
    assert_int_equal(track(s, 3)->channel, 3);
}

static void channels_are_typed(void **state)
{
    struct session *s = *state;
    type(s, "Bn12~");
    assert_int_equal(track(s, 3)->channel, 11);
    type(s, ":channel 17~");
    assert_true(s->message_is_error);
    type(s, ":channel 1~");
    assert_non_null(strstr(s->message, "as track 1"));
    type(s, "icello~"); /* of both */
    assert_int_equal(track(s, 0)->program, 42);
    type(s, "3u");
    assert_int_equal(track(s, 3)->channel, 3);
    assert_int_equal(track(s, 0)->program, 0);
}

static void marks_are_not_undone(void **state)
{
    struct session *s = *state;
    uint64_t before = history_state(s->project.history);
    type(s, "BMSah");
    const struct track *t = track(s, 3);
    assert_true(t->mute && t->solo && t->arm && t->hide);
    type(s, "c");
    assert_int_equal(t->colour, 5);
    type(s, "8cc");
    assert_int_equal(t->colour, 1);
    type(s, "3c");
    assert_int_equal(t->colour, 3);
    type(s, ":colour vermilion~");
    assert_int_equal(t->colour, 6);
    type(s, ":colour auto~");
    assert_int_equal(t->colour, 0);
    type(s, ":colour 9~");
    assert_true(s->message_is_error);
    assert_int_equal(history_state(s->project.history), before);
    type(s, "MSah");
    assert_false(t->mute || t->solo || t->arm || t->hide);
}

static void tracks_are_added_and_removed(void **state)
{
    struct session *s = *state;
    type(s, "BA");
    assert_int_equal(s->project.score->n_tracks, 5);
    type(s, "kkX");
    assert_int_equal(s->project.score->n_tracks, 4);
    assert_string_equal(track(s, 2)->name, "Bass");
    assert_int_equal(track(s, 2)->colour, 4);
    assert_int_equal(s->track, 2);
    type(s, "u");
    assert_string_equal(track(s, 2)->name, "Tenor");
    assert_int_equal(track(s, 2)->n_notes, 1);
    type(s, "XXXXX"); /* also the last */
    assert_int_equal(s->project.score->n_tracks, 0);
    assert_int_equal(s->track, -1);
    type(s, "XJKMSahcin~"); /* there is nothing to do it to */
    assert_int_equal(s->mode, MODE_TRACKS);
    type(s, "u");
    assert_int_equal(s->project.score->n_tracks, 1);
    assert_int_equal(s->track, 0);
    type(s, "20u");
    assert_int_equal(history_state(s->project.history), 0);
}

static void tracks_move(void **state)
{
    struct session *s = *state;
    type(s, "B2K");
    assert_string_equal(track(s, 1)->name, "Bass");
    assert_int_equal(track(s, 1)->colour, 4); /* as it was */
    assert_int_equal(s->track, 1);
    type(s, "9J");
    assert_string_equal(track(s, 3)->name, "Bass");
    assert_int_equal(s->track, 3);
    type(s, "J");
    assert_string_equal(s->message, "it is the last");
    type(s, "u");
    assert_string_equal(track(s, 1)->name, "Bass");
    type(s, "u");
    assert_string_equal(track(s, 3)->name, "Bass");
}

/* A selection speaks of tracks by number. */
static void moving_lets_go_of_the_selection(void **state)
{
    struct session *s = *state;
    type(s, "VB");
    assert_int_equal(s->n_selected, 1);
    type(s, "K");
    assert_int_equal(s->n_selected, 0);
}

#define SESSION_TEST(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SESSION_TEST(enter_renames),
        SESSION_TEST(letters_find_an_instrument),
        SESSION_TEST(a_choice_is_forgotten_with_its_line),
        SESSION_TEST(drums_have_kits),
        SESSION_TEST(channels_are_typed),
        SESSION_TEST(marks_are_not_undone),
        SESSION_TEST(tracks_are_added_and_removed),
        SESSION_TEST(tracks_move),
        SESSION_TEST(moving_lets_go_of_the_selection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
