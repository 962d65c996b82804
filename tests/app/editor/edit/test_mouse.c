/* Every gesture of the mouse, as reports of a terminal, at places the layout gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "tests/app/editor/edit/pointer.h"
#include "app/editor/edit/mouse.h"

enum { STEP = 120, BAR = 1920 };

/* What a view shows to be held. */
static struct view view_of(struct session *s)
{
    struct view v;
    session_view(s, &v, 0);
    return v;
}

static void a_note_is_drawn_as_long_as_it_is_dragged(void **state)
{
    struct session *s = *state;
    press(s, 0, 4 * STEP, 60);
    drag(s, 0, 7 * STEP, 62); /* the pitch is where it began */
    struct view v = view_of(s);
    assert_int_equal(v.drafts.n, 1);
    assert_int_equal(v.drafts.notes[0].note.length, 4 * STEP);
    assert_int_equal(n_notes(s), 0); /* not before it is let go */
    release(s, 0, 7 * STEP, 62);
    assert_int_equal(n_notes(s), 1);
    assert_int_equal(note(s, 0)->start, 4 * STEP);
    assert_int_equal(note(s, 0)->length, 4 * STEP);
    assert_int_equal(note(s, 0)->pitch, 60);
    assert_int_equal(view_of(s).drafts.n, 0);
    swipe(s, 0, 15 * STEP, 64, 12 * STEP, 64); /* to the left */
    assert_int_equal(note(s, 1)->start, 12 * STEP);
    assert_int_equal(note(s, 1)->length, 4 * STEP);
    click(s, 0, 20 * STEP, 55);
    assert_int_equal(note(s, 2)->length, STEP);
    send(s, "u");
    assert_int_equal(n_notes(s), 2);
}

static void a_note_is_moved_and_resized_at_both_ends(void **state)
{
    struct session *s = *state;
    swipe(s, 0, 4 * STEP, 60, 11 * STEP, 60);
    swipe(s, 0, 6 * STEP, 60, 8 * STEP, 63);
    assert_int_equal(note(s, 0)->start, 6 * STEP);
    assert_int_equal(note(s, 0)->pitch, 63);
    assert_int_equal(note(s, 0)->length, 8 * STEP);
    int64_t end = note(s, 0)->start + note(s, 0)->length;
    press(s, 0, end - 1, 63);
    assert_int_equal(s->drag, DRAG_RIGHT);
    drag(s, 0, end + 3 * STEP, 63);
    release(s, 0, end + 3 * STEP, 63);
    assert_int_equal(note(s, 0)->length, 12 * STEP);
    press(s, 0, 6 * STEP, 63);
    assert_int_equal(s->drag, DRAG_LEFT);
    drag(s, 0, 2 * STEP, 63);
    release(s, 0, 2 * STEP, 63);
    assert_int_equal(note(s, 0)->start, 2 * STEP);
    assert_int_equal(note(s, 0)->length, 16 * STEP);
    swipe(s, 0, 2 * STEP, 63, 30 * STEP, 63); /* its start past its end */
    assert_int_equal(note(s, 0)->start, 17 * STEP);
    assert_int_equal(note(s, 0)->length, STEP);
    send(s, "4u");
    assert_int_equal(note(s, 0)->start, 4 * STEP);
    assert_int_equal(note(s, 0)->length, 8 * STEP);
}

static void what_is_chosen_moves_together(void **state)
{
    struct session *s = *state;
    swipe(s, 0, 0, 60, 3 * STEP, 60);
    swipe(s, 0, 4 * STEP, 62, 7 * STEP, 62);
    swipe(s, 0, 8 * STEP, 64, 11 * STEP, 64);
    click(s, 0, STEP, 60);
    assert_int_equal(s->n_selected, 1);
    click(s, WITH_CTRL, 5 * STEP, 62);
    click(s, WITH_SHIFT, 9 * STEP, 64);
    assert_int_equal(s->n_selected, 3);
    click(s, WITH_CTRL, 5 * STEP, 62); /* chosen no more */
    assert_int_equal(s->n_selected, 2);
    press(s, 0, STEP, 60);
    drag(s, 0, 3 * STEP, 65);
    struct view v = view_of(s);
    assert_int_equal(v.drafts.n, 2);
    assert_int_equal(v.ghosts.n_replaced, 2);
    release(s, 0, 3 * STEP, 65);
    assert_int_equal(note(s, 0)->start, 2 * STEP);
    assert_int_equal(note(s, 0)->pitch, 65);
    assert_int_equal(note(s, 1)->start, 4 * STEP);
    assert_int_equal(note(s, 2)->start, 10 * STEP);
    assert_int_equal(note(s, 2)->pitch, 69);
    click(s, 0, 3 * STEP, 65); /* of several only this one */
    assert_int_equal(s->n_selected, 1);
    send(s, "u");
    assert_int_equal(note(s, 0)->start, 0);
    assert_int_equal(note(s, 2)->start, 8 * STEP);
}

