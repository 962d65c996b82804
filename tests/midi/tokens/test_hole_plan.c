/* Making plans of notes, and parts of plans. */
#include "tests/check.h"
#include "tests/midi/random_piece.h"

TEST(notes_are_sorted_and_counted)
{
    const struct grid_note notes[] = {{.step = 9, .length = 1, .track = 3, .pitch = 5},
                                      {.step = 0, .length = 2, .track = 1, .pitch = 7},
                                      {.step = 0, .length = 4, .track = 1, .pitch = 5},
                                      {.step = 0, .length = 9, .track = 1, .pitch = 5},
                                      {.step = 0, .length = 5, .track = 1, .pitch = 5}};
    struct hole_plan plan;
    assert_ok(hole_plan_make(&plan, HOLE_PLAN_PITCHES, notes, 5));
    assert_int_equal(plan.kind, HOLE_PLAN_PITCHES);
    assert_string_equal(told_notes(plan.notes, plan.n_notes),
                        "1:5@0+9 1:7@0+2 3:5@9+1 ");
    assert_int_equal(plan.most_together[1], 2);
    assert_int_equal(plan.most_together[3], 1);
    assert_int_equal(plan.most_together[0], 0);
    hole_plan_fini(&plan);
    hole_plan_fini(&plan);
}

TEST(notes_that_cannot_be_are_refused)
{
    const struct grid_note bad[] = {
        {.length = 0},
        {.length = 1, .track = TOKEN_MAX_TRACKS},
        {.length = 1, .pitch = 128},
        {.length = 1, .step = -1},
        {.length = INT32_MAX},
        {.length = 1, .step = INT32_MAX},
    };
    struct hole_plan plan;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(hole_plan_make(&plan, HOLE_PLAN_RHYTHM, &bad[i], 1),
                         MIDI_BAD_TOKEN);
        assert_null(plan.notes);
        assert_int_equal(plan.kind, HOLE_PLAN_NONE);
    }
}

TEST(a_part_counts_from_its_origin)
{
    const struct grid_note notes[] = {{.step = 95, .length = 5},
                                      {.step = 96, .length = 50},
                                      {.step = 180, .length = 50, .pitch = 1},
                                      {.step = 180, .length = 12, .pitch = 2},
                                      {.step = 192, .length = 1}};
    static const struct {
        int64_t from, to, origin;
        const char *notes; /* up to the part's end */
    } PARTS[] = {{96, 192, 48, "0:0@48+50 0:1@132+12 0:2@132+12 "},
                 {192, INT64_MAX, 192, "0:0@0+1 "},
                 {0, 300, INT64_MIN, ""}};
    auto_plan whole;
    assert_ok(hole_plan_make(&whole, HOLE_PLAN_RHYTHM, notes, 5));
    for (int i = 0; i < 3; i++) {
        auto_plan part;
        assert_ok(
            hole_plan_part(&part, &whole, PARTS[i].from, PARTS[i].to, PARTS[i].origin));
        assert_int_equal(part.kind, HOLE_PLAN_RHYTHM);
        assert_string_equal(told_notes(part.notes, part.n_notes), PARTS[i].notes);
        assert_int_equal(part.most_together[0], 2); /* of the whole */
    }
}

/* A chord's slot is marked used by its length, and only at its step. */
TEST(passed_slots_come_in_no_part)
{
    const struct grid_note notes[] = {{.step = 6, .length = 6, .pitch = 1},
                                      {.step = 6, .length = 9, .pitch = 2},
                                      {.step = 6, .length = 6, .pitch = 3}};
    auto_plan whole, part;
    assert_ok(hole_plan_make(&whole, HOLE_PLAN_RHYTHM, notes, 3));
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 9, .pitch = 80});
    hole_plan_pass(&whole, &(struct grid_note){.step = 7, .length = 6});
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 6, .track = 1});
    assert_ok(hole_plan_part(&part, &whole, 6, 24, 0));
    assert_string_equal(told_notes(part.notes, part.n_notes), "0:1@6+6 0:3@6+6 ");
}

/* Skipped pitches are gone; those that have not come yet come late. */
TEST(pitches_that_have_not_come_go_on)
{
    const struct grid_note notes[] = {{.step = 0, .length = 1, .pitch = 60},
                                      {.step = 1, .length = 1, .pitch = 62},
                                      {.step = 1, .length = 1, .track = 1, .pitch = 62},
                                      {.step = 2, .length = 1, .pitch = 64},
                                      {.step = 9, .length = 1, .pitch = 65},
                                      {.step = 30, .length = 1, .pitch = 62}};
    auto_plan whole, part;
    assert_ok(hole_plan_make(&whole, HOLE_PLAN_PITCHES, notes, 6));
    hole_plan_pass(&whole, &(struct grid_note){.step = 5, .length = 8, .pitch = 62});
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 8, .pitch = 99});
    assert_ok(hole_plan_part(&part, &whole, 12, 24, 12));
    assert_string_equal(told_notes(part.notes, part.n_notes),
                        "1:62@0+1 0:64@0+1 0:65@0+1 ");
}
