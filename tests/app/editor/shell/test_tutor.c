/* The tutor from its first step to its last, by keys alone, with a real decoder of random
 * weights: each step waits for what it asks for, and goes on when it has happened. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/headless.h"

#include "tests/app/by_keys.h"
#include "app/editor/shell/tutor.h"
#include "tui/base/text.h"

static int open_session(void **state)
{
    *state = headless_open();
    return *state ? 0 : -1;
}

static void assert_step(struct session *s, int step)
{
    session_tick(s);
    if (s->parts.tutor->step != step - 1)
        fail_msg("step %d, not %d: %s", s->parts.tutor->step + 1, step, s->message);
    assert_true(s->parts.tutor->is_on);
}

static void type_line(struct session *s, const char *line)
{
    write_text(s, line);
    press(s, "Enter");
}

/* Random weights may write nothing at once; C asks again. */
static void ask_until_ghosts(struct session *s)
{
    for (int tries = 0; tries < 20 && n_ghosts(s) == 0; tries++) {
        press(s, "2 C");
        wait_for_end(s);
    }
    assert_true(n_ghosts(s) > 0);
}

static void from_an_empty_roll_to_a_continuation(void **state)
{
    struct session *s = *state;
    type_line(s, ":tutor");
    assert_step(s, 1);
    press(s, "l l");
    assert_step(s, 1); /* both ways are to be tried */
    press(s, "k");
    assert_step(s, 2);
    press(s, "4 Enter");
    assert_step(s, 3);
    press(s, "l l l l i 4 Enter k Enter");
    assert_step(s, 3);
    press(s, "j Enter Esc");
    assert_step(s, 4);
    press(s, "0 Space");
    assert_step(s, 5);
    press(s, "Space");
    assert_step(s, 6);
    press(s, "g g v L j j k k k k");
    assert_true(s->n_selected >= 2);
    assert_step(s, 7);
    press(s, "}");
    assert_step(s, 8);
    press(s, "u");
    assert_step(s, 9);
    press(s, "Esc");
    ask_until_ghosts(s);
    assert_step(s, 10);
    press(s, "Space");
    assert_step(s, 11);
    size_t before = score_n_notes(s->project.score);
    press(s, "Space a");
    assert_true(score_n_notes(s->project.score) > before);
    assert_step(s, tutor_n_steps());
    press(s, "Esc Esc Esc");
    assert_false(s->parts.tutor->is_on);
}

static void it_can_be_left_and_skipped(void **state)
{
    struct session *s = *state;
    type_line(s, ":tutor");
    assert_step(s, 1);
    press(s, "Esc"); /* not at the end: Escape means what it means */
    assert_step(s, 1);
    type_line(s, ":tutor next");
    assert_step(s, 2);
    type_line(s, ":tutor");
    assert_false(s->parts.tutor->is_on);
    type_line(s, ":tutor");
    for (int i = 1; i < tutor_n_steps(); i++)
        tutor_skip(s);
    assert_true(tutor_at_end(s));
    tutor_skip(s);
    assert_false(s->parts.tutor->is_on);
}

/* What is there already is not asked for again, nor taken for what was done. */
static void music_is_no_obstacle(void **state)
{
    struct session *s = *state;
    press(s, "4 Enter l l l l k 4 Enter");
    type_line(s, ":tutor");
    press(s, "l k");
    assert_step(s, 2);
    press(s, "Enter");
    assert_step(s, 3);
}

/* At 80 columns nothing of it is cut. */
static void every_line_fits(void **state)
{
    struct session *s = *state;
    tutor_start(s);
    for (int step = 0; step < tutor_n_steps(); step++) {
        struct view v;
        session_view(s, &v, 0);
        assert_true(v.banner.n >= 1 && v.banner.n <= BANNER_MAX_LINES);
        for (int i = 0; i < v.banner.n; i++)
            if (text_columns(v.banner.lines[i]) > 70)
                fail_msg("too long: %s", v.banner.lines[i]);
        if (step < tutor_n_steps() - 1)
            tutor_skip(s);
    }
}

int main(void)
{
#define CASE(f) cmocka_unit_test_setup_teardown(f, open_session, close_session)
    const struct CMUnitTest tests[] = {
        CASE(from_an_empty_roll_to_a_continuation),
        CASE(it_can_be_left_and_skipped),
        CASE(music_is_no_obstacle),
        CASE(every_line_fits),
    };
    return cmocka_run_group_tests(tests, make_model, remove_model);
}
