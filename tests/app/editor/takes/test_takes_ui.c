/* Several takes in the workstation, without a screen: which is shown and heard, accepted,
 * rejected or made again, and what each knows of how it was made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/asked_takes.h"
#include "tui/panels/take_list.h"

static void each_take_knows_how_it_was_made(void **state)
{
    struct session *s = *state;
    ask(s);
    struct generator_progress p;
    generator_progress(s->generator, &p);
    int ranks = 0;
    for (int i = 0; i < 4; i++) {
        const struct proposal *t = &s->takes.list[i];
        assert_int_equal(t->letter, 'A' + i);
        assert_true(t->options.sampling.seed ==
                    s->takes.list[0].options.sampling.seed + (uint64_t)i);
        assert_int_equal(t->options.n_takes, 1);
        assert_int_equal(t->options.hole.from_tick, BAR);
        assert_true(t->model_hash == p.model_hash && *t->model_name);
        assert_int_equal(t->style, STYLE_ANY);
        assert_true(t->stats.is_done && t->stats.n_tokens > 0);
        assert_true(t->stats.log_prob < 0 && t->stats.own_log_prob < 0);
        ranks |= 1 << t->rank;
        for (int k = 0; k < 4; k++)
            if (s->takes.list[k].rank < t->rank)
                assert_true(continuation_merit(&s->takes.list[k].stats) >=
                            continuation_merit(&t->stats));
    }
    assert_int_equal(ranks, 0x1e);
    assert_int_equal(shown(s), 'A');
}

/* What a take says of itself is enough to make it again, alone. */
static void a_take_can_be_made_again(void **state)
{
    struct session *s = *state;
    ask(s);
    const struct proposal *c = &s->takes.list[2];
    size_t n = c->n_waiting;
    struct ghost *was = calloc(n, sizeof *was);
    memcpy(was, c->ghosts, n * sizeof *was);
    s->steering.seed = c->options.sampling.seed;
    s->steering.n_takes = 1;
    run(s, CMD_REJECT_ALL);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(n_ghosts(s), n);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(ghosts(s)[i].note.pitch, was[i].note.pitch);
        assert_int_equal(ghosts(s)[i].note.start, was[i].note.start);
        assert_int_equal(ghosts(s)[i].note.length, was[i].note.length);
    }
    free(was);
}

static void keys_choose_what_is_shown(void **state)
{
    struct session *s = *state;
    struct view v;
    ask(s);
    for (int digit = 4; digit > 0; digit--) {
        show(s, digit);
        assert_int_equal(shown(s), 'A' + digit - 1);
        session_view(s, &v, 0);
        assert_int_equal(v.ghosts.n, s->takes.list[digit - 1].n_waiting);
        assert_int_equal(v.ghosts.n_replaced, 8);
        assert_int_equal(v.takes.n, 4);
        assert_int_equal(v.takes.shown, digit - 1);
    }
    show(s, 5);
    assert_non_null(strstr(s->message, "there is no take 5"));
    assert_int_equal(shown(s), 'A');
    run(s, CMD_TAKE_PREVIOUS);
    assert_int_equal(shown(s), 'D');
    run(s, CMD_TAKE_NEXT);
    assert_int_equal(shown(s), 'A');
    run(s, CMD_TAKE_NEXT);
    assert_int_equal(shown(s), 'B');
}

static void the_original_comes_back_to_be_heard(void **state)
{
    struct session *s = *state;
    struct view v;
    ask(s);
    show(s, 0);
    session_view(s, &v, 0);
    assert_int_equal(v.ghosts.n, 0);
    assert_int_equal(v.ghosts.n_replaced, 0);
    struct score *heard = session_heard(s);
    assert_true(score_equal(heard, s->project.score));
    score_destroy(heard);
    run(s, CMD_ACCEPT);
    assert_non_null(strstr(s->message, "this is the original"));
    run(s, CMD_REJECT);
    assert_int_equal(s->takes.n, 4);
    show(s, 2);
    heard = session_heard(s);
    assert_int_equal(score_n_notes(heard), 8 + n_ghosts(s));
    score_destroy(heard);
}

