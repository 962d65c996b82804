/* Every gesture of the mouse, as reports of a terminal, at places the layout gives. */
#include "tests/check.h"
#include "app/editor/edit/mouse.h"
#include "tests/app/editor/edit/pointer.h"
#include "tests/midi/score_equal.h"

enum { STEP = 120, BAR = 1920 };

/* What a view shows to be held. */
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

/* On the ruler, from a tick to another, or at one. */
WORD(ruler)
{
    int64_t from = read_ticks(&arguments),
            to = *arguments ? read_ticks(&arguments) : from;
    swipe_cells(s, 0, column_of(s, from), s->layout.ruler.row, column_of(s, to),
                s->layout.ruler.row);
}

SCRIPT(the_ruler_seeks_and_marks_a_loop, tall_session) = {
    {"‹ruler 5s›", "at 5s; no loop"},
    {"‹ruler 1b 31s›", "loop; loop_from 1b; loop_to 2b"},
    {"‹ruler 2b 0›", "loop_from 0; loop_to 2b", /* from a bar's line to another */
     "loop: bars 1 to 2; \\ ends it"},
};

/* On the piano's keys, from a pitch to another. */
WORD(on_keys)
{
    int from = (int)read_ticks(&arguments), to = (int)read_ticks(&arguments);
    swipe_cells(s, 0, 1, row_of(s, from), 1, row_of(s, to));
}

WORD(map_middle)
{
    const struct region *map = &s->layout.map;
    report(s, 0, map->column + map->columns / 2, map->row, 'M');
}

NUMBER_FACT(column, column_of(s, s->view.cursor.tick))

SCRIPT(keys_and_map, tall_session) = {
    {"‹on_keys 62 64›", "pitch 64; n 0"},
    {"‹put 0+1s 60, 40b+1s 60›‹map_middle›", "at 19b..22b; column 6..79"},
};

NUMBER_FACT(top, s->view.port.top_pitch)
NUMBER_FACT(height, s->view.port.rows_per_pitch)
NUMBER_FACT(tick_there,
            layout_tick(&s->layout, &s->view.port, s->layout.roll.column + 40))
NUMBER_FACT(pitch_there,
            layout_pitch(&s->layout, &s->view.port, s->layout.roll.row + 10))

SCRIPT(the_wheel_scrolls_and_zooms, tall_session) = {
    {"", "top 75; no left; zoom 120; height 1"},
    {"‹down64 40 10›", "top 78"},
    {"‹down65 40 10›", "top 75"},
    {"‹down67 40 10›‹down69 40 10›", "left 16s; tick_there 56s"},
    {"‹down80 40 10›", "zoom 60; tick_there 56s; pitch_there 65"},
    {"‹down84 40 10›", "height 2; pitch_there 65"},
};

SCRIPT(the_middle_button_pans, tall_session) = {
    {"‹down1 40 10›‹move1 28 14›‹move1 20 15›‹up1 20 15›", "left 20s; top 80; n 0"},
};

WORD(a_second_later)
{
    s->parts.mouse->scrolled_ms -= 1000;
    session_tick(s);
}

NUMBER_FACT(wakes_within, session_timeout_ms(s))

/* Standing still past the edge it goes on by itself. */
SCRIPT(a_drag_past_the_edge_scrolls, tall_session) = {
    {"‹press 4s 60›‹move 77 12›", "left 120..9999; wakes_within 1..100"},
    {"‹a_second_later›", "left 240..99999; wakes_within 0..100"},
    {"‹up 72 12›", "notes 4s+7200..99999 60"},
};

/* A terminal tells of no column past its last. */
SCRIPT(so_does_one_to_the_last_column, tall_session) = {
    {"‹down 73 12›‹tick›‹up 73 12›", "no left"},
    {"‹press 4s 62›‹move 73 12›‹a_second_later›", "left 1..9999"},
    {"\033"},
};
