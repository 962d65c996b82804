/* Four voices, two or three chords at a time, against the rules. */
#include "tests/check.h"
#include "app/dataset/voices.h"
#include "tests/app/hand_piece.h"

#include <math.h>

static struct hand_piece hand;

/* Chords of quarters from S A T B; the tracks are in no order of theirs. */
static struct voices count(const int chords[][VOICES], int n)
{
    static const int TRACKS[VOICES] = {2, 0, 3, 1};
    static const uint8_t FOUND[VOICES] = {2, 0, 3, 1};
    struct voices v = {0};
    hand_begin(&hand, 2);
    for (int i = 0; i < n; i++)
        for (int voice = 0; voice < VOICES; voice++)
            hand_note(&hand, TRACKS[voice], i * QUARTER, QUARTER, chords[i][voice]);
    voices_add(&v, &hand.piece, FOUND);
    assert_int_equal(v.n_chords, n);
    return v;
}

TEST(parallels_are_counted)
{
    static const struct {
        int chords[2][VOICES], fifths, octaves;
    } CASES[] = {
        /* bass C-D, tenor G-A; the others step the other way */
        {{{76, 67, 55, 48}, {74, 65, 57, 50}}, 1, 0},
        {{{67, 60, 55, 48}, {69, 60, 53, 50}}, 1, 0}, /* a twelfth is a fifth */
        {{{76, 67, 55, 48}, {76, 67, 64, 45}}, 0, 0}, /* contrary */
        {{{76, 60, 52, 45}, {76, 69, 52, 50}}, 0, 0}, /* a tenth to a fifth */
        {{{72, 67, 64, 48}, {74, 65, 62, 50}}, 0, 1},
        {{{72, 60, 60, 45}, {72, 62, 62, 43}}, 0, 1}, /* a unison is an octave */
        /* bass and tenor keep their fifth; soprano and alto move */
        {{{76, 67, 55, 48}, {77, 69, 55, 48}}, 0, 0},
        /* bass down an octave, tenor up: a fifth to a twelfth and more */
        {{{72, 64, 55, 48}, {72, 64, 57, 38}}, 0, 0},
        {{{72, 64, 60, 48}, {72, 64, 55, 48}}, 0, 0}, /* oblique */
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        struct voices v = count(CASES[i].chords, 2);
        assert_int_equal(v.fifths, CASES[i].fifths);
        assert_int_equal(v.octaves, CASES[i].octaves);
        assert_int_equal(v.crossed, 0);
        assert_int_equal(v.out_of_range, CASES[i].chords[1][3] == 38);
    }
}

/* Two wrongs at once are two; three chords are two steps. */
TEST(every_pair_counts)
{
    static const int all[3][VOICES] = {
        {72, 67, 60, 48}, {74, 69, 62, 50}, {76, 71, 64, 52}};
    struct voices v = count(all, 3);
    assert_int_equal(v.octaves, 2 * 3); /* S-T, S-B, T-B */
    assert_int_equal(v.fifths, 2 * 2);  /* A-T, A-B */
}

TEST(ranges)
{
    static const int edges[2][VOICES] = {{60, 55, 48, 40}, {79, 74, 67, 62}};
    static const int beyond[2][VOICES] = {{59, 54, 47, 39}, {80, 75, 68, 63}};
    assert_int_equal(count(edges, 2).out_of_range, 0);
    assert_int_equal(count(beyond, 2).out_of_range, 8);
}

TEST(crossing)
{
    static const int chords[3][VOICES] = {
        {64, 67, 55, 48}, {64, 64, 55, 48}, {67, 55, 57, 59}};
    struct voices v = count(chords, 3);
    assert_int_equal(v.crossed, 2); /* a unison crosses nothing */
    assert_true(fabs(voices_rate(&v, v.crossed) - 200.0 / 3) < 1e-9);
    assert_true(isnan(voices_rate(&(struct voices){0}, 1)));
}

/* A note held into the next onset is part of its chord. One voice alone is no
 * chord, and the voices that join it again are compared with nothing. */
TEST(chords_are_what_sounds)
{
    static const uint8_t tracks[VOICES] = {0, 1, 2, 3};
    struct voices v = {0};
    hand_begin(&hand, 2);
    hand_note(&hand, 0, 0, 2 * QUARTER, 72);
    hand_note(&hand, 1, 0, 2 * QUARTER, 64);
    hand_line(&hand, 2, 0, (const int[]){55, 57, 59}, 3);
    hand_line(&hand, 3, 0, (const int[]){48, 50, 52, 54}, 4); /* fifths below, but */
    hand_line(&hand, 2, 4 * QUARTER, (const int[]){61}, 1);   /* once alone, */
    hand_line(&hand, 3, 4 * QUARTER, (const int[]){54}, 1);   /* then not parallel */
    hand_line(&hand, 2, 5 * QUARTER, (const int[]){59}, 1);
    hand_line(&hand, 3, 5 * QUARTER, (const int[]){52}, 1);
    voices_add(&v, &hand.piece, tracks);
    assert_int_equal(v.n_chords, 5);
    assert_int_equal(v.fifths, 3);
    assert_int_equal(v.crossed, 0);
}

/* The soprano rests: alto and tenor may still cross, and a voice that has
 * ended crosses nothing. */
TEST(rests_do_not_cross)
{
    static const uint8_t tracks[VOICES] = {0, 1, 2, 3};
    struct voices v = {0};
    hand_begin(&hand, 1);
    hand_note(&hand, 0, 0, QUARTER, 60);
    hand_note(&hand, 2, QUARTER, QUARTER, 64);
    hand_note(&hand, 3, QUARTER, QUARTER, 50);
    hand_note(&hand, 1, 2 * QUARTER, QUARTER, 57);
    hand_note(&hand, 3, 2 * QUARTER, QUARTER, 59);
    voices_add(&v, &hand.piece, tracks);
    assert_int_equal(v.n_chords, 2);
    assert_int_equal(v.crossed, 1);
}

TEST(finds_voices)
{
    uint8_t tracks[VOICES];
    hand_begin(&hand, 1);
    hand_note(&hand, 0, 0, QUARTER, 48);
    hand_note(&hand, 2, 0, QUARTER, 72);
    hand_note(&hand, 5, 0, QUARTER, 55);
    assert_false(voices_find(&hand.piece, tracks)); /* three */
    hand_note(&hand, 7, 0, QUARTER, 64);
    assert_true(voices_find(&hand.piece, tracks));
    assert_memory_equal(tracks, ((const uint8_t[]){2, 7, 5, 0}), VOICES);
    hand_note(&hand, 7, QUARTER, QUARTER, 64);
    assert_true(voices_find(&hand.piece, tracks)); /* one after another */
    hand_note(&hand, 7, QUARTER, QUARTER, 67);
    assert_false(voices_find(&hand.piece, tracks)); /* two at a time */
    hand.piece.n_notes--;
    hand_note(&hand, 8, QUARTER, QUARTER, 67);
    assert_false(voices_find(&hand.piece, tracks)); /* five */
}
