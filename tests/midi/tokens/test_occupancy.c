/* Voices, scales, and what two holes share. What is free of notes is seen in
 * test_grammar_fill.c and test_grammar_plan.c. */
#include "tests/check.h"
#include "midi/tokens/occupancy.h"
#include "tests/midi/hole_oracle.h"

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