/* Until a beat it is as before, from there on as it will be; nothing sounds across. */
static void another_take_is_heard_from_the_next_beat(void **state)
{
    struct session *s = *state;
    ask(s);
    run(s, CMD_PIECE_START);
    run(s, CMD_PLAY_START);
    show(s, 3);
    assert_true(s->is_switching);
    assert_int_equal(s->switch_tick % BEAT, 0);
    assert_true((double)s->switch_tick > player_tick(s->player));
    int64_t at = s->switch_tick = 2 * BAR; /* where both have notes */
    struct score *heard = session_heard(s);
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
    score_destroy(heard);
    s->switch_tick = 1; /* and soon it has passed */
    for (int i = 0; i < 1000 && s->is_switching; i++) {
        session_tick(s);
        nap();
    }
    assert_false(s->is_switching);
    show(s, 0);
    run(s, CMD_PLAY); /* stopped: at once */
    session_publish(s);
    assert_false(s->is_switching);
    assert_int_equal(shown(s), '0');
}

static void rejecting_shows_the_next_best(void **state)
{
    struct session *s = *state;
    ask(s);
    for (int left = 3; left > 0; left--) {
        char gone = shown(s);
        run(s, CMD_REJECT);
        assert_int_equal(s->takes.n, left);
        assert_int_equal(proposals_find(&s->takes, gone), -1);
        assert_int_equal(s->takes.list[s->takes.shown].rank, 1);
        assert_int_equal(s->mode, MODE_TAKES);
    }
    run(s, CMD_REJECT);
    assert_false(s->has_take);
    assert_int_equal(s->mode, MODE_NORMAL);
    ask(s);
    run(s, CMD_REJECT_ALL);
    assert_false(s->has_take);
    assert_int_equal(score_n_notes(s->project.score), 16);
}

static void again_adds_to_those_that_wait(void **state)
{
    struct session *s = *state;
    ask(s);
    uint64_t first = s->takes.list[0].options.sampling.seed;
    size_t n = s->takes.list[1].n_waiting;
    run(s, CMD_AGAIN);
    assert_int_equal(shown(s), 'E');
    wait_for_end(s);
    assert_int_equal(s->takes.n, 8);
    assert_int_equal(s->takes.list[1].n_waiting, n);
    assert_true(s->takes.list[7].options.sampling.seed == first + 7);
    show(s, 8);
    assert_int_equal(shown(s), 'H');
    run(s, CMD_REJECT);
    for (int i = 0; i < 10; i++) {
        run(s, CMD_AGAIN);
        wait_for_end(s);
    }
    assert_int_equal(s->takes.n, PROPOSALS_MAX - 1); /* H is not given again */
    assert_int_equal(s->takes.list[s->takes.n - 1].letter, 'Z');
    assert_non_null(strstr(s->message, "take 26 was the last"));
    run(s, CMD_REJECT_ALL);
    run(s, CMD_AGAIN);
    assert_int_equal(shown(s), 'A');
}

/* Forwards and back through every ghost of the take, and no further. */
static void words_step_through_the_take(void **state)
{
    struct session *s = *state;
    ask(s);
    s->cursor_tick = 0;
    size_t n = n_ghosts(s), seen = 0;
    while (session_step_ghost(s, true) && seen <= n)
        seen++;
    assert_int_equal(seen, n);
    run_times(s, CMD_NOTE_PREVIOUS, (int)n - 1);
    assert_int_equal(s->cursor_tick, ghosts(s)[0].note.start);
    assert_false(session_step_ghost(s, false));
}

/* After the music, too, more takes are of the same bars. */
static void a_continuation_stays_where_it_was(void **state)
{
    struct session *s = *state;
    run_times(s, CMD_CONTINUE, 2);
    wait_for_end(s);
    for (int i = 0; i < 20 && (!n_ghosts(s) || ghosts(s)[0].note.start >= 5 * BAR);
         i++) {
        run(s, CMD_REJECT_ALL);
        run_times(s, CMD_CONTINUE, 2);
        wait_for_end(s);
    }
    accept_bar(s, 4 * BAR);
    assert_true(score_end_tick(s->project.score) > 4 * BAR);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->takes.n, 8);
    assert_int_equal(s->hole_from, 4 * BAR);
    assert_int_equal(s->hole_to, 6 * BAR);
    for (int i = 4; i < 8; i++)
        for (size_t k = 0; k < s->takes.list[i].n_waiting; k++) {
            const struct note *n = &s->takes.list[i].ghosts[k].note;
            assert_true(n->start >= 4 * BAR && n->start + n->length <= 6 * BAR);
        }
}

