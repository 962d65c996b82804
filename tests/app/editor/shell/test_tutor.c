/* The tutor from its first step to its last, by keys alone, with a real decoder of random
 * weights: each step waits for what it asks for, and goes on when it has happened. */
#include "tests/check.h"
#include "app/editor/shell/shell.h"
#include "tests/app/script.h"

/* Counted from 1; 0: it is off. */
static int step_of(struct session *s)
{
    session_tick(s);
    return s->parts.tutor->is_on ? s->parts.tutor->step + 1 : 0;
}

NUMBER_FACT(step, step_of(s))
NUMBER_FACT(last, step_of(s) && tutor_at_end(s))

/* Random weights may write nothing at once; C asks again. */
WORD(ask)
{
    for (int tries = 0; tries < 20 && n_ghosts(s) == 0; tries++) {
        keys(s, "2C");
        wait_for_end(s);
    }
    assert_true(n_ghosts(s) > 0);
}

SCRIPT(from_an_empty_roll_to_a_continuation, model_session) = {
    {":tutor\r", "step 1"},
    {"ll", "step 1"}, /* both ways are to be tried */
    {"k", "step 2"},
    {"4\r", "step 3"},
    {"lllli4\rk\r", "step 3"},
    {"j\r\033", "step 4"},
    {"0 ", "step 5"},
    {" ", "step 6"},
    {"ggvLjjkkkk", "selected 2..9; step 7"},
    {"}", "step 8"},
    {"u", "step 9"},
    {"\033‹ask›", "step 10"},
    {" ", "step 11; n 4"},
    {" a", "n 5..999; last"},
    {"\033\033\033", "step 0"},
};

SCRIPT(it_can_be_left_and_skipped, model_session) = {
    {":tutor\r", "step 1"},
    {"\033", "step 1"}, /* not at the end: Escape means what it means */
    {":tutor next\r", "step 2"},
    {":tutor\r", "step 0"},
};

/* The playhead is where the notes are. */
DOES(hear, WAIT_FOR(s, player_tick(s->player) >= 2040 && player_tick(s->player) < 3000))

/* Space is pressed far behind what was drawn. */
SCRIPT(space_plays_what_was_drawn, model_session) = {
    {"20l4\r:tutor\r0jl", "step 2; at 2040"},
    {"4\r", "step 3"},
    {"lllli4\rk\rj\r\033", "step 4"},
    {"30l", "at 5000..9999"},
    {" ", "step 5; at 2040"},
    {"‹hear› ", "step 6"},
};

/* Space is pressed in the midst of it. */
SCRIPT(space_plays_from_the_cursor, model_session) = {
    {":tutor\rllk", "step 2"},        {"4\r", "step 3"},
    {"lllli4\rk\rj\r\033", "step 4"}, {"0ww", "at 720"},
    {" ", "step 5; at 720"},
};

/* What is there already is not asked for again, nor taken for what was done. */
SCRIPT(music_is_no_obstacle, model_session) = {
    {"4\rllllk4\r:tutor\rlk", "step 2"},
    {"\r", "step 3"},
};

/* At 80 columns nothing of it is cut. */
TEST_WITH(every_line_fits, model_session)
{
    tutor_start(s);
    for (bool is_last = false; !is_last; tutor_skip(s)) {
        const struct view *v = view_of(s);
        assert_true(v->banner.n >= 1 && v->banner.n <= BANNER_MAX_LINES);
        for (int i = 0; i < v->banner.n; i++)
            if (text_columns(v->banner.lines[i]) > 70)
                fail_msg("too long: %s", v->banner.lines[i]);
        is_last = tutor_at_end(s);
        assert_true(s->parts.tutor->is_on);
    }
    assert_false(s->parts.tutor->is_on);
}

GROUP(make_model, remove_own_folder)
