/* What is free of blocked notes, compared with a drawing of them. */
#include "tests/check.h"
#include "midi/tokens/occupancy.h"
#include "tests/midi/hole_oracle.h"

enum { N_ROWS = 500, N_STEPS = 80, N_BLOCKED = 12, FROM = 10, TO = 60 };

static void block_at_random(struct occupancy *o, bool *blocked, uint64_t *r)
{
    for (int n = random_below(r, N_BLOCKED); n > 0; n--) {
        int step = random_below(r, 64), length = 1 + random_below(r, 16);
        assert_ok(occupancy_block(o, 1, 60, step, length));
        assert_ok(occupancy_block(o, 1, 59, 0, N_STEPS));
        for (int i = step; i < step + length; i++)
            blocked[i] = true;
    }
}

static int64_t next_free(const bool *blocked, int64_t step)
{
    while (blocked[step])
        step++;
    return step;
}

static int64_t last_free(const bool *blocked, int64_t step)
{
    while (step >= 0 && blocked[step])
        step--;
    return step;
}

static int64_t longest(const bool *blocked, int64_t step)
{
    int64_t n = 0;
    while (step >= FROM && step + n < TO && !blocked[step + n])
        n++;
    return n;
}

TEST(free_steps_are_those_not_blocked)
{
    struct hole h = hole_of(FROM, TO, 59, 61, 2);
    auto_free struct occupancy *o = calloc(1, sizeof *o);
    uint64_t r = 1;
    assert_non_null(o);
    h.tracks[0] = false;
    for (int row = 0; row < N_ROWS; row++) {
        bool blocked[N_STEPS + 1] = {false};
        occupancy_start(o, &h);
        block_at_random(o, blocked, &r);
        for (int step = 0; step < N_STEPS; step++) {
            assert_int_equal(occupancy_next_free(o, 1, 60, step),
                             next_free(blocked, step));
            int64_t last = occupancy_last_free(o, 1, 60, step);
            assert_int_equal(last < 0 ? -1 : last, last_free(blocked, step));
            assert_int_equal(occupancy_longest(o, 1, 60, step), longest(blocked, step));
        }
    }
    occupancy_fini(o);
}

/* Three voices, of which two sound. */
TEST(voices_and_scale_are_counted)
{
    struct hole h = hole_of(0, 96, 60, 72, 1);
    auto_free struct occupancy *o = calloc(1, sizeof *o);
    assert_non_null(o);
    h.scale = 1 << 2 | 1 << 4;
    h.max_polyphony[0] = 3;
    occupancy_start(o, &h);
    occupancy_add(o, &(struct grid_note){.step = 0, .length = 10, .pitch = 62});
    occupancy_add(o, &(struct grid_note){.step = 4, .length = 10, .pitch = 30});
    assert_int_equal(occupancy_voices_left(o, 0, 4), 1);
    assert_int_equal(occupancy_voices_left(o, 0, 10), 2);
    assert_int_equal(occupancy_voices_left(o, 0, 14), 3);
    assert_int_equal(o->hole.low[0], 62);
    assert_int_equal(o->hole.high[0], 64);
    assert_int_equal(occupancy_longest(o, 0, 62, 9), 0);
    assert_int_equal(occupancy_longest(o, 0, 62, 10), 86);
    assert_int_equal(occupancy_longest(o, 0, 63, 10), 0);
    assert_int_equal(occupancy_first_pitch(o, 0, 0, 5), 64);
    occupancy_fini(o);
}

/* An intersection has both scales; two scales without a common pitch give none. */
TEST(holes_meet_in_both_scales)
{
    struct hole a = hole_of(0, 9, 0, 127, 1), b = a;
    assert_int_equal(hole_intersect(&a, &b).scale, 0);
    a.scale = 0xab5;
    assert_int_equal(hole_intersect(&a, &b).scale, 0xab5);
    assert_int_equal(hole_intersect(&b, &a).scale, 0xab5);
    b.scale = 0x54a | 1;
    assert_int_equal(hole_intersect(&a, &b).scale, 1);
    b.scale = 0x54a;
    struct hole none = hole_intersect(&a, &b);
    auto_free struct occupancy *o = calloc(1, sizeof *o);
    assert_non_null(o);
    occupancy_start(o, &none);
    assert_int_equal(occupancy_next_step(o, 0), INT64_MAX);
    assert_false(occupancy_track_fits(o, 0, 0, 0));
}
