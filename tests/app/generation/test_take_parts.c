/* Parts of takes: accepted by bars and boxes, from one take and another, and notes that are
 * kept in all that come. */
#include "tests/check.h"
#include "tests/app/asked_takes.h"
#include "tests/app/invariants.h"
#include "tests/midi/score_equal.h"

static size_t begin_in(const struct proposal *t, int64_t from, int64_t to)
{
    size_t n = 0;
    for (size_t i = 0; i < t->n_waiting; i++)
        n += t->ghosts[i].note.start >= from && t->ghosts[i].note.start < to;
    return n;
}

TEST_WITH(halves_come_from_two_takes, open_session)
{
    ask(s);
    auto_score *before = score_clone(s->project.score);
    const struct proposal *a = &s->takes.list[0], *b = &s->takes.list[1];
    size_t n_a = begin_in(a, BAR, 2 * BAR), all_a = a->n_waiting;
    accept_bar(s, BAR);
    check_facts(s, "mode TAKES; takes 4");
    assert_int_equal(score_n_notes(s->project.score), 16 - 4 + n_a);
    assert_int_equal(a->n_waiting, all_a - n_a);
    assert_int_equal(s->request.rewritten.n_there, 4);
    show(s, 2);
    size_t n_b = begin_in(b, 2 * BAR, 3 * BAR);
    accept_bar(s, 2 * BAR);
    assert_int_equal(s->request.rewritten.n_there, 0);
    assert_int_equal(begin_in(b, 2 * BAR, 3 * BAR), 0);
    assert_int_equal(score_n_notes(s->project.score), 8 + n_a + n_b);
    assert_int_equal(count_overlaps(s->project.score), 0);
    run(s, CMD_UNDO); /* a step for each part, and what was accepted waits again */
    assert_int_equal(score_n_notes(s->project.score), 16 - 4 + n_a);
    run(s, CMD_UNDO);
    assert_true(score_equal(before, s->project.score));
    assert_int_equal(a->n_waiting, all_a);
    assert_int_equal(s->request.rewritten.n_there, 8);
    run(s, CMD_REDO);
    assert_int_equal(a->n_waiting, all_a - n_a);
}

/* Notes that begin in a bar, by their ids: as many as the take had, and no others. */
static void assert_bar_is_of(const struct session *s, const struct proposal *t,
                             int64_t bar, size_t n)
{
    size_t found = 0;
    const struct track *track = &s->project.score->tracks[0];
    for (size_t i = 0; i < track->n_notes; i++) {
        bool is_its = false;
        if (track->notes[i].start < bar || track->notes[i].start >= bar + BAR)
            continue;
        for (size_t k = 0; k < t->n_ghosts; k++)
            is_its |= t->ghosts[k].note.id == track->notes[i].id;
        assert_true(is_its);
        found++;
    }
    assert_int_equal(found, n);
}

TEST_WITH(a_second_take_replaces_the_first, open_session)
{
    ask(s);
    const struct proposal *a = &s->takes.list[0], *b = &s->takes.list[1];
    size_t n_a = begin_in(a, BAR, 2 * BAR), n_b = begin_in(b, BAR, 2 * BAR);
    accept_bar(s, BAR);
    assert_bar_is_of(s, a, BAR, n_a);
    assert_int_equal(view_of(s)->ghosts.n_replaced,
                     4); /* the rest of A, which itself stands */
    show(s, 2);
    assert_int_equal(view_of(s)->ghosts.n_replaced, 4 + n_a);
    auto_score *heard = session_heard(s);
    assert_int_equal(score_n_notes(heard), 8 + b->n_waiting);
    accept_bar(s, BAR);
    assert_bar_is_of(s, b, BAR, n_b);
    assert_int_equal(score_n_notes(s->project.score), 16 - 4 + n_b);
    run(s, CMD_UNDO); /* one step */
    assert_bar_is_of(s, a, BAR, n_a);
    show(s, 0); /* what was accepted stands where no take is shown */
    assert_int_equal(view_of(s)->ghosts.n_replaced, 0);
    show(s, 3);
    size_t n_c = s->takes.list[2].n_waiting;
    run(s, CMD_ACCEPT);
    assert_int_equal(score_n_notes(s->project.score), 8 + n_c);
}

/* Also when the take it came from is rejected by now. */
TEST_WITH(what_a_rejected_take_left_is_replaced, open_session)
{
    ask(s);
    accept_bar(s, BAR);
    run(s, CMD_REJECT);
    assert_int_equal(s->takes.n, 3);
    show(s, 2);
    const struct proposal *b = proposals_shown(&s->takes);
    size_t n_b = begin_in(b, BAR, 2 * BAR);
    assert_int_equal(b->letter, 'B');
    accept_bar(s, BAR);
    assert_bar_is_of(s, b, BAR, n_b);
}

