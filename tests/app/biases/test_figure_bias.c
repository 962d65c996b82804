/* A piano accompanies alone: a bass where bar and chord begin, and on each other beat what lies above. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { PIANO, BAR = 4 * QUARTER };

static struct grid_chord chord;

static void apply(int64_t step, int track)
{
    said.end = 8 * BAR;
    struct rules r = {.has_figure = true, .chords = {.chords = &chord, .n = 1}};
    figure_bias_apply(&r, place_at(step, track));
}

FIXTURE(song)
{
    hand_begin(&h, 8);
    chord = (struct grid_chord){0};
    said.last = TOKEN_PAD;
    return 0;
}

TEST_IN(a_bar_begins_with_a_bass_or_its_octave, song, NULL)
{
    says(0, PIANO, "p40 = 0, p60 < -2");
    hand_note(&h, PIANO, 0, QUARTER, 40);
    says(0, PIANO, "p52 = 0, p47 < -5, p59 < -5");
}

TEST_IN(the_other_beats_have_what_lies_above, song, NULL)
{
    hand_note(&h, PIANO, 0, QUARTER, 40);
    says(QUARTER, PIANO, "p59 = 0, p64 = 0, p40 < -2, p44 < -2");
    hand_note(&h, PIANO, QUARTER, QUARTER, 59);
    says(QUARTER, PIANO, "p64 = 0"); /* more of them may sound at once */
}

TEST_IN(a_chord_within_the_bar_has_a_bass, song, NULL)
{
    hand_note(&h, PIANO, 0, QUARTER, 40);
    chord.step = 2 * QUARTER;
    says(2 * QUARTER, PIANO, "p43 = 0, p64 < -2");
}

TEST_IN(no_beat_of_a_figure_is_passed_by, song, NULL)
{
    hand_note(&h, PIANO, 0, QUARTER, 40);
    says(0, PIANO, "@1q = 0, @1e = 0, @8 = 0, @6 < -2, @2q < -4, bar < -4");
    hand_play(&h, PIANO, QUARTER, BAR, 0, "1q: 59");
    says(3 * QUARTER, PIANO, "bar = 0");
    h.meters[0] =
        (struct grid_meter){0, 2, 4}; /* eighths, since two beats are no figure */
    hand_begin(&h, 8);
    h.meters[0] = (struct grid_meter){0, 2, 4};
    hand_note(&h, PIANO, 0, QUARTER, 40);
    says(0, PIANO, "@1e = 0, @1q < -4");
}

TEST_IN(what_follows_the_bass_ends_with_the_bar, song, NULL)
{
    hand_note(&h, PIANO, 0, QUARTER, 40);
    says(3 * QUARTER, PIANO, "d24 = 0, d36 < -1");
    says(0, PIANO, "d48 = 0");
}

TEST_IN(the_last_bar_may_come_to_rest, song, NULL)
{
    says_nothing(7 * BAR, PIANO);
}
