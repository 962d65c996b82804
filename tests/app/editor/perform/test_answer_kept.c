/* What is kept of playing together: pedals with the take that they were played in, and all
 * of it beside the music. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/document/beside.h"
#include "tests/app/editor/perform/answering.h"
#include "tests/app/own_folder.h"
#include "tests/app/tiny_model.h"
#include "app/editor/perform/answer.h"
#include "app/editor/takes/played_take.h"
#include "app/editor/keep/keep.h"

static void control(struct session *s, int number, int value)
{
    const uint8_t message[3] = {0xb0, (uint8_t)number, (uint8_t)value};
    live_play(player_live(s->player), live_now(), message);
}

/* How often a controller has that value. */
static int n_controls(const struct score *s, int number, int value)
{
    int n = 0;
    const struct track *t = &s->tracks[s->n_tracks - 1];
    const struct chunk *c = &s->chunks[t->chunk];
    for (size_t i = 0; i < c->n_events; i++)
        n += c->events[i].n_data == 3 && c->events[i].data[0] == (0xb0 | t->channel) &&
             c->events[i].data[1] == number && c->events[i].data[2] == value;
    return n;
}

/* One that is down where all ends goes up there. */
static void play_with_pedals(struct session *s)
{
    begin(s, 1);
    control(s, 64, 127);
    touch(s, 60, 30);
    control(s, 64, 0);
    wait_ms(s, 20);
    control(s, 66, 127);
    touch(s, 64, 30);
    run(s, CMD_ANSWER, 0);
    assert_int_equal(n_ghosts(s), 2);
}

static void hear_and_accept_pedals(struct session *s)
{
    struct score *heard = session_heard(s);
    assert_int_equal(n_controls(heard, 64, 127), 1);
    score_destroy(heard);
    run(s, CMD_ACCEPT, 0);
    assert_int_equal(n_controls(s->project.score, 64, 127), 1);
    assert_int_equal(n_controls(s->project.score, 64, 0), 1);
    assert_int_equal(n_controls(s->project.score, 66, 127), 1);
    assert_int_equal(n_controls(s->project.score, 66, 0), 1);
}

static void pedals_wait_with_the_take(void **state)
{
    struct session *s = *state;
    play_with_pedals(s);
    assert_int_equal(n_controls(s->project.score, 64, 127), 0);
    hear_and_accept_pedals(s);
    run(s, CMD_UNDO, 0);
    assert_int_equal(n_controls(s->project.score, 64, 127), 0);
    assert_int_equal(score_n_notes(s->project.score), 0);
}

/* A part of the take has those of its time, and the rest does not bring them again. */
static void a_part_has_its_own_pedals(void **state)
{
    struct session *s = *state;
    play_with_pedals(s);
    int64_t second = ghost_of(s, 64)->note.start;
    s->box = (struct box){0, second, 0, 127};
    s->mode = MODE_SELECT;
    s->has_box = true;
    run(s, CMD_ACCEPT_PART, 0);
    assert_int_equal(score_n_notes(s->project.score), 1);
    assert_int_equal(n_controls(s->project.score, 64, 0), 1);
    run(s, CMD_ACCEPT, 0);
    assert_int_equal(score_n_notes(s->project.score), 2);
    assert_int_equal(n_controls(s->project.score, 64, 127), 1);
    assert_int_equal(n_controls(s->project.score, 64, 0), 1);
    assert_int_equal(n_controls(s->project.score, 66, 127), 1);
}

/* Nothing of it was drawn: the model had no part in it. */
static void what_was_played_alone_has_no_figures(void **state)
{
    struct session *s = *state;
    struct view v;
    play_with_pedals(s);
    session_view(s, &v, 0);
    assert_string_equal(v.takes.label, "take 1  seed 0  2 notes");
    assert_false(v.takes.rows[0].is_drawn);
    assert_true(v.takes.rows[0].share == 1);
}

static void what_is_rejected_leaves_no_pedal(void **state)
{
    struct session *s = *state;
    play_with_pedals(s);
    run(s, CMD_REJECT, 0);
    assert_false(s->has_take);
    assert_int_equal(s->parts.played->music.n_events, 0);
    begin(s, 1);
    touch(s, 60, 20);
    run(s, CMD_ANSWER, 0);
    run(s, CMD_ACCEPT, 0);
    assert_int_equal(n_controls(s->project.score, 64, 127), 0);
}

