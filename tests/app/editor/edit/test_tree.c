/* The undo tree by keys and lines: the list, its drawing, going about in it. */
#include "tests/check.h"
#include "tests/app/editor/edit/pointer.h"

/* 1 2 3 in a row, 4 5 below 1, 6 below 0; each a note. */
static int grown(void **state)
{
    if (empty_session(state))
        return -1;
    struct session *s = *state;
    play(s, "\rl\rl\r2ul\rl\r3ul\r", "states 7", NULL);
    assert_int_equal(history_at(s->project.history, 4)->parent, 1);
    assert_int_equal(history_at(s->project.history, 6)->parent, 0);
    assert_int_equal(history_state(s->project.history), 6);
    return 0;
}

SCRIPT(counts_undo_many, empty_session) = {
    {"\rl\rl\rl\r3u", "state 1"},
    {"99u", "state 0"},
    {"‹C-r›‹C-r›", "n 2"},
    {"2‹C-r›", "state 4"},
    {"99u:undo 2\r", "n 2; state 2"},
    {":undo 9\r", "state 2", "!"},
    {":undo\r", "state 1"},
};

SCRIPT(to_look_is_to_go, grown) = {
    {"U", "mode HISTORY"},
    {"j", "state 5; n 3"},
    {"2jk", "state 4"},
    {"G", "n 0"},
    {"99k", "state 6"},
    {"99jgg", "state 6"},
    {"3j\033", "mode NORMAL; state 3"}, /* Escape stays, */
    {"Ujjq", "mode NORMAL; state 3"},   /* q goes back */
    {"Uu", "state 2"},                  /* undo goes along the branch */
    {":undo 5\r", "mode HISTORY"},
    {"u", "state 4"},
    {"u\r", "state 1; mode NORMAL"},
};

static const struct history_row *row(struct session *s, uint64_t state)
{
    const struct view *v = view_of(s);
    assert_int_equal(v->history.n, 7);
    assert_int_equal(v->history.rows[6 - state].state, state);
    return &v->history.rows[6 - state];
}

TEST_WITH(branches_are_drawn_and_marked, grown)
{
    assert_int_equal(view_of(s)->history.n, 0);
    keys(s, ":undo 4\rU");
    assert_true(row(s, 4)->is_present);
    assert_true(row(s, 0)->is_saved);
    assert_false(row(s, 1)->is_present);
    assert_int_equal(view_of(s)->history.chosen, 2);
    for (uint64_t i = 0; i < 7; i++) /* 0 1 4 5 are its branch */
        assert_int_equal(row(s, i)->is_on_way, i == 0 || i == 1 || i == 4 || i == 5);
    static const int LANES[] = {0, 1, 1, 2, 1, 1, 0}; /* 6 begins at 0 */
    for (uint64_t i = 0; i < 7; i++)
        assert_true(i == 2 || row(s, i)->lane == LANES[i]);
    assert_int_equal(row(s, 3)->passing, 1 << 0 | 1 << 1);
    assert_int_equal(row(s, 1)->joining, 1 << 2);
    assert_int_equal(row(s, 0)->joining, 1 << 1);
    assert_string_equal(row(s, 0)->label, "nothing yet");
    assert_string_equal(row(s, 5)->label, "add a note");
}

SCRIPT(the_mouse_chooses_a_state, grown) = {
    {"U‹item 2›", "state 4; mode HISTORY"},
    {"‹beside›", "state 4; mode NORMAL"},
};

SCRIPT(times_are_gone_to, grown) = {
    {":earlier 2\r", "state 4"},         {":later\r", "state 5"},
    {":earlier 1h\r", "state 0"},        {":later 1m\r", "state 6"},
    {":earlier soon\r", "state 6", "!"}, {":revert\r", "state 0"},
};