static void counts_and_settings_say_how_many(void **state)
{
    struct session *s = *state;
    s->cursor_tick = BAR;
    run(s, CMD_SELECT_BARS);
    run_times(s, CMD_CHANGE_SELECTION, 2);
    assert_int_equal(s->takes.n, 2);
    run(s, CMD_REJECT_ALL);
    run(s, CMD_CHANGE_BARS);
    assert_int_equal(s->takes.n, 4);
    run(s, CMD_REJECT_ALL);
    act_command_line(s, "takes 8");
    run(s, CMD_CHANGE_BARS);
    assert_int_equal(s->takes.n, 8);
    act_command_line(s, "takes 9");
    assert_true(s->message_is_error);
    run(s, CMD_REJECT_ALL);
    run(s, CMD_SELECT_BARS);
    run_times(s, CMD_CHANGE_SELECTION, 9);
    assert_non_null(strstr(s->message, "at most 8 takes"));
    assert_false(s->has_take);
}

/* Stopped at once, those that came to nothing are gone, and so are their letters. */
static void stopping_keeps_what_came(void **state)
{
    struct session *s = *state;
    ask(s);
    run(s, CMD_AGAIN);
    run(s, CMD_STOP);
    assert_false(s->was_running);
    for (int i = 0; i < s->takes.n; i++)
        assert_true(s->takes.list[i].slot < 0 && s->takes.list[i].n_came > 0);
    assert_int_equal(s->takes.n_letters,
                     s->takes.list[s->takes.n - 1].letter - 'A' + 1);
    run(s, CMD_AGAIN);
    run(s, CMD_REJECT); /* while it is written */
    int n = s->takes.n;
    wait_for_end(s);
    assert_int_equal(s->takes.n, n);
}

static void leaving_and_coming_back(void **state)
{
    struct session *s = *state;
    struct view v;
    ask(s);
    run(s, CMD_ESCAPE);
    assert_int_equal(s->mode, MODE_NORMAL);
    run(s, CMD_TAKES);
    assert_int_equal(s->mode, MODE_TAKES);
    session_view(s, &v, 0);
    assert_false(v.takes.is_listed); /* little room */
    run(s, CMD_TAKES);
    session_view(s, &v, 0);
    assert_true(v.takes.is_listed);
    const struct region rows =
        take_list_box(&s->layout, s->takes.n, s->takes.shown).items;
    act_run(s, &(struct command){.id = CMD_POINT,
                                 .button = 1,
                                 .column = rows.column + rows.columns - 1,
                                 .row = rows.row + 2});
    assert_int_equal(shown(s), 'C');
    run(s, CMD_SELECT_BOX);
    run(s, CMD_ESCAPE);
    assert_int_equal(s->mode, MODE_TAKES); /* where it began */
    run(s, CMD_REJECT_ALL);
    run(s, CMD_TAKES);
    assert_non_null(strstr(s->message, "no take is waiting"));
}

/* By whatever way the history is gone about in. */
static void takes_whose_place_is_gone_are_said(void **state)
{
    struct session *s = *state;
    act_command_line(s, "track Bass");
    ask(s);
    run(s, CMD_HISTORY);
    run(s, CMD_HISTORY_OLDEST);
    assert_false(s->has_take);
    assert_non_null(strstr(s->message, "the takes had no place any more"));
    run(s, CMD_HISTORY_NEWEST);
    assert_null(strstr(s->message, "the takes"));
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        CASE(each_take_knows_how_it_was_made),
        CASE(a_take_can_be_made_again),
        CASE(keys_choose_what_is_shown),
        CASE(the_original_comes_back_to_be_heard),
        CASE(another_take_is_heard_from_the_next_beat),
        CASE(rejecting_shows_the_next_best),
        CASE(again_adds_to_those_that_wait),
        CASE(words_step_through_the_take),
        CASE(a_continuation_stays_where_it_was),
        CASE(counts_and_settings_say_how_many),
        CASE(stopping_keeps_what_came),
        CASE(leaving_and_coming_back),
        CASE(takes_whose_place_is_gone_are_said),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
