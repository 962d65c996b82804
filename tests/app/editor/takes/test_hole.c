/* Changing a part of the music without a screen: what is asked for, that nothing in the
 * score changes before a take is accepted and nothing outside the hole after it, and
 * that everything comes back. The model is tiny and random; it knows holes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/base/values.h"
#include "tests/app/headless.h"
#include "tests/app/editor/takes/two_tracks.h"

static int open_session(void **state)
{
    struct session *s = headless_open();
    *state = s;
    return s && add_music(s) ? 0 : -1;
}

/* Until a take has notes: dice may also leave a hole empty. */
static void wait_for_take(struct session *s)
{
    wait_for_end(s);
    for (int i = 0; i < 20 && !n_ghosts(s); i++) {
        run(s, CMD_AGAIN);
        wait_for_end(s);
    }
    assert_true(s->has_take && n_ghosts(s) > 0);
    assert_int_equal(s->mode, MODE_TAKES);
}

static void go_to(struct session *s, int track, int64_t tick)
{
    s->track = track;
    s->cursor_tick = tick;
}

static const struct continuation_hole *hole(const struct session *s)
{
    return &s->asked.options.hole;
}

static void assert_hole(const struct session *s, int64_t from, int64_t to,
                        uint64_t tracks)
{
    assert_true(s->has_take);
    assert_int_equal(hole(s)->from_tick, from);
    assert_int_equal(hole(s)->to_tick, to);
    assert_int_equal(hole(s)->pitch_lo, 0);
    assert_int_equal(hole(s)->pitch_hi, 127);
    assert_true(s->asked.options.tracks == tracks);
}

static bool in_hole(const struct session *s, int track, const struct note *n)
{
    return (s->asked.options.tracks >> track & 1) && n->start >= hole(s)->from_tick &&
           n->start + n->length <= hole(s)->to_tick && n->pitch >= hole(s)->pitch_lo &&
           n->pitch <= hole(s)->pitch_hi;
}

/* The notes of a score outside the hole, ids and all. */
static size_t outside(const struct session *s, const struct score *score,
                      struct note *out)
{
    size_t n = 0;
    for (int t = 0; t < (int)score->n_tracks; t++)
        for (size_t i = 0; i < score->tracks[t].n_notes; i++)
            if (!in_hole(s, t, &score->tracks[t].notes[i]))
                out[n++] = score->tracks[t].notes[i];
    return n;
}

static void assert_same_ids(const struct score *a, const struct score *b)
{
    assert_true(score_equal(a, b));
    for (size_t t = 0; t < a->n_tracks; t++)
        for (size_t i = 0; i < a->tracks[t].n_notes; i++)
            assert_true(a->tracks[t].notes[i].id == b->tracks[t].notes[i].id);
}

static void motions_name_the_hole(void **state)
{
    struct session *s = *state;
    static const struct {
        enum command_id id;
        int count;
        int64_t at, from, to;
        const char *message;
    } CASES[] = {
        {CMD_CHANGE_BARS, 0, BAR + BEAT, BAR, 2 * BAR, "filling bar 2;"},
        {CMD_CHANGE_BARS, 3, BAR, BAR, 4 * BAR, "filling bars 2-4;"},
        {CMD_CHANGE_LINE_END, 0, BAR + 2 * BEAT, BAR + 2 * BEAT, 2 * BAR,
         "filling 2 beats of bar 2;"},
        {CMD_CHANGE_BAR_RIGHT, 0, 3 * BEAT, 3 * BEAT, BAR, "filling 1 beat of bar 1;"},
        {CMD_CHANGE_BAR_RIGHT, 2, BEAT, BEAT, 2 * BAR, "filling part of bars 1-2;"},
        {CMD_CHANGE_PIECE_END, 0, 2 * BAR, 2 * BAR, 4 * BAR, "filling bars 3-4;"},
        {CMD_CHANGE_NOTE_NEXT, 0, 120, 120, BEAT, "filling part of bar 1;"},
        {CMD_CHANGE_NOTE_NEXT, 2, 120, 120, 2 * BEAT, "filling part of bar 1;"},
        {CMD_CHANGE_BARS, 0, 6 * BAR, 6 * BAR, 7 * BAR, "filling bar 7;"}, /* empty */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        go_to(s, 1, CASES[i].at);
        run_times(s, CASES[i].id, CASES[i].count);
        assert_hole(s, CASES[i].from, CASES[i].to, 1u << 1);
        assert_memory_equal(s->message, CASES[i].message, strlen(CASES[i].message));
        run(s, CMD_STOP);
        session_drop_take(s);
    }
}

