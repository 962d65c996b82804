/* The whole main job without a screen: draw, continue, hear, accept or reject, undo,
 * save, open again; and what may happen to a take while it waits. */
#include "tests/check.h"
#include "tests/app/driver.h"
#include "app/editor/takes/hearing.h"
#include "app/editor/shell/files.h"

static void draw_phrase(struct session *s)
{
    run(s, CMD_DRAW);
    for (int i = 0; i < 4; i++) {
        run_times(s, CMD_TOGGLE_NOTE, 4);
        run(s, CMD_UP);
    }
    run(s, CMD_ESCAPE);
}

static int open_session(void **state)
{
    struct session *s = headless_open();
    if (s)
        draw_phrase(s);
    *state = s;
    return s ? 0 : -1;
}

static void wait_for_notes(struct session *s, size_t n)
{
    for (int i = 0; i < 15000 && n_ghosts(s) < n; i++) {
        session_tick(s);
        nap();
    }
    assert_true(n_ghosts(s) >= n);
}

static void continue_bars(struct session *s, int bars)
{
    run_times(s, CMD_CONTINUE, bars);
    assert_true(s->has_take);
    assert_int_equal(s->mode, MODE_TAKES);
    wait_for_end(s);
    assert_true(n_ghosts(s) > 0);
}

TEST_IN(draw_continue_accept_save_reload, open_session, close_session)
{
    struct session *s = *state;
    continue_bars(s, 2);
    size_t n = n_ghosts(s);
    assert_int_equal(n_notes(s), 4); /* ghosts are not in the score */
    assert_int_equal(s->request.from, 1920);
    assert_int_equal(s->request.to, 3 * 1920);
    run(s, CMD_ACCEPT);
    assert_false(s->has_take || s->message.is_error);
    assert_int_equal(n_notes(s), 4 + n);
    run(s, CMD_UNDO); /* one step */
    assert_int_equal(n_notes(s), 4);
    run(s, CMD_REDO);
    assert_int_equal(n_notes(s), 4 + n);
    assert_true(act_save_as(s, in_folder("song.mid"), false));
    struct score *saved = score_clone(s->project.score);
    session_open(s, in_folder("song.mid"));
    assert_false(s->message.is_error || project_modified(&s->project));
    assert_int_equal(n_notes(s), 4 + n);
    assert_true(score_equal(saved, s->project.score));
    score_destroy(saved);
}

TEST_IN(rejecting_changes_nothing, open_session, close_session)
{
    struct session *s = *state;
    struct score *before = score_clone(s->project.score);
    uint64_t history = history_state(s->project.history);
    continue_bars(s, 2);
    run(s, CMD_REJECT);
    assert_false(s->has_take);
    assert_int_equal(n_ghosts(s), 0);
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_true(score_equal(before, s->project.score));
    assert_true(history == history_state(s->project.history));
    score_destroy(before);
    run(s, CMD_REJECT);
    assert_string_equal(s->message.text, "no take is waiting");
}

TEST_IN(again_is_another_take_and_a_seed_tells_it, open_session, close_session)
{
    struct session *s = *state;
    continue_bars(s, 4);
    size_t n = n_ghosts(s);
    struct ghost *first = calloc(n, sizeof *first);
    memcpy(first, ghosts(s), n * sizeof *first);
    uint64_t seed = s->request.asked.options.sampling.seed;
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 2);
    assert_int_equal(s->takes.shown, 1);
    assert_true(s->request.asked.options.sampling.seed == seed + 1);
    bool same = n_ghosts(s) == n;
    for (size_t i = 0; same && i < n; i++)
        same = ghosts(s)[i].note.pitch == first[i].note.pitch;
    assert_false(same);
    s->steering.seed = seed;
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(n_ghosts(s), n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(ghosts(s)[i].note.pitch, first[i].note.pitch);
    free(first);
}

TEST_IN(after_accepting_there_is_nothing_to_try_again, open_session, close_session)
{
    struct session *s = *state;
    run(s, CMD_AGAIN);
    assert_false(s->has_take);
    continue_bars(s, 1);
    run(s, CMD_ACCEPT);
    run(s, CMD_AGAIN);
    assert_false(s->has_take);
}

TEST_IN(what_was_stopped_can_be_kept, open_session, close_session)
{
    struct session *s = *state;
    run_times(s, CMD_CONTINUE, 200);
    wait_for_notes(s, 3);
    run(s, CMD_STOP);
    size_t n = n_ghosts(s);
    assert_false(s->request.is_running);
    for (int i = 0; i < 20; i++) {
        session_tick(s);
        nap();
    }
    assert_int_equal(n_ghosts(s), n); /* nothing comes after */
    run(s, CMD_ACCEPT);
    assert_int_equal(n_notes(s), 4 + n);
}

TEST_IN(accepting_while_notes_arrive_keeps_those_seen, open_session, close_session)
{
    struct session *s = *state;
    run_times(s, CMD_CONTINUE, 200);
    wait_for_notes(s, 1);
    run(s, CMD_ACCEPT);
    size_t n = n_notes(s);
    assert_true(n > 4);
    for (int i = 0; i < 20; i++) {
        session_tick(s);
        nap();
    }
    assert_int_equal(n_notes(s), n);
    assert_int_equal(n_ghosts(s), 0);
}