static void with_ctrl_a_drag_copies(void **state)
{
    struct session *s = *state;
    swipe(s, 0, 0, 60, 3 * STEP, 60);
    swipe(s, WITH_CTRL, STEP, 60, 9 * STEP, 67);
    assert_int_equal(n_notes(s), 2);
    assert_int_equal(note(s, 1)->start, 8 * STEP);
    assert_int_equal(note(s, 1)->pitch, 67);
    swipe(s, WITH_CTRL, STEP, 60, 2 * STEP, 60); /* onto itself */
    assert_int_equal(n_notes(s), 2);
    send(s, "u");
    assert_int_equal(n_notes(s), 1);
}

static void right_erases_what_it_passes(void **state)
{
    struct session *s = *state;
    for (int i = 0; i < 6; i++)
        swipe(s, 0, i * 4 * STEP, 60, (i * 4 + 1) * STEP, 60);
    click(s, RIGHT, 0, 60);
    assert_int_equal(n_notes(s), 5);
    press(s, RIGHT, 4 * STEP, 60);
    drag(s, RIGHT, 13 * STEP, 60); /* in one report: what lies between goes as well */
    assert_int_equal(view_of(s).ghosts.n_replaced, 3);
    assert_int_equal(n_notes(s), 5);
    release(s, RIGHT, 13 * STEP, 60);
    assert_int_equal(n_notes(s), 2);
    send(s, "u");
    assert_int_equal(n_notes(s), 5);
}

