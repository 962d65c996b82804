/* Nudges: towards what was asked, bounded, only among what is allowed, and nothing where
 * nothing was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/decoding/nudge.h"

#include <string.h>

static const struct fill_request NOTHING = {.pitch_hi = 127,
                                            .tracks = 3,
                                            .density = FILL_ANY,
                                            .polyphony = FILL_ANY,
                                            .length = FILL_ANY,
                                            .height = FILL_ANY};

static void allow(uint8_t *allowed, int32_t first, int n)
{
    memset(allowed, 0, TOKEN_COUNT);
    memset(allowed + first, 1, (size_t)n);
}

static void nothing_wished_is_nothing(void **state)
{
    (void)state;
    struct nudge n = nudge_for(&NOTHING, 0, 1);
    float logits[TOKEN_COUNT] = {0}, zero[TOKEN_COUNT] = {0};
    uint8_t allowed[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    assert_false(nudge_wants(&n));
    nudge_bias(&n, &(struct nudge_place){0}, allowed, logits);
    assert_memory_equal(logits, zero, sizeof zero);
    struct fill_request q = NOTHING;
    q.density = 6;
    n = nudge_for(&q, 0, 0);
    assert_false(nudge_wants(&n));
}

static void levels_are_what_they_were_asked_as(void **state)
{
    (void)state;
    struct fill_request q = NOTHING;
    q.density = fill_density_level(2);
    q.length = fill_length_level(24);
    q.height = fill_height_level(60);
    q.polyphony = 2;
    struct nudge n = nudge_for(&q, 7, 1);
    assert_true(n.density > 3.99 && n.density < 4.01); /* two tracks */
    assert_true(n.length > 23.9 && n.length < 24.1);
    assert_true(n.pitch == 60 && n.voices == 3 && n.from == 7);
}

static void pitches_and_lengths_near_it_lose_least(void **state)
{
    (void)state;
    struct fill_request q = NOTHING;
    float logits[TOKEN_COUNT] = {0};
    uint8_t allowed[TOKEN_COUNT];
    q.height = fill_height_level(60);
    q.length = fill_length_level(24);
    struct nudge n = nudge_for(&q, 0, 1);
    allow(allowed, TOKEN_PITCH, 128);
    allowed[TOKEN_PITCH + 66] = 0;
    memset(allowed + TOKEN_DUR, 1, TOKEN_RADIX);
    nudge_bias(&n, &(struct nudge_place){0}, allowed, logits);
    assert_true(logits[TOKEN_PITCH + 60] == 0 && logits[TOKEN_PITCH + 66] == 0);
    assert_true(logits[TOKEN_PITCH + 72] < 0);
    assert_true(logits[TOKEN_PITCH + 127] == -NUDGE_BOUND);
    assert_true(logits[TOKEN_DUR + 23] > logits[TOKEN_DUR + 11]);
    assert_true(logits[TOKEN_DUR + 23] > logits[TOKEN_DUR + 47]);
    assert_true(logits[TOKEN_BAR] == 0 && logits[TOKEN_POS] == 0);
}

/* One note in a quarter on each of two tracks; a bar of four quarters. */
static void what_is_late_hurries_and_what_is_early_waits(void **state)
{
    (void)state;
    struct fill_request q = NOTHING;
    uint8_t allowed[TOKEN_COUNT];
    q.density = fill_density_level(1);
    for (int early = 0; early < 2; early++) {
        float logits[TOKEN_COUNT] = {0};
        struct nudge n = nudge_for(&q, 0, 0.25f);
        struct nudge_place at = {.step = 24, .next_bar = 96, .end = 384};
        n.n_notes = early ? 9 : 0;
        allow(allowed, TOKEN_POS + 25, 71);
        allowed[TOKEN_PITCH + 60] = allowed[TOKEN_BAR] = allowed[TOKEN_FILL_END] = 1;
        nudge_bias(&n, &at, allowed, logits);
        if (early) {
            assert_true(logits[TOKEN_PITCH + 60] < logits[TOKEN_POS + 48]);
            assert_true(logits[TOKEN_POS + 48] < logits[TOKEN_POS + 90]);
        } else {
            assert_true(logits[TOKEN_PITCH + 60] == 0);
            assert_true(logits[TOKEN_POS + 48] > logits[TOKEN_POS + 90]);
            assert_true(logits[TOKEN_FILL_END] == -NUDGE_BOUND);
        }
        assert_true(logits[TOKEN_POS + 3] == 0);
    }
}

static void a_voice_that_is_missing_comes_here(void **state)
{
    (void)state;
    struct fill_request q = NOTHING;
    uint8_t allowed[TOKEN_COUNT];
    q.polyphony = 2; /* three */
    for (int sounding = 1; sounding <= 4; sounding++) {
        float logits[TOKEN_COUNT] = {0};
        struct nudge n = nudge_for(&q, 0, 1);
        struct nudge_place at = {.next_bar = 96, .end = 96, .n_sounding = sounding};
        n.n_notes = 5;
        allow(allowed, TOKEN_POS + 6, 10);
        allowed[TOKEN_TRACK + 1] = 1;
        nudge_bias(&n, &at, allowed, logits);
        assert_int_equal(logits[TOKEN_TRACK + 1] > logits[TOKEN_POS + 6], sounding < 3);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_wished_is_nothing),
        cmocka_unit_test(levels_are_what_they_were_asked_as),
        cmocka_unit_test(pitches_and_lengths_near_it_lose_least),
        cmocka_unit_test(what_is_late_hurries_and_what_is_early_waits),
        cmocka_unit_test(a_voice_that_is_missing_comes_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
