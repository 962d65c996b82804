/* Parts of plans. */
#include "tests/check.h"
#include "tests/midi/random_piece.h"

static struct hole_plan plan_of(enum hole_plan_kind kind, const char *text)
{
    struct grid_note notes[8];
    struct hole_plan plan;
    assert_ok(hole_plan_make(&plan, kind, notes, notes_of(text, notes)));
    return plan;
}

TEST(a_part_counts_from_its_origin)
{
    static const struct {
        int64_t from, to, origin;
        const char *notes; /* up to the part's end */
    } PARTS[] = {{96, 192, 48, "0:0@48+50 0:1@132+12 0:2@132+12 "},
                 {192, INT64_MAX, 192, "0:0@0+1 "},
                 {0, 300, INT64_MIN, ""}};
    auto_plan whole =
        plan_of(HOLE_PLAN_RHYTHM, "0:0@95+5 0:0@96+50 0:1@180+50 0:2@180+12 0:0@192+1");
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
    auto_plan whole = plan_of(HOLE_PLAN_RHYTHM, "0:1@6+6 0:2@6+9 0:3@6+6"), part;
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 9, .pitch = 80});
    hole_plan_pass(&whole, &(struct grid_note){.step = 7, .length = 6});
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 6, .track = 1});
    assert_ok(hole_plan_part(&part, &whole, 6, 24, 0));
    assert_string_equal(told_notes(part.notes, part.n_notes), "0:1@6+6 0:3@6+6 ");
}

/* Skipped pitches are gone; those that have not come yet come late. */
TEST(pitches_that_have_not_come_go_on)
{
    auto_plan whole = plan_of(HOLE_PLAN_PITCHES,
                              "0:60@0+1 0:62@1+1 1:62@1+1 0:64@2+1 0:65@9+1 0:62@30+1"),
              part;
    hole_plan_pass(&whole, &(struct grid_note){.step = 5, .length = 8, .pitch = 62});
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 8, .pitch = 99});
    assert_ok(hole_plan_part(&part, &whole, 12, 24, 12));
    assert_string_equal(told_notes(part.notes, part.n_notes),
                        "1:62@0+1 0:64@0+1 0:65@0+1 ");
}
