/* A groove of two bars is gone on with: a kick on the first beat, a snare on the third, and in
 * one of the bars a hit between. In the rows h36 is a kick, h38 a snare, h42 a hat, h49 a crash. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum {
    BAR = 4 * QUARTER,
    HALF = 2 * QUARTER,
    EIGHTH = QUARTER / 2,
    KICK = 36,
    SNARE = 38
};

static struct new_groove new = {DRUMS_FREE};
static const struct new_groove BACKBEAT = {DRUMS_BACKBEAT};

static void apply(int64_t step, int track)
{
    struct rules r = {.is_band = true, .role = BAND_DRUMS, .groove = new};
    groove_bias_apply(&r, place_at(step, track));
}

/* Of a piece whose bars from `first` to before `end` have the groove; of new drums if none has. */
static void begin(int first, int end)
{
    hand_begin(&h, 8);
    h.piece.families[0] = FAMILY_DRUMS;
    hand_play(&h, 0, first * BAR, end * BAR, 0, "2q/1: 36 38");
    if (first == 0 && end > 0)
        hand_note(&h, 0, QUARTER, 1, 50);
    new = first == end ? BACKBEAT : (struct new_groove){DRUMS_FREE, .last = end * BAR};
}

FIXTURE(two_bars)
{
    begin(0, 2);
    return 0;
}

FIXTURE(new_drums)
{
    begin(0, 0);
    return 0;
}

TEST_IN(what_came_in_each_bar_is_likelier, two_bars, NULL)
{
    says(2 * BAR, 0, "h36 > 1, h38 < -1, h50 < -1");
    says(2 * BAR + 1, 0, "@2q > 1, @1q = 0, @5 < -1"); /* and where */
    says(2 * BAR + HALF, 0, "h36 < -1, h38 > 1");
}

/* Kick and snare on the beats, and hats between. */
TEST_IN(drums_begin_with_a_backbeat, new_drums, NULL)
{
    says(0, 0, "h36 > 1, h38 < h42 - 1");
    says(1, 0, "@1e > 1, @5 < -1");
    says(QUARTER, 0, "h36 < -1, h38 > 1");
    says(EIGHTH, 0, "h36 < -1, h38 < -1, h42 > 1");
    begin(0, 2);
    new = BACKBEAT;
    says(7 * BAR + EIGHTH, 0, "h42 > 1"); /* the groove is long past */
}

/* Two bars had none on the second beat. A clap is one, too. */
TEST_IN(a_snare_of_the_backbeat_is_due_in_each_bar_of_new_drums, two_bars, NULL)
{
    enum { CLAP = 39 };
    says(2 * BAR + QUARTER, 0, "h38 < -1, @2q > 1");
    new = BACKBEAT;
    says(2 * BAR + QUARTER, 0, "h38 = 0, h42 < -3, @2q < -2, bar < -3");
    hand_note(&h, 0, 2 * BAR + QUARTER, 1, CLAP);
    says(2 * BAR + QUARTER, 0, "h42 > -1, @2q > -1");
}

/* Three bars had hats alone. */
TEST_IN(a_kick_is_due_on_the_first_beat_of_new_drums, new_drums, NULL)
{
    hand_play(&h, 0, 0, 3 * BAR, 0, "1e/1: 42");
    says(3 * BAR, 0, "h42 < -2");
    hand_note(&h, 0, 3 * BAR, 1, KICK);
    says(3 * BAR, 0, "h42 > 0");
}

/* Jazz drums, say. */
TEST_IN(without_a_backbeat_the_model_finds_its_groove, new_drums, NULL)
{
    new.drums = DRUMS_FREE;
    says(QUARTER, 0, "h38 = 0, bar = 0, @2q = 0, @31 < -2");
}

/* Two, two and three eighths; or three first, if the music begins notes there. */
TEST_IN(uneven_bars_have_uneven_beats, new_drums, NULL)
{
    static const unsigned SNARES[] = {1 << 2 | 1 << 4, 1 << 3 | 1 << 5};
    h.meters[0] = (struct grid_meter){0, 7, 8};
    for (int three_first = 0; three_first < 2; three_first++) {
        if (three_first)
            hand_play(&h, 1, 0, 7 * EIGHTH, 0, "1e/6: 60 - - 60 - 60 -");
        for (int i = 0; i < 7; i++)
            says(i * EIGHTH, 0, SNARES[three_first] >> i & 1 ? "h38 > 1" : "h38 <= 1");
    }
}

