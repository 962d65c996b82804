/* A piece without clashes goes on without; one that is full of them is left alone. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { N = 32, END = N * QUARTER };

/* Thirds in quarter notes, or in a share of them seconds; and a drum that plays F sharp. */
static const struct piece *duet(int n_seconds)
{
    hand_begin(&h, N / 4);
    h.piece.families[2] = FAMILY_DRUMS;
    hand_play(&h, 0, 0, END, 0, "1q: 60 61 62 63 64");
    hand_play(&h, 1, 0, n_seconds * QUARTER, 0, "1q: 61 62 63 64 65");
    for (int i = n_seconds; i < N; i++)
        hand_note(&h, 1, i * QUARTER, QUARTER, 76 + i % 5);
    hand_play(&h, 2, 0, END, 0, "1q: 42");
    return &h.piece;
}

static void apply(int64_t step, int track)
{
    clash_bias_apply(&(struct rules){.clash = -2}, place_at(step, track));
}

TEST(what_the_piece_seldom_has_costs)
{
    const float none = clash_bias_of(duet(0), END), some = clash_bias_of(duet(3), END);
    assert_true(none < -2 && some < 0 && some > none);
    assert_true(clash_bias_of(duet(N), END) == 0);
    assert_true(clash_bias_of(duet(0), 2 * QUARTER) == 0); /* too few */
}

TEST(semitones_clash_at_any_octave_while_they_sound)
{
    static const char CLASHES[] =
        "p61 = -2, p83 = -2, p72 = 0, p62 = 0, p66 = 0, h35 = 0";
    duet(0);
    hand_note(&h, 0, END, 2 * QUARTER, 60);
    says(END, 0, CLASHES);
    says(END + QUARTER, 0, CLASHES);
    says(END + 2 * QUARTER, 0, "p61 = 0"); /* it is over */
}
