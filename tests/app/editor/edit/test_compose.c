/* Requests that are more than a hole, in the workstation: what is kept of its notes,
 * which of them stay, a lead-in, voices to a melody, more and less like a take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/quarters.h"

static int open_session(void **state)
{
    return open_quarters(state, 1);
}

static const struct proposal *ask(struct session *s)
{
    run_times(s, CMD_CHANGE_BARS, BARS);
    wait_for_end(s);
    return s->takes.n ? &s->takes.list[0] : NULL;
}

static void a_rhythm_is_kept(void **state)
{
    struct session *s = *state;
    act_command_line(s, "keep rhythm");
    const struct proposal *t = ask(s);
    assert_non_null(t);
    assert_int_equal(t->n_waiting, 4 * BARS);
    for (size_t i = 0; i < t->n_waiting; i++) {
        assert_int_equal(t->ghosts[i].note.start, i * BEAT);
        assert_int_equal(t->ghosts[i].note.length, BEAT);
    }
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.list[1].n_waiting, 4 * BARS);
}

static void pitches_and_a_scale_are_kept(void **state)
{
    struct session *s = *state;
    act_command_line(s, "keep pitches");
    const struct proposal *t = ask(s);
    assert_non_null(t);
    assert_int_equal(t->n_waiting, 4 * BARS);
    for (size_t i = 0; i < t->n_waiting; i++)
        assert_int_equal(t->ghosts[i].note.pitch, 60 + i % 4);
    run(s, CMD_REJECT_ALL);
    act_command_line(s, "keep nothing");
    act_command_line(s, "scale Db");
    act_command_line(s, "min-notes 6");
    t = ask(s);
    assert_true(t && t->n_waiting >= 6);
    for (size_t i = 0; i < t->n_waiting; i++)
        assert_true(0x56B >> t->ghosts[i].note.pitch % 12 & 1);
}

/* Where no note was, there is none to keep anything of. */
static void of_no_notes_nothing_is_kept(void **state)
{
    struct session *s = *state;
    act_command_line(s, "keep rhythm");
    act_command_line(s, "density 2");
    act_command_line(s, "min-notes 2");
    run_times(s, CMD_CONTINUE, 2);
    wait_for_end(s);
    assert_true(n_ghosts(s) >= 2);
    run(s, CMD_REJECT_ALL);
    act_command_line(s, "keep pitches");
    act_command_line(s, "lead-in 2");
    wait_for_end(s);
    assert_true(n_ghosts(s) >= 2);
}

/* What stays is settled once: every take of a hole is around the same notes. */
static void a_share_stays_for_all_takes(void **state)
{
    struct session *s = *state;
    act_command_line(s, "stays 0.5");
    act_command_line(s, "min-notes 1");
    assert_non_null(ask(s));
    size_t n_gone = s->rewritten.n_there;
    assert_in_range(n_gone, 3, 13);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 2);
    assert_int_equal(s->rewritten.n_there, n_gone);
    size_t n_new = proposals_shown(&s->takes)->n_waiting;
    run(s, CMD_ACCEPT);
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS - n_gone + n_new);
    run(s, CMD_UNDO);
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS);
}

static void bars_are_put_in_before_the_music(void **state)
{
    struct session *s = *state;
    act_command_line(s, "min-notes 2");
    act_command_line(s, "lead-in 2");
    wait_for_end(s);
    assert_int_equal(s->project.score->tracks[0].notes[0].start, 2 * BAR);
    assert_true(s->takes.n == 1 && s->takes.list[0].n_waiting >= 2);
    for (size_t i = 0; i < s->takes.list[0].n_waiting; i++) {
        const struct note *n = &s->takes.list[0].ghosts[i].note;
        assert_true(n->start + n->length <= 2 * BAR);
    }
    run(s, CMD_ACCEPT);
    run(s, CMD_UNDO);
    run(s, CMD_UNDO);
    assert_int_equal(s->project.score->tracks[0].notes[0].start, 0);
    s->cursor_tick = BAR + 7;
    act_command_line(s, "insert 3");
    assert_int_equal(s->project.score->tracks[0].notes[3].start, 3 * BEAT);
    assert_int_equal(s->project.score->tracks[0].notes[4].start, 4 * BAR);
    act_command_line(s, "insert 99");
    assert_true(s->message_is_error);
}

