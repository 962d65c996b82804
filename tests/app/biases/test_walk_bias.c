/* Chords swing over a ride cymbal (h51) on the beats, and a bass is missing: it walks. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { BASS, DRUMS, CHORDS, BAR = 4 * QUARTER, RIDE = 51 };

static struct grid_chord to_come; /* G, in the second bar */
static int end = 2 * BAR;         /* of what is written */

static void apply(int64_t step, int track)
{
    said.end = end;
    walk_bias_apply(step < to_come.step ? &to_come : NULL, place_at(step, track));
}

FIXTURE(swing)
{
    hand_begin(&h, 2);
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    hand_play(&h, DRUMS, 0, 2 * BAR, 0, "1q/1: 51");
    for (int i = 0; i < 8; i++)
        hand_note(&h, CHORDS, i * QUARTER + 2 * QUARTER / 3, QUARTER / 3, 64);
    to_come = (struct grid_chord){.step = BAR, .root = 7, .bass = 7};
    end = 2 * BAR;
    return 0;
}

static bool walks(enum style style)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    analyse_tracks(tracks, &h.piece, 0, h.piece.n_notes);
    return walk_bias_is_due(&h.piece, tracks, style);
}

TEST_IN(a_bass_walks_where_others_swing, swing, NULL)
{
    assert_true(walks(STYLE_BAND));
    for (size_t i = 0; i < h.piece.n_notes; i++)
        if (h.notes[i].pitch == RIDE)
            h.notes[i].pitch = 42;
    assert_false(walks(STYLE_BAND));
    assert_true(walks(STYLE_JAZZ));
}

TEST_IN(a_bass_does_not_walk_over_straight_eighths, swing, NULL)
{
    hand_play(&h, CHORDS, 0, 2 * BAR, 0, "1e: 60");
    assert_false(walks(STYLE_BAND));
}

TEST_IN(each_beat_has_a_note, swing, NULL)
{
    says(0, BASS, "@0 = 0, @16 < -4, @1q < -3, bar < -3, end < -3");
    hand_note(&h, BASS, 0, QUARTER, 36);
    says(0, BASS, "@1q = 0, @16 < -2, @2q < -3, bar < -3");
    hand_play(&h, BASS, QUARTER, BAR, 0, "1q: 38 40 41");
    says(3 * QUARTER, BASS, "bar = 0, end = 0, @88 < -2");
}

TEST_IN(no_beat_is_left_where_a_hole_ends, swing, NULL)
{
    end = 2 * QUARTER;
    hand_note(&h, BASS, 0, QUARTER, 36);
    says(0, BASS, "end < -3, @1q = 0");
    hand_note(&h, BASS, QUARTER, QUARTER, 38);
    says(QUARTER, BASS, "end = 0, bar = 0");
}

TEST_IN(so_has_each_of_three_and_of_a_compound_meter, swing, NULL)
{
    h.meters[0] = (struct grid_meter){0, 3, 4};
    hand_play(&h, BASS, 0, 2 * QUARTER, 0, "1q: 36 38");
    says(QUARTER, BASS, "@2q = 0, bar < -3");
    h.meters[0] = (struct grid_meter){0, 12, 8};
    says(QUARTER, BASS, "@36 = 0, @2q < -2, bar < -3");
    h.meters[0] = (struct grid_meter){0, 7, 8};
    says(QUARTER, BASS,
         "@36 = 0, @2q = 0, bar = 0"); /* of uneven beats nothing is known */
}

TEST_IN(a_note_lasts_a_beat_and_is_not_repeated, swing, NULL)
{
    says(0, BASS, "d24 = 0, d20 = 0, d12 < -2, d25 < -2, dx < -2, p36 = 0");
    said.last = TOKEN_DURX; /* four quarters were said, which others are added to */
    says(0, BASS, "d24 < -2, d20 < -2");
    said.last = TOKEN_PAD;
    hand_note(&h, BASS, 0, QUARTER, 36);
    says(QUARTER, BASS,
         "p36 < -1, p38 = 0, p43 = 0, p48 < 0, p52 < p48, "
         "p120 = p100, p120 > -4");
    hand_note(&h, BASS, QUARTER, QUARTER, 40);
    says(2 * QUARTER, BASS, "p40 < -1, p36 < 0, p36 > p40, p38 = 0");
}

/* To G from A, A flat, F sharp or F. */
TEST_IN(the_last_beat_leads_to_the_next_chord, swing, NULL)
{
    says(3 * QUARTER, BASS, "p45 > 0, p44 > 0, p42 > 0, p41 > 0, p43 = 0, p40 = 0");
    says(2 * QUARTER, BASS, "p44 = 0");
    to_come.root = 12; /* no chord */
    says(3 * QUARTER, BASS, "p44 = 0");
}

TEST(a_given_bass_goes_on_if_it_walks)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    hand_begin(&h, 4);
    hand_play(&h, BASS, 0, 4 * BAR, 0, "1q: 36 38 40 41");
    hand_play(&h, CHORDS, 0, 4 * BAR, 0, "1e: 60");
    analyse_tracks(tracks, &h.piece, 0, h.piece.n_notes);
    assert_true(walk_bias_goes_on(&tracks[BASS], 4 * BAR));
    assert_false(walk_bias_goes_on(&tracks[BASS], 8 * BAR)); /* half of it rests */
    assert_false(walk_bias_goes_on(&tracks[CHORDS], 4 * BAR));
}