static void an_empty_span_is_said(void **state)
{
    struct session *s = *state;
    go_to(s, 0, 4 * BAR);
    run(s, CMD_CHANGE_NOTE_NEXT);
    assert_non_null(strstr(s->message, "no note follows"));
    run(s, CMD_CHANGE_PIECE_END);
    assert_non_null(strstr(s->message, "ends before the cursor"));
    assert_false(s->has_take);
    s->track = -1;
    run(s, CMD_CHANGE_BARS);
    assert_non_null(strstr(s->message, "no tracks"));
    assert_false(s->has_take);
}

static void a_selection_names_the_hole(void **state)
{
    struct session *s = *state;
    go_to(s, 0, BEAT);
    s->cursor_pitch = 61;
    run(s, CMD_SELECT_BOX);
    run_times(s, CMD_UP, 1);
    run_times(s, CMD_RIGHT, 7);
    run(s, CMD_CHANGE_SELECTION);
    assert_true(s->has_take && !s->n_selected);
    assert_int_equal(hole(s)->from_tick, BEAT);
    assert_int_equal(hole(s)->to_tick, 3 * BEAT);
    assert_int_equal(hole(s)->pitch_lo, 61);
    assert_int_equal(hole(s)->pitch_hi, 62);
    assert_true(s->asked.options.tracks == 1);
    assert_int_equal(s->rewritten.n_there, 2);
    wait_for_take(s);
    for (size_t i = 0; i < n_ghosts(s); i++)
        assert_true(in_hole(s, ghosts(s)[i].track, &ghosts(s)[i].note));
    run(s, CMD_REJECT);
    go_to(s, 0, BAR);
    run(s, CMD_SELECT_BARS);
    run(s, CMD_BAR_RIGHT);
    run(s, CMD_CHANGE_SELECTION);
    assert_hole(s, BAR, 3 * BAR, 1);
    assert_int_equal(s->rewritten.n_there, 8);
}

static const char *said_before(struct session *s)
{
    struct view v;
    session_view(s, &v, 0);
    return v.selection.change_label;
}

/* Bars are rewritten on the tracks that x, y and D would act on, and the status line says
 * so before. */
static void bars_are_changed_on_their_tracks(void **state)
{
    struct session *s = *state;
    go_to(s, 1, BAR);
    run(s, CMD_SELECT_BARS);
    assert_string_equal(said_before(s), "c rewrites bar 2 of Bass");
    run(s, CMD_BAR_RIGHT);
    assert_string_equal(said_before(s), "c rewrites bars 2-3 of Bass");
    assert_int_equal(s->n_selected, 8);
    run(s, CMD_CHANGE_SELECTION);
    assert_hole(s, BAR, 3 * BAR, 2);
    assert_int_equal(s->rewritten.n_there, 8);
    session_drop_take(s);
    go_to(s, 0, 0);
    run(s, CMD_SELECT_BARS_ALL);
    assert_string_equal(said_before(s), "c rewrites bar 1 of 2 tracks");
    run(s, CMD_CHANGE_SELECTION);
    assert_hole(s, 0, BAR, 3);
    assert_int_equal(s->rewritten.n_there, 8);
    session_drop_take(s);
    assert_null(said_before(s)); /* nothing is selected */
}

