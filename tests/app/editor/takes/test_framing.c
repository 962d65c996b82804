/* What is seen while takes wait: the hole with all its notes, at 80x24 and larger, the list
 * beside them; afterwards the view and the cursor are where they were. Space plays it. */
#include "tests/check.h"
#include "tests/app/asked_takes.h"
#include "tests/app/driver.h"
#include "app/editor/shell/tutor.h"
#include "app/editor/takes/framing.h"

/* Every ghost that is shown, and every note that would go, from end to end. */
static void assert_all_seen(struct session *s)
{
    const struct view *v = view_of(s);
    const struct region *r = &s->layout.roll;
    const struct viewport *p = &v->port;
    assert_true(layout_column(&s->layout, p, s->request.from) >= r->column);
    assert_true(layout_column(&s->layout, p, s->request.to - 1) <
                r->column + r->columns);
    for (size_t i = 0; i < v->ghosts.n; i++) {
        int pitch = v->ghosts.notes[i].note.pitch,
            row = layout_row(&s->layout, p, pitch);
        assert_in_range(row, r->row + (pitch < 127), r->row + r->rows - 1);
    }
    assert_true(s->cursor.tick >= s->request.from && s->cursor.tick < s->request.to);
}

static void assert_same_view(const struct viewport *a, const struct viewport *b)
{
    assert_true(
        a->left_tick == b->left_tick && a->ticks_per_column == b->ticks_per_column &&
        a->top_pitch == b->top_pitch && a->rows_per_pitch == b->rows_per_pitch &&
        a->hidden.at[0] == b->hidden.at[0] && a->hidden.at[1] == b->hidden.at[1]);
}

/* A piece of two hundred bars, which is seen from its beginning. */
TEST_WITH(a_continuation_is_framed_and_left, open_session)
{
    static const int SIZES[][2] = {{80, 24}, {200, 50}, {40, 12}};
    s->cursor.tick = 199 * BAR;
    run(s, CMD_TOGGLE_NOTE);
    run(s, CMD_PIECE_START);
    s->cursor.pitch = 61;
    for (size_t i = 0; i < sizeof SIZES / sizeof *SIZES; i++) {
        session_resize(s, SIZES[i][0], SIZES[i][1]);
        const struct viewport before = s->port;
        run_times(s, CMD_CONTINUE, 4);
        wait_for_end(s);
        assert_true(s->request.from >= 199 * BAR);
        for (int take = 0; take < 4; take++) {
            show(s, take + 1);
            assert_all_seen(s);
        }
        show(s, 0);
        run(s, i % 2 ? CMD_ESCAPE : CMD_REJECT_ALL);
        assert_same_view(&s->port, &before);
        assert_true(s->cursor.tick == 0 && s->cursor.pitch == 61);
        if (s->has_take) {
            run(s, CMD_TAKES); /* T comes back to it */
            assert_all_seen(s);
            run(s, CMD_REJECT_ALL);
            assert_same_view(&s->port, &before);
        }
    }
}

TEST_WITH(accepting_goes_back, open_session)
{
    run(s, CMD_PIECE_START);
    const struct viewport before = s->port;
    run_times(s, CMD_CONTINUE, 8);
    wait_for_end(s);
    while (!n_ghosts(s)) {
        run(s, CMD_REJECT);
        run_times(s, CMD_CONTINUE, 8);
        wait_for_end(s);
    }
    assert_all_seen(s);
    run(s, CMD_ACCEPT);
    assert_same_view(&s->port, &before);
    assert_int_equal(s->cursor.tick, 0);
}

TEST_WITH(the_list_is_beside_the_hole, open_session)
{
    ask(s);
    int columns = s->layout.roll.columns;
    run(s, CMD_TAKES);
    assert_true(view_of(s)->takes.is_listed && s->layout.takes.columns > 0);
    assert_int_equal(s->layout.roll.columns + s->layout.takes.columns, columns);
    assert_all_seen(s);
    run(s, CMD_SELECT_BOX); /* a part of one, with the list */
    assert_true(s->layout.takes.columns > 0);
    run(s, CMD_ESCAPE);
    run(s, CMD_REJECT_ALL);
    assert_int_equal(s->layout.roll.columns, columns);
}