/* Takes are of a place in the music, and do not outlive it. */
static void takes_go_with_their_time(void **state)
{
    struct session *s = *state;
    act_command_line(s, "min-notes 2");
    act_command_line(s, "lead-in 2");
    wait_for_end(s);
    assert_true(s->has_take);
    act_command_line(s, "insert 1");
    assert_int_equal(s->project.score->tracks[0].notes[0].start, 2 * BAR);
    run(s, CMD_UNDO);
    assert_false(s->has_take);
    assert_int_equal(s->project.score->tracks[0].notes[0].start, 0);
    run(s, CMD_AGAIN);
    assert_false(s->has_take);
    assert_non_null(ask(s));
    run(s, CMD_REDO);
    assert_false(s->has_take);
    assert_int_equal(s->project.score->tracks[0].notes[0].start, 2 * BAR);
}

/* Where three beats begin, of three. */
static void bars_put_in_are_as_those_there(void **state)
{
    struct session *s = *state;
    s->cursor_tick = 2 * BAR;
    act_command_line(s, "meter 3/4");
    act_command_line(s, "insert 2");
    assert_int_equal(s->project.score->tracks[0].notes[8].start,
                     2 * BAR + 2 * 3 * BEAT);
    for (int i = 2; i < 6; i++)
        assert_int_equal(timeline_bar(&s->project.score->timeline, i).length, 3 * BEAT);
}

static void a_melody_gets_voices(void **state)
{
    struct session *s = *state;
    act_command_line(s, "min-notes 3");
    act_command_line(s, "harmonise 2");
    wait_for_end(s);
    assert_int_equal(s->project.score->n_tracks, 3);
    const struct proposal *t = &s->takes.list[0];
    assert_true(s->takes.n == 1 && t->n_waiting >= 3);
    for (size_t i = 0; i < t->n_waiting; i++)
        assert_in_range(t->ghosts[i].track, 1, 2);
    run(s, CMD_ACCEPT);
    assert_int_equal(s->project.score->tracks[0].n_notes, 4 * BARS);
    s->track = 2;
    run(s, CMD_TRACK_ADD);
    act_command_line(s, "harmonise");
    assert_string_equal(s->message, "this track has no melody to harmonise");
}

static void no_voice_past_those_that_can_be_asked_for(void **state)
{
    struct session *s = *state;
    while (s->project.score->n_tracks < 63)
        run(s, CMD_TRACK_ADD);
    s->track = 0;
    act_command_line(s, "harmonise 2");
    assert_non_null(strstr(s->message, "no room for 2 more tracks"));
    assert_int_equal(s->project.score->n_tracks, 63);
    act_command_line(s, "harmonise 1");
    wait_for_end(s);
    assert_int_equal(s->project.score->n_tracks, 64);
    assert_int_equal(s->takes.n, 1);
}

static void takes_are_liked_and_not(void **state)
{
    struct session *s = *state;
    act_command_line(s, "min-notes 4");
    assert_non_null(ask(s));
    uint64_t seed = s->steering.seed;
    run(s, CMD_AGAIN);
    wait_for_end(s);
    run(s, CMD_TAKE_LIKE); /* B */
    assert_int_equal(s->takes.list[1].liking, 1);
    s->steering.seed = seed;
    run(s, CMD_AGAIN);
    wait_for_end(s);
    const struct proposal *b = &s->takes.list[1], *c = &s->takes.list[2];
    assert_true(b->options.sampling.seed == c->options.sampling.seed);
    bool differs = b->n_waiting != c->n_waiting;
    for (size_t i = 0; !differs && i < b->n_waiting; i++)
        differs = b->ghosts[i].note.start != c->ghosts[i].note.start ||
                  b->ghosts[i].note.pitch != c->ghosts[i].note.pitch;
    assert_true(differs);
    session_show_take(s, 1);
    run(s, CMD_TAKE_DISLIKE);
    assert_int_equal(s->takes.list[1].liking, -1);
    run(s, CMD_TAKE_DISLIKE);
    assert_int_equal(s->takes.list[1].liking, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_session, close_session)
    const struct CMUnitTest tests[] = {
        TEST(a_rhythm_is_kept),
        TEST(pitches_and_a_scale_are_kept),
        TEST(of_no_notes_nothing_is_kept),
        TEST(a_share_stays_for_all_takes),
        TEST(bars_are_put_in_before_the_music),
        TEST(takes_go_with_their_time),
        TEST(bars_put_in_are_as_those_there),
        TEST(a_melody_gets_voices),
        TEST(no_voice_past_those_that_can_be_asked_for),
        TEST(takes_are_liked_and_not),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
