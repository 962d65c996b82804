/* Edits that act on notes of several tracks: one step, each track asked for itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"

static void run_times(struct session *s, enum command_id id, int count)
{
    act_run(s, &(struct command){.id = id, .count = count});
}

static void put(struct session *s, int track, int64_t start, int64_t length, int pitch)
{
    struct note n = edit_new_note(start, length, pitch, 80);
    struct change *c = change_create("put");
    assert_int_equal(change_add_note(c, track, n), MIDI_OK);
    assert_true(session_do(s, c));
}

/* Two tracks of two notes, and a third that is nobody's. */
static int open_session(void **state)
{
    struct session *s = keyed_open();
    if (!s)
        return -1;
    act_command_line(s, "track Second");
    act_command_line(s, "track Third");
    put(s, 1, 480, 240, 50); /* ids do not follow tracks */
    put(s, 0, 0, 240, 60);
    put(s, 1, 0, 240, 50);
    put(s, 0, 480, 240, 62);
    s->track = 2;
    *state = s;
    return 0;
}

static void select_first_two_tracks(struct session *s)
{
    const struct score *score = s->project.score;
    free(s->selected);
    s->selected = calloc(4, sizeof *s->selected);
    s->n_selected = s->cap_selected = 4;
    for (uint64_t i = 0; i < 4; i++)
        s->selected[i] = i + 1;
    select_forget_missing(s);
    assert_int_equal(s->n_selected, 4);
    assert_int_equal(s->n_selected_tracks, 2);
    assert_int_equal(score_n_notes(score), 4);
}

static const struct note *note(const struct session *s, int track, size_t i)
{
    assert_true(i < s->project.score->tracks[track].n_notes);
    return &s->project.score->tracks[track].notes[i];
}

static void targets_lie_track_after_track(void **state)
{
    struct session *s = *state;
    struct target *t = NULL;
    select_first_two_tracks(s);
    assert_int_equal(edit_targets(s, &t), 4);
    assert_int_equal(edit_targets_run(t, 4), 2);
    assert_int_equal(edit_targets_run(t + 2, 2), 2);
    assert_int_equal(edit_targets_run(t, 0), 0);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(t[i].track, i / 2);
        assert_int_equal(t[i].note.start, i % 2 * 480);
    }
    free(t);
}

static void one_step_of_all_tracks(void **state)
{
    struct session *s = *state;
    select_first_two_tracks(s);
    run_times(s, CMD_TRANSPOSE_UP, 2);
    assert_int_equal(note(s, 0, 1)->pitch, 64);
    assert_int_equal(note(s, 1, 0)->pitch, 52);
    assert_int_equal(s->n_selected, 4);
    run_times(s, CMD_UNDO, 1);
    assert_int_equal(note(s, 0, 1)->pitch, 62);
    assert_int_equal(note(s, 1, 0)->pitch, 50);
    run_times(s, CMD_DELETE, 1);
    assert_int_equal(score_n_notes(s->project.score), 0);
    run_times(s, CMD_UNDO, 1);
    assert_int_equal(score_n_notes(s->project.score), 4);
}

/* Other tracks' notes of the same pitch are in nobody's way, the own are. */
static void each_track_is_asked_for_itself(void **state)
{
    struct session *s = *state;
    put(s, 2, 0, 960, 50);
    s->selected = realloc(s->selected, 4 * sizeof *s->selected);
    s->cap_selected = 4;
    s->n_selected = 2;
    s->selected[0] = 2; /* 60 at 0, of the first */
    s->selected[1] = 3; /* 50 at 0, of the second */
    run_times(s, CMD_LONGER, 1);
    assert_int_equal(note(s, 1, 0)->length, 360);
    run_times(s, CMD_LONGER, 2); /* would meet 50 at 480 */
    assert_int_equal(note(s, 0, 0)->length, 360);
    assert_int_equal(note(s, 1, 0)->length, 360);
    assert_non_null(strstr(s->message, "cannot lengthen: it would overlap"));
}

static void what_comes_after_may_stand_in_any_order(void **state)
{
    struct session *s = *state;
    struct target *t = NULL;
    select_first_two_tracks(s);
    size_t n = edit_targets(s, &t);
    struct note after[4];
    for (size_t i = 0; i < n; i++) {
        after[i] = t[i].note;
        after[i].start = 480 - t[i].note.start; /* they change places */
    }
    assert_true(edit_replace(s, "turn round", t, after, n));
    assert_int_equal(note(s, 0, 0)->pitch, 62);
    after[0] = after[1]; /* both at 0 */
    after[1].pitch = after[0].pitch;
    free(t);
    n = edit_targets(s, &t);
    for (size_t i = 0; i < n; i++) {
        after[i] = t[i].note;
        after[i].start = 0;
    }
    assert_false(edit_replace(s, "gather", t, after, n)); /* the 50s meet */
    assert_int_equal(note(s, 0, 1)->start, 480);
    free(t);
}

static void a_copy_keeps_its_tracks_apart(void **state)
{
    struct session *s = *state;
    select_first_two_tracks(s);
    run_times(s, CMD_YANK, 1);
    s->track = 1; /* it goes back to its own, whichever is active */
    s->cursor_tick = 1920;
    run_times(s, CMD_PASTE, 1);
    assert_int_equal(score_n_notes(s->project.score), 8);
    assert_int_equal(note(s, 0, 2)->pitch, 60);
    assert_int_equal(note(s, 1, 2)->pitch, 50);
    assert_int_equal(note(s, 1, 2)->start, 1920);
    run_times(s, CMD_UNDO, 1);
    assert_int_equal(score_n_notes(s->project.score), 4);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, keyed_close)
    const struct CMUnitTest tests[] = {
        CASE(targets_lie_track_after_track),
        CASE(one_step_of_all_tracks),
        CASE(each_track_is_asked_for_itself),
        CASE(what_comes_after_may_stand_in_any_order),
        CASE(a_copy_keeps_its_tracks_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
