/* Humanised notes: bounded, in order, and reproducible by seed. */
#include "tests/check.h"
#include "midi/score/notes.h"
#include "midi/edit/humanise.h"
#include "tests/midi/random_piece.h"

enum { N_NOTES = 300 };

static int open_score(void **state)
{
    struct score *s = score_create(480);
    uint64_t r = 1;
    int track = s ? score_add_track(s, "one", 0, 0) : -1;
    for (int i = 0; track >= 0 && i < N_NOTES; i++) {
        struct note n = {.start = 30 * random_below(&r, 400),
                         .length = 1 + random_below(&r, 500),
                         .pitch = (uint8_t)(48 + random_below(&r, 30)),
                         .velocity = (uint8_t)(1 + random_below(&r, 127)),
                         .raw_start = random_below(&r, 41) - 20};
        if (n.start + n.raw_start < 0)
            n.raw_start = 0;
        score_add_note(s, track, n);
    }
    *state = s;
    return track;
}

static int close_score(void **state)
{
    score_destroy(*state);
    return 0;
}

static void humanised(const struct score *s, const struct humanise *h,
                      struct note out[N_NOTES])
{
    const struct track *t = &s->tracks[0];
    memcpy(out, t->notes, N_NOTES * sizeof *out);
    humanise_notes(h, &s->timeline, t, out, N_NOTES, 0);
}

/* A seed means the same in every version: sums of twelve numbers of SplitMix64, as a script
 * computed them. */
TEST(draws_are_of_splitmix64)
{
    assert_float_equal(humanise_draw(7, 0), 0.493725276, 1e-9);
    assert_float_equal(humanise_draw(7, 1), 0.188317871, 1e-9);
    assert_float_equal(humanise_draw(1234567, 99), 0.560039830, 1e-9);
}

TEST(nothing_goes_farther_than_asked)
{
    const struct score *s = *state;
    struct note out[N_NOTES];
    struct humanise h = {.ms = 10, .velocity = 8, .seed = 3}; /* 9.6 ticks */
    size_t n_moved = 0;
    humanised(s, &h, out);
    for (size_t i = 0; i < N_NOTES; i++) {
        const struct note *was = &s->tracks[0].notes[i];
        assert_in_range(llabs(out[i].start - was->start), 0, 10);
        assert_in_range(abs(out[i].velocity - was->velocity), 0, 8);
        assert_in_range(out[i].velocity, 1, 127);
        assert_int_equal(out[i].length, was->length);
        n_moved += out[i].start != was->start;
    }
    assert_true(n_moved > N_NOTES / 2);
}

TEST(order_and_what_was_played_are_kept)
{
    const struct score *s = *state;
    const struct note *was = s->tracks[0].notes;
    struct note out[N_NOTES];
    struct humanise h = {.ms = 1000, .velocity = 0, .seed = 4};
    humanised(s, &h, out);
    for (size_t i = 0; i < N_NOTES; i++) {
        for (size_t k = i + 1; k < N_NOTES; k++)
            if (was[k].start > was[i].start)
                assert_true(out[k].start > out[i].start);
        assert_true(out[i].start >= 0);
        assert_int_equal(out[i].velocity, was[i].velocity);
        played_restore(&out[i]);
        assert_int_equal(out[i].start, was[i].start + was[i].raw_start);
        assert_int_equal(out[i].length, was[i].length);
    }
}

GROUP(open_score, close_score)
