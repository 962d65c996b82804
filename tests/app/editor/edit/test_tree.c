/* The undo tree by keys and lines: the list, its drawing, going about in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"
#include "tui/panels/history_list.h"
#include "tui/keys/keys.h"

/* As they are typed; '\n' is Enter, '\033' Escape. */
static void type(struct session *s, const char *text)
{
    struct keymap_state map = {0};
    struct command c;
    for (; *text; text++) {
        uint32_t code = *text == '\n'     ? K_ENTER
                        : *text == '\033' ? K_ESCAPE
                                          : (uint32_t)*text;
        if (keys_feed(&map, s->mode, &(struct key){.code = code}, &c))
            act_run(s, &c);
    }
}

static uint64_t at(const struct session *s)
{
    return history_state(s->project.history);
}

static size_t n_notes(const struct session *s)
{
    return score_n_notes(s->project.score);
}

/* 1 2 3 in a row, 4 5 below 1, 6 below 0; each a note. */
static void grow(struct session *s)
{
    type(s, "\nl\nl\n2ul\nl\n3ul\n");
    assert_int_equal(history_n_states(s->project.history), 7);
    assert_int_equal(history_parent(s->project.history, 4), 1);
    assert_int_equal(history_parent(s->project.history, 6), 0);
    assert_int_equal(at(s), 6);
}

static const struct history_row *row(struct session *s, struct view *v, uint64_t state)
{
    session_view(s, v, 0);
    assert_int_equal(v->history.n, 7);
    assert_int_equal(v->history.rows[6 - state].state, state);
    return &v->history.rows[6 - state];
}

static void counts_undo_many(void **state)
{
    struct session *s = *state;
    type(s, "\nl\nl\nl\n");
    type(s, "3u");
    assert_int_equal(at(s), 1);
    type(s, "99u");
    assert_int_equal(at(s), 0);
    do {
        type(s, "\x12");
    } while (n_notes(s) < 2);
    type(s, "2\x12");
    assert_int_equal(at(s), 4);
    type(s, "99u:undo 2\n");
    assert_int_equal(n_notes(s), 2);
    type(s, ":undo 9\n");
    assert_true(s->message_is_error);
    assert_int_equal(at(s), 2);
    type(s, ":undo\n");
    assert_int_equal(at(s), 1);
}

static void to_look_is_to_go(void **state)
{
    struct session *s = *state;
    grow(s);
    type(s, "U");
    assert_int_equal(s->mode, MODE_HISTORY);
    type(s, "j");
    assert_int_equal(at(s), 5);
    assert_int_equal(n_notes(s), 3);
    type(s, "2jk");
    assert_int_equal(at(s), 4);
    type(s, "G");
    assert_int_equal(n_notes(s), 0);
    type(s, "99k");
    assert_int_equal(at(s), 6);
    type(s, "99jgg");
    assert_int_equal(at(s), 6);
    type(s, "3j\033");
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_int_equal(at(s), 3); /* Escape stays, */
    type(s, "Ujjq");
    assert_int_equal(s->mode, MODE_NORMAL);
    assert_int_equal(at(s), 3); /* q goes back */
    type(s, "Uu");
    assert_int_equal(at(s), 2); /* undo goes along the branch */
    type(s, ":undo 5\n");
    assert_int_equal(s->mode, MODE_HISTORY);
    type(s, "u");
    assert_int_equal(at(s), 4);
    type(s, "u\n");
    assert_int_equal(at(s), 1);
    assert_int_equal(s->mode, MODE_NORMAL);
}

static void branches_are_drawn_and_marked(void **state)
{
    struct session *s = *state;
    struct view v;
    grow(s);
    session_view(s, &v, 0);
    assert_int_equal(v.history.n, 0);
    type(s, ":undo 4\nU");
    assert_true(row(s, &v, 4)->is_present);
    assert_true(row(s, &v, 0)->is_saved);
    assert_false(row(s, &v, 1)->is_present);
    assert_int_equal(v.history.chosen, 2);
    for (uint64_t i = 0; i < 7; i++) /* 0 1 4 5 are its branch */
        assert_int_equal(row(s, &v, i)->is_on_way,
                         i == 0 || i == 1 || i == 4 || i == 5);
    assert_int_equal(row(s, &v, 6)->lane, 0); /* begins at 0 */
    assert_int_equal(row(s, &v, 5)->lane, 1);
    assert_int_equal(row(s, &v, 4)->lane, 1);
    assert_int_equal(row(s, &v, 3)->lane, 2);
    assert_int_equal(row(s, &v, 3)->passing, 1 << 0 | 1 << 1);
    assert_int_equal(row(s, &v, 1)->lane, 1);
    assert_int_equal(row(s, &v, 1)->joining, 1 << 2);
    assert_int_equal(row(s, &v, 0)->lane, 0);
    assert_int_equal(row(s, &v, 0)->joining, 1 << 1);
    assert_string_equal(row(s, &v, 0)->label, "nothing yet");
    assert_string_equal(row(s, &v, 5)->label, "add a note");
}

static void the_mouse_chooses_a_state(void **state)
{
    struct session *s = *state;
    grow(s);
    type(s, "U");
    struct region r = history_list_box(&s->layout, 7, 0).items;
    act_run(s, &(struct command){
                   .id = CMD_HISTORY_POINT, .column = r.column + 5, .row = r.row + 2});
    assert_int_equal(at(s), 4);
    act_run(s, &(struct command){.id = CMD_HISTORY_POINT, .column = 1, .row = 5});
    assert_int_equal(at(s), 4);
}

static void times_are_gone_to(void **state)
{
    struct session *s = *state;
    grow(s);
    type(s, ":earlier 2\n");
    assert_int_equal(at(s), 4);
    type(s, ":later\n");
    assert_int_equal(at(s), 5);
    type(s, ":earlier 1h\n");
    assert_int_equal(at(s), 0);
    type(s, ":later 1m\n");
    assert_int_equal(at(s), 6);
    type(s, ":earlier soon\n");
    assert_true(s->message_is_error);
    assert_int_equal(at(s), 6);
    type(s, ":revert\n");
    assert_int_equal(at(s), 0);
}

/* Far more than there is room for, in small and large screens. */
static void long_histories_scroll(void **state)
{
    struct session *s = *state;
    for (int i = 0; i < 150; i++)
        type(s, i % 7 == 6 ? "3ul\n" : "l\n");
    type(s, "U");
    for (int columns = 40; columns <= 200; columns += 40)
        for (int rows = 10; rows <= 50; rows += 8) {
            session_resize(s, columns, rows);
            size_t n = history_n_states(s->project.history);
            for (int chosen = 0; chosen < (int)n; chosen++) {
                struct list_box b = history_list_box(&s->layout, n, (size_t)chosen);
                int row = b.items.row + chosen - b.first;
                if (!b.frame.rows)
                    break;
                assert_in_range(chosen, b.first, b.first + b.n_shown - 1);
                assert_int_equal(list_box_at(&b, b.items.column, row), chosen);
            }
        }
}

int main(void)
{
#define IN_SESSION(f) cmocka_unit_test_setup_teardown(f, keyed_set_up, keyed_close)
    const struct CMUnitTest tests[] = {
        IN_SESSION(counts_undo_many),
        IN_SESSION(to_look_is_to_go),
        IN_SESSION(branches_are_drawn_and_marked),
        IN_SESSION(the_mouse_chooses_a_state),
        IN_SESSION(times_are_gone_to),
        IN_SESSION(long_histories_scroll),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
