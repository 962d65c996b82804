/* What is kept of playing together: pedals with the take that they were played in, and all
 * of it beside the music. */
#include "tests/check.h"
#include "app/document/store_session.h"
#include "tests/app/editor/perform/answering.h"
#include "app/editor/perform/answer.h"
#include "app/editor/takes/played_take.h"
#include "app/editor/keep/keep.h"
#include "app/editor/shell/shell.h"

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

/* Of the first pedal, down and up, and of the second: "1 1, 1 1". */
static const char *pedals_of(const struct score *s)
{
    static char text[32];
    snprintf(text, sizeof text, "%d %d, %d %d", n_controls(s, 64, 127),
             n_controls(s, 64, 0), n_controls(s, 66, 127), n_controls(s, 66, 0));
    return text;
}

NUMBER_FACT(events, s->parts.played->music.n_events)
TEXT_FACT(pedals, pedals_of(s->project.score))

/* The second is down where all ends, and goes up there. */
WORD(play_with_pedals)
{
    play(s,
         "‹begin 1›‹control 64 127›‹touch 60 30›‹control 64 0›‹pass 20›‹control 66 127›"
         "‹touch 64 30›&",
         "ghosts 2", NULL);
}

WORD(hear)
{
    struct score *heard = session_heard(s);
    assert_int_equal(n_controls(heard, 64, 127), 1);
    score_destroy(heard);
}

SCRIPT(pedals_wait_with_the_take, two_play) = {
    {"‹play_with_pedals›", "pedals 0 0, 0 0"},
    {"‹hear›a", "pedals 1 1, 1 1"},
    {"u", "pedals 0 0, 0 0; n 0"},
};

/* A part of the take has those of its time, and the rest does not bring them again. */
TEST_WITH(a_part_has_its_own_pedals, two_play)
{
    keys(s, "‹play_with_pedals›");
    /* The third event is the second pedal, down a moment before its note. */
    s->selection.box = (struct box){0, s->parts.played->music.events[2].tick, 0, 127};
    s->mode = MODE_SELECT;
    s->selection.has_box = true;
    play(s, "a", "n 1; pedals 1 1, 0 0", NULL);
    run(s, CMD_ACCEPT);
    play(s, "", "n 2; pedals 1 1, 1 1", NULL);
}

/* Nothing of it was drawn: the model had no part in it. */
TEST_WITH(what_was_played_alone_has_no_figures, two_play)
{
    keys(s, "‹play_with_pedals›");
    const struct view *v = view_of(s);
    assert_string_equal(v->takes.label, "take 1  seed 0  2 notes");
    assert_false(v->takes.rows[0].is_drawn);
    assert_true(v->takes.rows[0].share == 1);
}

SCRIPT(what_is_rejected_leaves_no_pedal, two_play) = {
    {"‹play_with_pedals›x", "no take; events 0"},
    {"‹begin 1›‹touch 60 20›&a", "pedals 0 0, 0 0"},
};

/* As the next run of the program finds it. */
static void keep_and_read(struct kept_session *b)
{
    char why[STORE_WHY_BYTES] = "";
    struct store *store;
    const char *path = in_folder("read.mid.continuo");
    assert_int_equal(store_lock(&store, path, why), STORE_OK);
    assert_int_equal(store_prepare_database(store), SQLITE_OK);
    assert_int_equal(store_prepare_piece(store), SQLITE_OK);
    assert_int_equal(kept_session_write(store, (struct row_key){1, 0}, b, NULL),
                     SQLITE_OK);
    kept_session_fini(b);
    assert_null(kept_session_read(b, store, STORE_PIECE));
    store_close(store, false);
    unlink(in_folder("read.mid.continuo"));
}

TEST_WITH(what_was_played_is_kept_beside_the_music, two_play)
{
    struct kept_session side;
    keys(s, "‹begin 1›‹touch 60 30›‹asked 1›‹write 1b 1q 72›‹pass 10›");
    assert_true(session_gather_kept(s, &side));
    keep_and_read(&side);
    assert_int_equal(side.takes.n, 1);
    assert_int_equal(side.takes.n_ghosts, 2);
    assert_int_equal(side.takes.ghosts[0].ghost.note.pitch, 60);
    assert_int_equal(side.takes.ghosts[1].ghost.note.pitch, 72);
    kept_session_fini(&side);
}

/* Saved with the music, and opened again: what a part of it had already does not come
 * twice, and what is down where all ended goes up there. */
TEST_WITH(pedals_come_back_with_the_take, two_play)
{
    keys(s, "‹play_with_pedals›");
    int64_t to = s->parts.played->to;
    assert_true(act_save_as(s, in_folder("a.mid"), false));
    assert_true(session_open(s, in_folder("a.mid")));
    assert_int_equal(n_ghosts(s), 2);
    assert_int_equal(s->parts.played->to, to);
    play(s, "‹hear›Ta", "pedals 1 1, 1 1", NULL);
    assert_non_null(
        strstr(history_at(s->project.history, history_state(s->project.history))
                   ->change->label,
               "play together"));
}

/* Killed in the middle of it, what is down then goes up after the last that was played. */
TEST_WITH(pedals_are_kept_while_it_goes_on, two_play)
{
    struct kept_session side;
    keys(s, "‹begin 4›‹control 64 127›‹touch 60 30›");
    for (int i = 0; i < 1000 && !n_ghosts(s); i++)
        pass_ms(s, 1);
    assert_true(session_gather_kept(s, &side));
    keep_and_read(&side);
    const struct kept_takes *p = &side.takes;
    const struct ghost *last = ghost_of(s, 60);
    assert_int_equal(p->n_events, 1);
    assert_int_equal(p->events[0].data[1], 64);
    assert_int_equal(p->played_to, last->note.start + last->note.length);
    kept_session_fini(&side);
}

/* A program that is killed while two play leaves what they played. */
TEST_WITH(what_was_played_outlives_a_kill, two_play)
{
    struct store *store;
    struct kept_session b;
    char why[STORE_WHY_BYTES];
    assert_true(act_save_as(s, in_folder("played.mid"), false));
    keys(s, "‹begin 4›‹touch 60 20›‹touch 61 20›‹touch 62 20›‹touch 63 20›‹touch 64 20›"
            "‹touch 65 20›‹touch 66 20›‹touch 67 20›‹touch 68 20›‹touch 69 20›"
            "‹control 64 127›‹pass 100›");
    assert_true(answer_is_on(s));
    assert_true(writer_wait(s->project.autosave.writer, 10000));
    assert_int_equal(store_open_copy(&store, in_folder("played.mid.continuo"), why),
                     STORE_OK);
    assert_null(kept_session_read(&b, store, STORE_PIECE));
    assert_int_equal(b.takes.n, 1);
    assert_int_equal(b.takes.n_ghosts, 10);
    assert_true(b.takes.played_to >= 0 && b.takes.n_events == 1);
    kept_session_fini(&b);
    store_close(store, true);
}

GROUP(make_own_folder, remove_own_folder)
