/* Edits that act on notes of several tracks: one step, each track asked for itself. */
#include "tests/check.h"
#include "tests/app/script.h"

/* Two tracks of two notes, and a third that is nobody's and active. */
static int two_of_three_tracks(void **state)
{
    if (empty_session(state))
        return -1;
    keys(*state, ":track Second\r:track Third\r"
                 "‹put1 480+240 50›" /* ids do not follow tracks */
                 "‹put0 0+240 60›‹put1 0+240 50›‹put0 480+240 62›");
    return 0;
}

/* Notes by their ids, which stand in order. */
WORD(choose)
{
    free(s->selection.ids);
    s->selection.ids = calloc(4, sizeof *s->selection.ids);
    s->selection.cap = 4;
    for (s->selection.n = 0; *arguments; arguments += strspn(arguments, " "))
        s->selection.ids[s->selection.n++] = (uint64_t)read_ticks(&arguments);
    select_forget_missing(s);
}

TEST_WITH(targets_lie_track_after_track, two_of_three_tracks)
{
    struct target *t = NULL;
    keys(s, "‹choose 1 2 3 4›");
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

SCRIPT(one_step_of_all_tracks, two_of_three_tracks) = {
    {"‹choose 1 2 3 4›", "selected 4; of 2; n 4"},
    {"2}", "notes0 0+240 62, 480+240 64; notes1 0+240 52, 480+240 52; selected 4"},
    {"u", "notes0 0+240 60, 480+240 62; notes1 0+240 50, 480+240 50"},
    {"x", "n 0"},
    {"u", "n 4"},
};

/* Other tracks' notes of the same pitch are in nobody's way, the own are. */
SCRIPT(each_track_is_asked_for_itself, two_of_three_tracks) = {
    {"‹put2 0+960 50›‹choose 2 3›]", /* 60 at 0, of the first; 50 at 0, of the second */
     "notes0 0+360 60, 480+240 62; notes1 0+360 50, 480+240 50"},
    {"2]", "notes0 0+360 60, 480+240 62; notes1 0+360 50, 480+240 50",
     "~cannot lengthen: it would overlap"}, /* it would meet 50 at 480 */
};

TEST_WITH(what_comes_after_may_stand_in_any_order, two_of_three_tracks)
{
    struct target *t = NULL;
    keys(s, "‹choose 1 2 3 4›");
    size_t n = edit_targets(s, &t);
    struct note after[4];
    for (size_t i = 0; i < n; i++) {
        after[i] = t[i].note;
        after[i].start = 480 - t[i].note.start; /* they change places */
    }
    assert_true(edit_replace(s, "turn round", t, after, n));
    assert_int_equal(note_of(s, 0, 0)->pitch, 62);
    free(t);
    n = edit_targets(s, &t);
    for (size_t i = 0; i < n; i++) {
        after[i] = t[i].note;
        after[i].start = 0;
    }
    assert_false(edit_replace(s, "gather", t, after, n)); /* the 50s meet */
    assert_int_equal(note_of(s, 0, 1)->start, 480);
    free(t);
}

SCRIPT(a_copy_keeps_its_tracks_apart, two_of_three_tracks) = {
    {"‹choose 1 2 3 4›y‹track 1›‹at 1b›p", /* it goes back to its own, whichever is active */
     "notes0 0+240 60, 480+240 62, 1b+240 60, 5q+240 62; "
     "notes1 0+240 50, 480+240 50, 1b+240 50, 5q+240 50; n 8"},
    {"u", "n 4"},
};
