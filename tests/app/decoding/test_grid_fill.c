/* Voices below a melody: no parallels, and the verb. That nothing else changes:
 * tests/app/inspection/test_model_holes.c; that threads change nothing: cli/test_same_bytes.c. */
#include "tests/check.h"
#include "midi/score/parallel.h"
#include "tests/app/grid_data.h"
#include "tests/app/own_folder.h"
#include "tests/app/run_words.h"
#include "tests/midi/score_equal.h"

enum { STEPS = 70 };

/* Good until in_folder is asked for eight more. */
#define DATA        in_folder("four.json")
#define CHECKPOINT  in_folder("accompany.safetensors")
#define MELODY_FILE in_folder("tune.mid")
#define OUT_FILE    in_folder("out.mid")

static void write_melody(struct grid *g, int from)
{
    assert_ok(grid_init(g, STEPS));
    for (int i = 0; i < STEPS; i++)
        if (i % 16 != 15)
            *grid_at(g, i, 0) =
                (struct grid_cell){(int16_t)(from + i / 4 % 5), i % 4 == 0};
}

static int save_melody(void)
{
    auto_grid g;
    auto_score *s = score_create(96);
    write_melody(&g, 70);
    int status = !s || score_add_track(s, "empty", 3, 0) != 0 ||
                 score_add_track(s, "tune", 0, 52) != 1 ||
                 !grid_voice_to_track(&g, 0, s, 1, 90) || smf_save(s, MELODY_FILE);
    return status;
}

static int set_up(void **state)
{
    return make_own_folder(state) || grid_data_write(DATA) ||
           tiny_grid_train(DATA, CHECKPOINT, true) || save_melody();
}

static struct model *open_model(struct grid_lesson *lesson)
{
    struct model *m = bundled_model(CHECKPOINT);
    assert_true(metadata_grid_lesson(m, lesson));
    return m;
}

/* A model of random weights and of four voices. */
static struct model *random_model(void)
{
    struct model_config c = tiny_config(64);
    struct model *m = NULL;
    c.vocab = GRID_COUNT;
    assert_ok(model_random(&m, &c, 1));
    return m;
}

/* Fills g, with one thread or more; closes the model. */
static void fill(struct grid *g, struct grid_fill_request *q, struct model *m,
                 int threads, enum model_status expect, struct grid_fill_result *result)
{
    q->model = m;
    q->pool = pool_create(threads);
    assert_int_equal(grid_fill(g, q, result), expect);
    pool_destroy(q->pool);
    model_close(m);
}

/* Of voices that sound. */
static int count_parallels(const struct grid *g)
{
    int n = 0;
    for (int i = 1; i < STEPS; i++)
        for (int w = 1; w < GRID_VOICES; w++)
            for (int v = 0; v < w; v++) {
                const int a = grid_at(g, i - 1, v)->pitch,
                          to_a = grid_at(g, i, v)->pitch,
                          b = grid_at(g, i - 1, w)->pitch,
                          to_b = grid_at(g, i, w)->pitch;
                n += a >= 0 && to_a >= 0 && b >= 0 && to_b >= 0 &&
                     parallel_of(a, to_a, b, to_b);
            }
    return n;
}

/* Random weights alone write some in a grid. */
TEST(voices_avoid_parallels)
{
    struct grid_fill_request q = {.sampling = SAMPLING_DEFAULT,
                                  .lesson = grid_lesson_for(false, false),
                                  .from_step = 1};
    struct grid_fill_result result;
    for (q.sampling.seed = 1; q.sampling.seed <= 5; q.sampling.seed++) {
        auto_grid g;
        write_melody(&g, 60);
        fill(&g, &q, random_model(), 1, MODEL_OK, &result);
        assert_int_equal(count_parallels(&g), 0);
    }
}

TEST(other_models_are_refused_and_it_can_be_stopped)
{
    atomic_bool cancel = true;
    struct grid_fill_request hears_nothing = {.sampling = SAMPLING_DEFAULT,
                                              .lesson = grid_lesson_for(true, true)},
                             cancelled = {.sampling = SAMPLING_DEFAULT,
                                          .cancel = &cancel};
    struct grid_fill_result result;
    auto_grid g;
    write_melody(&g, 60);
    fill(&g, &hears_nothing, random_model(), 1, MODEL_BAD_CONFIG, &result);
    struct model *m = open_model(&cancelled.lesson);
    fill(&g, &cancelled, m, 1, MODEL_CANCELLED, &result);
}

static int run_verb(int track, int seed)
{
    return run_words(&VERB_ACCOMPANY, STDOUT_FILENO,
                     formatted("%s -o %s --model %s --seed %d --threads 1 --track %d",
                               MELODY_FILE, OUT_FILE, CHECKPOINT, seed, track));
}

TEST(the_verb_adds_three_tracks)
{
    auto_score *in = NULL, *out = NULL, *other = NULL;
    assert_ok(run_verb(2, 4));
    assert_ok(smf_load(&other, OUT_FILE, NULL));
    assert_ok(run_verb(2, 3));
    assert_ok(smf_load(&in, MELODY_FILE, NULL));
    assert_ok(smf_load(&out, OUT_FILE, NULL));
    assert_int_equal(out->n_tracks, in->n_tracks + 3);
    assert_int_equal(out->tracks[1].n_notes, in->tracks[1].n_notes);
    assert_string_equal(out->tracks[in->n_tracks].name, "alto");
    assert_int_equal(out->tracks[in->n_tracks].program, 52);
    for (size_t t = in->n_tracks; t < out->n_tracks; t++) {
        assert_true(out->tracks[t].n_notes > 0);
        assert_int_not_equal(out->tracks[t].channel, 0);
        for (size_t i = 0; i < out->tracks[t].n_notes; i++)
            assert_int_equal(out->tracks[t].notes[i].start % 24, 0);
    }
    assert_false(score_equal(out, other));
    assert_int_equal(run_verb(1, 3), 1); /* it has no notes */
    assert_int_equal(run_verb(3, 3), 1); /* there is none */
}

GROUP(set_up, remove_own_folder)
