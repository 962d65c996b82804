/* Which pitch classes a piece hardly uses, by hand-made tunes. */
#include "app/biases/key_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/check.h"

#include <string.h>

enum { MOST = 300 };

/* n notes, going round these pitches. */
static struct key_bias bias_of(const char *pitches, int n)
{
    static struct grid_note notes[MOST];
    struct piece p;
    piece_init(&p, STYLE_ANY);
    p.families[0] = 0;
    p.notes = notes;
    p.n_notes = (size_t)n;
    for (int i = 0; i < n; i++)
        notes[i] =
            (struct grid_note){.step = 12 * i,
                               .length = 12,
                               .pitch = (uint8_t)pitches[(size_t)i % strlen(pitches)]};
    return key_bias_of(&p, 0xab5);
}

#define C_MAJOR   "\x3c\x3e\x40\x41\x43\x45\x47"
#define CHROMATIC C_MAJOR "\x3d\x3f\x42\x44\x46"

TEST(classes_that_are_not_used_cost)
{
    struct key_bias k = bias_of(C_MAJOR, 70);
    for (int c = 0; c < 12; c++)
        assert_int_equal(k.cost[c] > 0, !strchr(C_MAJOR, 60 + c));
}

TEST(a_piece_without_notes_keeps_its_signature)
{
    const struct key_bias k = bias_of(C_MAJOR, 0);
    for (int c = 0; c < 12; c++)
        assert_int_equal(k.cost[c] > 0, !strchr(C_MAJOR, 60 + c));
}

TEST(a_passing_note_does_not_count)
{
    static char once[MOST];
    memset(once, 60, sizeof once - 1);
    once[7] = 66;
    struct key_bias k = bias_of(once, 100);
    assert_true(k.cost[6] > 0 && k.cost[0] == 0);
}

TEST(a_chromatic_piece_binds_nobody)
{
    struct key_bias all = bias_of(CHROMATIC, 120);
    for (int c = 0; c < 12; c++)
        assert_true(all.cost[c] == 0);
}

/* A tune of a few bars; the signature is of C major. */
TEST(few_notes_believe_a_signature_that_they_fit)
{
    struct key_bias fits = bias_of(C_MAJOR, 20), has_one = bias_of(C_MAJOR "\x3d", 9),
                    other = bias_of("\x3d\x3f\x41\x42\x44\x46\x48", 20);
    for (int c = 0; c < 12; c++) {
        assert_int_equal(fits.cost[c] > 0, !strchr(C_MAJOR, 60 + c));
        assert_true(other.cost[c] == 0);
    }
    assert_true(has_one.cost[1] == 0 && has_one.cost[3] > 0); /* what it has is free */
}

TEST(only_pitches_that_are_allowed_are_biased)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    struct key_bias k = bias_of(C_MAJOR, 70);
    memset(allowed, 1, sizeof allowed);
    allowed[TOKEN_PITCH + 61] = 0;
    key_bias_apply(&k, 0, allowed, logits);
    assert_true(logits[TOKEN_PITCH + 61] == 0 && logits[TOKEN_PITCH + 60] == 0);
    assert_true(logits[TOKEN_PITCH + 63] < 0 && logits[TOKEN_PITCH + 63] > -4);
    assert_true(logits[TOKEN_PITCH - 1] == 0 && logits[TOKEN_PITCH + 128] == 0);
}

TEST(a_long_take_may_modulate)
{
    static const int64_t QUARTERS[] = {0, 32, 48, 64, 100};
    static const float WEIGHTS[] = {1, 1, 0.5f, 0, 0};
    const struct key_bias k = bias_of(C_MAJOR, 70);
    uint8_t allowed[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    for (int i = 0; i < 5; i++) {
        float logits[TOKEN_COUNT] = {0};
        key_bias_apply(&k, QUARTERS[i] * STEPS_PER_QUARTER, allowed, logits);
        assert_float_equal(logits[TOKEN_PITCH + 61], -WEIGHTS[i] * k.cost[1], 1e-6);
    }
}
