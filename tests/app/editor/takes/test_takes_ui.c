/* Takes in the workstation, without a screen: which is shown and heard, accepted, also in parts from
 * one take and another, rejected or made again, and what each knows of how it was made. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "tests/app/asked_takes.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/app/heard.h"
#include "tests/app/invariants.h"
#include "tests/app/kept.h"

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
NUMBER_FACT(listed, view_of(s)->lists[LIST_TAKES].is_open)
NUMBER_FACT(rank_shown, proposals_shown(&s->takes)->rank)
NUMBER_FACT(last_letter, take(s, s->takes.n)->letter)
NUMBER_FACT(overlaps, count_overlaps(s->project.score))
NUMBER_FACT(on_ghost, s->view.cursor.tick == ghosts(s)[of].note.start)
NUMBER_FACT(on_last, s->view.cursor.tick == ghosts(s)[n_ghosts(s) - 1].note.start)

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

/* -- while it is written -- */

/* Two hundred bars, until so many notes are there. */
WORD(begin)
{
    size_t n = (size_t)read_ticks(&arguments);
    run_times(s, CMD_CONTINUE, 200);
    WAIT_FOR(s, n_ghosts(s) >= n);
}

SCRIPT(accepting_while_notes_arrive_keeps_those_seen, open_session) = {
    {"‹begin 1›a", "n 17..9999"},
    {"‹remember›‹pass 40›", "ghosts 0; as_remembered"},
};

SCRIPT(another_file_forgets_the_take, open_session) = {
    {"‹begin 1›‹line e! /nonexistent/dir.mid›‹file e! other.mid›", "no take"},
    {"‹pass 40›", "ghosts 0; n 0"},
};

/* Undoing the track that the machine was given, and trying again. */
SCRIPT(a_score_without_tracks_gets_one, open_session) = {
    {"BX\033", "tracks 0"},
    {"2C‹made›u", "tracks 0; no take"},
    {"r‹made›", "ghosts"},
    {"a", "n; tracks 1"},
};

/* -- parts -- */

static bool begins_in_bar(const struct note *n, int bar)
{
    return n->start >= (bar - 1) * BAR && n->start < bar * BAR;
}

/* The bar's notes are the take's, by their ids, and all that it has there. */
static bool bar_is_of(const struct session *s, const struct proposal *t, int bar)
{
    size_t n = 0;
    bool is = true;
    for (size_t i = 0; i < t->n_ghosts; i++) {
        if (!begins_in_bar(&t->ghosts[i].note, bar))
            continue;
        is &= score_find_note(s->project.score, 0, t->ghosts[i].note.id) != NULL;
        n++;
    }
    for (size_t i = 0; i < track(s, 0)->n_notes; i++)
        n -= begins_in_bar(note_of(s, 0, i), bar);
    return is && n == 0;
}

/* The letters of those takes. */
static const char *takes_in_bar(const struct session *s, int bar)
{
    static char text[PROPOSALS_MAX + 1];
    size_t n = 0;
    for (int i = 0; i < s->takes.n; i++)
        if (bar_is_of(s, &s->takes.list[i], bar))
            text[n++] = s->takes.list[i].letter;
    text[n] = '\0';
    return text;
}

TEXT_FACT(bar, takes_in_bar(s, of))

SCRIPT(halves_come_from_two_takes, open_session) = {
    {"‹ask›‹remember›‹at 1b›Va", "mode TAKES; takes 4; bar2 A; bar3 ; gone 4"},
    {"2‹at 2b›Va", "bar2 A; bar3 B; gone 0; overlaps 0"},
    {"u", "bar2 A; bar3 ; gone 4"},        /* a step for each part, */
    {"u", "as_remembered; bar2 ; gone 8"}, /* and what was accepted waits again */
    {"‹C-r›", "bar2 A; gone 4"},
};

