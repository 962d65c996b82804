/* A tune in quarters over chords in halves: every fourth bar, or every eighth, the tune has a half
 * note and rests, or both do. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { TUNE, CHORDS, DRUMS, BAR = 4 * QUARTER, END = 8 * BAR };

static struct breath_bias b;
static int32_t last_token;
static int last_pitch;

static void apply(int64_t step, int track)
{
    said.last = last_token;
    said.pitch = last_pitch;
    breath_bias_apply(&(struct rules){.breath = b}, place_at(step, track));
}

/* rests: of each bar, the tracks that rest: "-------t", 'b' both. */
static void play(const char *rests)
{
    hand_begin(&h, 20);
    for (int bar = 0; bar < 8; bar++) {
        const int from = bar * BAR;
        hand_play(&h, TUNE, from, rests[bar] == '-' ? from + BAR : from + 1, 0,
                  rests[bar] == '-' ? "1q: 72 74 76 74" : "2q: 72");
        hand_play(&h, CHORDS, from, rests[bar] == 'b' ? from + 1 : from + BAR, 0,
                  "2q: 48+52+55");
    }
    last_token = TOKEN_BAR;
    last_pitch = -1;
    b = breath_bias_of(&h.piece, END);
}

TEST(a_track_rests_after_eight_bars_as_it_did)
{
    play("-------t");
    assert_int_equal(breath_bias_due(&b, &h.piece, END + 7 * BAR), 1 << TUNE);
    says(END + 7 * BAR + QUARTER, TUNE,
         "t0 < -6, p72 < -6, v < -6, t1 = 0, @2q = 0, @3q < -3, bar = 0");
    says(END + 7 * BAR, TUNE, "t0 = 0, p72 = 0");
    says(END + 7 * BAR + 2 * QUARTER, CHORDS, "p48 = 0, t0 < -3");
    says_nothing(END + 3 * BAR + QUARTER, TUNE);
}

TEST(each_phrase_rests_if_both_did)
{
    play("---t---t");
    assert_int_equal(breath_bias_due(&b, &h.piece, END + 3 * BAR), 1 << TUNE);
}

TEST(where_all_rest_the_bar_is_left)
{
    play("-------b");
    says(END + 7 * BAR, TUNE, "@1q < -3, bar > 3, end > 3, p72 = 0");
}

TEST(the_last_note_is_held)
{
    play("-------t");
    last_token = TOKEN_PITCH + 72;
    last_pitch = 72;
    says(END + 7 * BAR, TUNE, "d1q < -2, d40 = 0");
    says(END + 7 * BAR, CHORDS, "d1q = 0");
    says(END + 6 * BAR, TUNE, "d1q = 0");
}

TEST(what_rests_in_other_bars_too_is_free)
{
    play("-t-----t");
    says_nothing(END + 7 * BAR + QUARTER, TUNE);
    play("--------");
    says_nothing(END + 7 * BAR + QUARTER, TUNE);
    b = breath_bias_of(&h.piece, 2 * BAR);
    says_nothing(9 * BAR + QUARTER, TUNE);
}

/* In the second half of every second bar; the bar is left, but not what is filled. */
TEST(a_tune_from_nothing_rests)
{
    hand_begin(&h, 4);
    b = breath_bias_of_nothing(&h.piece, 0, TUNE);
    last_token = TOKEN_BAR;
    last_pitch = -1;
    for (int bar = 0; bar < 4; bar++)
        assert_int_equal(breath_bias_due(&b, &h.piece, bar * BAR), bar % 2 << TUNE);
    says(BAR + 2 * QUARTER, TUNE, "@3q < -3, bar > 3, end = 0");
    says(BAR, TUNE, "p72 = 0, @2q = 0, @3q < -3");
    last_token = TOKEN_PITCH + 72;
    last_pitch = 72;
    says(BAR + 2 * QUARTER, TUNE, "d1q < -6, d40 = 0");
}

TEST(drums_have_turns_instead)
{
    play("-------t");
    h.piece.families[TUNE] = FAMILY_DRUMS;
    b = breath_bias_of(&h.piece, END);
    says_nothing(END + 7 * BAR + QUARTER, TUNE);
}