/* As the next run of the program finds it. */
static void keep_and_read(struct beside *b)
{
    char path[600], why[STORE_WHY_BYTES] = "";
    struct store *store;
    char *folder = temp_folder();
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/a.mid.continuo", folder);
    assert_int_equal(store_lock(&store, path, 0600, why), STORE_OK);
    assert_int_equal(store_prepare_database(store), SQLITE_OK);
    assert_int_equal(store_prepare_piece(store), SQLITE_OK);
    assert_int_equal(beside_write(store, (struct row_key){1, 0}, b), SQLITE_OK);
    beside_fini(b);
    assert_null(beside_read(b, store, STORE_PIECE));
    store_close(store, false);
    remove_folder(folder);
}

static void what_was_played_is_kept_beside_the_music(void **state)
{
    struct session *s = *state;
    struct beside side;
    begin(s, 1);
    touch(s, 60, 30);
    wait_for_asking(s, 1);
    fake_write(BAR, QUARTER, 72);
    wait_ms(s, 10);
    assert_true(session_gather_beside(s, &side));
    keep_and_read(&side);
    assert_int_equal(side.takes.takes.n, 1);
    assert_int_equal(side.takes.n_ghosts, 2);
    assert_int_equal(side.takes.ghosts[0].note.pitch, 60);
    assert_int_equal(side.takes.ghosts[1].note.pitch, 72);
    beside_fini(&side);
}

/* Saved with the music, and opened again: what a part of it had already does not come
 * twice, and what is down where all ended goes up there. */
static void pedals_come_back_with_the_take(void **state)
{
    struct session *s = *state;
    char path[600], line[640];
    char *folder = temp_folder();
    assert_non_null(folder);
    snprintf(path, sizeof path, "%s/a.mid", folder);
    snprintf(line, sizeof line, "w %s", path);
    play_with_pedals(s);
    int64_t to = s->parts.played->to;
    act_command_line(s, line);
    assert_true(session_open(s, path));
    remove_folder(folder);
    assert_int_equal(n_ghosts(s), 2);
    assert_int_equal(s->parts.played->to, to);
    hear_and_accept_pedals(s);
    assert_non_null(strstr(change_label(history_change(
                               s->project.history, history_state(s->project.history))),
                           "play together"));
}

/* Killed in the middle of it, what is down then goes up after the last that was played. */
static void pedals_are_kept_while_it_goes_on(void **state)
{
    struct session *s = *state;
    struct beside side;
    begin(s, 4);
    control(s, 64, 127);
    touch(s, 60, 30);
    for (int i = 0; i < 1000 && !n_ghosts(s); i++)
        wait_ms(s, 1);
    assert_true(session_gather_beside(s, &side));
    keep_and_read(&side);
    const struct kept_playing *p = &side.takes.playing;
    const struct ghost *last = ghost_of(s, 60);
    assert_true(p->is_there);
    assert_int_equal(p->n_events, 1);
    assert_int_equal(p->events[0].data[1], 64);
    assert_int_equal(p->to, last->note.start + last->note.length);
    beside_fini(&side);
}

/* A program that is killed while two play leaves what they played. */
static void what_was_played_outlives_a_kill(void **state)
{
    struct session *s = *state;
    struct store *store;
    struct beside b;
    char line[900], why[STORE_WHY_BYTES];
    snprintf(line, sizeof line, "w %s", in_folder("played.mid"));
    act_command_line(s, line);
    begin(s, 4);
    for (int pitch = 60; pitch < 70; pitch++)
        touch(s, pitch, 20);
    control(s, 64, 127);
    wait_ms(s, 100);
    assert_true(answer_is_on(s->parts.answer));
    assert_true(writer_wait(s->project.keep.writer, 10000));
    assert_int_equal(store_open_copy(&store, in_folder("played.mid.continuo"), why),
                     STORE_OK);
    assert_null(beside_read(&b, store, STORE_PIECE));
    assert_int_equal(b.takes.takes.n, 1);
    assert_int_equal(b.takes.n_ghosts, 10);
    assert_true(b.takes.playing.is_there && b.takes.playing.n_events == 1);
    beside_fini(&b);
    store_close(store, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(pedals_wait_with_the_take),
        TEST(a_part_has_its_own_pedals),
        TEST(what_was_played_alone_has_no_figures),
        TEST(what_is_rejected_leaves_no_pedal),
        TEST(what_was_played_is_kept_beside_the_music),
        TEST(pedals_come_back_with_the_take),
        TEST(pedals_are_kept_while_it_goes_on),
        TEST(what_was_played_outlives_a_kill),
    };
    return cmocka_run_group_tests(tests, make_own_folder, remove_own_folder);
}