/* Of all tracks those are meant that have notes there; where none has, all that are seen. */
static void bars_of_all_tracks_are_those_with_notes(void **state)
{
    struct session *s = *state;
    act_command_line(s, "track Flute");
    go_to(s, 0, 0);
    run(s, CMD_SELECT_BARS_ALL);
    run(s, CMD_CHANGE_SELECTION);
    assert_hole(s, 0, BAR, 3);
    session_drop_take(s);
    go_to(s, 0, 6 * BAR);
    run(s, CMD_SELECT_BARS_ALL);
    assert_string_equal(said_before(s), "c rewrites bar 7 of 3 tracks");
    run(s, CMD_CHANGE_SELECTION);
    assert_hole(s, 6 * BAR, 7 * BAR, 7);
}

/* Notes chosen one by one, of both tracks: cc rewrites them, and what lies between them
 * stands, also when it is asked again. */
static void chosen_notes_alone_are_rewritten(void **state)
{
    struct session *s = *state;
    const struct track *tracks = s->project.score->tracks;
    select_one(s, tracks[0].notes[1].id);
    select_toggle(s, tracks[0].notes[5].id);
    select_toggle(s, tracks[1].notes[3].id);
    assert_string_equal(said_before(s), "cc rewrites them, of 2 tracks");
    run(s, CMD_CHANGE_BARS);
    assert_hole(s, tracks[0].notes[1].start,
                tracks[0].notes[5].start + tracks[0].notes[5].length, 3);
    assert_int_equal(s->rewritten.n_there, 3);
    assert_int_equal(s->n_selected, 0);
    session_drop_take(s);
    run(s, CMD_AGAIN);
    assert_int_equal(s->rewritten.n_there, 3);
    session_drop_take(s);
    go_to(s, 0, BAR);
    run(s, CMD_CHANGE_BARS);
    assert_hole(s, BAR, 2 * BAR, 1); /* nothing is selected */
    assert_int_equal(s->rewritten.n_there, 4);
}

static void a_box_says_its_pitches(void **state)
{
    struct session *s = *state;
    go_to(s, 1, BAR + BEAT);
    s->cursor_pitch = 37;
    run(s, CMD_SELECT_BOX);
    run_times(s, CMD_RIGHT, 7);
    run_times(s, CMD_UP, 1);
    assert_string_equal(said_before(s),
                        "c rewrites 2 beats of bar 2 of Bass, C\xE2\x99\xAF"
                        "2 to D2");
}

static void nothing_changes_before_it_is_accepted(void **state)
{
    struct session *s = *state;
    struct score *before = score_clone(s->project.score);
    uint64_t history = history_state(s->project.history);
    go_to(s, 0, BAR);
    run(s, CMD_CHANGE_BARS);
    assert_int_equal(s->rewritten.n_there, 4);
    wait_for_take(s);
    struct view v;
    session_view(s, &v, 0);
    assert_int_equal(v.ghosts.n_replaced, 4);
    assert_true(v.hole.is_shown);
    assert_string_equal(v.hole.label, "bar 2");
    assert_same_ids(before, s->project.score);
    assert_true(history == history_state(s->project.history));
    run(s, CMD_REJECT);
    assert_false(s->has_take);
    session_view(s, &v, 0);
    assert_int_equal(v.ghosts.n_replaced, 0);
    assert_same_ids(before, s->project.score);
    assert_true(history == history_state(s->project.history));
    score_destroy(before);
}

static void accepting_changes_nothing_outside(void **state)
{
    struct session *s = *state;
    struct score *before = score_clone(s->project.score);
    struct note was[64], is[256];
    go_to(s, 0, BAR);
    run_times(s, CMD_CHANGE_BARS, 2);
    wait_for_take(s);
    size_t n_new = n_ghosts(s);
    run(s, CMD_ACCEPT);
    assert_false(s->has_take || s->message_is_error);
    assert_int_equal(score_n_notes(s->project.score), 32 - 8 + n_new);
    size_t n = outside(s, before, was);
    assert_int_equal(n, 24);
    assert_int_equal(outside(s, s->project.score, is), n);
    assert_memory_equal(was, is, n * sizeof *was);
    run(s, CMD_UNDO); /* one step */
    assert_non_null(strstr(s->message, "undone: fill bars 2-3, "));
    assert_same_ids(before, s->project.score);
    run(s, CMD_REDO);
    assert_int_equal(score_n_notes(s->project.score), 24 + n_new);
    run(s, CMD_AGAIN); /* accepted is done */
    assert_false(s->has_take);
    score_destroy(before);
}

