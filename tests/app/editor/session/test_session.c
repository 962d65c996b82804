/* The workstation without a screen: commands in, score and view out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"

#include <time.h>

static void run(struct session *s, enum command_id id)
{
    act_run(s, &(struct command){.id = id});
}

static void run_times(struct session *s, enum command_id id, int count)
{
    act_run(s, &(struct command){.id = id, .count = count});
}

static void type(struct session *s, const char *line)
{
    run(s, CMD_COMMAND_LINE);
    for (; *line; line++)
        act_run(s, &(struct command){.id = CMD_TEXT, .text = (uint32_t)*line});
    run(s, CMD_SUBMIT);
}

static const struct note *note(struct session *s, size_t i)
{
    assert_true(i < s->project.score->tracks[s->track].n_notes);
    return &s->project.score->tracks[s->track].notes[i];
}

static void enter_puts_and_removes_a_note(void **state)
{
    struct session *s = *state;
    run_times(s, CMD_TOGGLE_NOTE, 4);
    assert_int_equal(score_n_notes(s->project.score), 1);
    assert_int_equal(note(s, 0)->start, 0);
    assert_int_equal(note(s, 0)->length, 480); /* four sixteenths */
    assert_int_equal(note(s, 0)->pitch, 60);
    run(s, CMD_TOGGLE_NOTE);
    assert_int_equal(score_n_notes(s->project.score), 0);
    run(s, CMD_UNDO);
    assert_int_equal(score_n_notes(s->project.score), 1);
    run(s, CMD_UNDO);
    assert_int_equal(score_n_notes(s->project.score), 0);
    assert_false(project_modified(&s->project));
    run(s, CMD_UNDO);
    assert_string_equal(s->message, "nothing to undo");
    run_times(s, CMD_REDO, 2);
    assert_int_equal(score_n_notes(s->project.score), 0);
}

static void edits_act_on_the_note_under_the_cursor(void **state)
{
    struct session *s = *state;
    run(s, CMD_TOGGLE_NOTE);
    run_times(s, CMD_TRANSPOSE_UP, 7);
    assert_int_equal(note(s, 0)->pitch, 67);
    assert_int_equal(s->cursor_pitch, 67);
    run_times(s, CMD_NUDGE_RIGHT, 2);
    assert_int_equal(note(s, 0)->start, 240);
    run(s, CMD_LONGER);
    assert_int_equal(note(s, 0)->length, 240);
    run(s, CMD_SHORTER);
    run(s, CMD_SHORTER); /* would leave nothing */
    assert_int_equal(note(s, 0)->length, 120);
    run(s, CMD_LOUDER);
    assert_int_equal(note(s, 0)->velocity, 88);
    run(s, CMD_REPEAT);
    assert_int_equal(note(s, 0)->velocity, 96);
    run_times(s, CMD_TRANSPOSE_UP, 100);
    assert_int_equal(note(s, 0)->pitch, 67);
}

static void one_pitch_never_overlaps_itself(void **state)
{
    struct session *s = *state;
    run_times(s, CMD_TOGGLE_NOTE, 2); /* 0..240 */
    run_times(s, CMD_RIGHT, 4);
    run_times(s, CMD_TOGGLE_NOTE, 2); /* 480..720 */
    run_times(s, CMD_NUDGE_LEFT, 3);
    assert_int_equal(note(s, 1)->start, 480);
    run_times(s, CMD_NUDGE_LEFT, 2);
    assert_int_equal(note(s, 1)->start, 240);
    run(s, CMD_PIECE_START);
    run(s, CMD_LONGER);
    assert_int_equal(note(s, 0)->length, 240);
    run(s, CMD_PIECE_START);
    run_times(s, CMD_RIGHT, 2);
    run(s, CMD_DELETE);
    run(s, CMD_PIECE_START);
    run(s, CMD_DELETE);
    run_times(s, CMD_RIGHT, 8);
    run_times(s, CMD_TOGGLE_NOTE, 1);
    run(s, CMD_PIECE_START);
    run_times(s, CMD_TOGGLE_NOTE, 64); /* cut where the next begins */
    assert_int_equal(note(s, 0)->length, 960);
}

static void a_box_is_moved_copied_and_pasted(void **state)
{
    struct session *s = *state;
    run(s, CMD_DRAW);
    for (int i = 0; i < 4; i++) {
        run(s, CMD_TOGGLE_NOTE);
        run(s, CMD_UP);
    }
    run(s, CMD_ESCAPE);
    assert_int_equal(s->mode, MODE_NORMAL);
    run(s, CMD_PIECE_START);
    s->cursor_pitch = 60;
    run(s, CMD_SELECT_BOX);
    run_times(s, CMD_RIGHT, 2);
    run_times(s, CMD_UP, 2);
    assert_int_equal(s->n_selected, 3);
    run_times(s, CMD_TRANSPOSE_UP, 12);
    assert_int_equal(note(s, 0)->pitch, 72);
    assert_int_equal(note(s, 3)->pitch, 63);
    run(s, CMD_YANK);
    assert_int_equal(s->mode, MODE_NORMAL);
    run_times(s, CMD_BAR_RIGHT, 1);
    run(s, CMD_PASTE);
    assert_int_equal(score_n_notes(s->project.score), 7);
    assert_int_equal(note(s, 4)->start, 1920);
    run(s, CMD_PASTE); /* everything is in the way */
    assert_int_equal(score_n_notes(s->project.score), 7);
    run(s, CMD_UNDO);
    run(s, CMD_SELECT_ALL);
    assert_int_equal(s->n_selected, 4);
    run(s, CMD_DELETE);
    assert_int_equal(score_n_notes(s->project.score), 0);
    run_times(s, CMD_UNDO, 100);
    assert_int_equal(score_n_notes(s->project.score), 0);
    assert_false(project_modified(&s->project));
}

