/* Statistics of pieces small enough to count by hand. */
#include "tests/check.h"
#include "app/evaluation/statistics.h"
#include "tests/app/hand_piece.h"

#include <math.h>

static struct hand_piece hand;

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-12))
        fail_msg("%.15g is not %.15g", a, b);
}

static struct statistics count(const struct hand_piece *h)
{
    struct statistics s = {0};
    assert_ok(piece_check(&h->piece));
    assert_true(statistics_add(&s, &h->piece));
    return s;
}

TEST(test_counts_notes)
{
    hand_begin(&hand, 2);
    hand_line(&hand, 0, 0, (const int[]){60, 62, 64, 72}, 4);
    hand_note(&hand, 1, 0, 500, 48); /* below, longer than any bin */
    struct statistics s = count(&hand);
    assert_int_equal(s.n_pieces, 1);
    assert_int_equal(s.n_notes, 5);
    assert_int_equal(s.n_steps, 8 * QUARTER);
    assert_int_equal(s.pitch_classes[0], 3);
    assert_int_equal(s.pitch_classes[2], 1);
    assert_int_equal(s.durations[QUARTER], 4);
    assert_int_equal(s.durations[STATISTICS_DURATIONS - 1], 1);
    assert_near(statistics_means(&s).density, 5.0 / 8);
    assert_near(statistics_means(&s).polyphony, 2.0);
}

TEST(test_notes_end_before_others_begin)
{
    hand_begin(&hand, 1);
    hand_note(&hand, 0, 0, 24, 60);
    hand_note(&hand, 0, 0, 25, 64);  /* rings into the next */
    hand_note(&hand, 0, 24, 24, 67); /* 64 and 67: two */
    hand_note(&hand, 0, 72, 24, 67); /* alone */
    struct statistics s = count(&hand);
    assert_int_equal(s.n_onsets, 3);
    assert_int_equal(s.n_sounding, 2 + 2 + 1);
}

/* The top of each onset, a track at a time; what is too wide is clipped. */
TEST(test_counts_intervals)
{
    hand_begin(&hand, 1);
    hand_note(&hand, 0, 0, 24, 60);
    hand_note(&hand, 0, 0, 24, 64);
    hand_note(&hand, 1, 12, 24, 100); /* another track is in nobody's way */
    hand_note(&hand, 0, 24, 24, 62);
    hand_note(&hand, 0, 48, 24, 62);
    hand_note(&hand, 0, 72, 24, 127);
    struct statistics s = count(&hand);
    assert_int_equal(s.intervals[STATISTICS_WIDEST - 2], 1);
    assert_int_equal(s.intervals[STATISTICS_WIDEST], 1);
    assert_int_equal(s.intervals[2 * STATISTICS_WIDEST], 1);
    int64_t all = 0;
    for (int i = 0; i < STATISTICS_INTERVALS; i++)
        all += s.intervals[i];
    assert_int_equal(all, 3);
}

/* One pitch class: nothing to be told. Four alike: two bits. Empty bars do not
 * count. */
TEST(test_entropy_of_bars)
{
    hand_begin(&hand, 3);
    hand_line(&hand, 0, 0, (const int[]){60, 72, 48, 60}, 4);
    hand_line(&hand, 0, 8 * QUARTER, (const int[]){60, 61, 62, 63}, 4);
    struct statistics s = count(&hand);
    assert_int_equal(s.n_bars, 2);
    assert_near(statistics_means(&s).entropy, 1.0);
}

/* Bars of quarters at 1 2 3 4, the same, and 1 2 3: the pairs differ at 0, 1
 * and 1 of 64 positions. */
TEST(test_groove_of_pairs)
{
    hand_begin(&hand, 3);
    hand_line(&hand, 0, 0, (const int[]){60, 60, 60, 60, 72, 72, 72, 72, 48, 48, 48},
              11);
    hand_line(&hand, 1, 0, (const int[]){50, 50}, 2); /* of all tracks together */
    struct statistics s = count(&hand);
    assert_near(statistics_means(&s).groove, 1 - (0.0 + 1 + 1) / 64 / 3);
    hand_begin(&hand, 1);
    s = count(&hand);
    assert_true(isnan(statistics_means(&s).groove));
}

/* A three-four bar is as long as its positions, and so is one cut short. */
TEST(test_groove_of_other_bars)
{
    hand_begin(&hand, 3);
    hand.meters[0] = (struct grid_meter){0, 3, 4};
    hand.meters[1] = (struct grid_meter){5 * QUARTER, 2, 4}; /* after 3 + 2 quarters */
    hand.piece.n_meters = 2;
    hand_note(&hand, 0, 0, 6, 60);
    hand_note(&hand, 0, 3 * QUARTER, 6, 60);
    hand_note(&hand, 0, 4 * QUARTER, 6, 60); /* half way through the bar */
    hand_note(&hand, 0, 5 * QUARTER, 6, 60);
    hand_note(&hand, 0, 7 * QUARTER - 1, 1, 60);
    struct statistics s = count(&hand);
    assert_int_equal(s.n_steps, 7 * QUARTER);
    assert_near(statistics_means(&s).groove, 1 - (1.0 + 1 + 2) / 64 / 3);
}

TEST(test_pieces_add_up)
{
    struct statistics s = {0};
    hand_begin(&hand, 1);
    hand_line(&hand, 0, 0, (const int[]){60, 62, 64, 65}, 4);
    assert_true(statistics_add(&s, &hand.piece));
    assert_true(statistics_add(&s, &hand.piece));
    assert_int_equal(s.n_pieces, 2);
    assert_int_equal(s.n_notes, 8);
    assert_int_equal(s.intervals[STATISTICS_WIDEST + 2], 4); /* none between them */
    assert_near(statistics_means(&s).density, 1.0);
    assert_near(statistics_means(&s).entropy, 2.0);
}

TEST(test_nothing_is_not_a_number)
{
    const struct statistics none = {0};
    const int64_t some[3] = {1, 0, 2}, empty[3] = {0};
    assert_true(isnan(statistics_means(&none).density));
    assert_true(isnan(statistics_means(&none).polyphony));
    assert_true(isnan(statistics_means(&none).entropy));
    assert_true(isnan(statistics_total_variation(some, empty, 3)));
    assert_true(isnan(statistics_divergence(empty, some, 3)));
}

TEST(test_distances)
{
    const int64_t a[4] = {1, 3, 0, 0}, twice[4] = {2, 6, 0, 0}, other[4] = {0, 0, 5, 5};
    const int64_t b[4] = {2, 0, 2, 0};
    assert_near(statistics_total_variation(a, twice, 4), 0.0);
    assert_near(statistics_divergence(a, twice, 4), 0.0);
    assert_near(statistics_total_variation(a, other, 4), 1.0);
    assert_near(statistics_divergence(a, other, 4), log(2.0));
    /* shares 1/4 3/4 and 1/2 . 1/2; means 3/8 3/8 1/4 */
    double nats = 0.25 * log(0.25 / 0.375) + 0.75 * log(0.75 / 0.375) +
                  0.5 * log(0.5 / 0.375) + 0.5 * log(0.5 / 0.25);
    assert_near(statistics_total_variation(a, b, 4), 0.75);
    assert_near(statistics_divergence(a, b, 4), nats / 2);
    assert_near(statistics_divergence(b, a, 4), nats / 2);
}
