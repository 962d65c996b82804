/* The lane by keys, lines and the mouse: every edit is one step, and undoing all of them
 * gives the file back byte for byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include "app/editor/edit/lane.h"
#include "midi/smf/smf.h"
#include "tests/app/editor/edit/pointer.h"

enum { STEP = 120, BAR = 1920 };

/* Eight notes, a sixteenth each beat, velocities 40, 50 ... 110. */
static int open_piece(void **state)
{
    if (open_session(state))
        return -1;
    struct session *s = *state;
    for (int i = 0; i < 8; i++)
        if (!score_add_note(s->project.score, 0,
                            (struct note){.start = i * 4 * STEP,
                                          .length = STEP,
                                          .pitch = 60,
                                          .velocity = (uint8_t)(40 + 10 * i)}))
            return -1;
    s->project.version++;
    return 0;
}

static void assert_own(const struct session *s, const struct control_point *want,
                       size_t n_want)
{
    size_t n = 0;
    const struct control_point *own = lane_own(s, &n);
    assert_int_equal(n, n_want);
    assert_true(n == 0 || (own && want));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(own[i].tick, want[i].tick);
        assert_int_equal(own[i].value, want[i].value);
    }
}

#define ASSERT_OWN(s, ...)                                                             \
    assert_own(s, (struct control_point[]){__VA_ARGS__},                               \
               sizeof((struct control_point[]){__VA_ARGS__}) /                         \
                   sizeof(struct control_point))

