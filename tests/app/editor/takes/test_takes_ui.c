/* Several takes in the workstation, without a screen: which is shown and heard, accepted,
 * rejected or made again, and what each knows of how it was made. */
#include "tests/check.h"
#include "tests/app/asked_takes.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/app/heard.h"

static const struct proposal *take(const struct session *s, int number)
{
    assert_in_range(number, 1, s->takes.n);
    return &s->takes.list[number - 1];
}

static const char *name_of_shown(const struct session *s)
{
    static char name[2];
    name[0] = shown(s);
    return name;
}

TEXT_FACT(shown, name_of_shown(s))
NUMBER_FACT(seen, view_of(s)->ghosts.n)
NUMBER_FACT(unseen, n_ghosts(s) - view_of(s)->ghosts.n)
NUMBER_FACT(listed, view_of(s)->takes.is_listed)
NUMBER_FACT(rank_shown, proposals_shown(&s->takes)->rank)
NUMBER_FACT(last_letter, take(s, s->takes.n)->letter)
NUMBER_FACT(on_ghost, s->cursor.tick == ghosts(s)[of].note.start)
NUMBER_FACT(on_last, s->cursor.tick == ghosts(s)[n_ghosts(s) - 1].note.start)

SCRIPT(keys_go_from_take_to_take, open_session) = {
    {"‹ask›4", "shown D; no unseen; replaced 8; takes 4"},
    {"3", "shown C; no unseen; replaced 8"},
    {"2", "shown B; no unseen; replaced 8"},
    {"1", "shown A; no unseen; replaced 8"},
    {"5", "shown A", "~there is no take 5"},
    {"N", "shown D"},
    {"n", "shown A"},
    {"n", "shown B"},
};

SCRIPT(the_original_comes_back_to_be_heard, open_session) = {
    {"‹ask›0", "plays; seen 0; replaced 0; heard_as_written"}, /* it plays at once */
    {" ", "no plays"},
    {"a", "takes 4", "~this is the original"},
    {"x", "takes 4"},
    {"2", "plays; heard_beside 8"},
};

/* Until a beat it is as before, from there on as it will be; nothing sounds across. */
TEST_WITH(another_take_is_heard_from_the_next_beat, open_session)
{
    keys(s, "‹ask›");
    run(s, CMD_PIECE_START);
    run(s, CMD_PLAY_START);
    show(s, 3);
    assert_true(s->parts.hearing->is_switching);
    assert_int_equal(s->parts.hearing->switch_tick % BEAT, 0);
    assert_true((double)s->parts.hearing->switch_tick > player_tick(s->player));
    int64_t at = s->parts.hearing->switch_tick = 2 * BAR; /* where both have notes */
    auto_score *heard = session_heard(s);
    size_t n = 8;
    for (int i = 0; i < 3; i += 2)
        for (size_t k = 0; k < s->takes.list[i].n_waiting; k++)
            n += (s->takes.list[i].ghosts[k].note.start < at) == (i == 0);
    assert_int_equal(score_n_notes(heard), n);
    for (size_t i = 0; i < heard->tracks[0].n_notes; i++) {
        const struct note *note = &heard->tracks[0].notes[i];
        assert_false(note->start < at && note->start >= BAR &&
                     note->start + note->length > at);
    }
    s->parts.hearing->switch_tick = 1; /* and soon it has passed */
    WAIT_FOR(s, !s->parts.hearing->is_switching);
    show(s, 0);
    run(s, CMD_PLAY); /* stopped: at once */
    session_publish(s);
    assert_false(s->parts.hearing->is_switching);
    assert_int_equal(shown(s), '0');
}

SCRIPT(rejecting_shows_the_next_best, open_session) = {
    {"‹ask›x", "shown B; rank_shown 1; takes 3; mode TAKES"},
    {"x", "shown C; rank_shown 1; takes 2"},
    {"x", "shown D; rank_shown 1; takes 1"},
    {"x", "no take; mode NORMAL; n 16"},
    {"‹ask›X", "no take; n 16"},
};

SCRIPT(again_adds_to_those_that_wait, open_session) = {
    {"‹ask›r", "shown E"},
    {"‹made›", "takes 8"},
    {"8", "shown H"},
    {"xr‹made›r‹made›r‹made›r‹made›r‹made›r‹made›r‹made›r‹made›r‹made›r‹made›",
     "takes 25; last_letter 90", "~take 26 is the last"}, /* H is not given again */
    {"Xr", "shown A"},
};

/* Through every ghost of the take, and no further. */
SCRIPT(words_step_through_the_take, open_session) = {
    {"‹ask›‹at 0›w", "on_ghost0"},
    {"99w", "on_last"},
    {"99b", "on_ghost0"},
};

static bool are_all_within(const struct session *s)
{
    bool are = true;
    for (int i = 0; i < s->takes.n; i++)
        for (size_t k = 0; k < s->takes.list[i].n_waiting; k++) {
            const struct note *n = &s->takes.list[i].ghosts[k].note;
            are &= n->start >= s->request.from && note_end(n) <= s->request.to;
        }
    return are;
}

NUMBER_FACT(all_within, are_all_within(s))

/* After the music, too, more takes are of the same bars. */
SCRIPT(a_continuation_stays_where_it_was, open_session) = {
    {":min-notes 6\r2C‹made›‹at 4b›Va", "n 17..999; take"},
    {"r‹made›", "takes 8; from 4b; to 6b; all_within"},
};

SCRIPT(counts_and_settings_say_how_many, open_session) = {
    {"‹at 1b›V2c", "takes 2"},
    {"Xcc", "takes 4"},
    {"X:takes 8\rcc", "takes 8"},
    {":takes 9\r", "", "!"},
    {"XV9c", "no take", "~at most 8 takes"},
};

/* Stopped at once, those that came to nothing are gone, and so are their letters. */
TEST_WITH(stopping_keeps_what_came, open_session)
{
    keys(s, "‹ask›r‹C-c›");
    assert_false(s->request.is_running);
    for (int i = 0; i < s->takes.n; i++)
        assert_true(s->takes.list[i].slot < 0 && s->takes.list[i].n_came > 0);
    assert_int_equal(s->takes.n_letters, take(s, s->takes.n)->letter - 'A' + 1);
    keys(s, "rx"); /* while it is written */
    int n = s->takes.n;
    wait_for_end(s);
    assert_int_equal(s->takes.n, n);
}

SCRIPT(leaving_and_coming_back, open_session) = {
    {"‹ask›\033", "mode NORMAL"},
    {"T", "mode TAKES; no listed"}, /* little room */
    {"T", "listed"},
    {"‹item 2›", "shown C"},
    {"v\033", "mode TAKES"}, /* where it began */
    {"XT", "", "~no take waits"},
};

/* By whatever way the history is gone about in. */
SCRIPT(takes_whose_place_is_gone_are_said, open_session) = {
    {":track Bass\r‹ask›UG", "no take", "~the takes no longer fit"},
    {"gg", "", "-the takes"},
};

GROUP(make_model, remove_own_folder)
