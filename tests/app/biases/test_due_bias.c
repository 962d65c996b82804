/* What a track plays in every bar, or in every other one, is due again. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { TUNE, CHORDS, BASS, N_BARS = 8, BAR = 4 * QUARTER, END = N_BARS * BAR };

static const bool TRACKS[TOKEN_MAX_TRACKS] = {true, true, true};
static struct due_bias b;
static int32_t last; /* token */
static uint64_t free_tracks;

static void learn(void)
{
    h.piece.n_bars++;
    due_bias_init(&b, &h.piece, END, TRACKS, true);
}

/* A bass on the beats, but for one; chords of three at bar lines; a tune with the rhythm of two
 * bars. */
FIXTURE(begin)
{
    last = TOKEN_PITCH;
    free_tracks = 0;
    hand_begin(&h, N_BARS);
    hand_play(&h, TUNE, QUARTER / 2, END, 0, "2b/1q: 72");
    hand_play(&h, TUNE, BAR + 3 * QUARTER, END, 0, "2b/1q: 72");
    hand_play(&h, CHORDS, 0, END, 0, "1b: 60+64+68");
    hand_play(&h, BASS, 0, 2 * BAR, 0, "1q: 40 41 42 43");
    hand_play(&h, BASS, 2 * BAR, 3 * BAR, 0, "1q: 40 41 42 -");
    hand_play(&h, BASS, 3 * BAR, END, 0, "1q: 40 41 42 43");
    learn();
    return 0;
}

static void apply(int64_t step, int track)
{
    said.last = last;
    due_bias_apply(&b, place_at(step, track), free_tracks);
}

#define DUE_TEST(name) TEST_IN(name, begin, NULL)

/* A bar begins: three notes of a chord and one of the bass are due. */
DUE_TEST(a_place_is_not_passed_by)
{
    says(END, TUNE, "@1 < -6, bar <= @1, end <= @1, @0 = 0, t1 = 0");
    says(END, TUNE, "t2 < -6"); /* after the chord */
    says(END, BASS, "p40 < -6");
}

DUE_TEST(what_was_written_is_no_longer_due)
{
    hand_play(&h, CHORDS, END, END + 1, 0, "1b: 60+64+68");
    says(END, CHORDS, "t2 = 0, @1 < -3");
    hand_note(&h, BASS, END, QUARTER, 40);
    says(END, BASS, "@1 = 0, @1q < -3"); /* the tune's eighth */
}

/* One bar in eight may lack a note; of four, none. */
DUE_TEST(a_note_that_is_often_missing_is_not_due)
{
    assert_int_equal(b.period[BASS], 1);
    says(END + 3 * QUARTER, TUNE, "bar < -3");
    hand_begin(&h, N_BARS);
    for (int bar = 0; bar < N_BARS; bar++)
        hand_play(&h, BASS, bar * BAR, (bar + 1) * BAR - (bar % 5 == 2), 0,
                  bar % 5 == 2 ? "1q: 40 41 42 -" : "1q: 40 41 42 43");
    learn();
    says(END + 3 * QUARTER, BASS, "bar = 0");
    says(END + 2 * QUARTER, BASS, "bar < -3");
}

/* But where its phrase ends. */
DUE_TEST(what_one_bar_alone_has_is_a_stray)
{
    const int place = QUARTER + QUARTER / 2;
    hand_note(&h, BASS, END - BAR + place, QUARTER / 2, 40);
    learn();
    says(END + place, TUNE, "t2 < -2");
    says(END + 3 * BAR + place, TUNE, "t2 = 0");
}

DUE_TEST(a_track_that_does_something_else_in_a_bar_owes_nothing)
{
    free_tracks = 1 << CHORDS;
    says(END, TUNE, "t2 = 0, @1 < -3");
    free_tracks |= 1 << BASS;
    learn();
    says(END, TUNE, "@1 = 0");
}

DUE_TEST(a_tune_keeps_the_rhythm_of_two_bars)
{
    assert_int_equal(b.period[TUNE], 2);
    says(END + QUARTER / 2, BASS, "p40 < -3");
    says(END + QUARTER, TUNE, "t0 < -1"); /* a stray */
    says(END + BAR + 3 * QUARTER, TUNE, "t0 = 0");
    says(END + BAR + 3 * QUARTER, BASS, "p40 < -3");
}

DUE_TEST(a_line_does_not_last_beyond_its_next_note)
{
    says(END, BASS, "d1q = 0, d25 < -3, dx < -3");
    says(END, CHORDS, "d1b = 0");
}

/* Its own chord of a half rings, on the second beat; a tune's note does not. */
DUE_TEST(no_chord_begins_while_one_rings_if_none_did)
{
    hand_play(&h, CHORDS, END, END + 1, 0, "1b/2q: 60+64+68");
    says(END + QUARTER, TUNE, "t1 < -5, t0 > -5");
    says(END + QUARTER, CHORDS, "p60 < -5");
    says(END + 2 * QUARTER, TUNE, "t1 > -5, t1 < -2");           /* a stray alone */
    hand_note(&h, CHORDS, END - 2 * BAR + QUARTER, QUARTER, 72); /* one did */
    learn();
    says(END + QUARTER, TUNE, "t1 > -5");
}

/* Chords of a bar, which no next note bounds. */
DUE_TEST(lengths_are_those_of_the_place)
{
    says(END, CHORDS, "d47 < -3, d49 = 0, dx = 0, dx1 < -3");
    says(END + QUARTER, CHORDS, "d2 = 0"); /* a new place says nothing, */
    last = TOKEN_DURX;
    says(END, CHORDS, "d2 = 0"); /* nor does what is left of a length */
}

DUE_TEST(music_that_is_no_bands_is_freer)
{
    const double in_band = nats_at(END + 3 * QUARTER, TUNE, "bar");
    due_bias_init(&b, &h.piece, END, TRACKS, false);
    says(END + 3 * QUARTER, TUNE, "bar < -0.5");
    assert_true(nats("bar") > 0.7 * in_band);
    says(END + 4 * BAR, TUNE, "@1 = 0"); /* after four bars */
}

DUE_TEST(it_fades)
{
    const double soon = nats_at(END, TUNE, "@1");
    assert_true(nats_at(END + 16 * BAR, TUNE, "@1") > 0.6 * soon);
}

DUE_TEST(few_bars_and_other_meters_have_nothing_due)
{
    h.meters[1] = (struct grid_meter){END - 2 * BAR, 3, 4};
    h.piece.n_meters = 2;
    learn();
    says_nothing(END, BASS);
    h.piece.n_meters = 1;
    h.meters[0] = (struct grid_meter){0, 9, 4}; /* bars too long */
    learn();
    says_nothing(END, BASS);
    hand_begin(&h, 0);
    learn();
    says_nothing(END, BASS);
}