static void empty_ground_is_boxed(void **state)
{
    struct session *s = *state;
    swipe(s, 0, 4 * STEP, 60, 6 * STEP, 60);
    swipe(s, 0, 12 * STEP, 64, 14 * STEP, 64);
    swipe(s, WITH_SHIFT, 0, 66, 8 * STEP, 58);
    assert_int_equal(s->mode, MODE_SELECT);
    assert_int_equal(s->n_selected, 1);
    swipe(s, 0, 0, 66, 20 * STEP, 58); /* in SELECT without Shift */
    assert_int_equal(s->n_selected, 2);
    assert_int_equal(n_notes(s), 2);
    send(s, "\033");
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void escape_lets_go_of_everything(void **state)
{
    struct session *s = *state;
    swipe(s, 0, 4 * STEP, 60, 9 * STEP, 60);
    struct score *before = score_clone(s->project.score);
    static const int BUTTONS[] = {0, RIGHT, WITH_CTRL, WITH_SHIFT};
    for (size_t i = 0; i < sizeof BUTTONS / sizeof BUTTONS[0]; i++)
        for (int64_t from = 3 * STEP; from <= 9 * STEP; from += STEP) {
            press(s, BUTTONS[i], from, 60);
            drag(s, BUTTONS[i], from + 5 * STEP, 62);
            send(s, "\033");
            assert_int_equal(s->drag, DRAG_NONE);
            assert_int_equal(view_of(s).drafts.n, 0);
            release(s, BUTTONS[i], from + 5 * STEP, 62);
            assert_true(score_equal(before, s->project.score));
            send(s, "\033");
        }
    score_destroy(before);
}

/* A key that changes things lets go first. */
static void a_key_ends_a_drag(void **state)
{
    struct session *s = *state;
    swipe(s, 0, 4 * STEP, 60, 9 * STEP, 60);
    press(s, 0, 6 * STEP, 60);
    drag(s, 0, 8 * STEP, 64);
    send(s, "x");
    assert_int_equal(s->drag, DRAG_NONE);
    assert_int_equal(n_notes(s), 0);
    release(s, 0, 8 * STEP, 64);
    assert_int_equal(n_notes(s), 0);
}

static void the_ruler_seeks_and_marks_a_loop(void **state)
{
    struct session *s = *state;
    int row = s->layout.ruler.row;
    report(s, 0, column_of(s, 5 * STEP), row, 'M');
    report(s, 0, column_of(s, 5 * STEP), row, 'm');
    assert_int_equal(s->cursor_tick, 5 * STEP);
    assert_false(session_has_loop(s));
    report(s, 0, column_of(s, BAR), row, 'M');
    report(s, MOTION, column_of(s, 2 * BAR - STEP), row, 'M');
    report(s, 0, column_of(s, 2 * BAR - STEP), row, 'm');
    assert_true(s->loop.on);
    assert_int_equal(s->loop.from, BAR);
    assert_int_equal(s->loop.to, 2 * BAR);
    report(s, 0, column_of(s, 2 * BAR), row,
           'M'); /* and from a bar's line to another */
    report(s, MOTION, column_of(s, 0), row, 'M');
    report(s, 0, column_of(s, 0), row, 'm');
    assert_int_equal(s->loop.from, 0);
    assert_int_equal(s->loop.to, 2 * BAR);
    assert_string_equal(s->message, "bars 1 to 2 in a loop; \\ lets it go");
}

static void keys_and_map(void **state)
{
    struct session *s = *state;
    report(s, 0, 1, row_of(s, 62), 'M');
    assert_int_equal(s->drag, DRAG_KEYS);
    report(s, MOTION, 1, row_of(s, 64), 'M');
    report(s, 0, 1, row_of(s, 64), 'm');
    assert_int_equal(s->cursor_pitch, 64);
    assert_int_equal(n_notes(s), 0);
    for (int i = 0; i < 40; i++)
        score_add_note(
            s->project.score, 0,
            (struct note){
                .start = i * BAR, .length = STEP, .pitch = 60, .velocity = 64});
    s->project.version++;
    assert_true(s->layout.map.rows > 0);
    report(s, 0, s->layout.map.column + s->layout.map.columns / 2, s->layout.map.row,
           'M');
    assert_in_range(s->cursor_tick, 18 * BAR, 22 * BAR);
    int column = column_of(s, s->cursor_tick);
    assert_in_range(column, s->layout.roll.column, 79);
}

static void the_wheel_scrolls_and_zooms(void **state)
{
    struct session *s = *state;
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

static void the_middle_button_pans(void **state)
{
    struct session *s = *state;
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
static void a_drag_past_the_edge_scrolls(void **state)
{
    struct session *s = *state;
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
    assert_true(note(s, 0)->length > 60 * STEP);
}

/* A terminal tells of no column past its last. */
static void so_does_one_to_the_last_column(void **state)
{
    struct session *s = *state;
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
    send(s, "\033");
}

/* What was held was held at columns that are elsewhere now. */
static void a_new_size_lets_go(void **state)
{
    struct session *s = *state;
    press(s, 0, 0, 60);
    drag(s, 0, 960, 60);
    assert_int_equal(s->drag, DRAG_NEW);
    session_resize(s, 40, 16);
    assert_int_equal(s->drag, DRAG_NONE);
}

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* Any reports anywhere, with keys between them: it holds, and all of it is undone. */
static void random_reports_undo_to_the_start(void **state)
{
    struct session *s = *state;
    static const char *const KEYS[] = {"E",  "gE", "v", "\033", "i",
                                       "zi", "zo", "u", "A"};
    for (int i = 0; i < 20; i++)
        swipe(s, 0, (2 * i) * STEP, 55 + i % 9, (2 * i + 1) * STEP, 55 + i % 9);
    struct score *before = score_clone(s->project.score);
    uint64_t at = history_state(s->project.history);
    uint32_t seed = 7;
    for (int i = 0; i < 4000; i++) {
        int buttons = (int)(noise(&seed) % 3) | (int)(noise(&seed) % 4 == 0 ? 16 : 0);
        int kind = (int)(noise(&seed) % 8);
        if (kind == 7 && noise(&seed) % 4 == 0)
            send(s, KEYS[noise(&seed) % (sizeof KEYS / sizeof KEYS[0])]);
        else
            report(s, buttons | (kind < 4 ? MOTION : 0), (int)(noise(&seed) % 90),
                   (int)(noise(&seed) % 45), kind > 5 ? 'm' : 'M');
        if (i % 8 == 0)
            view_of(s);
    }
    send(s, "\033\033\033");
    assert_int_equal(history_go(s->project.history, s->project.score, at), MIDI_OK);
    assert_true(score_equal(before, s->project.score));
    score_destroy(before);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        CASE(a_note_is_drawn_as_long_as_it_is_dragged),
        CASE(a_note_is_moved_and_resized_at_both_ends),
        CASE(what_is_chosen_moves_together),
        CASE(with_ctrl_a_drag_copies),
        CASE(right_erases_what_it_passes),
        CASE(empty_ground_is_boxed),
        CASE(escape_lets_go_of_everything),
        CASE(a_key_ends_a_drag),
        CASE(a_new_size_lets_go),
        CASE(the_ruler_seeks_and_marks_a_loop),
        CASE(keys_and_map),
        CASE(the_wheel_scrolls_and_zooms),
        CASE(the_middle_button_pans),
        CASE(a_drag_past_the_edge_scrolls),
        CASE(so_does_one_to_the_last_column),
        CASE(random_reports_undo_to_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