static void what_goes_is_not_heard(void **state)
{
    struct session *s = *state;
    go_to(s, 1, 0);
    run(s, CMD_CHANGE_BARS);
    struct score *heard = session_heard(s);
    assert_int_equal(score_n_notes(heard), 32 - 4 + n_ghosts(s));
    assert_int_equal(heard->tracks[1].notes[0].start, BAR);
    assert_true(s->sound_changed);
    score_destroy(heard);
    wait_for_take(s);
    heard = session_heard(s);
    assert_int_equal(score_n_notes(heard), 32 - 4 + n_ghosts(s));
    score_destroy(heard);
    run(s, CMD_REJECT);
    assert_true(s->sound_changed);
    heard = session_heard(s);
    assert_true(score_equal(heard, s->project.score));
    score_destroy(heard);
}

/* Where one note fills the hole, another has room only when that is out of the way. */
static void what_goes_is_in_nobodys_way(void **state)
{
    struct session *s = *state;
    go_to(s, 0, BEAT);
    s->cursor_pitch = 61;
    run(s, CMD_SELECT_BOX);
    run_times(s, CMD_RIGHT, 3);
    run(s, CMD_CHANGE_SELECTION);
    assert_int_equal(s->rewritten.n_there, 1);
    wait_for_take(s);
    size_t n = n_ghosts(s);
    run(s, CMD_ACCEPT);
    assert_int_equal(score_n_notes(s->project.score), 31 + n);
    assert_null(strstr(s->message, "left out"));
}

static void again_fills_the_same_hole(void **state)
{
    struct session *s = *state;
    go_to(s, 0, 2 * BAR);
    run(s, CMD_CHANGE_BARS);
    wait_for_take(s);
    int n = s->takes.n;
    uint64_t seed = s->asked.options.sampling.seed;
    go_to(s, 1, 0);
    run(s, CMD_AGAIN);
    assert_hole(s, 2 * BAR, 3 * BAR, 1);
    assert_int_equal(s->takes.n, n + 1);
    assert_true(s->asked.options.sampling.seed == seed + 1);
    assert_int_equal(s->rewritten.n_there, 4);
    wait_for_take(s);
    run(s, CMD_REJECT_ALL);
    run(s, CMD_AGAIN); /* also when they were rejected */
    assert_hole(s, 2 * BAR, 3 * BAR, 1);
    assert_int_equal(s->rewritten.n_there, 4);
}

/* A take waits: what is drawn in the hole stays, what is moved out of it, too. */
static void edits_meanwhile_are_kept(void **state)
{
    struct session *s = *state;
    go_to(s, 0, 2 * BAR);
    run(s, CMD_CHANGE_BARS);
    wait_for_take(s);
    run(s, CMD_ESCAPE);
    assert_int_equal(s->mode, MODE_NORMAL);
    s->cursor_pitch = 100;
    run_times(s, CMD_TOGGLE_NOTE, 16);
    uint64_t mine = s->project.score->tracks[0].notes[9].id;
    assert_int_equal(score_find_note(s->project.score, 0, mine)->pitch, 100);
    s->cursor_pitch = 60;
    uint64_t moved = s->project.score->tracks[0].notes[8].id;
    run_times(s, CMD_NUDGE_RIGHT, 64);
    assert_int_equal(s->rewritten.n_there, 3);
    go_to(s, 0, 2 * BAR + BEAT);
    s->cursor_pitch = 61;
    run(s, CMD_DELETE);
    assert_int_equal(s->rewritten.n_there, 2);
    run(s, CMD_ACCEPT);
    assert_non_null(score_find_note(s->project.score, 0, mine));
    assert_non_null(score_find_note(s->project.score, 0, moved));
    const struct track *t = &s->project.score->tracks[0];
    for (size_t i = 0; i < t->n_notes; i++)
        for (size_t j = i + 1; j < t->n_notes; j++)
            assert_false(t->notes[i].pitch == t->notes[j].pitch &&
                         t->notes[j].start < t->notes[i].start + t->notes[i].length);
}

