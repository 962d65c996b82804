/* A band keeps to the chords that are written: C, and G over B from the second bar on. */
#include "tests/check.h"
#include "app/decoding/chord_bias.h"
#include "midi/tokens/tokens.h"
#include "tests/app/hand_piece.h"

enum { BAR = 4 * QUARTER };

static float logits[TOKEN_COUNT];

/* The logits that were 0, for a note at that step; of lengths, for that pitch. */
static void bias(bool is_bass, int64_t step, int pitch)
{
    static struct hand_piece h;
    static struct grid_chord chords[] = {{.root = 0, .bass = 0},
                                         {.step = BAR, .root = 7, .bass = 11}};
    static uint8_t allowed[TOKEN_COUNT];
    hand_begin(&h, 4);
    h.piece.chords = chords;
    h.piece.n_chords = 2;
    memset(allowed, 1, sizeof allowed);
    memset(logits, 0, sizeof logits);
    allowed[TOKEN_PITCH + 1] = 0;
    chord_bias_apply(&h.piece, is_bass, step, pitch, allowed, logits);
    assert_true(logits[TOKEN_PITCH + 1] == 0);
}

static float of_pitch(int pitch)
{
    return logits[TOKEN_PITCH + pitch];
}

TEST(notes_of_the_chord_are_likelier)
{
    for (int64_t step = 0; step < 2 * BAR; step += BAR) {
        const int third = step ? 71 : 64;
        bias(false, step, -1);
        assert_true(of_pitch(67) == 0 && of_pitch(third) == 0);
        assert_true(of_pitch(63) < -1 && of_pitch(step ? 72 : 71) < -1);
        const float on_beat = of_pitch(63);
        bias(false, step + QUARTER / 2, -1);
        assert_true(of_pitch(63) < 0 && of_pitch(63) > on_beat);
    }
}

TEST(a_bass_begins_a_chord_with_its_bass)
{
    bias(true, BAR, -1);
    assert_true(of_pitch(35) > 1 && of_pitch(43) == 0);
    bias(true, BAR + QUARTER, -1);
    assert_true(of_pitch(35) == 0 && of_pitch(43) == 0);
    bias(false, BAR, -1);
    assert_true(of_pitch(35) == 0);
}

/* E is not in the next chord, G is. */
TEST(a_note_ends_before_a_chord_that_lacks_it)
{
    bias(false, BAR - QUARTER, 64);
    assert_true(logits[TOKEN_DUR + QUARTER - 1] == 0 &&
                logits[TOKEN_DUR + QUARTER] < -1 && logits[TOKEN_DURX] < -1);
    bias(false, BAR - QUARTER, 67);
    assert_true(logits[TOKEN_DUR + QUARTER] == 0 && logits[TOKEN_DURX] == 0);
    bias(false, BAR, 64); /* nothing comes after it */
    assert_true(logits[TOKEN_DURX] == 0);
}
