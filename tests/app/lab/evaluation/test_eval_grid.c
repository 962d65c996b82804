/* continuo eval of models of grid tokens: nats by voice, and data that does not fit its model.
 * That every cell is measured once: tests/app/lab/dataset/test_grid_tokens.sh. */
#include "tests/check.h"
#include "tests/app/grid_data.h"
#include "tests/app/json_at.h"
#include "tests/app/own_folder.h"
#include "tests/app/run_words.h"

enum { STEPS = 150 };

/* Good until in_folder is asked for eight more. */
#define DATA        in_folder("four.json")
#define TOLD_MODEL  in_folder("told.safetensors")
#define HEARD_MODEL in_folder("heard.safetensors")
#define SCORE_MODEL in_folder("score.safetensors")

static int set_up(void **state)
{
    return make_own_folder(state) || grid_data_write_of(DATA, STEPS, STEPS, 0) ||
           tiny_grid_train(DATA, TOLD_MODEL, false) ||
           tiny_grid_train(DATA, HEARD_MODEL, true) ||
           !tiny_model_save(SCORE_MODEL, 64, 1);
}

static bool near(double a, double b, double share)
{
    return fabs(a - b) <= share * fabs(b);
}

static int run_verb(int fd, const char *name, const char *from, const char *more)
{
    return run_words(
        &VERB_EVAL, fd,
        formatted("%s --data %s --threads 1 --windows 1 --json %s", name, from, more));
}

/* Of all voices, or of those below a melody. */
TEST(voices_add_up)
{
    for (int is_heard = 0; is_heard < 2; is_heard++) {
        const int n = is_heard ? 3 : 4;
        double sum = 0;
        assert_int_equal(
            run_verb(STDOUT_FILENO, is_heard ? HEARD_MODEL : TOLD_MODEL, DATA, ""), 0);
        auto_json *j = cJSON_Parse(said);
        const cJSON *voice, *voices = json_at(j, "voices");
        assert_int_equal(cJSON_GetArraySize(voices), n);
        cJSON_ArrayForEach(voice, voices)
        {
            sum += number(voice, "nats_per_token") / n;
        }
        assert_string_equal(string_at(j, "voices.0.voice"),
                            is_heard ? "alto" : "soprano");
        assert_true(near(number(j, "all.nats_per_token"), sum, 1e-9));
        assert_int_equal((int)number(j, "all.tokens"), n * (2 * STEPS + 5));
        assert_true(number(j, "all.own_voice_nats_per_token") > 0);
        const double unigram = number(j, "all.unigram_nats_per_token");
        assert_true(number(j, "all.bigram_nats_per_token") < unigram && sum < unigram);
        assert_ok(run_verb(STDOUT_FILENO, is_heard ? HEARD_MODEL : TOLD_MODEL, DATA,
                           "--precision f32")); /* a token at a time */
        auto_json *steps = cJSON_Parse(said);
        assert_true(near(number(steps, "all.nats_per_token"), sum, 1e-4));
    }
}

TEST(data_that_does_not_fit_is_refused)
{
    assert_int_equal(run_verb(STDERR_FILENO, SCORE_MODEL, DATA, ""), 1);
    assert_non_null(strstr(said, "four.json: is a file"));
    assert_non_null(strstr(said, "a folder of MIDI files"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, folder, ""), 1);
    assert_non_null(strstr(said, folder));
    assert_non_null(strstr(said, "a JSON file"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, "no-such", ""), 1);
    assert_non_null(strstr(said, "no-such: No such file"));
    assert_int_equal(run_verb(STDERR_FILENO, TOLD_MODEL, DATA, "--split test"), 1);
}

GROUP(set_up, remove_own_folder)
