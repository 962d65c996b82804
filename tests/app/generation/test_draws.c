/* Takes drawn widely in the workstation: what is seen first makes way for the best, once,
 * but for what was touched. The critic is the one that comes with the program. */
#include "app/editor/takes/takes.h"
#include "tests/check.h"
#include "app/generation/draws.h"
#include "tests/app/quarters.h"

enum { TAKES = 3, DRAWS = 11 };

static int open_session(void **state)
{
    if (open_quarters(state, TAKES))
        return -1;
    act_command_line(*state, "draws 11");
    return 0;
}

static void ask(struct session *s, uint64_t seed)
{
    s->steering.seed = seed;
    run(s, CMD_CONTINUE);
}

/* The place of a seed among the draws; -1: it is none of them. */
static int draw_of(uint64_t first, uint64_t seed)
{
    for (int i = 0; i < DRAWS; i++)
        if (draws_seed(first, TAKES, i) == seed)
            return i;
    return -1;
}

TEST_WITH(the_best_are_shown_in_order, open_session)
{
    ask(s, 42);
    wait_for_end(s);
    assert_int_equal(s->takes.n, TAKES);
    assert_true(s->steering.seed == 42 + TAKES);
    bool any_later = false;
    for (int i = 0; i < TAKES; i++) {
        const struct proposal *t = &s->takes.list[i];
        assert_true(t->stats.verdict.is_judged);
        assert_true(t->n_waiting > 0);
        assert_int_equal(t->rank, i + 1);
        assert_int_equal(t->letter, 'A' + i);
        assert_int_equal(t->slot, -1);
        assert_true(draw_of(42, t->options.sampling.seed) >= 0);
        any_later |= draw_of(42, t->options.sampling.seed) >= TAKES;
    }
    assert_true(any_later); /* with these dice */
    assert_true(view_of(s)->takes.n == TAKES && *view_of(s)->takes.rows[0].why);
}

/* A take that was chosen is the one that its seed gives alone. */
TEST_WITH(its_seed_makes_it_again, open_session)
{
    uint64_t seeds[3][TAKES] = {0};
    size_t n[3];
    int pitch[3];
    for (int i = 0; i < 3;
         i++) { /* the same takes, in the same order; then one alone */
        if (i == 2)
            keys(s, ":draws 1\r:takes 1\r");
        ask(s, i < 2 ? 90 : seeds[0][0]);
        wait_for_end(s);
        for (int k = 0; k < s->takes.n; k++)
            seeds[i][k] = s->takes.list[k].options.sampling.seed;
        n[i] = n_ghosts(s);
        pitch[i] = ghosts(s)[n[i] - 1].note.pitch;
        assert_true(n[i] == n[0] && pitch[i] == pitch[0]);
        assert_int_equal(s->takes.list[0].stats.verdict.is_judged, i < 2);
        session_drop_take(s);
    }
    assert_memory_equal(seeds[0], seeds[1], sizeof seeds[0]);
}

/* How far it is never goes back, and is told beyond the takes that are seen. */
TEST_WITH(all_that_is_drawn_is_told, open_session)
{
    struct generator_progress p = {.running = true};
    double drawn = 0;
    ask(s, 40);
    for (int i = 0; i < MOST_NAPS && p.running; i++, nap()) {
        generator_progress(s->generator, &p);
        assert_true(p.drawn >= drawn);
        drawn = p.drawn;
    }
    assert_true(p.drawn == DRAWS && p.n_draws == DRAWS && p.n_takes == TAKES);
    wait_for_end(s);
}

TEST_WITH(what_was_liked_stays, open_session)
{
    ask(s, 55);
    WAIT_FOR(s, s->takes.list[1].n_waiting > 0);
    s->takes.list[1].liking = 1;
    wait_for_end(s);
    assert_int_equal(s->takes.n, TAKES);
    assert_true(s->takes.list[1].options.sampling.seed == 56);
    assert_true(s->takes.list[1].stats.verdict.is_judged);
    for (int i = 0; i < TAKES; i++)
        for (int k = 0; k < i; k++)
            assert_true(s->takes.list[i].options.sampling.seed !=
                        s->takes.list[k].options.sampling.seed);
}

/* One that was rejected meanwhile does not come back. */
TEST_WITH(what_was_rejected_is_gone, open_session)
{
    ask(s, 56);
    WAIT_FOR(s, s->takes.list[0].n_waiting > 0);
    run(s, CMD_REJECT);
    wait_for_end(s);
    assert_int_equal(s->takes.n, TAKES - 1);
    assert_int_equal(proposals_find(&s->takes, 'A'), -1);
}

/* Stopped before all were drawn: what was seen stands, and nothing is judged. */
TEST_WITH(what_is_stopped_stands, open_session)
{
    act_command_line(s, "draws 99");
    ask(s, 60);
    WAIT_FOR(s, s->takes.list[0].n_waiting > 0);
    run(s, CMD_STOP);
    assert_true(s->takes.n > 0);
    for (int i = 0; i < s->takes.n; i++)
        assert_true(s->takes.list[i].options.sampling.seed < 60 + TAKES);
    ask(s, 61); /* says that takes wait */
    assert_true(s->has_take);
}

GROUP(make_model, remove_own_folder)
