/* What hands at the keys expect: that the cursor stays with its note, that a duplicate can
 * be duplicated, that copies go back to the tracks they are of, and that what was done is
 * said and seen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"
#include "app/editor/edit/map.h"
#include "tui/panels/history_list.h"
#include "tui/panels/map_list.h"
#include "tui/panels/track_list.h"

enum { STEP = 120, BAR = 1920 };

static int open_session(void **state)
{
    *state = keyed_open();
    return *state ? 0 : -1;
}

static size_t n_notes(const struct session *s)
{
    return score_n_notes(s->project.score);
}

static void a_shortened_note_stays_under_the_cursor(void **state)
{
    struct session *s = *state;
    keys(s, "4\rlll[");
    assert_int_equal(note_of(s, 0, 0)->length, 3 * STEP);
    assert_int_equal(s->cursor_tick, 2 * STEP);
    keys(s, "..");
    assert_int_equal(note_of(s, 0, 0)->length, STEP);
    assert_int_equal(s->cursor_tick, 0);
}

static void a_duplicate_is_duplicated(void **state)
{
    struct session *s = *state;
    keys(s, "2\rD..");
    assert_int_equal(n_notes(s), 4);
    assert_int_equal(note_of(s, 0, 3)->start, 6 * STEP);
    assert_int_equal(s->cursor_tick, 6 * STEP);
    keys(s, "2D.");
    assert_int_equal(n_notes(s), 8);
    assert_int_equal(note_of(s, 0, 7)->start, 14 * STEP);
    keys(s, "uuuuu");
    assert_int_equal(n_notes(s), 1);
}

static void a_duplicate_of_notes_is_chosen(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 0, STEP, 60, 80);
    put_note(s, 0, STEP, STEP, 64, 80);
    keys(s, "\001D}"); /* Ctrl-A */
    assert_int_equal(s->n_selected, 2);
    assert_int_equal(note_of(s, 0, 0)->pitch, 60);
    assert_int_equal(note_of(s, 0, 2)->pitch, 61);
    keys(s, "D");
    assert_int_equal(n_notes(s), 6);
    assert_int_equal(note_of(s, 0, 4)->start, 4 * STEP);
    assert_string_equal(s->message, "2 notes duplicated");
}

/* Bars that begin with a rest. */
static void duplicated_bars_stay_bars(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 2 * STEP, STEP, 60, 80);
    keys(s, "VD");
    assert_int_equal(s->mode, MODE_SELECT);
    assert_int_equal(s->box.from, BAR);
    assert_int_equal(s->box.to, 2 * BAR);
    keys(s, "D2D");
    assert_int_equal(n_notes(s), 5);
    assert_int_equal(note_of(s, 0, 4)->start, 4 * BAR + 2 * STEP);
    assert_int_equal(s->box.from, 4 * BAR);
    keys(s, "x");
    assert_int_equal(n_notes(s), 4);
}

static void copies_go_back_to_their_tracks(void **state)
{
    struct session *s = *state;
    keys(s, ":track Second\r:track Third\r");
    put_note(s, 0, 0, STEP, 60, 80);
    put_note(s, 2, 0, STEP, 48, 80);
    s->track = 1;
    keys(s, "gVyLp");
    assert_string_equal(s->message, "2 notes pasted");
    assert_int_equal(s->project.score->n_tracks, 3);
    assert_int_equal(note_of(s, 0, 1)->pitch, 60);
    assert_int_equal(note_of(s, 2, 1)->pitch, 48);
    s->track = 0; /* one track higher up than there is */
    keys(s, "Lp");
    assert_int_equal(s->project.score->n_tracks, 3);
    assert_int_equal(note_of(s, 0, 2)->start, 2 * BAR);
    s->track = 2;
    keys(s, "Lp");
    assert_string_equal(s->message, "2 notes pasted, on 1 new track");
    assert_int_equal(note_of(s, 1, 0)->pitch, 60);
}

static void what_is_removed_is_told(void **state)
{
    struct session *s = *state;
    keys(s, "\rx");
    assert_string_equal(s->message, "1 note removed: p pastes it");
    keys(s, "\rlll\rggV\"ad");
    assert_string_equal(s->message, "2 notes removed: \"ap pastes them");
    keys(s, "u\"Ay");
    assert_string_equal(s->message, "1 note copied: \"ap pastes all of it");
}

/* Also where one was chosen before. */
static void what_was_found_is_chosen(void **state)
{
    struct session *s = *state;
    for (int i = 0; i < 100; i++)
        put_note(s, 0, i * STEP, STEP, i % 2 ? 60 : 72, 80);
    keys(s, "/C4\rggvg/");
    assert_int_equal(s->n_selected, 50);
    keys(s, "gvg/gvg/");
    assert_int_equal(s->n_selected, 50);
    assert_string_equal(s->message, "50 notes selected");
    keys(s, "\033/C9\rg/");
    assert_string_equal(s->message, "no note here is what was sought");
}

static void a_chosen_track_is_seen(void **state)
{
    struct session *s = *state;
    keys(s, ":track Bass\r");
    put_note(s, 1, 0, BAR, 28, 80);
    put_note(s, 0, 0, STEP, 80, 80);
    s->track = 0;
    s->cursor_pitch = 80;
    session_show_cursor(s);
    keys(s, "\t");
    assert_int_equal(s->track, 1);
    assert_int_equal(s->cursor_pitch, 28);
    put_note(s, 0, 0, STEP, 35, 80);
    keys(s, "kk\t\t"); /* in sight: the cursor stays where it is */
    assert_int_equal(s->cursor_pitch, 30);
    keys(s, "20L\t"); /* nothing there */
    assert_int_equal(s->cursor_pitch, 30);
}

