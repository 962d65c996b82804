/* Over C, and G from the second bar on, a tune has come to G (p67): all pitches became rarer. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { TUNE, BASS, DRUMS, BAR = 4 * QUARTER };

static struct grid_chord chords[] = {{.root = 0, .bass = 0},
                                     {.step = BAR + QUARTER, .root = 7, .bass = 7}};

static void apply(int64_t step, int track)
{
    struct rules r = {.chords = {chords, 2, BASS, 1, false}, .highest = TUNE};
    for (int i = 1; i < N_PITCHES; i++)
        logits[TOKEN_PITCH + i] -= allowed[TOKEN_PITCH + i];
    passing_tones_apply(&r, place_at(step, track));
}

FIXTURE(tune)
{
    hand_begin(&h, 4);
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    hand_note(&h, DRUMS, 0, 1, 81);
    hand_note(&h, BASS, 0, BAR, 36);
    hand_note(&h, TUNE, 0, QUARTER, 67);
    return 0;
}

TEST_IN(steps_on_weak_beats_keep_what_they_had, tune, NULL)
{
    says(QUARTER, TUNE,
         "p69 = 0, p65 = 0, p66 = 0, p67 = -1, p70 = -1, p64 = -1, p72 = -1");
    says(QUARTER + QUARTER / 2, TUNE, "p69 = 0, p64 = -1");
    hand_note(&h, TUNE, QUARTER, QUARTER, 64);
    hand_note(&h, TUNE, QUARTER, QUARTER, 60); /* a chord's highest leads */
    says(3 * QUARTER, TUNE, "p65 = 0, p69 = -1, p62 = 0, p61 = -1");
}

TEST_IN(strong_beats_are_the_chords_own, tune, NULL)
{
    says(2 * QUARTER, TUNE, "p69 = -1, p65 = -1");
    hand_note(&h, TUNE, 3 * QUARTER, QUARTER, 67);
    says(BAR, TUNE, "p69 = -1");
    says(BAR + QUARTER, TUNE, "p69 = -1"); /* where a chord begins */
    says(BAR + QUARTER / 2, TUNE, "p69 = 0");
}

TEST_IN(after_a_bar_nothing_is_near, tune, NULL)
{
    says(BAR + QUARTER / 2, TUNE, "p69 = -1, p65 = -1");
}

static int find_tune(int bass)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    analyse_tracks(tracks, &h.piece, 0, h.piece.n_notes);
    return passing_tones_tune(&h.piece, tracks, bass);
}

TEST_IN(the_tune_is_the_highest_line, tune, NULL)
{
    enum { CHORDS = 3 };
    hand_play(&h, CHORDS, 0, BAR, 0, "1q: 72+76");
    assert_int_equal(find_tune(BASS), TUNE);
    assert_int_equal(find_tune(TUNE), BASS);
    h.piece.n_notes = 0;
    assert_int_equal(find_tune(BASS), -1);
}
