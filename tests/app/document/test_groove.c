/* Quantising and its way back, on random notes, grids and meters. */
#include "tests/check.h"
#include "app/document/groove.h"
#include "midi/score/notes.h"
#include "tests/midi/random_piece.h"

enum { QUARTER = 480, N_RANDOM = 20000 };

/* Bars of 4/4, from the third on of 3/8, and from 6000 on, which cuts one, of 5/4. */
static int open_timeline(void **state)
{
    static struct timeline t;
    const struct meter meters[] = {{.tick = 0, .numerator = 4, .denominator = 4},
                                   {.tick = 3840, .numerator = 3, .denominator = 8},
                                   {.tick = 6000, .numerator = 5, .denominator = 4}};
    *state = &t;
    return timeline_init(&t, QUARTER, NULL, 0, meters, 3);
}

static int close_timeline(void **state)
{
    timeline_fini(*state);
    return 0;
}

static struct groove_grid grid_of(void **state, int64_t step)
{
    return (struct groove_grid){*state, {step, 1}};
}

static struct note note_at(int64_t start, int64_t length)
{
    return (struct note){.id = 1, .start = start, .length = length, .velocity = 64};
}

static void assert_same(const struct note *a, const struct note *b)
{
    assert_int_equal(a->start, b->start);
    assert_int_equal(a->length, b->length);
    assert_int_equal(a->raw_start, b->raw_start);
    assert_int_equal(a->raw_length, b->raw_length);
}

static struct note random_played(uint64_t *r)
{
    return note_at(random_below(r, 12000), 1 + random_below(r, 2000));
}

static struct groove random_groove(uint64_t *r)
{
    return (struct groove){.strength = random_below(r, 101),
                           .starts = random_below(r, 4) > 0,
                           .ends = (enum groove_ends)random_below(r, 3),
                           .swing = 50 + random_below(r, 26),
                           .within = random_below(r, 2) ? random_below(r, 101) : 0};
}

static const int STEPS[] = {1, 7, 60, 80, 120, 160, 240, 360, 480, 720, 1920};

static int64_t random_step(uint64_t *r)
{
    return STEPS[random_below(r, (int)(sizeof STEPS / sizeof *STEPS))];
}

static bool is_line(const struct groove_grid *grid, int swing, int64_t tick)
{
    return groove_line(grid, swing, tick) == tick;
}

/* Of the bars; and, as the MPC's manual tells it, of sixteenths the second at 60 % of an eighth. */
TEST(lines_are_the_bars_own_and_swing)
{
    static const int CASES[][4] = {
        /* step, swing, tick, the nearest line */
        {480, 50, 0, 0},       {480, 50, 239, 0},     {480, 50, 240, 480},
        {480, 50, 4500, 4560}, {480, 50, 5950, 6000}, /* 3/8 lasts 720 */
        {120, 60, 120, 144},   {120, 60, 240, 240},   {120, 75, 350, 420},
        {120, 75, 200, 180},   {120, 50, 120, 120},   {160, 66, 160, 160}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct groove_grid grid = grid_of(state, CASES[i][0]);
        assert_int_equal(groove_line(&grid, CASES[i][1], CASES[i][2]), CASES[i][3]);
    }
}

/* However often, and however else in between. */
static void change_and_restore(void **state, uint64_t *r, struct note n)
{
    const struct note was = n;
    for (int k = 0; k < 4; k++) {
        struct groove_grid grid = grid_of(state, random_step(r));
        const struct groove g = random_groove(r);
        groove_quantise(&g, &grid, &n);
        assert_true(n.start >= 0 && n.length > 0);
    }
    played_restore(&n);
    assert_same(&n, &was);
    assert_false(played_restore(&n));
}

/* The nearest line is; all the way is on the grid, none is as it was played, twice is once,
 * what was first stays first, and what was played comes back. */
TEST(whatever_is_quantised)
{
    uint64_t r = 1;
    for (int i = 0; i < N_RANDOM; i++) {
        struct groove_grid grid = grid_of(state, random_step(&r));
        struct groove g = random_groove(&r);
        struct note n = random_played(&r), other = random_played(&r);
        const struct note was = n;
        const bool is_first = n.start <= other.start;
        const int64_t line = groove_line(&grid, g.swing, n.start),
                      after = groove_line_after(&grid, g.swing, n.start);
        assert_true(after > was.start && llabs(line - n.start) <= after - n.start);
        assert_true(is_line(&grid, g.swing, line) && is_line(&grid, g.swing, after));
        change_and_restore(state, &r, n);
        const struct groove none = {0, g.starts, g.ends, g.swing, g.within},
                            all = {100, true, GROOVE_ENDS_LINES, g.swing, 0};
        groove_quantise(&none, &grid, &n);
        assert_same(&n, &was);
        g.starts = true; /* else an end is one of where the start is now */
        groove_quantise(&g, &grid, &n);
        groove_quantise(&g, &grid, &other);
        assert_true(is_first ? n.start <= other.start : other.start <= n.start);
        const struct note once = n;
        groove_quantise(&g, &grid, &n);
        assert_int_equal(n.start, once.start);
        assert_true(g.ends == GROOVE_ENDS_FOLLOW || n.length == once.length);
        groove_quantise(&all, &grid, &n);
        assert_true(is_line(&grid, g.swing, n.start) && n.length > 0);
        assert_true(is_line(&grid, g.swing, n.start + n.length));
    }
}

GROUP(open_timeline, close_timeline)
