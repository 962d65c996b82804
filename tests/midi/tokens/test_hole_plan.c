/* Plans made of notes, and parts of them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "midi/tokens/hole_plan.h"

static void notes_are_sorted_and_counted(void **state)
{
    (void)state;
    const struct grid_note notes[] = {{.step = 9, .length = 1, .track = 3, .pitch = 5},
                                      {.step = 0, .length = 2, .track = 1, .pitch = 7},
                                      {.step = 0, .length = 4, .track = 1, .pitch = 5},
                                      {.step = 0, .length = 9, .track = 1, .pitch = 5},
                                      {.step = 0, .length = 5, .track = 1, .pitch = 5}};
    struct hole_plan plan;
    assert_int_equal(hole_plan_pitches(&plan, notes, 5), MIDI_OK);
    assert_int_equal(plan.kind, HOLE_PLAN_PITCHES);
    assert_int_equal(plan.n_notes, 3);
    assert_int_equal(plan.notes[0].pitch, 5);
    assert_int_equal(plan.notes[0].length, 9);
    assert_int_equal(plan.notes[1].pitch, 7);
    assert_int_equal(plan.notes[2].track, 3);
    assert_int_equal(plan.most_together[1], 2);
    assert_int_equal(plan.most_together[3], 1);
    assert_int_equal(plan.most_together[0], 0);
    hole_plan_fini(&plan);
    hole_plan_fini(&plan);
}

static void notes_that_cannot_be_are_refused(void **state)
{
    (void)state;
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
        assert_int_equal(hole_plan_rhythm(&plan, &bad[i], 1), MIDI_BAD_TOKEN);
        assert_null(plan.notes);
        assert_int_equal(plan.kind, HOLE_PLAN_NONE);
    }
}

static void a_part_counts_from_its_origin(void **state)
{
    (void)state;
    const struct grid_note notes[] = {{.step = 95, .length = 5},
                                      {.step = 96, .length = 50},
                                      {.step = 180, .length = 50, .pitch = 1},
                                      {.step = 180, .length = 12, .pitch = 2},
                                      {.step = 192, .length = 1}};
    struct hole_plan whole, part;
    assert_int_equal(hole_plan_rhythm(&whole, notes, 5), MIDI_OK);
    assert_int_equal(hole_plan_part(&part, &whole, 96, 192, 48), MIDI_OK);
    assert_int_equal(part.kind, HOLE_PLAN_RHYTHM);
    assert_int_equal(part.n_notes, 3);
    assert_int_equal(part.notes[0].step, 48);
    assert_int_equal(part.notes[0].length, 50);
    assert_int_equal(part.notes[1].step, 132);
    assert_int_equal(part.notes[1].length, 12); /* up to the part's end */
    assert_int_equal(part.notes[2].length, 12);
    assert_int_equal(part.most_together[0], 2);
    hole_plan_fini(&part);
    assert_int_equal(hole_plan_part(&part, &whole, 192, INT64_MAX, 192), MIDI_OK);
    assert_int_equal(part.n_notes, 1);
    assert_int_equal(part.most_together[0], 2); /* of the whole */
    hole_plan_fini(&part);
    assert_int_equal(hole_plan_part(&part, &whole, 0, 300, INT64_MIN), MIDI_OK);
    assert_int_equal(part.n_notes, 0);
    hole_plan_fini(&part);
    hole_plan_fini(&whole);
}

/* Of a chord a slot is passed by its length, and only where it stands. */
static void passed_slots_come_in_no_part(void **state)
{
    (void)state;
    const struct grid_note notes[] = {{.step = 6, .length = 6, .pitch = 1},
                                      {.step = 6, .length = 9, .pitch = 2},
                                      {.step = 6, .length = 6, .pitch = 3}};
    struct hole_plan whole, part;
    assert_int_equal(hole_plan_rhythm(&whole, notes, 3), MIDI_OK);
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 9, .pitch = 80});
    hole_plan_pass(&whole, &(struct grid_note){.step = 7, .length = 6});
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 6, .track = 1});
    assert_int_equal(hole_plan_part(&part, &whole, 6, 24, 0), MIDI_OK);
    assert_int_equal(part.n_notes, 2);
    assert_int_equal(part.notes[0].length, 6);
    assert_int_equal(part.notes[1].length, 6);
    hole_plan_fini(&part);
    hole_plan_fini(&whole);
}

/* What was passed over is gone; what has not come yet comes, late. */
static void pitches_that_have_not_come_go_on(void **state)
{
    (void)state;
    const struct grid_note notes[] = {{.step = 0, .length = 1, .pitch = 60},
                                      {.step = 1, .length = 1, .pitch = 62},
                                      {.step = 1, .length = 1, .track = 1, .pitch = 62},
                                      {.step = 2, .length = 1, .pitch = 64},
                                      {.step = 9, .length = 1, .pitch = 65},
                                      {.step = 30, .length = 1, .pitch = 62}};
    struct hole_plan whole, part;
    assert_int_equal(hole_plan_pitches(&whole, notes, 6), MIDI_OK);
    hole_plan_pass(&whole, &(struct grid_note){.step = 5, .length = 8, .pitch = 62});
    hole_plan_pass(&whole, &(struct grid_note){.step = 6, .length = 8, .pitch = 99});
    assert_int_equal(hole_plan_part(&part, &whole, 12, 24, 12), MIDI_OK);
    assert_int_equal(part.n_notes, 3);
    assert_int_equal(part.notes[0].track, 1);
    assert_int_equal(part.notes[1].pitch, 64);
    assert_int_equal(part.notes[2].pitch, 65);
    assert_int_equal(part.notes[2].step, 0);
    hole_plan_fini(&part);
    hole_plan_fini(&whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notes_are_sorted_and_counted),
        cmocka_unit_test(notes_that_cannot_be_are_refused),
        cmocka_unit_test(a_part_counts_from_its_origin),
        cmocka_unit_test(passed_slots_come_in_no_part),
        cmocka_unit_test(pitches_that_have_not_come_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
