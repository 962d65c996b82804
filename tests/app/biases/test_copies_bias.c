/* A tune copies no more than a few notes of what came before. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { Q = QUARTER, TUNE = 0, END = 32 * Q };

static struct rules r;

static void apply(int64_t step, int track)
{
    copies_bias_apply(&r, place_at(step, track));
}

/* Eight bars of a scale of eight notes, then its first four. */
static void begin(void)
{
    hand_begin(&h, 12);
    hand_play(&h, TUNE, 0, END, 0, "1q: 60 62 64 65 67 69 71 72");
    hand_play(&h, TUNE, END, END + 4 * Q, 0, "1q: 60 62 64 65");
    r.copies = (struct copies_bias){.track = TUNE, .to = END, .is_of_given = true};
}

/* In a row, after as many steps as they may last; where a phrase ends they may come. */
TEST(a_fifth_note_of_the_given_bars)
{
    begin();
    says(END + 4 * Q, TUNE, "p67 < -2, p69 = 0, p60 = 0");
    hand_note(&h, TUNE, END + 4 * Q, Q, 62);
    says(END + 5 * Q, TUNE, "p69 = 0, p64 = 0"); /* it went another way */
    begin();
    r.copies.may_copy = 2 * END; /* the given bars go round, too */
    says_nothing(END + 4 * Q, TUNE);
}

TEST(a_phrase_may_end_alike)
{
    begin();
    hand_play(&h, TUNE, END + 4 * Q, END + 12 * Q, 0, "1q: 50 51 52 53 54 55 56 57");
    hand_play(&h, TUNE, END + 12 * Q, END + 16 * Q, 0, "1q: 60 62 64 65");
    says_nothing(END + 15 * Q, TUNE);
    r.copies.is_of_given = false; /* a tune that begins a score may not */
    r.copies.to = INT64_MAX;
    says(END + 16 * Q, TUNE, "p67 < -2");
}

TEST(another_rhythm_is_no_copy)
{
    begin();
    says_nothing(END + 4 * Q + Q / 2, TUNE);
    says_nothing(END + 4 * Q, TUNE + 1);
    r.copies.to = 0; /* all may be copied */
    says_nothing(END + 4 * Q, TUNE);
}