static void what_is_undone_is_seen(void **state)
{
    struct session *s = *state;
    keys(s, "\r40L\ru");
    assert_int_equal(s->cursor_tick, 40 * BAR);
    assert_int_equal(s->cursor_pitch, 60);
    keys(s, "u");
    assert_int_equal(s->cursor_tick, 0);
    keys(s, "KKK40L\022"); /* Ctrl-R */
    assert_int_equal(s->cursor_tick, 0);
    assert_int_equal(s->cursor_pitch, 60);
    keys(s, "ll\022u"); /* that is not far: and back */
    assert_int_equal(s->cursor_tick, 40 * BAR);
    keys(s, "hh");
    put_note(s, 0, 40 * BAR, STEP, 62, 80);
    keys(s, "u"); /* in sight: the cursor stays */
    assert_int_equal(s->cursor_tick, 40 * BAR - 2 * STEP);
}

static void one_is_not_many(void **state)
{
    struct session *s = *state;
    keys(s, "vlll\\");
    assert_string_equal(s->message, "1 beat from bar 1 in a loop; \\ lets it go");
    keys(s, "\033ggOC\r3o3o");
    assert_null(strstr(s->message, "1 of its notes were"));
}

static void what_cannot_be_is_told(void **state)
{
    struct session *s = *state;
    uint16_t division = s->project.score->division;
    s->project.score->division = 0xE728; /* 25 frames a second of 40 ticks */
    keys(s, "t96\r");
    assert_string_equal(s->message,
                        "this file counts seconds (SMPTE): it has no tempo to set");
    assert_int_equal(history_state(s->project.history), 0);
    s->project.score->division = division;
    keys(s, ":channel 10\r:instrument flute\r");
    assert_string_equal(s->message,
                        "no drum kit is called so, and this channel plays drums");
    keys(s, ":rename\r");
    assert_string_equal(s->message, "track 1 has no name now");
    s->track = -1;
    keys(s, "M");
    assert_string_equal(s->message, "this score has no tracks; A adds one");
}

static void point(struct session *s, enum command_id id, int column, int row)
{
    act_run(s, &(struct command){.id = id, .column = column, .row = row, .button = 1});
}

/* As the list of tracks and the palette do. */
static void lists_close_beside(void **state)
{
    struct session *s = *state;
    keys(s, "U");
    struct region list = history_list_box(&s->layout, 1, 0).frame;
    point(s, CMD_HISTORY_POINT, list.column + 1, list.row + 1);
    assert_int_equal(s->mode, MODE_HISTORY);
    point(s, CMD_HISTORY_POINT, list.column, list.row + list.rows);
    assert_int_equal(s->mode, MODE_NORMAL);
    keys(s, "mHere\rgm");
    assert_int_equal(s->mode, MODE_MAP);
    list = map_list_box(&s->layout, &s->parts.signs->all, 0).frame;
    for (int row = list.row; row < list.row + list.rows && s->mode == MODE_MAP; row++)
        for (int again = 0; again < 2 && s->mode == MODE_MAP; again++)
            point(s, CMD_MAP_POINT, list.column + 1, row);
    assert_int_equal(s->mode, MODE_PROMPT);
    keys(s, "\033");
    assert_int_equal(s->mode, MODE_MAP);
    point(s, CMD_MAP_POINT, list.column, list.row + list.rows);
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void a_track_s_words_are_clicked(void **state)
{
    struct session *s = *state;
    session_resize(s, 120, 30);
    keys(s, ":track Second\rB");
    struct track_list t = track_list_for(&s->layout, 2, 0);
    const struct track *first = &s->project.score->tracks[0];
    point(s, CMD_TRACKS_POINT, t.name, t.box.items.row);
    assert_int_equal(s->track, 0);
    assert_int_equal(s->mode, MODE_TRACKS);
    point(s, CMD_TRACKS_POINT, t.colour, t.box.items.row);
    assert_int_not_equal(first->colour, 0);
    const int columns[] = {t.name, t.instrument, t.channel};
    const char *const lines[] = {"rename ", "instrument ", "channel "};
    for (int i = 0; i < 3; i++) {
        point(s, CMD_TRACKS_POINT, columns[i], t.box.items.row);
        assert_int_equal(s->mode, MODE_PROMPT);
        assert_memory_equal(s->input, lines[i], strlen(lines[i]));
        keys(s, "\033");
    }
    point(s, CMD_TRACKS_POINT, t.marks, t.box.items.row);
    assert_true(first->mute);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, keyed_close)
        TEST(a_shortened_note_stays_under_the_cursor),
        TEST(a_duplicate_is_duplicated),
        TEST(a_duplicate_of_notes_is_chosen),
        TEST(duplicated_bars_stay_bars),
        TEST(copies_go_back_to_their_tracks),
        TEST(what_is_removed_is_told),
        TEST(what_was_found_is_chosen),
        TEST(a_chosen_track_is_seen),
        TEST(what_is_undone_is_seen),
        TEST(one_is_not_many),
        TEST(what_cannot_be_is_told),
        TEST(lists_close_beside),
        TEST(a_track_s_words_are_clicked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