/* What was accepted is what takes are written around that are asked for later: it is
 * theirs, too. */
TEST_WITH(later_takes_are_around_what_stands, open_session)
{
    ask(s);
    size_t n_a = begin_in(&s->takes.list[0], BAR, 2 * BAR);
    accept_bar(s, BAR);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(shown(s), 'E');
    const struct proposal *e = proposals_shown(&s->takes);
    assert_int_equal(e->n_ghosts - e->n_waiting, n_a);
    assert_int_equal(view_of(s)->ghosts.n_replaced, 4);
    size_t n_e = e->n_waiting;
    run(s, CMD_ACCEPT);
    assert_int_equal(score_n_notes(s->project.score), 8 + n_a + n_e);
    assert_int_equal(count_overlaps(s->project.score), 0);
}

/* The cursor on a note, as the grid has it. */
static void go_to(struct session *s, const struct note *n)
{
    s->cursor.tick = grid_floor(s, n->start);
    s->cursor.pitch = n->pitch;
}

static void accept_note(struct session *s, const struct note *n)
{
    go_to(s, n);
    run(s, CMD_SELECT_BOX);
    run(s, CMD_ACCEPT_PART);
}

/* Moved out of the hole, it is the composer's. */
TEST_WITH(what_was_moved_away_stays, open_session)
{
    ask(s);
    struct note one = ghosts(s)[0].note;
    accept_note(s, &one);
    run(s, CMD_ESCAPE);
    go_to(s, &one);
    run_times(s, CMD_NUDGE_RIGHT, 6 * 16);
    run(s, CMD_TAKES);
    show(s, 2);
    run(s, CMD_ACCEPT);
    assert_non_null(score_find_note(s->project.score, 0, one.id));
}

TEST_WITH(a_box_takes_its_pitches_only, open_session)
{
    ask(s);
    uint64_t id = ghosts(s)[0].note.id;
    accept_note(s, &ghosts(s)[0].note);
    assert_non_null(score_find_note(s->project.score, 0, id));
    const struct track *t = &s->project.score->tracks[0];
    for (size_t i = 0; i < t->n_notes; i++) /* the others of the take are not there */
        for (size_t k = 0; k < n_ghosts(s); k++)
            assert_true(t->notes[i].id != ghosts(s)[k].note.id);
    assert_true(view_of(s)->ghosts.n == n_ghosts(s) && view_of(s)->hole.is_shown);
    run(s, CMD_ESCAPE);
    assert_int_equal(s->mode, MODE_NORMAL);
    run(s, CMD_SELECT_BARS); /* nothing of it begins in an empty bar */
    s->cursor.tick = 8 * BAR;
    s->selection.anchor.tick = 8 * BAR;
    select_box(s);
    run(s, CMD_ACCEPT_PART);
    assert_non_null(strstr(s->message.text, "begins there"));
}

TEST_WITH(kept_notes_are_in_every_new_take, open_session)
{
    ask(s);
    struct note kept = ghosts(s)[0].note;
    go_to(s, &kept);
    run(s, CMD_KEEP);
    assert_true(proposals_n_kept(proposals_shown(&s->takes)) == 1);
    run(s, CMD_AGAIN);
    assert_int_equal(n_ghosts(s), 1); /* it is there before anything else */
    wait_for_end(s);
    assert_int_equal(s->takes.n, 8);
    for (int i = 4; i < 8; i++) {
        const struct proposal *t = &s->takes.list[i];
        int found = 0;
        for (size_t k = 0; k < t->n_waiting; k++) {
            const struct note *n = &t->ghosts[k].note;
            found += n->id == kept.id && t->ghosts[k].is_kept;
            assert_false(n->id != kept.id && n->pitch == kept.pitch &&
                         n->start < kept.start + kept.length &&
                         n->start + n->length > kept.start); /* it was heard */
            assert_true(k == 0 || t->ghosts[k - 1].note.start <= n->start);
        }
        assert_int_equal(found, 1);
    }
    run(s, CMD_KEEP); /* let go, in all of them */
    for (int i = 0; i < 8; i++)
        assert_int_equal(proposals_n_kept(&s->takes.list[i]), 0);
    size_t n = n_ghosts(s);
    run(s, CMD_ACCEPT);
    assert_int_equal(score_n_notes(s->project.score), 8 + n);
    s->cursor.tick = 0;
    run(s, CMD_KEEP);
    assert_non_null(strstr(s->message.text, "no hatched note here"));
}

GROUP(make_model, remove_own_folder)
