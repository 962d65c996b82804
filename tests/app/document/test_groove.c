/* Quantising and its way back, on random notes, grids and meters. */
#include "tests/check.h"
#include "app/document/groove.h"
#include "midi/score/notes.h"
#include "tests/midi/random_piece.h"

#include <string.h>

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

TEST(lines_are_the_bars_own)
{
    struct groove_grid grid = grid_of(state, 480);
    assert_int_equal(groove_line(&grid, 50, 0), 0);
    assert_int_equal(groove_line(&grid, 50, 239), 0);
    assert_int_equal(groove_line(&grid, 50, 240), 480);
    assert_int_equal(groove_line(&grid, 50, 4500), 4560); /* 3/8 lasts 720 */
    assert_int_equal(groove_line(&grid, 50, 5950), 6000);
    assert_int_equal(groove_line_after(&grid, 50, 5950), 6000);
    assert_int_equal(groove_line_after(&grid, 50, 6000), 6480);
}

/* As the MPC's manual tells it: of sixteenths, the second at 60 % of an eighth. */
TEST(swing_makes_every_second_line_late)
{
    struct groove_grid sixteenths = grid_of(state, 120), triplets = grid_of(state, 160);
    assert_int_equal(groove_line(&sixteenths, 60, 120), 144);
    assert_int_equal(groove_line(&sixteenths, 60, 240), 240);
    assert_int_equal(groove_line(&sixteenths, 75, 350), 420);
    assert_int_equal(groove_line(&sixteenths, 75, 200), 180);
    assert_int_equal(groove_line(&sixteenths, 50, 120), 120);
    assert_int_equal(groove_line(&triplets, 66, 160), 160);
}

/* So many times `grid`, groove `g` and note `n` are random; what the note was, too. */
#define EACH_RANDOM(grid, g, n, was)                                                   \
    uint64_t r = 1;                                                                    \
    struct groove_grid grid;                                                           \
    struct groove g;                                                                   \
    struct note n, was;                                                                \
    for (int i = 0;                                                                    \
         i < N_RANDOM && (grid = grid_of(state, random_step(&r)),                      \
                         g = random_groove(&r), n = random_played(&r), was = n, true); \
         i++)

TEST(nearest_is_nearest)
{
    EACH_RANDOM(grid, g, n, was)
    {
        const int64_t line = groove_line(&grid, g.swing, n.start),
                      after = groove_line_after(&grid, g.swing, n.start);
        assert_true(after > was.start);
        assert_true(is_line(&grid, g.swing, line) && is_line(&grid, g.swing, after));
        assert_true(llabs(line - n.start) <= after - n.start);
    }
}

TEST(all_the_way_is_on_the_grid)
{
    EACH_RANDOM(grid, g, n, was)
    {
        g = (struct groove){100, true, GROOVE_ENDS_LINES, g.swing, 0};
        groove_quantise(&g, &grid, &n);
        assert_true(is_line(&grid, g.swing, n.start));
        assert_true(is_line(&grid, g.swing, n.start + n.length));
        assert_true(n.length > 0 && was.length > 0);
    }
}

TEST(no_strength_is_as_played)
{
    EACH_RANDOM(grid, g, n, was)
    {
        g.strength = 0;
        groove_quantise(&g, &grid, &n);
        assert_same(&n, &was);
    }
}

TEST(twice_is_once)
{
    EACH_RANDOM(grid, g, n, once)
    {
        g.starts = true; /* else an end is one of where the start is now */
        groove_quantise(&g, &grid, &n);
        once = n;
        groove_quantise(&g, &grid, &n);
        assert_int_equal(n.start, once.start);
        assert_true(g.ends == GROOVE_ENDS_FOLLOW || n.length == once.length);
    }
}

/* However often, and however else in between. */
TEST(what_was_played_comes_back)
{
    EACH_RANDOM(grid, g, n, was)
    {
        for (int k = 0; k < 4; k++) {
            groove_quantise(&g, &grid, &n);
            assert_true(n.start >= 0 && n.length > 0);
            grid = grid_of(state, random_step(&r));
            g = random_groove(&r);
        }
        played_restore(&n);
        assert_same(&n, &was);
        assert_false(played_restore(&n));
    }
}

TEST(order_is_kept)
{
    EACH_RANDOM(grid, g, a, b)
    {
        b = random_played(&r);
        const bool a_first = a.start <= b.start;
        groove_quantise(&g, &grid, &a);
        groove_quantise(&g, &grid, &b);
        assert_true(a_first ? a.start <= b.start : b.start <= a.start);
    }
}

TEST(half_the_way_and_what_is_too_far)
{
    struct groove_grid grid = grid_of(state, 120);
    struct groove g = GROOVE_DEFAULT;
    struct note n = note_at(100, 50);
    g.strength = 50;
    groove_quantise(&g, &grid, &n);
    assert_int_equal(n.start, 110);
    assert_int_equal(n.length, 50);
    groove_quantise(&g, &grid, &n);
    assert_int_equal(n.start, 110);
    g.within = 10; /* twelve ticks */
    groove_quantise(&g, &grid, &n);
    assert_int_equal(n.start, 100);
    g.within = 20;
    g.strength = 100;
    g.ends = GROOVE_ENDS_LENGTHS;
    groove_quantise(&g, &grid, &n);
    assert_int_equal(n.start, 120);
    assert_int_equal(n.length, 50); /* seventy from a step */
}

TEST(words_are_read_back)
{
    uint64_t r = 7;
    struct groove g = GROOVE_DEFAULT;
    char text[GROOVE_TEXT], again[GROOVE_TEXT];
    assert_true(groove_parse("swing 56% 80% ends", &g));
    assert_string_equal(groove_format(&g, text), "80% end swing 56");
    assert_true(groove_parse("", &g));
    assert_true(groove_parse(" start lengths straight", &g));
    assert_string_equal(groove_format(&g, text), "80% start length");
    for (int i = 0; i < 2000; i++) {
        struct groove out = random_groove(&r), in = GROOVE_DEFAULT;
        out.starts = out.starts || out.ends == GROOVE_ENDS_FOLLOW;
        assert_true(groove_parse(groove_format(&out, text), &in));
        assert_string_equal(groove_format(&in, again), text);
        assert_int_equal(in.strength, out.strength);
        assert_int_equal(in.swing, out.swing);
        assert_int_equal(in.within, out.within);
    }
}

TEST(other_words_are_refused)
{
    static const char *const BAD[] = {
        "101%", "-1",       "swing",  "swing 49", "swing 76",      "80%%",
        "%",    "starting", "within", "within x", "1000000000000", "e"};
    struct groove g = GROOVE_DEFAULT;
    char text[GROOVE_TEXT];
    for (size_t i = 0; i < sizeof BAD / sizeof *BAD; i++) {
        assert_false(groove_parse(BAD[i], &g));
        assert_string_equal(groove_format(&g, text), "100% start");
    }
}

GROUP(open_timeline, close_timeline)
