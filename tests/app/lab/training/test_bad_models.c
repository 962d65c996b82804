/* Weights that are no numbers, shapes that cannot be, and tokens that are others than ours,
 * wherever a model is read: by each verb, and in the workstation, which goes on without. */
#include "tests/check.h"
#include "app/generation/generator.h"
#include "tests/app/grid_data.h"
#include "tests/app/program_home.h"
#include "tests/app/lab/training/spoilt_model.h"

#include <time.h>

#define auto_generator __attribute__((cleanup(free_generator))) struct generator
FREES(generator, generator_destroy)

#define SPOILT_TENSOR "layers.1.ff1.weight"
#define OTHER_TOKENS  "other tokens"

/* -- what is wrong -- */

static void put_nan(struct spoilt_model *m)
{
    spoilt_weight(m, SPOILT_TENSOR, NAN);
}

static void put_infinity(struct spoilt_model *m)
{
    spoilt_weight(m, SPOILT_TENSOR, -INFINITY);
}

/* 2^63 bytes and more, which as a product of 64 bits would be none. */
static void put_vast_shape(struct spoilt_model *m)
{
    spoilt_shape(m, SPOILT_TENSOR, 0x1p52, 0x1p10);
}

static void put_other_shape(struct spoilt_model *m)
{
    const cJSON *shape = cJSON_GetObjectItem(spoilt_tensor(m, SPOILT_TENSOR), "shape");
    spoilt_shape(m, SPOILT_TENSOR, cJSON_GetArrayItem(shape, 1)->valuedouble,
                 cJSON_GetArrayItem(shape, 0)->valuedouble);
}

static void drop_tensor(struct spoilt_model *m)
{
    cJSON_DeleteItemFromObject(m->header, SPOILT_TENSOR);
}

/* As many tokens as ours, but each kind begins elsewhere. */
static void shift_tokens(struct spoilt_model *m)
{
    cJSON *t = spoilt_metadata(m, "tokenizer"),
          *kinds = cJSON_GetObjectItem(t, "kinds");
    cJSON *last = cJSON_GetArrayItem(kinds, cJSON_GetArraySize(kinds) - 1);
    cJSON_SetNumberValue(cJSON_GetObjectItem(last, "first"), 1);
    spoilt_put_metadata(m, "tokenizer", t);
}

static void name_other_tokenizer(struct spoilt_model *m)
{
    cJSON *t = spoilt_metadata(m, "tokenizer");
    cJSON_ReplaceItemInObject(t, "version", cJSON_CreateNumber(3));
    spoilt_put_metadata(m, "tokenizer", t);
}

static void swap_styles(struct spoilt_model *m)
{
    cJSON *t = spoilt_metadata(m, "tokenizer");
    cJSON *styles = cJSON_GetObjectItem(t, "styles");
    cJSON_AddItemToArray(styles, cJSON_DetachItemFromArray(styles, 1));
    spoilt_put_metadata(m, "tokenizer", t);
}

static void say_nonsense(struct spoilt_model *m)
{
    spoilt_put_metadata(m, "tokenizer", cJSON_CreateString("[[[["));
}

static const struct fault {
    const char *file;
    void (*put)(struct spoilt_model *m);
    const char *says;
    bool is_of_tokens;
} FAULTS[] = {
    {"nan.safetensors", put_nan, SPOILT_TENSOR, false},
    {"infinity.safetensors", put_infinity, SPOILT_TENSOR, false},
    {"vast.safetensors", put_vast_shape, SPOILT_TENSOR, false},
    {"shape.safetensors", put_other_shape, SPOILT_TENSOR, false},
    {"missing.safetensors", drop_tensor, SPOILT_TENSOR, false},
    {"shifted.safetensors", shift_tokens, OTHER_TOKENS, true},
    {"version.safetensors", name_other_tokenizer, OTHER_TOKENS, true},
    {"styles.safetensors", swap_styles, OTHER_TOKENS, true},
    {"nonsense.safetensors", say_nonsense, OTHER_TOKENS, true},
};
enum { N_FAULTS = sizeof FAULTS / sizeof *FAULTS };

static void spoil(const char *good, const struct fault *f)
{
    struct spoilt_model m = spoilt_read(good);
    f->put(&m);
    spoilt_write(&m, f->file);
}

/* -- what the verbs say -- */

/* Without what it says on standard output; the exit status. */
static int run(const char *line, const char *weights)
{
    char words[600];
    snprintf(words, sizeof words, line, weights);
    return run_shell(
        formatted("timeout 30 \"$CONTINUO_BIN\" %s 2>&1 >last.out", words));
}

/* The last line. */
static const char *complaint(void)
{
    char *end = strrchr(said, '\n');
    if (end)
        *end = '\0';
    end = strrchr(said, '\n');
    return end ? end + 1 : said;
}

static void assert_refused(const char *line, const struct fault *f)
{
    int status = run(line, f->file);
    const char *last = complaint();
    bool is_named = strstr(last, f->file) && !strncmp(last, "continuo: ", 10);
    if (status != 1 || !is_named || !strstr(last, f->says))
        fail_msg("%s of %s: exit %d, %s", line, f->file, status, last);
    assert_int_not_equal(access(in_folder("out.mid"), F_OK), 0);
    assert_int_not_equal(access(in_folder("out.safetensors"), F_OK), 0);
}

