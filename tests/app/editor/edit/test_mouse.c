/* Every gesture of the mouse, as reports of a terminal, at places the layout gives. */
#include "tests/check.h"
#include "app/editor/edit/mouse.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/midi/score_equal.h"

enum { STEP = 120, BAR = 1920 };

/* What a view shows to be held. */
NUMBER_FACT(drafts, view_of(s)->drafts.n)
NUMBER_FACT(draft_length, view_of(s)->drafts.notes[0].note.length)
NUMBER_FACT(replaced, view_of(s)->ghosts.n_replaced)
NUMBER_FACT(drags, s->drag != DRAG_NONE)
NUMBER_FACT(drags_left, s->drag == DRAG_LEFT)
NUMBER_FACT(drags_right, s->drag == DRAG_RIGHT)

SCRIPT(a_note_is_drawn_as_long_as_it_is_dragged, tall_session) = {
    {"‹press 4s 60›‹drag 7s 62›",       /* the pitch is where it began */
     "drafts 1; draft_length 4s; n 0"}, /* not before it is let go */
    {"‹release 7s 62›", "notes 4s+4s 60; no drafts"},
    {"‹swipe 15s 64 12s 64›", "notes 4s+4s 60, 12s+4s 64"}, /* to the left */
    {"‹click 20s 55›", "notes 4s+4s 60, 12s+4s 64, 20s+1s 55"},
    {"u", "n 2"},
};

SCRIPT(a_note_is_moved_and_resized_at_both_ends, tall_session) = {
    {"‹swipe 4s 60 11s 60›‹swipe 6s 60 8s 63›", "notes 6s+8s 63"},
    {"‹press 1679 63›", "drags_right"},
    {"‹drag 17s 63›‹release 17s 63›", "notes 6s+12s 63"},
    {"‹press 6s 63›", "drags_left"},
    {"‹drag 2s 63›‹release 2s 63›", "notes 2s+16s 63"},
    {"‹swipe 2s 63 30s 63›", "notes 17s+1s 63"}, /* its start past its end */
    {"4u", "notes 4s+8s 60"},
};

SCRIPT(what_is_chosen_moves_together, tall_session) = {
    {"‹swipe 0 60 3s 60›‹swipe 4s 62 7s 62›‹swipe 8s 64 11s 64›‹click 1s 60›",
     "selected 1"},
    {"‹click16 5s 62›‹click4 9s 64›", "selected 3"},
    {"‹click16 5s 62›", "selected 2"}, /* chosen no more */
    {"‹press 1s 60›‹drag 3s 65›", "drafts 2; replaced 2"},
    {"‹release 3s 65›", "notes 2s+4s 65, 4s+4s 62, 10s+4s 69"},
    {"‹click 3s 65›", "selected 1"}, /* of several only this one */
    {"u", "notes 0+4s 60, 4s+4s 62, 8s+4s 64"},
};

SCRIPT(with_ctrl_a_drag_copies, tall_session) = {
    {"‹swipe 0 60 3s 60›‹swipe16 1s 60 9s 67›", "notes 0+4s 60, 8s+4s 67"},
    {"‹swipe16 1s 60 2s 60›", "n 2"}, /* onto itself */
    {"u", "n 1"},
};

SCRIPT(right_erases_what_it_passes, tall_session) = {
    {"‹swipe 0 60 1s 60›‹swipe 4s 60 5s 60›‹swipe 8s 60 9s 60›‹swipe 12s 60 13s 60›"
     "‹swipe 16s 60 17s 60›‹swipe 20s 60 21s 60›‹click2 0 60›",
     "n 5"},
    {"‹press2 4s 60›‹drag2 13s 60›", "replaced 3; n 5"}, /* and what lies between */
    {"‹release2 13s 60›", "n 2"},
    {"u", "n 5"},
};

SCRIPT(empty_ground_is_boxed, tall_session) = {
    {"‹swipe 4s 60 6s 60›‹swipe 12s 64 14s 64›‹swipe4 0 66 8s 58›",
     "mode SELECT; selected 1"},
    {"‹swipe 0 66 20s 58›", "selected 2; n 2"}, /* in SELECT without Shift */
    {"\033", "mode NORMAL"},
};

TEST_WITH(escape_lets_go_of_everything, tall_session)
{
    swipe(s, 0, 4 * STEP, 60, 9 * STEP, 60);
    struct score *before = score_clone(s->project.score);
    static const int BUTTONS[] = {0, RIGHT, WITH_CTRL, WITH_SHIFT};
    for (size_t i = 0; i < sizeof BUTTONS / sizeof BUTTONS[0]; i++)
        for (int64_t from = 3 * STEP; from <= 9 * STEP; from += STEP) {
            press(s, BUTTONS[i], from, 60);
            drag(s, BUTTONS[i], from + 5 * STEP, 62);
            keys(s, "\033");
            assert_int_equal(s->drag, DRAG_NONE);
            assert_int_equal(view_of(s)->drafts.n, 0);
            release(s, BUTTONS[i], from + 5 * STEP, 62);
            assert_true(score_equal(before, s->project.score));
            keys(s, "\033");
        }
    score_destroy(before);
}

/* A key that changes things lets go first. */
SCRIPT(a_key_ends_a_drag, tall_session) = {
    {"‹swipe 4s 60 9s 60›‹press 6s 60›‹drag 8s 64›x", "no drags; n 0"},
    {"‹release 8s 64›", "n 0"},
};

