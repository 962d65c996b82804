/* Models of grid tokens measured: nats by voice against the score they are parts of; and the verb,
 * with data that fits its model and data that does not. */
#include "tests/check.h"
#include "app/lab/evaluation/eval_loss.h"
#include "app/lab/dataset/grid_corpus.h"
#include "app/decoding/metadata.h"
#include "tests/app/grid_data.h"
#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"
#include "tests/app/run_words.h"
#include "tests/app/tiny_grid_model.h"

#include <math.h>

enum { STEPS = 150 };

/* Good until in_folder is asked for eight more. */
#define DATA        in_folder("four.json")
#define TOLD_MODEL  in_folder("told.safetensors")
#define HEARD_MODEL in_folder("heard.safetensors")
#define SCORE_MODEL in_folder("score.safetensors")

static struct grid_corpus *grids;

static int write_data(void)
{
    FILE *f = fopen(DATA, "w");
    if (!f)
        return 1;
    fputs("{", f);
    grid_data_split(f, "train", 3, STEPS);
    fputs(", ", f);
    grid_data_split(f, "valid", 2, STEPS);
    fputs("}\n", f);
    return fclose(f);
}

static int set_up(void **state)
{
    char fault[128];
    return make_own_folder(state) || write_data() ||
           tiny_grid_train(DATA, TOLD_MODEL, false) ||
           tiny_grid_train(DATA, HEARD_MODEL, true) ||
           !tiny_model_save(SCORE_MODEL, 64, 1) ||
           !grid_corpus_open(&grids, DATA, fault, sizeof fault);
}

static int tear_down(void **state)
{
    grid_corpus_close(grids);
    return remove_own_folder(state);
}

static struct fixture {
    struct model *model;
    struct pool *pool;
    struct grid_score_request score;
} f;

/* With a model, told or heard. */
static void begin(const char *path)
{
    f.model = bundled_model(path);
    f.pool = pool_create(1);
    f.score = (struct grid_score_request){
        .model = f.model, .pool = f.pool, .corpus = grids, .split = CORPUS_VALID};
    assert_true(metadata_grid_lesson(f.model, &f.score.lesson));
}

FIXTURE(end)
{
    pool_destroy(f.pool);
    model_close(f.model);
    f = (struct fixture){0};
    return 0;
}

#define GRID_TEST(name) TEST_IN(name, NULL, end)

static bool near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

static void check_loss(const char *path, int first, int n)
{
    struct eval_grid e;
    struct grid_score score;
    struct grid_baseline one, all;
    double nats = 0;
    int64_t n_cells = 0, expected;
    begin(path);
    assert_ok(eval_grid_measure(&e, &f.score, "data", "model"));
    assert_ok(grid_score_measure(&score, &f.score));
    for (int v = 0; v < GRID_VOICES; v++) {
        const struct eval_grid_row *r = &e.voices[v];
        bool is_told = v >= first && v < first + n;
        assert_int_equal(r->n_cells, is_told ? 2 * STEPS + 5 : 0);
        assert_int_equal(r->baseline.n_cells, r->n_cells);
        nats += r->nats;
        n_cells += r->n_cells;
    }
    assert_true(near(nats, grid_score_sum(&score, &expected)));
    assert_true(near(e.all.nats, nats));
    assert_int_equal(e.all.n_cells, n_cells);
    assert_int_equal(n_cells, expected);
    const struct grid_lesson lesson = f.score.lesson;
    const struct grid_form bass = {3, 1, lesson.told.hold};
    assert_ok(grid_corpus_baseline(grids, bass, CORPUS_VALID, &one));
    assert_ok(grid_corpus_baseline(grids, lesson.told, CORPUS_VALID, &all));
    assert_true(near(e.voices[3].baseline.voice, one.voice));
    assert_true(near(e.all.baseline.bigram, all.bigram));
}

GRID_TEST(voices_add_up_to_the_score)
{
    check_loss(TOLD_MODEL, 0, 4);
    end(state);
    check_loss(HEARD_MODEL, 1, 3);
}

GRID_TEST(a_split_without_pieces_is_refused)
{
    struct eval_grid e;
    begin(TOLD_MODEL);
    f.score.split = CORPUS_TEST;
    assert_int_equal(eval_grid_measure(&e, &f.score, "data", "model"), 1);
}

static int run_verb(int fd, const char *model, const char *from)
{
    return run_words(
        &VERB_EVAL, fd,
        formatted("%s --data %s --threads 1 --windows 1 --json", model, from));
}

TEST(the_verb_says_it_in_json)
{
    assert_int_equal(run_verb(STDOUT_FILENO, HEARD_MODEL, DATA), 0);
    auto_json *j = cJSON_Parse(said);
    double sum = 0;
    assert_int_equal(cJSON_GetArraySize(json_at(j, "voices")), 3);
    for (int i = 0; i < 3; i++)
        sum += number(cJSON_GetArrayItem(json_at(j, "voices"), i), "nats_per_cell") / 3;
    assert_string_equal(string_at(j, "voices.0.voice"), "alto");
    assert_true(near(number(j, "all.nats_per_cell"), sum));
    assert_int_equal((int)number(j, "all.cells"), 3 * (2 * STEPS + 5));
    assert_true(number(j, "all.own_voice_nats_per_cell") > 0);
}

TEST(data_of_other_tokens_is_refused)
{
    assert_int_equal(run_verb(STDERR_FILENO, SCORE_MODEL, DATA), 1);
    assert_non_null(strstr(said, "four.json: is a file"));
    assert_non_null(strstr(said, "a folder of MIDI files"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, folder), 1);
    assert_non_null(strstr(said, folder));
    assert_non_null(strstr(said, "a JSON file"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, "no-such"), 1);
    assert_non_null(strstr(said, "no-such: No such file"));
}

GROUP(set_up, tear_down)
