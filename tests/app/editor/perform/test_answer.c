/* Playing together, without a screen, with a machine that the test writes for: whose turn
 * it is, what the machine is given to hear, that the transport waits for it, and what is
 * left in the end. The transport runs on the system's clock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/editor/perform/answering.h"
#include "app/editor/perform/answer.h"

/* -- turns -- */

static void a_phrase_is_answered_and_both_wait(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    const struct continuation_options *o = &fake.wanted.options;
    assert_int_equal(o->begin_tick, BAR);
    assert_int_equal(o->end_tick, 2 * BAR);
    assert_int_equal(score_n_notes(fake.heard), 1);
    assert_true(player_tick(s->player) < BAR); /* it was asked in time */
    fake_write(BAR, QUARTER, 72);
    fake_write(BAR + QUARTER, QUARTER, 74);
    fake_end();
    wait_ms(s, 20);
    assert_int_equal(s->parts.answer->turn, ANSWER_WRITES);
    while (player_tick(s->player) < 2 * BAR + 10)
        wait_ms(s, 5);
    wait_ms(s, 2);
    assert_int_equal(s->parts.answer->turn, ANSWER_LISTENS);
    assert_int_equal(s->parts.answer->turn_to, 3 * BAR);
    assert_int_equal(score_n_notes(s->project.score), 0);
    run(s, CMD_ANSWER, 0);
    assert_int_equal(s->mode, MODE_TAKES);
    assert_int_equal(n_ghosts(s), 3);
    assert_false(player_is_playing(s->player));
    run(s, CMD_ACCEPT, 0);
    assert_int_equal(score_n_notes(s->project.score), 3);
    assert_false(s->has_take);
    run(s, CMD_UNDO, 0);
    assert_int_equal(score_n_notes(s->project.score), 0);
}

static void a_turn_in_which_nothing_is_played_is_followed_by_another(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    while (player_tick(s->player) < BAR + QUARTER / 2)
        wait_ms(s, 5);
    wait_ms(s, 2);
    assert_int_equal(fake.n_started, 0);
    assert_int_equal(s->parts.answer->turn_to, 2 * BAR);
    run(s, CMD_ANSWER, 0);
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_false(s->has_take);
}

/* A key goes up, and the machine is asked in that very look. */
static void a_free_turn_without_a_pause_ends_with_the_last_key(void **state)
{
    struct session *s = *state;
    act_command_line(s, "answer free once pause 0");
    wait_ms(s, 30);
    strike(s, 60);
    wait_ms(s, 40);
    strike(s, 64);
    wait_ms(s, 20);
    let_go(s, 60);
    wait_ms(s, 20);
    assert_int_equal(fake.n_started, 0); /* one is held */
    let_go(s, 64);
    wait_for_asking(s, 1);
    int64_t begin = s->parts.answer->begin, up = s->parts.answer->phrase_to;
    assert_int_equal(begin % (QUARTER / 24), 0);
    assert_true(begin > up && begin < up + QUARTER);
    assert_int_equal(s->parts.answer->bars, 1);
    assert_int_equal(score_n_notes(fake.heard), 2);
    assert_int_equal(fake.wanted.options.end_tick % BAR, 0);
}

static void a_pause_ends_a_free_turn_on_the_beat(void **state)
{
    struct session *s = *state;
    act_command_line(s, "answer free beat pause 2");
    wait_ms(s, 20);
    touch(s, 60, 50);
    assert_int_equal(fake.n_started, 0);
    wait_for_asking(s, 1);
    assert_int_equal(s->parts.answer->begin % QUARTER, 0);
    assert_true(s->parts.answer->begin >= s->parts.answer->phrase_to + 2 * QUARTER);
    assert_true(s->parts.answer->begin < s->parts.answer->phrase_to + 4 * QUARTER);
}

/* -- taking over -- */

static void a_key_ends_the_answer(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    fake_write(BAR, BAR, 72);
    fake_write(BAR + 2 * QUARTER, QUARTER, 74);
    while (player_tick(s->player) < BAR + QUARTER / 2)
        wait_ms(s, 2);
    int n_cancelled = fake.n_cancelled;
    strike(s, 62);
    wait_ms(s, 20);
    assert_int_equal(s->parts.answer->turn, ANSWER_LISTENS);
    assert_int_equal(fake.n_cancelled, n_cancelled + 1);
    assert_non_null(ghost_of(s, 72));
    assert_true(ghost_of(s, 72)->note.length < BAR / 2);
    assert_null(ghost_of(s, 74));
    let_go(s, 62);
    wait_ms(s, 12);
    const struct ghost *mine = ghost_of(s, 62), *its = ghost_of(s, 72);
    assert_non_null(mine);
    assert_int_equal(mine->note.start, its->note.start + its->note.length);
    assert_int_equal(s->parts.answer->turn_to % BAR, 0);
}