/* What was held was held at columns that are elsewhere now. */
SCRIPT(a_new_size_lets_go, tall_session) = {
    {"‹press 0 60›‹drag 8s 60›", "drags"},
    {"‹size 40x16›", "no drags"},
};

TEST_WITH(the_ruler_seeks_and_marks_a_loop, tall_session)
{
    int row = s->layout.ruler.row;
    report(s, 0, column_of(s, 5 * STEP), row, 'M');
    report(s, 0, column_of(s, 5 * STEP), row, 'm');
    assert_int_equal(s->cursor.tick, 5 * STEP);
    assert_false(session_has_loop(s));
    swipe_cells(s, 0, column_of(s, BAR), row, column_of(s, 2 * BAR - STEP), row);
    check_facts(s, "loop; loop_from 1b; loop_to 2b");
    /* And from a bar's line to another. */
    swipe_cells(s, 0, column_of(s, 2 * BAR), row, column_of(s, 0), row);
    check_facts(s, "loop_from 0; loop_to 2b");
    assert_string_equal(s->message.text, "loop: bars 1 to 2; \\ ends it");
}

TEST_WITH(keys_and_map, tall_session)
{
    report(s, 0, 1, row_of(s, 62), 'M');
    assert_int_equal(s->drag, DRAG_KEYS);
    report(s, MOTION, 1, row_of(s, 64), 'M');
    report(s, 0, 1, row_of(s, 64), 'm');
    check_facts(s, "pitch 64; n 0");
    for (int i = 0; i < 40; i++)
        put_note(s, 0, i * BAR, STEP, 60, 64);
    assert_true(s->layout.map.rows > 0);
    report(s, 0, s->layout.map.column + s->layout.map.columns / 2, s->layout.map.row,
           'M');
    assert_in_range(s->cursor.tick, 18 * BAR, 22 * BAR);
    int column = column_of(s, s->cursor.tick);
    assert_in_range(column, s->layout.roll.column, 79);
}

TEST_WITH(the_wheel_scrolls_and_zooms, tall_session)
{
    struct viewport at = s->port;
    int column = s->layout.roll.column + 40, row = s->layout.roll.row + 10;
    report(s, WHEEL, column, row, 'M');
    assert_int_equal(s->port.top_pitch, at.top_pitch + 3);
    report(s, WHEEL + 1, column, row, 'M');
    assert_int_equal(s->port.top_pitch, at.top_pitch);
    report(s, WHEEL + 3, column, row, 'M');
    report(s, (WHEEL + 1) | WITH_SHIFT, column, row, 'M');
    assert_int_equal(s->port.left_tick, at.left_tick + 16 * at.ticks_per_column);
    int64_t tick = layout_tick(&s->layout, &s->port, column);
    report(s, WHEEL | WITH_CTRL, column, row, 'M');
    assert_int_equal(s->port.ticks_per_column, at.ticks_per_column / 2);
    assert_int_equal(layout_tick(&s->layout, &s->port, column), tick);
    int pitch = layout_pitch(&s->layout, &s->port, row);
    report(s, WHEEL | WITH_CTRL | WITH_SHIFT, column, row, 'M');
    assert_int_equal(s->port.rows_per_pitch, at.rows_per_pitch + 1);
    assert_int_equal(layout_pitch(&s->layout, &s->port, row), pitch);
}

TEST_WITH(the_middle_button_pans, tall_session)
{
    struct viewport at = s->port;
    int column = s->layout.roll.column + 40, row = s->layout.roll.row + 10;
    report(s, MIDDLE, column, row, 'M');
    report(s, MIDDLE | MOTION, column - 12, row + 4, 'M');
    report(s, MIDDLE | MOTION, column - 20, row + 5, 'M');
    report(s, MIDDLE, column - 20, row + 5, 'm');
    assert_int_equal(s->port.left_tick, at.left_tick + 20 * at.ticks_per_column);
    assert_int_equal(s->port.top_pitch, at.top_pitch + 5);
    assert_int_equal(n_notes(s), 0);
}

/* Standing still past the edge it goes on by itself. */
TEST_WITH(a_drag_past_the_edge_scrolls, tall_session)
{
    int row = row_of(s, 60);
    press(s, 0, 4 * STEP, 60);
    report(s, MOTION, s->layout.columns + 3, row, 'M');
    int64_t left = s->port.left_tick;
    assert_true(left > 0);
    assert_true(session_timeout_ms(s) > 0);
    s->parts.mouse->scrolled_ms -= 1000;
    session_tick(s);
    assert_true(s->port.left_tick > left);
    assert_true(session_timeout_ms(s) <= 100);
    release(s, 0, s->port.left_tick + 70 * s->port.ticks_per_column, 60);
    assert_int_equal(n_notes(s), 1);
    assert_true(note_of(s, 0, 0)->length > 60 * STEP);
}

/* A terminal tells of no column past its last. */
TEST_WITH(so_does_one_to_the_last_column, tall_session)
{
    int last = s->layout.columns - 1;
    report(s, 0, last, row_of(s, 60), 'M');
    session_tick(s);
    report(s, 0, last, row_of(s, 60), 'm');
    assert_int_equal(s->port.left_tick, 0);
    press(s, 0, 4 * STEP, 62);
    report(s, MOTION, last, row_of(s, 62), 'M');
    s->parts.mouse->scrolled_ms -= 1000;
    session_tick(s);
    assert_true(s->port.left_tick > 0);
    keys(s, "\033");
}
