/* Which pitch classes a piece hardly uses, by hand-made tunes. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { C_MAJOR = 0xab5 };

#define SCALE "60 62 64 65 67 69 71"

static struct key_bias k;

static void apply(int64_t step, int track)
{
    key_bias_apply(&(struct rules){.key_bias = k}, place_at(step, track));
}

/* The classes that cost after n eighths that go round these pitches, under a signature of C
 * major. */
static unsigned costly(const char *pitches, int n)
{
    unsigned classes = 0;
    hand_begin(&h, n);
    hand_play(&h, 0, 0, n * 12, 0, pitches);
    k = key_bias_of(&h.piece, C_MAJOR, 0);
    for (int c = 0; c < 12; c++)
        classes |= (unsigned)(k.cost[c] > 0) << c;
    return classes;
}

TEST(classes_that_are_hardly_used_cost)
{
    static char once[500] = "1e: 66";
    static const struct {
        const char *pitches;
        int n;
        unsigned costly;
    } CASES[] = {
        {"1e: " SCALE, 70, 0xfff & ~C_MAJOR},
        {"1e: " SCALE, 0, 0xfff & ~C_MAJOR},      /* the signature stands */
        {"1e: " SCALE " 61 63 66 68 70", 120, 0}, /* it binds nobody */
        {"1e: " SCALE, 20, 0xfff & ~C_MAJOR}, /* few notes that fit it believe it, */
        {"1e: " SCALE " 61", 9, 0xfff & ~C_MAJOR & ~2}, /* but for what they have; */
        {"1e: 61 63 65 66 68 70 72", 20, 0},            /* others do not */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_int_equal(costly(CASES[i].pitches, CASES[i].n), CASES[i].costly);
    while (strlen(once) < 300) /* one passing note among many */
        strcat(once, " 60");
    assert_int_equal(costly(once, 99) & (1 << 6 | 1), 1 << 6);
}

TEST(only_pitches_that_are_not_of_it_are_biased)
{
    costly("1e: " SCALE, 70);
    says(0, 0, "p60 = 0, p63 < 0, p63 > -4, v = 0, h35 = 0, bar = 0");
}

TEST(a_long_take_may_modulate)
{
    static const float WEIGHTS[][2] = {{0, 1}, {32, 1}, {48, 0.5f}, {64, 0}, {100, 0}};
    costly("1e: " SCALE, 70);
    for (int i = 0; i < 5; i++)
        assert_float_equal(nats_at((int64_t)WEIGHTS[i][0] * QUARTER, 0, "p61"),
                           -WEIGHTS[i][1] * k.cost[1], 1e-6);
}
