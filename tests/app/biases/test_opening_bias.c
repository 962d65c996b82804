/* A tune without a piece: after some equal waits another one, and after a note another pitch. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

static void apply(int64_t step, int track)
{
    said.last = TOKEN_BAR;
    opening_bias_apply(&(struct rules){.begins = true, .role = BAND_TUNE},
                       place_at(step, track));
}

TEST(eighths_do_not_go_on)
{
    hand_begin(&h, 2);
    hand_play(&h, 0, 0, 2 * QUARTER, 0, "1e: 60 62 64 65");
    says(2 * QUARTER, 0, "@60 < -1, @3q = 0, p65 = 0");
    hand_play(&h, 1, 0, 2 * QUARTER, 0, "1q: 60 62");
    says(2 * QUARTER, 1, "@60 = 0, @3q = 0");
}

TEST(nor_do_a_pitch_and_leaps_and_nothing_is_shorter_than_an_eighth)
{
    hand_begin(&h, 2);
    says(0, 0, "@6 < -3, @12 = 0");
    hand_play(&h, 0, 0, 3 * QUARTER, 0, "1q: 62 60 60");
    says(3 * QUARTER, 0, "p60 < -1, p62 = 0");
    hand_play(&h, 1, 0, 3 * QUARTER, 0, "1q: 60 64 67");
    says(3 * QUARTER, 1, "p72 < -1, p64 < -1, p69 = 0, p65 = 0");
}
