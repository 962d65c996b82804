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
    return make_own_folder(state) || write_data() ||
           tiny_grid_train(DATA, TOLD_MODEL, false) ||
           tiny_grid_train(DATA, HEARD_MODEL, true) ||
           !tiny_model_save(SCORE_MODEL, 64, 1);
}

static struct fixture {
    struct train_music music;
    struct eval_loss_request request;
} f;

/* With a model, told or heard. */
static void begin(const char *path)
{
    assert_ok(train_music_open(&f.music, DATA, NULL, INFINITY, NULL));
    f.request = (struct eval_loss_request){.music = &f.music,
                                           .model = bundled_model(path),
                                           .pool = pool_create(1),
                                           .split = CORPUS_VALID,
                                           .n_windows = 1,
                                           .data_name = "data",
                                           .model_name = "model"};
    assert_true(metadata_grid_lesson(f.request.model, &f.music.lesson));
}

FIXTURE(end)
{
    pool_destroy(f.request.pool);
    model_close((struct model *)f.request.model);
    train_music_close(&f.music);
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
    struct eval_loss l;
    struct grid_baseline one, all;
    double nats = 0;
    begin(path);
    assert_ok(eval_loss_measure(&l, &f.request));
    assert_int_equal(l.n_rows, n);
    for (int i = 0; i < n; i++) {
        assert_string_equal(l.rows[i].name, grid_voice_names[first + i]);
        assert_int_equal(l.rows[i].baseline.n_tokens, 2 * STEPS + 5);
        nats += l.rows[i].nats;
    }
    assert_true(near(l.all.nats, nats));
    assert_int_equal(l.all.baseline.n_tokens, n * (2 * STEPS + 5));
    const struct grid_form told = f.music.lesson.told, bass = {3, 1, told.hold};
    assert_ok(grid_corpus_baseline(f.music.grid, bass, CORPUS_VALID, &one));
    assert_ok(grid_corpus_baseline(f.music.grid, told, CORPUS_VALID, &all));
    assert_true(near(l.rows[n - 1].own_voice, one.voice));
    assert_true(near(l.all.baseline.bigram, all.bigram));
    eval_loss_fini(&l);
}

GRID_TEST(voices_add_up)
{
    check_loss(TOLD_MODEL, 0, 4);
    end(state);
    check_loss(HEARD_MODEL, 1, 3);
}

GRID_TEST(a_split_without_pieces_is_refused)
{
    struct eval_loss l;
    begin(TOLD_MODEL);
    f.request.split = CORPUS_TEST;
    assert_int_equal(eval_loss_measure(&l, &f.request), 1);
    eval_loss_fini(&l);
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
        sum +=
            number(cJSON_GetArrayItem(json_at(j, "voices"), i), "nats_per_token") / 3;
    assert_string_equal(string_at(j, "voices.0.voice"), "alto");
    assert_true(near(number(j, "all.nats_per_token"), sum));
    assert_int_equal((int)number(j, "all.tokens"), 3 * (2 * STEPS + 5));
    assert_true(number(j, "all.own_voice_nats_per_token") > 0);
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

GROUP(set_up, remove_own_folder)
