/* The control bias: towards what was asked, bounded, only among what is allowed, and nothing
 * where nothing was. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

static struct fill_request asked;
static struct control_bias n;
static bool is_onset; /* a later one may come, or a note here */

static void apply(int64_t step, int track)
{
    if (is_onset) {
        allow(TOKEN_POS + (int)step + 1, TOKEN_RADIX - (int)step - 1);
        allowed[TOKEN_PITCH + 60] = allowed[TOKEN_BAR] = allowed[TOKEN_FILL_END] = true;
    }
    control_bias_apply(&(struct rules){.controls = n}, place_at(step, track));
}

/* Nothing is asked of two tracks; the hole has a bar of common time, or that many steps. */
static void begin(int end)
{
    asked = (struct fill_request){.pitch_hi = 127, .tracks = 3, FILL_ANYTHING};
    hand_begin(&h, 1);
    said.end = end;
}

TEST(no_request_no_bias)
{
    begin(96);
    n = control_bias_for(&asked, 0, 1);
    assert_false(control_bias_is_needed(&n));
    says_nothing(0, 0);
    asked.density = 6;
    n = control_bias_for(&asked, 0, 0);
    assert_false(control_bias_is_needed(&n));
}

TEST(levels_are_what_they_were_asked_as)
{
    begin(96);
    asked.density = fill_density_level(2);
    asked.length = fill_length_level(24);
    asked.height = fill_height_level(60);
    asked.polyphony = 2;
    n = control_bias_for(&asked, 7, 1);
    assert_float_equal(n.density, 4, 0.01); /* two tracks */
    assert_float_equal(n.length, 24, 0.1);
    assert_true(n.pitch == 60 && n.voices == 3 && n.from == 7);
}

TEST(pitches_and_lengths_near_it_lose_least)
{
    begin(96);
    asked.height = fill_height_level(60);
    asked.length = fill_length_level(24);
    n = control_bias_for(&asked, 0, 1);
    says(0, 0, "p60 = 0, p72 < 0, d24 > d12, d24 > d48, bar = 0, @0 = 0");
    said.last = TOKEN_DURX; /* four quarters, which others are added to */
    says(0, 0, "d24 < -3, d12 < -3");
    said.last = TOKEN_PAD;
    assert_true(nats("p127") == -CONTROL_BIAS_BOUND);
}

/* One note in a quarter on each of two tracks. */
TEST(what_is_late_hurries_and_what_is_early_waits)
{
    begin(384);
    asked.density = fill_density_level(1);
    n = control_bias_for(&asked, 0, 0.25f);
    is_onset = true;
    says(24, 0, "p60 = 0, @48 > @90, @3 = 0");
    assert_true(nats("end") == -CONTROL_BIAS_BOUND);
    n.n_notes = 9;
    says(24, 0, "p60 < @48, @48 < @90, @3 = 0");
    is_onset = false;
}

TEST(a_voice_that_is_missing_comes_here)
{
    begin(96);
    asked.polyphony = 2; /* three */
    for (int n_sounding = 1; n_sounding <= 4; n_sounding++) {
        n = control_bias_for(&asked, 0, 1);
        for (int i = 0; i < 5; i++)
            control_bias_add(&n, &h.piece,
                             &(struct grid_note){.length = i < n_sounding});
        says(0, 0, n_sounding < 3 ? "t1 > @6" : "t1 <= @6");
    }
}