SCRIPT(a_second_take_replaces_the_first, open_session) = {
    {"‹ask›‹at 1b›Va", "bar2 A; replaced 4"}, /* the rest of A, which itself stands */
    {"2", "replaced 5..99; heard_beside 8"},
    {"‹at 1b›Va", "bar2 B; bar3 "},
    {"u", "bar2 A"},     /* one step */
    {"0", "replaced 0"}, /* what was accepted stands where no take is shown */
    {"3‹remember›a", "n_beside 8"},
};

/* Also when the take it came from is rejected by now. */
SCRIPT(what_a_rejected_take_left_is_replaced, open_session) = {
    {"‹ask›‹at 1b›Vax", "takes 3; shown B"},
    {"‹at 1b›Va", "bar2 B"},
};

/* What was accepted is what takes are written around that are asked for later: it is theirs,
 * too. */
SCRIPT(later_takes_are_around_what_stands, open_session) = {
    {"‹ask›‹at 1b›Var‹made›", "shown E; bar2 A; stand 1..99; replaced 4"},
    {"‹remember›a", "lost 0; overlaps 0"},
};

static uint64_t noted; /* the shown take's first note */

WORD(to_ghost)
{
    const struct note *n = &ghosts(s)[0].note;
    s->view.cursor.tick = grid_floor(s, n->start);
    s->view.cursor.pitch = n->pitch;
    noted = n->id;
}

NUMBER_FACT(noted_is_there, score_find_note(s->project.score, 0, noted) != NULL)
NUMBER_FACT(stand, proposals_shown(&s->takes)->n_ghosts - n_ghosts(s))

/* Notes drawn where a ghost is stay; that ghost is left out. */
SCRIPT(own_notes_come_before_the_machines, open_session) = {
    {"2C‹made›‹to_ghost›\033‹to_ghost›\r", "n 17; ghosts 2..999"},
    {"Ta", "overlaps 0; n 18..999; no noted_is_there", "~left out"},
};

/* Moved out of the hole, it is the composer's. */
SCRIPT(what_was_moved_away_stays, open_session) = {
    {"‹ask›‹to_ghost›va\033", "noted_is_there; mode NORMAL"},
    {"96>T2a", "noted_is_there; no take"},
};

SCRIPT(a_box_takes_its_pitches_only, open_session) = {
    {"‹ask›‹to_ghost›va", "noted_is_there; stand 1; no unseen; mode TAKES"},
    {"\033‹at 8b›Va", "", "~begins there"}, /* nothing of it does in an empty bar */
};

NUMBER_FACT(n_kept, proposals_n_kept(take(s, of)))

/* The note is in every take from the fifth on, and none of its pitch meets it. */
static bool is_heard_by_new_takes(const struct session *s)
{
    bool is = s->takes.n == 8;
    for (int i = 4; i < s->takes.n; i++) {
        const struct proposal *t = &s->takes.list[i];
        const struct ghost *kept = NULL;
        for (size_t k = 0; k < t->n_waiting; k++)
            kept = t->ghosts[k].note.id == noted ? &t->ghosts[k] : kept;
        is &= kept && kept->is_kept;
        for (size_t k = 0; is && k < t->n_waiting; k++) {
            is &= &t->ghosts[k] == kept || !ghosts_overlap(&t->ghosts[k], kept);
            is &= !k || t->ghosts[k - 1].note.start <= t->ghosts[k].note.start;
        }
    }
    return is;
}

NUMBER_FACT(heard_by_new_takes, is_heard_by_new_takes(s))

SCRIPT(kept_notes_are_in_every_new_take, open_session) = {
    {"‹ask›‹to_ghost›k", "n_kept1 1"},
    {"r", "ghosts 1"}, /* it is there before anything else */
    {"‹made›", "heard_by_new_takes; n_kept8 1"},
    {"‹to_ghost›k", "n_kept1 0; n_kept5 0; n_kept8 0"}, /* let go, in all of them */
    {"‹remember›a", "lost 0"},
    {"‹ask›‹at 0›k", "", "~no hatched note here"},
};

GROUP(make_model, remove_own_folder)