/* Seven of eight bars begin with a three, the first of all does not. */
TEST_IN(uneven_beats_are_those_of_most_bars, new_drums, NULL)
{
    h.meters[0] = (struct grid_meter){0, 7, 8};
    for (int bar = 0; bar < 8; bar++)
        hand_play(&h, 1, bar * 7 * EIGHTH, (bar + 1) * 7 * EIGHTH, 0,
                  bar == 0 ? "1e/6: 60 - 60 - 60 - -" : "1e/6: 60 - - 60 - 60 -");
    says(4 * EIGHTH, 0, "h38 <= 1");
    says(5 * EIGHTH, 0, "h38 > 1");
}

/* The last beat of three has a snare that is due; the second may have one. */
TEST_IN(every_other_snare_of_uneven_bars_is_due, new_drums, NULL)
{
    h.meters[0] = (struct grid_meter){0, 7, 8};
    says(2 * EIGHTH, 0, "h38 > 1, h42 > -1");
    says(4 * EIGHTH, 0, "h38 > 1, h42 < -2, bar < -5");
}

/* Keys ascend: a hat cannot be followed by the snare. A hat is on each eighth. */
TEST_IN(nothing_of_the_groove_is_passed_by, new_drums, NULL)
{
    const double hat = nats_at(QUARTER, 0, "h42");
    says(EIGHTH, 0, "bar < -1, @1q < 0");
    assert_true(hat < nats("h42") - 1);
    says(1, 0, "@1e > 1, @1q < 0, @2q < -3, bar < -3");
    begin(0, 2);
    says(2 * BAR + 3 * QUARTER, 0, "bar = 0");  /* nothing is due */
    says(2 * BAR + 1, 0, "bar > -3, bar < -1"); /* the snare alone */
}

/* A bass on the second eighth and the fourth beat: no kick on the third. */
TEST_IN(kicks_of_a_backbeat_are_those_of_the_bass, new_drums, NULL)
{
    h.piece.families[1] = 4;
    hand_play(&h, 1, EIGHTH, BAR, 0, "60/1q: 40");
    says(EIGHTH, 0, "h36 > 1");
    says(HALF, 0, "h36 <= 1");
    says(3 * QUARTER, 0, "h36 <= 1, h38 > 0"); /* on the fourth */
}

/* Those that are written, and those after the hole. */
TEST(bars_beside_it_count)
{
    begin(0, 1);
    says(BAR + HALF, 0, "h38 > 1, h36 < -1");
    new = BACKBEAT;
    says(BAR + HALF, 0, "h38 < 0, h36 > 0, h49 < -1");
    begin(3, 6);
    says(HALF, 0, "h38 > 1, h36 < -1");
    new.last = 3 * BAR - 1; /* of what is written: the others are not looked at */
    says(HALF, 0, "h38 = 0, h36 = 0");
}

/* Of a beat, and each eighth of two. h45 is a tom. */
TEST_IN(a_fourth_bar_ends_with_a_fill, two_bars, NULL)
{
    says(3 * BAR + 3 * QUARTER, 0, "h38 > 1, h45 > 0, h42 < -1, @3q1e > 0, @77 = 0");
    says(3 * BAR + HALF, 0, "h45 < -1");
    says(7 * BAR + HALF, 0, "h45 > 0");
    says(2 * BAR + 3 * QUARTER, 0, "h45 < -1");
}

/* A bass begins on an eighth where the groove has nothing. */
TEST_IN(a_kick_may_join_the_bass, two_bars, NULL)
{
    says(2 * BAR + EIGHTH, 0, "h36 < -1");
    h.piece.families[1] = 4;
    hand_note(&h, 1, 2 * BAR + EIGHTH, QUARTER, 40);
    says(2 * BAR, 0, "@1e > @5");
    says(2 * BAR + EIGHTH, 0, "h36 > 0, h38 < -1");
}

/* A ride on each beat, which the foot hat joins on every other; if the music swings, skipped notes. */
TEST_IN(jazz_has_a_ride, new_drums, NULL)
{
    enum { SKIPPED = QUARTER + 2 * QUARTER / 3 };
    new = (struct new_groove){DRUMS_RIDE, .swings = true};
    says(0, 0, "h36 > 1, h44 < -1, h42 < -1");
    hand_note(&h, 0, 0, 1, KICK);
    says(0, 0, "h51 > 1, h44 < -1");
    says(QUARTER, 0, "h44 > 1, h38 < -1, h36 < -1, h51 > h49");
    says(SKIPPED, 0, "h51 > 1, h38 < -1");
    new.swings = false;
    says(SKIPPED, 0, "h51 < -1");
}