/* Struck before the answer has begun, it goes on with the phrase. */
static void a_free_phrase_may_go_on(void **state)
{
    struct session *s = *state;
    act_command_line(s, "answer free bar pause 0");
    wait_ms(s, 20);
    touch(s, 60, 20);
    wait_for_asking(s, 1);
    int64_t from = s->parts.answer->phrase_from;
    strike(s, 62);
    wait_ms(s, 10);
    assert_int_equal(s->parts.answer->turn, ANSWER_LISTENS);
    assert_int_equal(s->parts.answer->phrase_from, from);
    let_go(s, 62);
    wait_for_asking(s, 2);
    assert_int_equal(score_n_notes(fake.heard), 2);
}

/* -- a slow machine -- */

static void the_transport_waits_for_the_machine(void **state)
{
    struct session *s = *state;
    begin(s, 2);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    wait_ms(s, 400);
    assert_true(player_is_held(s->player)); /* before the first note, */
    assert_float_equal(player_tick(s->player), 2 * BAR, 1e-6);
    fake_write(2 * BAR, QUARTER, 72);
    wait_ms(s, 300);
    assert_true(player_is_held(s->player)); /* before the second beat, */
    assert_float_equal(player_tick(s->player), 2 * BAR + QUARTER, 1e-6);
    fake_write(3 * BAR + 3 * QUARTER, QUARTER, 74);
    wait_ms(s, 600);
    assert_true(player_is_held(s->player)); /* before a bar that is not all there, */
    assert_float_equal(player_tick(s->player), 3 * BAR, 1e-6);
    fake_end();
    wait_ms(s, 100);
    assert_false(player_is_held(s->player)); /* and then no more */
    assert_true(player_tick(s->player) > 3 * BAR + QUARTER / 2);
}

static void a_quick_one_is_never_waited_for(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    fake_write(BAR, QUARTER, 72);
    fake_end();
    while (player_tick(s->player) < 2 * BAR) {
        wait_ms(s, 1);
        assert_false(player_is_held(s->player));
    }
}

/* -- what the machine hears -- */

static void what_is_known_is_given_to_be_read(void **state)
{
    struct session *s = *state;
    begin(s, 4);
    touch(s, 60, 20);
    wait_ms(s, 20);
    assert_non_null(fake.read);
    assert_int_equal(score_n_notes(fake.read), 1);
    strike(s, 64); /* and as long as it is held nothing after it is known */
    wait_ms(s, 30);
    touch(s, 67, 20);
    wait_ms(s, 20);
    assert_int_equal(score_n_notes(fake.read), 1);
    int n_read = fake.n_read;
    let_go(s, 64);
    wait_ms(s, 30);
    assert_int_equal(score_n_notes(fake.read), 3);
    wait_ms(s, 50);
    assert_int_equal(fake.n_read, n_read + 1); /* and is not given again */
    assert_int_equal(fake.n_started, 0);
}

static void it_answers_on_another_track(void **state)
{
    struct session *s = *state;
    act_command_line(s, "track Flute");
    s->track = 0;
    act_command_line(s, "answer 1 beat on 2");
    wait_ms(s, 20);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    assert_int_equal(fake.wanted.options.tracks, 2);
    fake_write(BAR, QUARTER, 72);
    wait_ms(s, 10);
    assert_int_equal(ghost_of(s, 60)->track, 0);
    assert_int_equal(ghost_of(s, 72)->track, 1);
}

/* Muted meanwhile, what comes is not handed to the player; heard again, the rest is. */
static void a_muted_answer_is_not_heard(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    fake_write(BAR, QUARTER, 72);
    fake_write(BAR + 3 * QUARTER, QUARTER, 74);
    wait_ms(s, 10);
    assert_true(s->parts.answer->is_heard);
    run(s, CMD_MUTE, 0);
    wait_ms(s, 10);
    assert_false(s->parts.answer->is_heard);
    while (player_tick(s->player) < BAR + QUARTER / 2)
        wait_ms(s, 2);
    run(s, CMD_MUTE, 0);
    session_tick(s);
    assert_true(s->parts.answer->is_heard);
    assert_int_equal(s->parts.answer->n_cued, 2);
    assert_non_null(ghost_of(s, 74));
}

/* How long the first note took is known, though it goes to the player twice. */
static void a_mute_makes_no_answer_slow(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    fake_write(BAR + 3 * QUARTER, QUARTER, 72);
    wait_ms(s, 10);
    double lead = s->parts.answer->lead_ms;
    run(s, CMD_MUTE, 0);
    wait_ms(s, 60);
    assert_int_equal(s->parts.answer->n_cued, 1);
    run(s, CMD_MUTE, 0);
    session_tick(s);
    assert_int_equal(s->parts.answer->n_cued, 1);
    assert_true(s->parts.answer->lead_ms == lead);
}