/* Who zooms or scrolls has it so, until more takes are asked for. */
TEST_WITH(the_user_moves_the_view, open_session)
{
    ask(s);
    session_tick(s);
    int64_t zoom = s->port.ticks_per_column;
    run(s, CMD_ZOOM_OUT);
    session_tick(s);
    assert_int_equal(s->port.ticks_per_column, 2 * zoom);
    show(s, 2);
    session_tick(s);
    assert_int_equal(s->port.ticks_per_column, 2 * zoom);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    assert_int_equal(s->port.ticks_per_column, zoom);
    s->parts.framing->is_loose = false;
    const struct viewport framed = s->port;
    run(s, CMD_RIGHT); /* the cursor goes about in it, and it stays */
    run(s, CMD_NOTE_NEXT);
    assert_same_view(&s->port, &framed);
}

/* Rows that are folded away come back when the view is moved up or down. */
TEST_WITH(scrolling_unfolds, open_session)
{
    for (int i = 0; i < 20 && !s->roll.folds_for_take; i++) {
        run(s, CMD_REJECT_ALL);
        s->steering.seed += 7;
        run_times(s, CMD_CONTINUE, 16);
        wait_for_end(s);
    }
    assert_true(s->roll.folds_for_take && s->port.hidden.at[0]);
    run(s, CMD_SCROLL_UP);
    session_tick(s);
    assert_false(s->roll.folds_for_take || s->port.hidden.at[0] ||
                 s->port.hidden.at[1]);
    int top = s->port.top_pitch;
    run(s, CMD_SCROLL_DOWN);
    session_tick(s);
    assert_int_equal(s->port.top_pitch, top - 3);
}

TEST_WITH(moved_cursors_stay, open_session)
{
    keys(s, "gg4C");
    wait_for_end(s);
    assert_int_equal(s->cursor.tick, s->request.from);
    keys(s, "L");
    int64_t there = s->cursor.tick;
    keys(s, "X");
    assert_int_equal(s->cursor.tick, there);
    assert_true(layout_column(&s->layout, &s->port, there) <
                s->layout.roll.column + s->layout.roll.columns);
}

TEST_WITH(space_plays_what_is_shown, open_session)
{
    s->cursor.tick = 3 * BAR; /* after the hole, before it, and at its last beat */
    static const int64_t CURSORS[] = {3 * BAR, 0, 2 * BAR + 3 * BEAT};
    for (size_t i = 0; i < sizeof CURSORS / sizeof *CURSORS; i++) {
        ask(s);
        run(s, CMD_ESCAPE);
        s->cursor.tick = CURSORS[i];
        run(s, CMD_TAKES);
        assert_int_equal(framing_play_from(s), BAR);
        run(s, CMD_PLAY);
        assert_in_range((int64_t)player_tick(s->player), BAR, BAR + BEAT);
        run(s, CMD_PLAY);
        run(s, CMD_REJECT_ALL);
        assert_int_equal(framing_play_from(s), -1);
    }
    ask(s); /* from where the cursor was put */
    run(s, CMD_BAR_RIGHT);
    assert_int_equal(framing_play_from(s), s->cursor.tick);
    assert_int_equal(s->cursor.tick, 2 * BAR);
    s->cursor.tick = 3 * BAR + BEAT; /* past the hole there is nothing of it */
    assert_int_equal(framing_play_from(s), BAR);
}

/* The key that shows a take is its name, wherever it is told. */
TEST_WITH(keys_and_labels_agree, open_session)
{
    char label[16];
    ask(s);
    run(s, CMD_AGAIN);
    wait_for_end(s);
    for (int digit = 1; digit <= 8; digit++) {
        char key[2] = {(char)('0' + digit), 0};
        keys(s, key);
        const struct view *v = view_of(s);
        assert_int_equal(v->takes.rows[v->takes.shown].number, digit);
        snprintf(label, sizeof label, "take %d ", digit);
        assert_memory_equal(v->takes.label, label, strlen(label));
    }
}

/* While the tutor tells what to do, the notes are above it. */
TEST_WITH(the_tutor_covers_no_notes, open_session)
{
    act_command_line(s, "tutor");
    for (int i = 0; i < 9; i++)
        tutor_skip(s);
    ask(s);
    const struct view *v = view_of(s);
    assert_true(v->banner.n > 0 && v->hole.is_shown);
    assert_int_equal(s->roll.rows_covered, v->banner.n + 2);
    int foot = s->layout.roll.row + s->layout.roll.rows - s->roll.rows_covered;
    for (size_t i = 0; i < v->ghosts.n; i++)
        assert_true(layout_row(&s->layout, &v->port, v->ghosts.notes[i].note.pitch) <
                    foot);
}

GROUP(make_model, remove_own_folder)