/* Those that only look at weights take any tokens. */
TEST(every_verb_names_what_is_wrong)
{
    static const struct {
        const char *line;
        bool takes_any_tokens;
    } LINES[] = {
        {"continue in.mid -o out.mid --model %s", false},
        {"inpaint in.mid -o out.mid --from 1 --to 2 --model %s", false},
        {"score in.mid --model %s", false},
        {"attention in.mid -o map.csv --model %s", false},
        {"eval %s --data music", false},
        {"train --data music -o out.safetensors --steps 1 --from %s", false},
        {"info %s", true},
        {"logits %s --tokens '1 2'", true},
        {"quantise %s -o out.safetensors", true},
        {"bench start --model %s", true},
    };
    for (int i = 0; i < N_FAULTS; i++) {
        for (size_t k = 0; k < sizeof LINES / sizeof *LINES; k++)
            if (!LINES[k].takes_any_tokens || !FAULTS[i].is_of_tokens)
                assert_refused(LINES[k].line, &FAULTS[i]);
    }
}

TEST(so_it_is_with_models_of_a_grid)
{
    static const struct fault FAULT[] = {
        {"bad-voices.safetensors", shift_tokens, "is not a model that accompanies",
         true},
        {"bad-version.safetensors", name_other_tokenizer,
         "is not a model that accompanies", true},
    };
    static const struct fault NAN_FAULT = {"bad-nan.safetensors", NULL,
                                           "layers.0.ff1.weight", false};
    for (int i = 0; i < 2; i++) {
        spoil("grid.safetensors", &FAULT[i]);
        assert_refused("accompany in.mid -o out.mid --model %s", &FAULT[i]);
    }
    struct spoilt_model m = spoilt_read("grid.safetensors");
    spoilt_weight(&m, "layers.0.ff1.weight", NAN);
    spoilt_write(&m, NAN_FAULT.file);
    assert_refused("accompany in.mid -o out.mid --model %s", &NAN_FAULT);
    assert_refused("eval %s --data four.json", &NAN_FAULT);
}

/* -- the workstation -- */

TEST(the_workstation_says_it)
{
    for (int i = 0; i < N_FAULTS; i++) {
        struct generator_progress p = {.failed = false};
        auto_generator *g =
            generator_create(in_folder(FAULTS[i].file),
                             (struct model_precision){WEIGHTS_INT8, CACHE_INT8}, 1, -1);
        assert_non_null(g);
        for (int k = 0; !p.failed && !p.loaded && k < 5000; k++) {
            sleep_ms(2);
            generator_progress(g, &p);
        }
        generator_progress(g, &p);
        assert_true(p.failed);
        if (!strstr(p.error, FAULTS[i].file) || !strstr(p.error, FAULTS[i].says))
            fail_msg("%s: %s", FAULTS[i].file, p.error);
    }
}

/* -- numbers, but what numbers -- */

/* All sums overflow, and nothing that the model says is a number. */
TEST(weights_as_large_as_numbers_are_end_too)
{
    struct spoilt_model m = spoilt_read("tiny.safetensors");
    for (size_t i = 0; i + sizeof(float) <= m.n; i += sizeof(float)) {
        const float large = i % 8 ? 3e38f : -3e38f;
        memcpy(m.data + i, &large, sizeof large);
    }
    spoilt_write(&m, "large.safetensors");
    static const char *const PRECISIONS[] = {"f32", "bf16", "int8"};
    for (int p = 0; p < 3; p++) {
        const char *line =
            formatted("inpaint in.mid -o large.mid --from 1 --to 2 --precision %s %s",
                      PRECISIONS[p], "--model %s");
        int status = run(line, "large.safetensors");
        if (status)
            fail_msg("%s: exit %d, %s", line, status, said);
    }
    assert_int_equal(run("continue in.mid -o large.mid --takes 2 --bars 2 --model %s",
                         "large.safetensors"),
                     0);
}

/* -- the files -- */

static bool copy_example(const char *to)
{
    return system(formatted("cp '%s/models/example.mid' '%s'", getenv("CONTINUO_HOME"),
                            to)) == 0;
}

static int make_home(void **state)
{
    if (make_own_folder(state) || !getenv("CONTINUO_BIN") || !getenv("CONTINUO_HOME"))
        return -1;
    auto_free char *bin = realpath(getenv("CONTINUO_BIN"), NULL);
    setenv("CONTINUO_BIN", bin ? bin : "", 1);
    if (mkdir(in_folder("music"), 0700) || mkdir(in_folder("music/songs"), 0700) ||
        !copy_example(in_folder("in.mid")) ||
        !copy_example(in_folder("music/songs/a.mid")) ||
        !copy_example(in_folder("music/songs/b.mid")) ||
        grid_data_write(in_folder("four.json")) ||
        tiny_grid_train(in_folder("four.json"), in_folder("grid.safetensors"), true))
        return -1;
    if (!tiny_model_save(in_folder("tiny.safetensors"), 256, 1))
        return -1;
    for (int i = 0; i < N_FAULTS; i++)
        spoil("tiny.safetensors", &FAULTS[i]);
    return 0;
}

GROUP(make_home, remove_own_folder)
