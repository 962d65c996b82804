/* The control bias: towards what was asked, bounded, only among what is allowed, and nothing
 * where nothing was. */
#include "tests/check.h"
#include "app/biases/control_bias.h"

#include <string.h>

static const struct fill_request NOTHING = {.pitch_hi = 127,
                                            .tracks = 3,
                                            .density = FILL_ANY,
                                            .polyphony = FILL_ANY,
                                            .length = FILL_ANY,
                                            .height = FILL_ANY};

static uint8_t allowed[TOKEN_COUNT];
static float logits[TOKEN_COUNT];

/* Nothing but these, and all logits 0. */
static void allow(int32_t first, int n)
{
    memset(logits, 0, sizeof logits);
    memset(allowed, 0, sizeof allowed);
    memset(allowed + first, 1, (size_t)n);
}

TEST(no_request_no_bias)
{
    struct control_bias n = control_bias_for(&NOTHING, 0, 1);
    static const float zero[TOKEN_COUNT];
    allow(0, TOKEN_COUNT);
    assert_false(control_bias_is_needed(&n));
    control_bias_add(&n, &(struct control_position){0}, allowed, logits);
    assert_memory_equal(logits, zero, sizeof zero);
    struct fill_request q = NOTHING;
    q.density = 6;
    n = control_bias_for(&q, 0, 0);
    assert_false(control_bias_is_needed(&n));
}

TEST(levels_are_what_they_were_asked_as)
{
    struct fill_request q = NOTHING;
    q.density = fill_density_level(2);
    q.length = fill_length_level(24);
    q.height = fill_height_level(60);
    q.polyphony = 2;
    struct control_bias n = control_bias_for(&q, 7, 1);
    assert_true(n.density > 3.99 && n.density < 4.01); /* two tracks */
    assert_true(n.length > 23.9 && n.length < 24.1);
    assert_true(n.pitch == 60 && n.voices == 3 && n.from == 7);
}

TEST(pitches_and_lengths_near_it_lose_least)
{
    struct fill_request q = NOTHING;
    q.height = fill_height_level(60);
    q.length = fill_length_level(24);
    struct control_bias n = control_bias_for(&q, 0, 1);
    allow(TOKEN_PITCH, 128);
    allowed[TOKEN_PITCH + 66] = 0;
    memset(allowed + TOKEN_DUR, 1, TOKEN_RADIX);
    control_bias_add(&n, &(struct control_position){0}, allowed, logits);
    assert_true(logits[TOKEN_PITCH + 60] == 0 && logits[TOKEN_PITCH + 66] == 0);
    assert_true(logits[TOKEN_PITCH + 72] < 0);
    assert_true(logits[TOKEN_PITCH + 127] == -CONTROL_BIAS_BOUND);
    assert_true(logits[TOKEN_DUR + 23] > logits[TOKEN_DUR + 11]);
    assert_true(logits[TOKEN_DUR + 23] > logits[TOKEN_DUR + 47]);
    assert_true(logits[TOKEN_BAR] == 0 && logits[TOKEN_POS] == 0);
}

/* One note in a quarter on each of two tracks; a bar of four quarters. */
TEST(what_is_late_hurries_and_what_is_early_waits)
{
    struct fill_request q = NOTHING;
    q.density = fill_density_level(1);
    for (int early = 0; early < 2; early++) {
        struct control_bias n = control_bias_for(&q, 0, 0.25f);
        struct control_position at = {.step = 24, .next_bar = 96, .end = 384};
        n.n_notes = early ? 9 : 0;
        allow(TOKEN_POS + 25, 71);
        allowed[TOKEN_PITCH + 60] = allowed[TOKEN_BAR] = allowed[TOKEN_FILL_END] = 1;
        control_bias_add(&n, &at, allowed, logits);
        if (early) {
            assert_true(logits[TOKEN_PITCH + 60] < logits[TOKEN_POS + 48]);
            assert_true(logits[TOKEN_POS + 48] < logits[TOKEN_POS + 90]);
        } else {
            assert_true(logits[TOKEN_PITCH + 60] == 0);
            assert_true(logits[TOKEN_POS + 48] > logits[TOKEN_POS + 90]);
            assert_true(logits[TOKEN_FILL_END] == -CONTROL_BIAS_BOUND);
        }
        assert_true(logits[TOKEN_POS + 3] == 0);
    }
}

TEST(a_voice_that_is_missing_comes_here)
{
    struct fill_request q = NOTHING;
    q.polyphony = 2; /* three */
    for (int sounding = 1; sounding <= 4; sounding++) {
        struct control_bias n = control_bias_for(&q, 0, 1);
        struct control_position at = {
            .next_bar = 96, .end = 96, .n_sounding = sounding};
        n.n_notes = 5;
        allow(TOKEN_POS + 6, 10);
        allowed[TOKEN_TRACK + 1] = 1;
        control_bias_add(&n, &at, allowed, logits);
        assert_int_equal(logits[TOKEN_TRACK + 1] > logits[TOKEN_POS + 6], sounding < 3);
    }
}