static void e_enters_and_leaves(void **state)
{
    struct session *s = *state;
    session_resize(s, 80, 24);
    assert_int_equal(s->layout.lane.rows, 0);
    int rows = s->layout.roll.rows;
    send(s, "E");
    assert_int_equal(s->mode, MODE_LANE);
    assert_int_equal(s->layout.lane.rows, 5);
    assert_int_equal(s->layout.roll.rows, rows - 5);
    send(s, ":");
    assert_int_equal(s->layout.lane.rows, 5); /* behind a prompt, too */
    send(s, "\033");
    assert_int_equal(s->mode, MODE_LANE);
    send(s, "v\033");
    assert_int_equal(s->mode, MODE_LANE); /* first the span goes */
    send(s, "\033");
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_int_equal(s->layout.lane.rows, 0);
    send(s, "EE");
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void velocities_change_by_keys(void **state)
{
    struct session *s = *state;
    send(s, "Ek");
    assert_int_equal(note(s, 0)->velocity, 41);
    send(s, "5k-K");
    assert_int_equal(note(s, 0)->velocity, 61);
    send(s, "w");
    assert_int_equal(s->cursor_tick, 4 * STEP);
    send(s, "J90\r");
    assert_int_equal(note(s, 1)->velocity, 90);
    send(s, "w.");
    assert_int_equal(note(s, 2)->velocity, 90);
    send(s, "99J");
    assert_int_equal(note(s, 2)->velocity, 1);
    send(s, "bb");
    assert_int_equal(s->cursor_tick, 0);
    send(s, "lk"); /* no note begins there */
    assert_string_equal(s->message, "no note begins here");
    send(s, "x");
    assert_int_equal(n_notes(s), 8);
    send(s, "u");
    assert_int_equal(note(s, 2)->velocity, 90);
    send(s, "9u");
    assert_int_equal(note(s, 0)->velocity, 40);
    assert_false(project_modified(&s->project));
}

static void a_span_of_velocities(void **state)
{
    struct session *s = *state;
    send(s, "Ev2w10k");
    for (int i = 0; i < 8; i++)
        assert_int_equal(note(s, (size_t)i)->velocity, 40 + 10 * i + (i < 3 ? 10 : 0));
    send(s, "u");
    assert_int_equal(note(s, 1)->velocity, 50);
    send(s, "2w90k"); /* to the fifth; the last of them are as loud as can be */
    assert_int_equal(note(s, 0)->velocity, 127);
    send(s, "u0");
    s->cursor_tick = 16 * STEP;
    send(s, "r");
    for (int i = 0; i <= 4; i++)
        assert_int_equal(note(s, (size_t)i)->velocity, 40 + 10 * i);
    send(s, "\033v4b");
    send(s, ":value 64\r");
    for (int i = 0; i < 8; i++)
        assert_int_equal(note(s, (size_t)i)->velocity, i <= 4 ? 64 : 40 + 10 * i);
    send(s, "u");
    assert_false(project_modified(&s->project));
}

/* Of notes in that time the chosen ones, if any is. */
static void what_is_selected_is_meant(void **state)
{
    struct session *s = *state;
    score_add_note(
        s->project.score, 0,
        (struct note){.start = 0, .length = 60, .pitch = 72, .velocity = 80});
    s->project.version++;
    s->cursor_pitch = 72;
    send(s, "v\033"); /* nothing stays chosen */
    send(s, "vE");
    assert_int_equal(s->n_selected, 1);
    send(s, "\033k");
    assert_int_equal(note(s, 0)->velocity, 40);
    assert_int_equal(note(s, 1)->velocity, 81);
    send(s, "v4lK"); /* one that a click has chosen is not all that a span means */
    assert_int_equal(note(s, 0)->velocity, 56);
    assert_int_equal(note(s, 2)->velocity, 66);
}

static void a_controller_by_keys(void **state)
{
    struct session *s = *state;
    send(s, ":lane volume\rE");
    assert_own(s, NULL, 0);
    send(s, "k"); /* beside what holds: 100 */
    ASSERT_OWN(s, {0, 101});
    send(s, "4l50\r");
    ASSERT_OWN(s, {0, 101}, {4 * STEP, 50});
    send(s, "4l\r"); /* as it is */
    ASSERT_OWN(s, {0, 101}, {4 * STEP, 50}, {8 * STEP, 50});
    send(s, "J");
    ASSERT_OWN(s, {0, 101}, {4 * STEP, 50}, {8 * STEP, 34});
    send(s, "bx");
    ASSERT_OWN(s, {0, 101}, {8 * STEP, 34});
    send(s, "u0v8l2j");
    ASSERT_OWN(s, {0, 99}, {4 * STEP, 48}, {8 * STEP, 32});
    send(s, "x");
    assert_own(s, NULL, 0);
    send(s, "u\033");
    send(s, "w");
    assert_int_equal(s->cursor_tick, 8 * STEP);
    send(s, "9u");
    assert_own(s, NULL, 0);
    assert_false(project_modified(&s->project));
}

static void a_ramp_goes_by_the_grid(void **state)
{
    struct session *s = *state;
    send(s, ":lane 11\rE20\r4l100\r");
    s->cursor_tick = 0;
    send(s, "v4lr");
    ASSERT_OWN(s, {0, 20}, {STEP, 40}, {2 * STEP, 60}, {3 * STEP, 80}, {4 * STEP, 100});
    send(s, "u");
    ASSERT_OWN(s, {0, 20}, {4 * STEP, 100});
}

static void pedals_come_in_pairs(void **state)
{
    struct session *s = *state;
    send(s, ":lane pedal\rE\r");
    ASSERT_OWN(s, {0, 127}, {BAR, 0});
    send(s, "8l\r"); /* lifted here instead */
    ASSERT_OWN(s, {0, 127}, {8 * STEP, 0});
    send(s, "2l3\r");
    ASSERT_OWN(s, {0, 127}, {8 * STEP, 0}, {10 * STEP, 127}, {13 * STEP, 0});
    send(s, "h\r"); /* up before it is pressed again */
    ASSERT_OWN(s, {0, 127}, {8 * STEP, 0}, {9 * STEP, 127}, {10 * STEP, 127},
               {13 * STEP, 0});
    send(s, "ub");
    assert_int_equal(s->cursor_tick, 8 * STEP);
    s->cursor_tick = 10 * STEP;
    send(s, "\r"); /* where it is pressed: not pressed */
    ASSERT_OWN(s, {0, 127}, {8 * STEP, 0});
    send(s, "0x");
    ASSERT_OWN(s, {8 * STEP, 0});
}

static void lanes_are_stepped_through(void **state)
{
    struct session *s = *state;
    assert_int_equal(s->parts.lane->shown.kind, CONTROL_VELOCITY);
    send(s, "gE");
    assert_int_equal(s->parts.lane->shown.number, CC_PEDAL);
    send(s, "gE");
    assert_int_equal(s->parts.lane->shown.kind, CONTROL_BEND);
    send(s, "gE");
    assert_int_equal(s->parts.lane->shown.kind,
                     CONTROL_PROGRAM); /* a new track has one */
    send(s, "Ek");
    assert_false(project_modified(&s->project)); /* which is only shown */
    send(s, "gEgege");
    assert_int_equal(s->parts.lane->shown.kind, CONTROL_BEND);
    send(s, ":lane 22\r");
    send(s, "5\rgE");
    send(s, ":lane bend\rge");
    assert_int_equal(s->parts.lane->shown.number, 22);
    send(s, ":lane nothing\r");
    assert_true(s->message_is_error);
}

static void bends_by_line_and_key(void **state)
{
    struct session *s = *state;
    send(s, ":lane bend\rE:value -300\r");
    ASSERT_OWN(s, {0, BEND_CENTRE - 300});
    send(s, "k");
    ASSERT_OWN(s, {0, BEND_CENTRE - 172});
    send(s, ":value 8192\r");
    assert_true(s->message_is_error);
    send(s, ":value 8191\rK");
    ASSERT_OWN(s, {0, 16383});
}

/* -- by the mouse -- */

static int lane_row(const struct session *s, int from_top)
{
    return s->layout.lane.row + from_top;
}

static void a_stroke_is_one_step(void **state)
{
    struct session *s = *state;
    send(s, "E");
    int last = s->layout.lane.rows - 1;
    size_t states = history_n_states(s->project.history);
    report(s, 0, column_of(s, 0), lane_row(s, last), 'M');
    report(s, MOTION, column_of(s, 8 * STEP), lane_row(s, last / 2), 'M');
    report(s, MOTION, column_of(s, 16 * STEP), lane_row(s, 0), 'M');
    struct view v;
    session_view(s, &v, 0);
    assert_non_null(v.lane.stroke);
    assert_int_equal(note(s, 0)->velocity, 40);
    report(s, 0, column_of(s, 16 * STEP), lane_row(s, 0), 'm');
    assert_int_equal(history_n_states(s->project.history), states + 1);
    for (size_t i = 1; i < 5; i++) /* the columns between, too */
        assert_true(note(s, i)->velocity > note(s, i - 1)->velocity);
    assert_in_range(note(s, 2)->velocity, 58, 70);
    assert_int_equal(note(s, 5)->velocity, 90);
    send(s, "u");
    assert_false(project_modified(&s->project));
    report(s, 0, column_of(s, 0), lane_row(s, 0), 'M');
    report(s, MOTION, column_of(s, 16 * STEP), lane_row(s, 0), 'M');
    send(s, "\033");
    report(s, 0, column_of(s, 16 * STEP), lane_row(s, 0), 'm');
    assert_false(project_modified(&s->project));
    assert_int_equal(s->mode, MODE_LANE);
}

/* Past the lane's edges are the least and the most. */
static void a_curve_is_drawn(void **state)
{
    struct session *s = *state;
    send(s, ":lane pan\rE");
    size_t states = history_n_states(s->project.history);
    int column = column_of(s, 0);
    report(s, 0, column, lane_row(s, 0), 'M');
    report(s, MOTION, column, lane_row(s, s->layout.lane.rows + 2), 'M');
    report(s, MOTION, column + 10, s->layout.lane.row - 1, 'M');
    report(s, 0, column + 10, s->layout.lane.row - 1, 'm');
    assert_int_equal(history_n_states(s->project.history), states + 1);
    size_t n;
    const struct control_point *own = lane_own(s, &n);
    assert_int_equal(n, 11);
    assert_int_equal(own[0].value, 0);
    assert_int_equal(own[10].value, 127);
    assert_int_equal(own[10].tick, 10 * s->port.ticks_per_column);
    for (size_t i = 1; i < n; i++)
        assert_true(own[i].value > own[i - 1].value);
    report(s, 0, column + 3, lane_row(s, 3), 'M'); /* a level: told once */
    report(s, MOTION, column + 7, lane_row(s, 3), 'M');
    report(s, 0, column + 7, lane_row(s, 3), 'm');
    lane_own(s, &n);
    assert_int_equal(n, 11 - 4);
    send(s, ":lane 64\r");
    report(s, 0, column, lane_row(s, 1), 'M');
    report(s, 0, column, lane_row(s, 1), 'm');
    ASSERT_OWN(s, {0, 127});
}

/* -- everything at once -- */

static uint32_t noise(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static void random_keys_undo_to_the_same_bytes(void **state)
{
    struct session *s = *state;
    static const char *const KEYS[] = {
        "h",  "l",  "w",  "b",  "k", "j",    "K", "J",   "\r",   "x", "v", "r",
        "gE", "ge", "3l", "9k", "u", "\022", ".", "4\r", "40\r", "H", "L", "0"};
    uint8_t *before = NULL, *after = NULL;
    size_t n_before = 0, n_after = 0;
    uint32_t seed = 3;
    assert_int_equal(smf_write(s->project.score, &before, &n_before), MIDI_OK);
    for (int i = 0; i < 3000; i++) {
        if (s->mode != MODE_LANE)
            send(s, "E");
        send(s, KEYS[noise(&seed) % (sizeof KEYS / sizeof KEYS[0])]);
    }
    assert_true(history_n_states(s->project.history) > 300);
    assert_int_equal(history_go(s->project.history, s->project.score, 0), MIDI_OK);
    assert_int_equal(smf_write(s->project.score, &after, &n_after), MIDI_OK);
    assert_int_equal(n_after, n_before);
    assert_memory_equal(after, before, n_before);
    free(before);
    free(after);
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_piece, close_session)
    const struct CMUnitTest tests[] = {
        CASE(e_enters_and_leaves),   CASE(velocities_change_by_keys),
        CASE(a_span_of_velocities),  CASE(what_is_selected_is_meant),
        CASE(a_controller_by_keys),  CASE(a_ramp_goes_by_the_grid),
        CASE(pedals_come_in_pairs),  CASE(lanes_are_stepped_through),
        CASE(bends_by_line_and_key), CASE(a_stroke_is_one_step),
        CASE(a_curve_is_drawn),      CASE(random_keys_undo_to_the_same_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
