/* A piece without clashes goes on without; one that is full of them is left alone. */
#include "tests/check.h"
#include "app/biases/clash_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

enum { N = 32, END = N * QUARTER };

/* Thirds in quarter notes, or in a share of them seconds; and a drum that plays F sharp. */
static struct hand_piece *duet(int n_seconds)
{
    static struct hand_piece h;
    hand_begin(&h, N / 4);
    h.piece.families[2] = FAMILY_DRUMS;
    for (int i = 0; i < N; i++) {
        hand_note(&h, 0, i * QUARTER, QUARTER, 60 + i % 5);
        hand_note(&h, 1, i * QUARTER, QUARTER, 60 + i % 5 + (i < n_seconds ? 1 : 16));
        hand_note(&h, 2, i * QUARTER, QUARTER, 42);
    }
    return &h;
}

static float bias_of(float nats, const struct piece *p, int64_t step, int pitch)
{
    static uint8_t allowed[TOKEN_COUNT];
    static float logits[TOKEN_COUNT];
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH] = 0;
    clash_bias_apply(nats, p, step, allowed, logits);
    assert_true(logits[TOKEN_PITCH] == 0 && logits[TOKEN_HIT] == 0);
    return logits[TOKEN_PITCH + pitch];
}

TEST(what_the_piece_seldom_has_costs)
{
    assert_true(clash_bias_of(&duet(0)->piece, END) < -2);
    const float some = clash_bias_of(&duet(3)->piece, END);
    assert_true(some < 0 && some > clash_bias_of(&duet(0)->piece, END));
    assert_true(clash_bias_of(&duet(N)->piece, END) == 0);
    assert_true(clash_bias_of(&duet(0)->piece, 2 * QUARTER) == 0); /* too few */
}

TEST(semitones_clash_at_any_octave_while_they_sound)
{
    struct hand_piece *h = duet(0);
    hand_note(h, 0, END, 2 * QUARTER, 60);
    const int64_t steps[] = {END, END + QUARTER};
    for (int i = 0; i < 2; i++) {
        assert_true(bias_of(-2, &h->piece, steps[i], 61) == -2);
        assert_true(bias_of(-2, &h->piece, steps[i], 83) == -2);
        assert_true(bias_of(-2, &h->piece, steps[i], 72) == 0);
        assert_true(bias_of(-2, &h->piece, steps[i], 62) == 0);
        assert_true(bias_of(-2, &h->piece, steps[i], 66) == 0);
    }
    assert_true(bias_of(-2, &h->piece, END + 2 * QUARTER, 61) == 0); /* it is over */
}
