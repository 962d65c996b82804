/* Inspecting four voices in sixteenths: with one model that tells all of them, and with one
 * that hears a melody. */
#include "tests/check.h"
#include "tests/app/grid_data.h"
#include "tests/app/inspection/inspection_desk.h"
#include "tests/app/own_folder.h"
#include "tests/app/tiny_grid_model.h"

#include <math.h>

enum { N_CHORDS = 60 };

static int make_models(void **state)
{
    return make_own_folder(state) || grid_data_write(in_folder("four.json")) ||
           tiny_grid_train(in_folder("four.json"), in_folder("all.safetensors"),
                           false) ||
           tiny_grid_train(in_folder("four.json"), in_folder("lower.safetensors"),
                           true);
}

/* Chords of a quarter, each voice on its track. */
static int pitch_of_four(int voice, int i)
{
    static const int LOWEST[GRID_VOICES] = {67, 60, 55, 43};
    return LOWEST[voice] + i * (voice + 2) % 7;
}

static void open_with(const char *name)
{
    assert_ok(model_open(&desk.f.model, in_folder(name), NULL, 0));
    desk.f.pool = pool_create(1);
    assert_non_null(desk.f.pool);
    assert_ok(inspection_create(&desk.i, desk.f.model, desk.f.pool));
    desk.score =
        voices_score(QUARTER_TICKS, "a voice", GRID_VOICES, N_CHORDS, pitch_of_four);
}

static struct inspected_look at_all(enum attention_kind of)
{
    return (struct inspected_look){.layer = -1, .head = -1, .of = of};
}

TEST_IN(test_a_note_is_of_the_cells_it_sounds_in, NULL, close_desk)
{
    open_with("all.safetensors");
    int note = read_note(&desk, 2, 3), n, n_tokens;
    assert_true(note >= 0);
    const struct inspected_note *found = &inspection_notes(desk.i, &n)[note];
    const struct inspected_token *tokens = inspection_tokens(desk.i, &n_tokens);
    assert_int_equal(found->tick, 3 * QUARTER_TICKS);
    assert_int_equal(found->length, QUARTER_TICKS);
    assert_int_equal(found->track, 2);
    assert_int_equal(found->pitch, desk.score->tracks[2].notes[3].pitch);
    assert_int_equal(found->n_tokens, 4);
    double sum = 0;
    for (int t = 0; t < n_tokens; t++)
        sum += tokens[t].note == note ? (double)tokens[t].surprise : 0;
    assert_float_equal(sum, found->surprise, 1e-4);
    assert_sums_to_one(&desk, note, at_all(ATTENTION_SELF));
}

TEST_IN(test_every_note_is_of_one_window, NULL, close_desk)
{
    open_with("all.safetensors");
    struct inspection_request r = {0};
    int n, own, n_windows = 1, n_notes = 0;
    for (int k = 0; k < n_windows; k++) {
        assert_ok(inspection_read_window(desk.i, desk.score, &r, k, &own));
        n_windows = inspection_n_windows(desk.i);
        inspection_notes(desk.i, &n);
        n_notes += n - own;
    }
    assert_true(n_windows > 3);
    assert_int_equal(n_notes, GRID_VOICES * N_CHORDS);
    assert_int_equal(inspection_read_window(desk.i, desk.score, &r, n_windows, &own),
                     INSPECTION_FAILED);
    assert_true(read_note(&desk, 0, N_CHORDS - 1) >= 0);
}

TEST_IN(test_a_melody_is_heard, NULL, close_desk)
{
    struct inspected_effect e;
    open_with("lower.safetensors");
    int note = read_note(&desk, 1, 4),
        melody = inspection_find(desk.i, desk.score->tracks[0].notes[4].id);
    int n;
    const struct inspected_note *notes = inspection_notes(desk.i, &n);
    assert_true(note >= 0 && melody >= 0);
    assert_true(notes[melody].is_source && !notes[note].is_source);
    assert_sums_to_one(&desk, note, at_all(ATTENTION_SELF));
    assert_sums_to_one(&desk, note, at_all(ATTENTION_CROSS));
    struct inspected_mute m = {.what = MUTE_NOTE, .note = melody};
    e = muted(note, m);
    assert_float_equal(e.before, -notes[note].surprise, 1e-4);
    assert_true(fabsf(e.after - e.before) > 1e-7f);
    m.note = note;
    assert_int_equal(inspection_mute(desk.i, melody, &m, &e), INSPECTION_FAILED);
}

GROUP(make_models, remove_own_folder)