/* Of a bar as long as there is room for, the last skipped note would lie beyond it. */
TEST_IN(a_bar_has_no_hat_behind_it, new_drums, NULL)
{
    h.meters[0] = (struct grid_meter){0, 64, 32};
    new = (struct new_groove){DRUMS_RIDE, .swings = true};
    says(63, 0, "@64 > -2"); /* nothing is due there */
}

/* Hats on the beats; a fill of one beat after eight bars. */
TEST_IN(sparse_drums_play_on_beats, new_drums, NULL)
{
    new.is_sparse = true;
    says(QUARTER, 0, "h38 > 2, h44 < -2");
    says(QUARTER + 1, 0, "@1q1e < -1, @2q > 1");
    says(3 * BAR + 3 * QUARTER, 0, "h45 < -1");
    says(7 * BAR + 3 * QUARTER, 0, "h45 > 0");
    new.drums = DRUMS_LIGHT; /* have no snare */
    says(QUARTER, 0, "h38 < -1, h42 > 1, h36 < -1");
}

/* Of new drums one begins the take; the bars before do not say that it comes again. */
TEST_IN(a_crash_comes_once, new_drums, NULL)
{
    hand_note(&h, 0, 0, 1, KICK);
    hand_note(&h, 0, 0, 1, 42);
    says(0, 0, "h49 > -2");
    hand_play(&h, 0, 0, 3 * BAR, 0, "4q/1: 49");
    says(3 * BAR, 0, "h49 < -6, h36 > 0");
}

/* A roll of thirty-seconds would be the groove of all bars. */
TEST_IN(new_drums_have_no_roll, new_drums, NULL)
{
    says(1, 0, "@3 < -4, @6 < -1, @8 > -2, @1e > 1");
    new.is_straight = true;
    says(1, 0, "@6 < -1, @8 < -4");
}

static struct new_groove hear(uint64_t given, enum style style)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    analyse_tracks(tracks, &h.piece, 0, h.piece.n_notes);
    return groove_of_new(tracks, given, style);
}

/* Eighths or triplets between the beats. */
TEST(new_drums_suit_the_style_and_the_music)
{
    for (int is_swing = 0; is_swing < 2; is_swing++) {
        hand_begin(&h, 2);
        hand_play(&h, 1, is_swing ? 16 : 12, 2 * BAR, 0, "1q/6: 60");
        assert_int_equal(hear(UINT64_MAX, STYLE_POP).swings, is_swing);
        assert_int_equal(hear(UINT64_MAX, STYLE_POP).is_straight, !is_swing);
        assert_false(hear(UINT64_MAX, STYLE_POP).is_sparse);
    }
    assert_int_equal(hear(UINT64_MAX, STYLE_BAND).drums, DRUMS_BACKBEAT);
    assert_int_equal(hear(UINT64_MAX, STYLE_JAZZ).drums, DRUMS_RIDE);
    assert_int_equal(hear(UINT64_MAX, STYLE_LATIN).drums, DRUMS_FREE);
    assert_true(hear(UINT64_MAX, STYLE_ENSEMBLE).is_sparse);
    hand_play(&h, 2, 0, 2 * BAR, 0, "1q: 72/4");
    assert_true(hear(1 << 2, STYLE_POP).is_sparse); /* the other track is written now */
    assert_int_equal(hear(1 << 2, STYLE_POP).last, 2 * BAR - 8);
    assert_int_equal(hear(UINT64_MAX, STYLE_POP).last, -1);
}

/* From bar lines of odd meters, of which the last bar is cut. */
TEST(places_are_counted_from_bar_lines)
{
    struct track_facts tracks[TOKEN_MAX_TRACKS];
    for (size_t n_meters = 0; n_meters <= 2; n_meters++) {
        int at[STEPS_PER_QUARTER] = {0};
        hand_begin(&h, 40);
        h.meters[0] = (struct grid_meter){0, 7, 16};
        h.meters[1] = (struct grid_meter){100, 5, 16};
        h.piece.n_meters = n_meters;
        for (int step = 0; step < 200; step += 7) {
            const int64_t bar = piece_bar_at(&h.piece, step);
            at[(step - piece_bar_start(&h.piece, bar)) % STEPS_PER_QUARTER]++;
            hand_note(&h, 0, step, 1, 60);
        }
        analyse_tracks(tracks, &h.piece, 0, h.piece.n_notes);
        assert_memory_equal(tracks[0].at, at, sizeof at);
    }
}