TEST_IN(a_take_goes_with_its_track, open_session, close_session)
{
    struct session *s = *state;
    run(s, CMD_TRACK_ADD);
    continue_bars(s, 1);
    run(s, CMD_UNDO); /* the track */
    assert_int_equal(s->project.score->n_tracks, 1);
    assert_false(s->has_take);
    assert_int_equal(n_ghosts(s), 0);
    run(s, CMD_ACCEPT);
    assert_int_equal(n_notes(s), 4);
}

/* Undoing the track that the machine was given, and trying again. */
TEST_IN(a_score_without_tracks_gets_one, open_session, close_session)
{
    struct session *s = *state;
    static const char EMPTY[] = "MThd\0\0\0\6\0\1\0\1\1\xe0MTrk\0\0\0\4\0\xff\x2f";
    FILE *f = fopen(in_folder("empty.mid"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(EMPTY, 1, sizeof EMPTY, f), sizeof EMPTY);
    fclose(f);
    session_open(s, in_folder("empty.mid"));
    assert_int_equal(s->project.score->n_tracks, 0);
    continue_bars(s, 2);
    run(s, CMD_UNDO);
    assert_int_equal(s->project.score->n_tracks, 0);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_true(n_ghosts(s) > 0);
    run(s, CMD_ACCEPT);
    assert_true(n_notes(s) > 0);
}

TEST_IN(another_file_forgets_the_take, open_session, close_session)
{
    struct session *s = *state;
    run_times(s, CMD_CONTINUE, 200);
    wait_for_notes(s, 1);
    act_command_line(s, "e! /nonexistent/dir.mid");
    session_open(s, in_folder("other.mid"));
    assert_false(s->has_take);
    for (int i = 0; i < 20; i++) {
        session_tick(s);
        nap();
    }
    assert_int_equal(n_ghosts(s), 0);
    assert_int_equal(n_notes(s), 0);
}

/* Notes drawn where a ghost is stay; that ghost is left out. */
TEST_IN(own_notes_come_before_the_machines, open_session, close_session)
{
    struct session *s = *state;
    continue_bars(s, 2);
    size_t n = n_ghosts(s);
    run(s, CMD_ESCAPE);
    s->cursor.tick = ghosts(s)[0].note.start;
    s->cursor.pitch = ghosts(s)[0].note.pitch;
    run(s, CMD_TOGGLE_NOTE);
    assert_int_equal(n_notes(s), 5);
    run(s, CMD_ACCEPT);
    assert_true(n_notes(s) < 5 + n && n_notes(s) > 5);
    assert_non_null(strstr(s->message.text, "left out"));
    const struct track *t = &s->project.score->tracks[0];
    for (size_t i = 0; i < t->n_notes; i++)
        for (size_t j = i + 1; j < t->n_notes; j++)
            assert_false(t->notes[i].pitch == t->notes[j].pitch &&
                         t->notes[j].start < t->notes[i].start + t->notes[i].length);
}

TEST_IN(ghosts_are_heard, open_session, close_session)
{
    struct session *s = *state;
    continue_bars(s, 2);
    run(s, CMD_PLAY);
    assert_true(player_is_playing(s->player));
    assert_false(s->parts.hearing->has_changed); /* the player has the take */
    for (int i = 0; i < 1000 && player_tick(s->player) <= (double)s->request.from;
         i++) {
        session_tick(s);
        nap();
    }
    assert_true(player_tick(s->player) > (double)s->request.from); /* from its start */
    run(s, CMD_REJECT);
    session_tick(s);
    assert_false(s->parts.hearing->has_changed); /* and has it no longer */
    run(s, CMD_PLAY);
    for (int i = 0; i < 1000 && player_is_playing(s->player); i++)
        nap();
    assert_false(player_is_playing(s->player));
}

TEST_IN(files_are_not_written_over_unasked, open_session, close_session)
{
    struct session *s = *state;
    FILE *f = fopen(in_folder("precious.mid"), "wb");
    assert_non_null(f);
    fputs("precious", f);
    fclose(f);
    char line[700];
    snprintf(line, sizeof line, "w %s", in_folder("precious.mid"));
    act_command_line(s, line);
    assert_true(s->message.is_error);
    snprintf(line, sizeof line, "w! %s", in_folder("precious.mid"));
    act_command_line(s, line);
    assert_false(s->message.is_error);
    act_command_line(s, "w"); /* ours by now */
    assert_false(s->message.is_error);
    act_command_line(s, "w /nonexistent/folder/x.mid");
    assert_true(s->message.is_error);
    assert_non_null(strstr(s->message.text, "No such file"));
}

TEST_IN(the_example_is_opened_as_a_copy, open_session, close_session)
{
    struct session *s = *state;
    assert_true(act_save_as(s, in_folder("bundled.mid"), true));
    char copy[600];
    snprintf(copy, sizeof copy, "%s", in_folder("mine.mid"));
    session_open_copy(s, in_folder("bundled.mid"), copy);
    assert_int_equal(n_notes(s), 4);
    run(s, CMD_PIECE_END);
    run(s, CMD_BAR_RIGHT);
    run(s, CMD_TOGGLE_NOTE);
    run(s, CMD_SAVE);
    assert_string_equal(project_base_name(&s->project), "mine.mid");
    session_open_copy(s, in_folder("bundled.mid"), copy);
    assert_int_equal(n_notes(s), 5);
    session_open(s, in_folder("bundled.mid"));
    assert_int_equal(n_notes(s), 4);
}

GROUP(make_model, remove_own_folder)
