/* Requests that are more than a hole, in the workstation: what is kept of its notes,
 * which of them stay, a lead-in, voices to a melody, more and less like a take. */
#include "tests/check.h"
#include "tests/app/heard.h"
#include "tests/app/quarters.h"

static int open_session(void **state)
{
    return open_quarters(state, 1);
}

/* All bars, by one take. */
DOES(ask, keys(s, "‹at 0›4cc‹made›"))

NUMBER_FACT(in_rhythm, ALL_GHOSTS(s, g,
                                  g->note.start == (g - ghosts(s)) * BEAT &&
                                      g->note.length == BEAT))
NUMBER_FACT(of_pitches, ALL_GHOSTS(s, g, g->note.pitch == 60 + (g - ghosts(s)) % 4))
NUMBER_FACT(in_d_flat, ALL_GHOSTS(s, g, 0x56B >> g->note.pitch % 12 & 1))
NUMBER_FACT(of_voices, ALL_GHOSTS(s, g, g->track == 1 || g->track == 2))
NUMBER_FACT(before_music, ALL_GHOSTS(s, g, note_end(&g->note) <= 2 * BAR))

SCRIPT(a_rhythm_is_kept, open_session) = {
    {":keep rhythm\r‹ask›", "ghosts 16; in_rhythm"},
    {"r‹made›", "take; takes 2; ghosts 16"},
};

SCRIPT(pitches_and_a_scale_are_kept, open_session) = {
    {":keep pitches\r‹ask›", "ghosts 16; of_pitches"},
    {"X:keep nothing\r:scale Db\r:min-notes 6\r‹ask›", "ghosts 6..999; in_d_flat"},
};

NUMBER_FACT(start, note_of(s, 0, of)->start)

/* Where no note was, there is none to keep anything of. */
SCRIPT(of_no_notes_nothing_is_kept, open_session) = {
    {":keep rhythm\r:density 2\r:min-notes 2\r2C‹made›", "ghosts 2..999"},
    {"X:keep pitches\r:lead-in 2\r‹made›", "ghosts 2..999"},
};

/* What stays is settled once: every take of a hole is around the same notes. */
SCRIPT(a_share_stays_for_all_takes, open_session) = {
    {":stays 0.5\r:min-notes 1\r‹ask›", "take; gone 3..13"},
    {"‹remember›r‹made›", "takes 2; as_many_gone"},
    {"‹remember›a", "lost 0"},
    {"u", "n 16; as_remembered"},
};

SCRIPT(bars_are_put_in_before_the_music, open_session) = {
    {":min-notes 2\r:lead-in 2\r‹made›",
     "start0 2b; takes 1; ghosts 2..999; before_music"},
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

SCRIPT(a_melody_gets_voices, open_session) = {
    {":min-notes 3\r:harmonise 2\r‹made›",
     "tracks 3; takes 1; ghosts 3..999; of_voices"},
    {"a", "n0 16"},
    {"‹track 2›A:harmonise\r", "", "this track has no melody to harmonise"},
};

DOES(of_violin, s->project.score->tracks[0].program = 40)

/* A viola and a cello below a low tune. */
SCRIPT(a_voice_has_an_instrument_that_reaches_it, open_session) = {
    {"‹of_violin›:min-notes 3\r:harmonise 2\r‹made›", "program1 41; program2 42"},
};

SCRIPT(no_voice_past_those_that_can_be_asked_for, open_session) = {
    {"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", "tracks 63"},
    {"‹track 0›:harmonise 2\r", "tracks 63", "~no room for 2 more tracks"},
    {":harmonise 1\r‹made›", "tracks 64; takes 1"},
};

NUMBER_FACT(liking, s->takes.list[1].liking)

TEST_WITH(takes_are_liked_and_not, open_session)
{
    s->steering.n_draws = 1; /* all are shown */
    play(s, ":min-notes 4\r‹ask›", "take", NULL);
    uint64_t seed = s->steering.seed;
    play(s, "r‹made›+", "liking 1", NULL); /* B */
    s->steering.seed = seed;
    keys(s, "r‹made›");
    const struct proposal *b = &s->takes.list[1], *c = &s->takes.list[2];
    assert_true(b->options.sampling.seed == c->options.sampling.seed);
    bool differs = b->n_waiting != c->n_waiting;
    for (size_t i = 0; !differs && i < b->n_waiting; i++)
        differs = b->ghosts[i].note.start != c->ghosts[i].note.start ||
                  b->ghosts[i].note.pitch != c->ghosts[i].note.pitch;
    assert_true(differs);
    play(s, "2-", "liking -1", NULL);
    play(s, "-", "liking 0", NULL);
}

GROUP(make_model, remove_own_folder)
