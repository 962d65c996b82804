/* Requests that are more than a hole, in the workstation: what is kept of its notes,
 * which of them stay, a lead-in, voices to a melody, more and less like a take. */
#include "tests/check.h"
#include "tests/app/quarters.h"
#include "tests/app/script.h"

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

TEST_WITH(a_rhythm_is_kept, open_session)
{
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

TEST_WITH(pitches_and_a_scale_are_kept, open_session)
{
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

NUMBER_FACT(start, note_of(s, 0, of)->start)

/* Where no note was, there is none to keep anything of. */
SCRIPT(of_no_notes_nothing_is_kept, open_session) = {
    {":keep rhythm\r:density 2\r:min-notes 2\r2C‹made›", "ghosts 2..999"},
    {"X:keep pitches\r:lead-in 2\r‹made›", "ghosts 2..999"},
};

/* What stays is settled once: every take of a hole is around the same notes. */
TEST_WITH(a_share_stays_for_all_takes, open_session)
{
    act_command_line(s, "stays 0.5");
    act_command_line(s, "min-notes 1");
    assert_non_null(ask(s));
    size_t n_gone = s->request.rewritten.n_there;
    assert_in_range(n_gone, 3, 13);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 2);
    assert_int_equal(s->request.rewritten.n_there, n_gone);
    size_t n_new = proposals_shown(&s->takes)->n_waiting;
    run(s, CMD_ACCEPT);
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS - n_gone + n_new);
    run(s, CMD_UNDO);
    assert_int_equal(score_n_notes(s->project.score), 4 * BARS);
}

/* The end of the last note of any take. */
static int64_t last_end(const struct session *s)
{
    int64_t last = 0;
    for (size_t i = 0; i < n_ghosts(s); i++)
        if (note_end(&ghosts(s)[i].note) > last)
            last = note_end(&ghosts(s)[i].note);
    return last;
}

NUMBER_FACT(last_end, last_end(s))

SCRIPT(bars_are_put_in_before_the_music, open_session) = {
    {":min-notes 2\r:lead-in 2\r‹made›",
     "start0 2b; takes 1; ghosts 2..999; last_end 0..3840"},
    {"auu", "start0 0"},
    {"‹at 1927›:insert 3\r", "start3 3q; start4 4b"},
    {":insert 99\r", "", "!"},
};

/* Takes are of a place in the music, and do not outlive it. */
SCRIPT(takes_go_with_their_time, open_session) = {
    {":min-notes 2\r:lead-in 2\r‹made›", "take"},
    {"‹line insert 1›", "start0 2b"},
    {"\033u", "no take; start0 0"},
    {"r", "no take"},
    {"4cc‹made›", "takes 1"},
    {"\033‹C-r›", "no take; start0 2b"},
};

/* Where three beats begin, of three. */
SCRIPT(bars_put_in_are_as_those_there, open_session) = {
    {"‹at 2b›:meter 3/4\r:insert 2\r",
     "start8 2b6q; bar_length3 3q; bar_length4 3q; bar_length5 3q; bar_length6 3q"},
};

TEST_WITH(a_melody_gets_voices, open_session)
{
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
    assert_string_equal(s->message.text, "this track has no melody to harmonise");
}

SCRIPT(no_voice_past_those_that_can_be_asked_for, open_session) = {
    {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "tracks 63"},
    {"‹track 0›:harmonise 2\r", "tracks 63", "~no room for 2 more tracks"},
    {":harmonise 1\r‹made›", "tracks 64; takes 1"},
};

TEST_WITH(takes_are_liked_and_not, open_session)
{
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

GROUP(make_model, remove_own_folder)