static void the_grid_follows_the_meter(void **state)
{
    struct session *s = *state;
    type(s, "meter 3/8");
    assert_int_equal(s->mode, MODE_NORMAL);
    run(s, CMD_BAR_RIGHT);
    assert_int_equal(s->cursor_tick, 720);
    run(s, CMD_LINE_END);
    assert_int_equal(s->cursor_tick, 1440 - 120);
    run(s, CMD_RIGHT);
    assert_int_equal(s->cursor_tick, 1440);
    run_times(s, CMD_PIECE_END, 3);
    assert_int_equal(s->cursor_tick, 1440);
    type(s, "meter 7/3");
    assert_true(s->message_is_error);
    type(s, "tempo 96");
    assert_float_equal(timeline_bpm(&s->project.score->timeline, 1440), 96, 0.01);
    assert_float_equal(timeline_bpm(&s->project.score->timeline, 0), 120, 0.01);
}

static void the_mouse_draws_drags_and_selects(void **state)
{
    struct session *s = *state;
    struct command c = {.id = CMD_POINT, .button = 1};
    c.column = (int)layout_column(&s->layout, &s->port, 480);
    c.row = layout_row(&s->layout, &s->port, 60);
    act_run(s, &c);
    c.id = CMD_RELEASE;
    act_run(s, &c);
    assert_int_equal(score_n_notes(s->project.score), 1);
    int64_t start = note(s, 0)->start;
    c.id = CMD_POINT;
    act_run(s, &c);
    c.id = CMD_DRAG;
    c.row -= 4 * s->port.rows_per_pitch;
    act_run(s, &c);
    assert_int_equal(note(s, 0)->pitch, 60); /* not before it is let go */
    c.id = CMD_RELEASE;
    act_run(s, &c);
    assert_int_equal(note(s, 0)->pitch, 64);
    assert_int_equal(note(s, 0)->start, start);
    c.id = CMD_POINT;
    c.with_shift = true;
    c.row -= 2;
    c.column -= 2;
    act_run(s, &c);
    c.id = CMD_DRAG;
    c.row += 6;
    c.column += 6;
    act_run(s, &c);
    assert_int_equal(s->n_selected, 1);
    assert_int_equal(s->mode, MODE_SELECT);
}

static void without_a_model_the_program_goes_on(void **state)
{
    struct session *s = *state;
    run(s, CMD_CONTINUE);
    for (int i = 0; i < 200 && s->mode == MODE_TAKES; i++) {
        session_tick(s);
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    assert_true(s->message_is_error);
    assert_int_equal(s->mode, MODE_NORMAL);
    run(s, CMD_TOGGLE_NOTE);
    assert_int_equal(score_n_notes(s->project.score), 1);
}

static void every_command_survives_an_empty_score(void **state)
{
    struct session *s = *state;
    for (int id = 1; id < CMD_COUNT; id++) {
        if (id == CMD_SAVE || id == CMD_SAVE_QUIT || id == CMD_SUBMIT)
            continue;
        act_run(s,
                &(struct command){.id = (enum command_id)id, .count = 3, .text = 'x'});
        session_tick(s);
        struct view v;
        session_view(s, &v, 0);
        assert_non_null(v.score);
        if (s->mode == MODE_PROMPT || s->mode == MODE_HELP || s->mode == MODE_PALETTE)
            run(s, CMD_ESCAPE);
    }
}

static void random_commands_undo_to_the_start(void **state)
{
    struct session *s = *state;
    struct score *before = score_clone(s->project.score);
    unsigned x = 12345;
    for (int i = 0; i < 3000; i++) {
        x = x * 1664525u + 1013904223u;
        int id = 1 + (int)((x >> 10) % (CMD_REDO - 1));
        act_run(s, &(struct command){.id = (enum command_id)id,
                                     .count = (int)(x >> 28) % 4});
    }
    run(s, CMD_ESCAPE);
    while (project_undo(&s->project, NULL))
        continue;
    assert_true(score_equal(before, s->project.score));
    score_destroy(before);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, keyed_set_up, keyed_close)
    const struct CMUnitTest tests[] = {
        CASE(enter_puts_and_removes_a_note),
        CASE(edits_act_on_the_note_under_the_cursor),
        CASE(one_pitch_never_overlaps_itself),
        CASE(a_box_is_moved_copied_and_pasted),
        CASE(the_grid_follows_the_meter),
        CASE(the_mouse_draws_drags_and_selects),
        CASE(without_a_model_the_program_goes_on),
        CASE(every_command_survives_an_empty_score),
        CASE(random_commands_undo_to_the_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