/* -- endings -- */

/* Its turns are where it plays. */
static void a_loop_waits_and_a_click_on_the_ruler_ends_it(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    session_set_loop(s, 0, QUARTER);
    wait_ms(s, 150);
    assert_true(player_tick(s->player) > QUARTER);
    run(s, CMD_ANSWER, 0);
    session_set_loop(s, 0, 0);
    begin(s, 1);
    touch(s, 60, 10);
    const struct command press = {.id = CMD_POINT,
                                  .button = 1,
                                  .column = s->layout.ruler.column + 4,
                                  .row = s->layout.ruler.row};
    act_run(s, &press);
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
    assert_int_equal(n_ghosts(s), 1);
}

static void keys_for_takes_end_it(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 30);
    strike(s, 62); /* and is held */
    wait_ms(s, 20);
    run(s, CMD_TAKES, 0);
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
    assert_int_equal(s->mode, MODE_TAKES);
    assert_int_equal(n_ghosts(s), 2);
    run(s, CMD_REJECT, 0);
    assert_false(s->has_take);
    assert_int_equal(score_n_notes(s->project.score), 0);
}

static void space_ends_it(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    wait_ms(s, 10);
    run(s, CMD_PLAY, 0);
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
}

/* What was played cannot be asked for again: its track stays, by whatever way. */
static void its_track_is_not_undone_away(void **state)
{
    struct session *s = *state;
    begin(s, 1);
    touch(s, 60, 10);
    uint64_t from = history_state(s->project.history);
    size_t n_tracks = s->project.score->n_tracks;
    run(s, CMD_UNDO, 2); /* the tempo, and the track */
    wait_ms(s, 10);
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
    assert_int_equal(s->mode, MODE_TAKES);
    assert_true(s->message_is_error);
    assert_int_equal(n_ghosts(s), 1);
    assert_int_equal(history_state(s->project.history), from);
    act_command_line(s, "earlier 9");
    assert_true(s->message_is_error);
    run(s, CMD_HISTORY, 0);
    run(s, CMD_HISTORY_OLDEST, 0);
    assert_int_equal(n_ghosts(s), 1);
    assert_int_equal(history_state(s->project.history), from);
    run(s, CMD_UNDO, 1); /* which leaves the track */
    assert_int_equal(n_ghosts(s), 1);
    assert_int_not_equal(history_state(s->project.history), from);
    run(s, CMD_TAKES, 0);
    run(s, CMD_REJECT, 0);
    run(s, CMD_UNDO, 1);
    assert_int_equal(s->project.score->n_tracks, n_tracks - 1);
}

static void undo_ends_one_in_which_nothing_was_played(void **state)
{
    struct session *s = *state;
    size_t n_tracks = s->project.score->n_tracks;
    begin(s, 1);
    run(s, CMD_UNDO, 2);
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
    assert_false(s->has_take);
    assert_int_equal(s->project.score->n_tracks, n_tracks - 1);
}

static void lines_say_what_is_wrong(void **state)
{
    struct session *s = *state;
    act_command_line(s, "answer sometimes");
    assert_true(s->message_is_error);
    act_command_line(s, "answer on 9");
    assert_true(s->message_is_error);
    act_command_line(s, "answer pause");
    assert_true(s->message_is_error);
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
    act_command_line(s, "answer 3 bar");
    assert_int_equal(s->parts.answer->turn, ANSWER_LISTENS);
    assert_int_equal(s->parts.answer->wish.bars, 3);
    assert_int_equal(s->parts.answer->wish.when, ANSWER_BAR);
    act_command_line(s, "answer off");
    assert_int_equal(s->parts.answer->turn, ANSWER_OFF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_phrase_is_answered_and_both_wait),
        TEST(a_turn_in_which_nothing_is_played_is_followed_by_another),
        TEST(a_free_turn_without_a_pause_ends_with_the_last_key),
        TEST(a_pause_ends_a_free_turn_on_the_beat),
        TEST(a_key_ends_the_answer),
        TEST(a_free_phrase_may_go_on),
        TEST(the_transport_waits_for_the_machine),
        TEST(a_quick_one_is_never_waited_for),
        TEST(what_is_known_is_given_to_be_read),
        TEST(it_answers_on_another_track),
        TEST(a_muted_answer_is_not_heard),
        TEST(a_mute_makes_no_answer_slow),
        TEST(a_loop_waits_and_a_click_on_the_ruler_ends_it),
        TEST(keys_for_takes_end_it),
        TEST(space_ends_it),
        TEST(its_track_is_not_undone_away),
        TEST(undo_ends_one_in_which_nothing_was_played),
        TEST(lines_say_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
