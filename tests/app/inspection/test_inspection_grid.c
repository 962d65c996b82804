/* Inspecting four voices in sixteenths: with one model that tells all of them, and with one
 * that hears a melody. */
#include "tests/check.h"
#include "tests/app/grid_data.h"
#include "tests/app/inspection/inspection_desk.h"
#include "tests/app/own_folder.h"

static int make_models(void **state)
{
    return make_own_folder(state) || grid_data_write(in_folder("four.json")) ||
           tiny_grid_train(in_folder("four.json"), in_folder("all.safetensors"),
                           false) ||
           tiny_grid_train(in_folder("four.json"), in_folder("lower.safetensors"),
                           true);
}

/* Chords of a quarter, each voice on its track. */
static void open_with(const char *name)
{
    assert_ok(model_open(&desk.f.model, in_folder(name), NULL, 0));
    desk.f.pool = pool_create(1);
    assert_non_null(desk.f.pool);
    assert_ok(inspection_create(&desk.i, desk.f.model, desk.f.pool, NULL));
    desk.score = score_of("480 | a: (67q 69 71 73 68 70 72)*8 67 69 71 73 | "
                          "b: (60q 63 66 62 65 61 64)*8 60 63 66 62 | "
                          "c: (55q 59 56 60 57 61 58)*8 55 59 56 60 | "
                          "d: (43q 48 46 44 49 47 45)*8 43 48 46 44");
}

static struct inspected_look at_all(enum attention_kind of)
{
    return (struct inspected_look){.layer = -1, .head = -1, .of = of};
}

TEST_IN(test_a_note_is_of_the_cells_it_sounds_in, NULL, close_desk)
{
    open_with("all.safetensors");
    int note = read_note(&desk, 2, 3);
    const struct inspect_note *found = &desk.i->now.notes[note];
    assert_true(found->note.start == 3 * QUARTER_TICKS &&
                found->note.length == QUARTER_TICKS && found->track == 2 &&
                found->n_tokens == 4);
    assert_sums_to_one(&desk, note, at_all(ATTENTION_SELF));
}

TEST_IN(test_a_melody_is_heard, NULL, close_desk)
{
    struct inspected_effect e;
    open_with("lower.safetensors");
    int note = read_note(&desk, 1, 4),
        melody = inspection_find(desk.i, desk.score->tracks[0].notes[4].id);
    const struct inspect_note *notes = desk.i->now.notes;
    assert_true(note >= 0 && melody >= 0);
    assert_true(notes[melody].is_source && !notes[note].is_source);
    assert_sums_to_one(&desk, note, at_all(ATTENTION_SELF));
    assert_sums_to_one(&desk, note, at_all(ATTENTION_CROSS));
    struct inspected_mute m = {.what = MUTE_NOTE, .note = notes[melody].id};
    e = muted(note, m);
    assert_float_equal(e.before, -notes[note].surprise, 1e-4);
    assert_true(fabsf(e.after - e.before) > 1e-7f);
    m.note = notes[note].id;
    assert_int_equal(inspection_mute(desk.i, melody, &m, &e), INSPECTION_FAILED);
}

TEST_IN(test_there_is_music_to_read, NULL, close_desk)
{
    open_with("all.safetensors");
    auto_score *empty = score_of("480 | a: | b: | c: | d:");
    const struct inspection_request r = of_note(id_at(desk.score, 0, 0));
    assert_int_equal(inspection_read(desk.i, empty, &r), INSPECTION_FAILED);
    assert_string_equal(desk.i->error, "there is no music to read there");
}

GROUP(make_models, remove_own_folder)
