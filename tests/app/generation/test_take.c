/* The whole main job without a screen: draw, continue, hear, accept or reject, undo,
 * save, open again; and what may happen to a take while it waits. */
#include "tests/check.h"
#include "app/editor/takes/hearing.h"
#include "tests/app/invariants.h"
#include "tests/app/kept.h"
#include "tests/midi/score_equal.h"

/* A phrase of four notes. */
static int open_session(void **state)
{
    model_session(state);
    keys(*state, "i4\rk4\rk4\rk4\rk\033");
    return 0;
}

/* So many bars, to the end. */
WORD(continue)
{
    run_times(s, CMD_CONTINUE, (int)read_ticks(&arguments));
    check_facts(s, "take; mode TAKES");
    wait_for_end(s);
    assert_true(n_ghosts(s) > 0);
}

/* Two hundred bars, until so many notes are there. */
WORD(begin)
{
    size_t n = (size_t)read_ticks(&arguments);
    run_times(s, CMD_CONTINUE, 200);
    WAIT_FOR(s, n_ghosts(s) >= n);
}

NUMBER_FACT(runs, s->request.is_running)

TEST_WITH(draw_continue_accept_save_reload, open_session)
{
    play(s, "‹continue 2›", "n 4; from 1b; to 3b", NULL); /* ghosts are not notes */
    size_t n = 4 + n_ghosts(s);
    play(s, "a", "no take; no error", NULL);
    assert_int_equal(n_notes(s), n);
    play(s, "u", "n 4", NULL); /* one step */
    keys(s, "‹C-r›‹file w song.mid›");
    auto_score *saved = score_clone(s->project.score);
    assert_int_equal(n_notes(s), n);
    play(s, "‹open song.mid›", "no error; clean", NULL);
    assert_true(score_equal(saved, s->project.score));
}

TEST_WITH(again_is_another_take_and_a_seed_tells_it, open_session)
{
    keys(s, "‹continue 4›");
    size_t n = n_ghosts(s);
    auto_free struct ghost *first = calloc(n, sizeof *first);
    memcpy(first, ghosts(s), n * sizeof *first);
    uint64_t seed = s->request.asked.options.sampling.seed;
    for (int i = 0; i < 2; i++) {
        keys(s, "r‹made›");
        assert_true(i == 1 || (s->takes.n == 2 && s->takes.shown == 1));
        assert_true(s->request.asked.options.sampling.seed == (i ? seed : seed + 1));
        bool is_same = n_ghosts(s) == n;
        for (size_t k = 0; is_same && k < n; k++)
            is_same = ghosts(s)[k].note.pitch == first[k].note.pitch;
        assert_int_equal(is_same, i);
        s->steering.seed = seed;
    }
}

SCRIPT(after_accepting_there_is_nothing_to_try_again, open_session) = {
    {"r", "no take"},
    {"‹continue 1›ar", "no take"},
};

TEST_WITH(what_was_stopped_can_be_kept, open_session)
{
    play(s, "‹begin 3›‹C-c›", "no runs", NULL);
    size_t n = n_ghosts(s);
    keys(s, "‹pass 40›");
    assert_int_equal(n_ghosts(s), n); /* nothing comes after */
    run(s, CMD_ACCEPT);
    assert_int_equal(n_notes(s), 4 + n);
}

TEST_WITH(accepting_while_notes_arrive_keeps_those_seen, open_session)
{
    play(s, "‹begin 1›a", "n 5..9999", NULL);
    size_t n = n_notes(s);
    play(s, "‹pass 40›", "ghosts 0", NULL);
    assert_int_equal(n_notes(s), n);
}

SCRIPT(a_take_goes_with_its_track, open_session) = {
    {"A‹continue 1›u", "tracks 1; no take; ghosts 0"}, /* the track */
    {"a", "n 4"},
};

/* Undoing the track that the machine was given, and trying again. */
TEST_WITH(a_score_without_tracks_gets_one, open_session)
{
    static const char EMPTY[] = "MThd\0\0\0\6\0\1\0\1\1\xe0MTrk\0\0\0\4\0\xff\x2f";
    put_bytes("empty.mid", EMPTY, sizeof EMPTY);
    play(s, "‹file e! empty.mid›", "tracks 0", NULL);
    play(s, "‹continue 2›u", "tracks 0", NULL);
    play(s, "r‹made›", "ghosts", NULL);
    play(s, "a", "n", NULL);
}

SCRIPT(another_file_forgets_the_take, open_session) = {
    {"‹begin 1›‹line e! /nonexistent/dir.mid›‹file e! other.mid›", "no take"},
    {"‹pass 40›", "ghosts 0; n 0"},
};

/* Notes drawn where a ghost is stay; that ghost is left out. */
TEST_WITH(own_notes_come_before_the_machines, open_session)
{
    keys(s, "‹continue 2›\033");
    size_t n = n_ghosts(s);
    s->cursor.tick = ghosts(s)[0].note.start;
    s->cursor.pitch = ghosts(s)[0].note.pitch;
    play(s, "\r", "n 5", NULL);
    run(s, CMD_ACCEPT);
    assert_said(s, "left out");
    assert_in_range(n_notes(s), 6, 4 + n);
    assert_int_equal(count_overlaps(s->project.score), 0);
}

TEST_WITH(ghosts_are_heard, open_session)
{
    play(s, "‹continue 2› ", "plays", NULL);
    assert_false(s->parts.hearing->has_changed); /* the player has the take */
    WAIT_FOR(s, player_tick(s->player) > (double)s->request.from); /* from its start */
    run(s, CMD_REJECT);
    session_tick(s);
    assert_false(s->parts.hearing->has_changed); /* and has it no longer */
    run(s, CMD_PLAY);
    WAIT_FOR(s, !player_is_playing(s->player));
}

SCRIPT(files_are_not_written_over_unasked, open_session) = {
    {"‹sh printf 'precious' >precious.mid›‹file w precious.mid›", "error"},
    {"‹file w! precious.mid›", "no error"},
    {":w\r", "no error"}, /* ours by now */
    {":w /nonexistent/folder/x.mid\r", "", "!No such file"},
};

GROUP(make_model, remove_own_folder)