/* The other way round: undone, the moved note goes again. */
static void an_undone_move_goes_again(void **state)
{
    struct session *s = *state;
    go_to(s, 0, 2 * BAR);
    s->cursor_pitch = 60;
    run(s, CMD_CHANGE_BARS);
    wait_for_take(s);
    run(s, CMD_ESCAPE);
    run_times(s, CMD_NUDGE_RIGHT, 64);
    assert_int_equal(s->rewritten.n_there, 3);
    run(s, CMD_UNDO);
    assert_int_equal(s->rewritten.n_there, 4);
}

static void a_waiting_take_comes_first(void **state)
{
    struct session *s = *state;
    go_to(s, 0, 0);
    run(s, CMD_CHANGE_BARS);
    wait_for_take(s);
    run(s, CMD_ESCAPE);
    go_to(s, 0, BAR);
    run(s, CMD_CHANGE_BARS);
    assert_non_null(strstr(s->message, "a take is waiting"));
    assert_int_equal(s->mode, MODE_TAKES);
    assert_hole(s, 0, BAR, 1);
    run(s, CMD_REJECT);
    run(s, CMD_CONTINUE); /* after the music, on all tracks, as ever */
    wait_for_take(s);
    assert_int_equal(s->hole_from, 4 * BAR);
    assert_int_equal(s->rewritten.n_there, 0);
}

static void stopping_brings_everything_back(void **state)
{
    struct session *s = *state;
    struct score *before = score_clone(s->project.score);
    go_to(s, 0, 0);
    run_times(s, CMD_CHANGE_BARS, 4);
    run(s, CMD_STOP); /* sooner or later than the first note */
    if (s->has_take)
        run(s, CMD_REJECT);
    assert_int_equal(s->rewritten.n_there, 0);
    assert_int_equal(s->mode, MODE_NORMAL);
    struct score *heard = session_heard(s);
    assert_true(score_equal(heard, before));
    score_destroy(heard);
    score_destroy(before);
}

static void an_empty_score_can_be_filled(void **state)
{
    struct session *s = *state;
    run(s, CMD_UNDO); /* the music */
    assert_int_equal(score_n_notes(s->project.score), 0);
    go_to(s, 0, BAR);
    run(s, CMD_CHANGE_BARS);
    assert_hole(s, BAR, 2 * BAR, 1);
    wait_for_take(s);
    run(s, CMD_ACCEPT);
    assert_true(score_n_notes(s->project.score) > 0);
}

/* The hole's track is undone while the take waits, and asked for again. */
static void a_hole_goes_with_its_track(void **state)
{
    struct session *s = *state;
    run(s, CMD_TRACK_ADD);
    assert_int_equal(s->track, 2);
    s->cursor_tick = 0;
    run(s, CMD_CHANGE_BARS);
    wait_for_take(s);
    run(s, CMD_UNDO);
    assert_false(s->has_take);
    run(s, CMD_AGAIN);
    assert_false(s->has_take);
    assert_non_null(strstr(s->message, "is gone"));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        CASE(motions_name_the_hole),
        CASE(an_empty_span_is_said),
        CASE(a_selection_names_the_hole),
        CASE(bars_are_changed_on_their_tracks),
        CASE(bars_of_all_tracks_are_those_with_notes),
        CASE(chosen_notes_alone_are_rewritten),
        CASE(a_box_says_its_pitches),
        CASE(nothing_changes_before_it_is_accepted),
        CASE(accepting_changes_nothing_outside),
        CASE(what_goes_is_not_heard),
        CASE(what_goes_is_in_nobodys_way),
        CASE(again_fills_the_same_hole),
        CASE(edits_meanwhile_are_kept),
        CASE(an_undone_move_goes_again),
        CASE(a_waiting_take_comes_first),
        CASE(stopping_brings_everything_back),
        CASE(an_empty_score_can_be_filled),
        CASE(a_hole_goes_with_its_track),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
