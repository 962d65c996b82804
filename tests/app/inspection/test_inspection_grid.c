/* Inspecting four voices in sixteenths: with one model that tells all of them, and with one
 * that hears a melody. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/check.h"
#include "app/inspection/inspection.h"
#include "app/base/draw.h"
#include "app/decoding/metadata.h"
#include "tests/app/grid_data.h"
#include "tests/app/tiny_grid_model.h"
#include "tests/app/tiny_model.h"

#include <math.h>

enum { QUARTER_TICKS = 480, N_CHORDS = 60 };

static char *home;

static void place(char path[512], const char *name)
{
    snprintf(path, 512, "%s/%s", home, name);
}

static int make_models(void **state)
{
    char data[512], all[512], lower[512];
    (void)state;
    home = temp_folder();
    if (!home)
        return 1;
    place(data, "four.json");
    place(all, "all.safetensors");
    place(lower, "lower.safetensors");
    return grid_data_write(data) || tiny_grid_train(data, all, false) ||
           tiny_grid_train(data, lower, true);
}

static int remove_models(void **state)
{
    (void)state;
    remove_folder(home);
    return 0;
}

/* Chords of a quarter, each voice on its track. */
static struct score *make_chorale(void)
{
    static const int LOWEST[GRID_VOICES] = {67, 60, 55, 43};
    struct score *s = score_create(QUARTER_TICKS);
    assert_non_null(s);
    for (int v = 0; v < GRID_VOICES; v++) {
        assert_int_equal(score_add_track(s, grid_voice_names[v], (uint8_t)v, 0), v);
        for (int i = 0; i < N_CHORDS; i++) {
            struct note n = {.start = (int64_t)i * QUARTER_TICKS,
                             .length = QUARTER_TICKS,
                             .pitch = (uint8_t)(LOWEST[v] + i * (v + 2) % 7),
                             .velocity = 80,
                             .on_order = ORDER_LAST,
                             .off_order = ORDER_FIRST};
            assert_int_not_equal(score_add_note(s, v, n), 0);
        }
    }
    return s;
}

struct desk {
    struct model *model;
    struct pool *pool;
    struct inspection *i;
    struct score *score;
};

static void open_desk(struct desk *d, const char *name)
{
    char path[512];
    place(path, name);
    assert_int_equal(model_open(&d->model, path, NULL, 0), MODEL_OK);
    d->pool = pool_create(1);
    assert_non_null(d->pool);
    assert_int_equal(inspection_create(&d->i, d->model, d->pool), MODEL_OK);
    d->score = make_chorale();
}

static void close_desk(struct desk *d)
{
    score_destroy(d->score);
    inspection_destroy(d->i);
    pool_destroy(d->pool);
    model_close(d->model);
}

static int read_note(struct desk *d, int track, int index)
{
    struct inspection_request r = {.note = d->score->tracks[track].notes[index].id};
    assert_int_equal(inspection_read(d->i, d->score, &r), INSPECTION_DONE);
    return inspection_find(d->i, r.note);
}

static void assert_sums_to_one(struct desk *d, int note, enum attention_of of)
{
    int n;
    double sum = 0;
    float other[INSPECTED_KINDS];
    const struct inspected_note *notes = inspection_notes(d->i, &n);
    float *weights = calloc((size_t)n, sizeof *weights);
    assert_non_null(weights);
    struct inspected_look look = {.layer = -1, .head = -1, .of = of};
    assert_int_equal(inspection_weights(d->i, note, &look, weights, other),
                     INSPECTION_DONE);
    for (int k = 0; k < n; k++) {
        sum += (double)weights[k];
        assert_true(weights[k] == 0 || notes[k].is_source == (of == ATTENTION_SOURCE));
    }
    for (int k = 0; k < INSPECTED_KINDS; k++)
        sum += (double)other[k];
    assert_float_equal(sum, 1, 1e-5);
    free(weights);
}

TEST(test_a_note_is_of_the_cells_it_sounds_in)
{
    struct desk d;
    open_desk(&d, "all.safetensors");
    int note = read_note(&d, 2, 3), n, n_tokens;
    assert_true(note >= 0);
    const struct inspected_note *found = &inspection_notes(d.i, &n)[note];
    const struct inspected_token *tokens = inspection_tokens(d.i, &n_tokens);
    assert_int_equal(found->tick, 3 * QUARTER_TICKS);
    assert_int_equal(found->length, QUARTER_TICKS);
    assert_int_equal(found->track, 2);
    assert_int_equal(found->pitch, d.score->tracks[2].notes[3].pitch);
    assert_int_equal(found->n_tokens, 4);
    double sum = 0;
    for (int t = 0; t < n_tokens; t++)
        sum += tokens[t].note == note ? (double)tokens[t].surprise : 0;
    assert_float_equal(sum, found->surprise, 1e-4);
    assert_sums_to_one(&d, note, ATTENTION_PAST);
    close_desk(&d);
}

TEST(test_every_note_is_of_one_window)
{
    struct desk d;
    open_desk(&d, "all.safetensors");
    struct inspection_request r = {0};
    int n, own, n_windows = 1, n_notes = 0;
    for (int k = 0; k < n_windows; k++) {
        assert_int_equal(inspection_read_window(d.i, d.score, &r, k, &own),
                         INSPECTION_DONE);
        n_windows = inspection_n_windows(d.i);
        inspection_notes(d.i, &n);
        n_notes += n - own;
    }
    assert_true(n_windows > 3);
    assert_int_equal(n_notes, GRID_VOICES * N_CHORDS);
    assert_int_equal(inspection_read_window(d.i, d.score, &r, n_windows, &own),
                     INSPECTION_FAILED);
    assert_true(read_note(&d, 0, N_CHORDS - 1) >= 0);
    close_desk(&d);
}

TEST(test_a_melody_is_heard)
{
    struct desk d;
    struct inspected_effect e;
    open_desk(&d, "lower.safetensors");
    int note = read_note(&d, 1, 4),
        melody = inspection_find(d.i, d.score->tracks[0].notes[4].id);
    int n;
    const struct inspected_note *notes = inspection_notes(d.i, &n);
    assert_true(note >= 0 && melody >= 0);
    assert_true(notes[melody].is_source && !notes[note].is_source);
    assert_sums_to_one(&d, note, ATTENTION_PAST);
    assert_sums_to_one(&d, note, ATTENTION_SOURCE);
    struct inspected_mute m = {.what = MUTE_NOTE, .note = melody};
    assert_int_equal(inspection_mute(d.i, note, &m, &e), INSPECTION_DONE);
    assert_float_equal(e.before, -notes[note].surprise, 1e-4);
    assert_true(fabsf(e.after - e.before) > 1e-7f);
    m.note = note;
    assert_int_equal(inspection_mute(d.i, melody, &m, &e), INSPECTION_FAILED);
    close_desk(&d);
}

GROUP(make_models, remove_models)
