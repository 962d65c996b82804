/* continuo bench: the arithmetic of its limits on given numbers, and that every part
 * runs and tells what it is to tell. Speeds themselves are never judged. */
#include "tests/check.h"
#include "app/benchmark/bench.h"
#include "app/benchmark/bench_race.h"
#include "model/kernels/product.h"
#include "tests/app/json_at.h"
#include "tests/app/model_folder.h"
#include "tests/app/run_words.h"

static const struct precision_row F32 = {.weight_bytes = 4, .cache_bytes = 4};
static const struct precision_row SMALL = {.weight_bytes = 1, .cache_bytes = 2};

/* 128 numbers in a layer's matrices, 44 in its vectors, 40 in the head. */
static struct model_config one_layer(void)
{
    return (struct model_config){.vocab = 10,
                                 .context = 64,
                                 .d_model = 4,
                                 .n_heads = 2,
                                 .n_layers = 1,
                                 .d_ff = 8};
}

static void assert_work(struct work w, double bytes, double weights, double cache)
{
    assert_int_equal((long)w.bytes, (long)bytes);
    assert_int_equal((long)w.weight_products, (long)weights);
    assert_int_equal((long)w.cache_products, (long)cache);
}

TEST(test_a_step_reads_weights_and_the_past)
{
    struct model_config c = one_layer();
    /* The embedding is one row of four. */
    assert_work(work_of_step(&c, &F32, 0, 1), 4 * (128 + 44 + 40 + 4), 128 + 40, 8);
    /* Three keys and values, read once for both takes, and four to attend to. */
    assert_work(work_of_step(&c, &F32, 3, 2), 4 * (128 + 44 + 40 + 8) + 4 * 24,
                2 * (128 + 40), 2 * 4 * 8);
    assert_work(work_of_step(&c, &SMALL, 3, 2), (128 + 44 + 40 + 8) + 2 * 24,
                2 * (128 + 40), 2 * 4 * 8);
    c.n_layers = 3;
    assert_work(work_of_step(&c, &F32, 3, 1), 4 * (3 * (128 + 44) + 44) + 4 * 3 * 24,
                3 * 128 + 40, 3 * 4 * 8);
}

TEST(test_distance_has_its_tables)
{
    struct model_config c = one_layer();
    struct work plain = work_of_step(&c, &F32, 9, 1);
    c.relative = RELATIVE_MUSIC;
    c.max_distance = 6;
    assert_work(work_of_step(&c, &F32, 9, 1), plain.bytes + 4 * 6 * 4,
                plain.weight_products, plain.cache_products + 6 * 4);
    c.relative = RELATIVE_SHAW;
    assert_work(work_of_step(&c, &F32, 9, 1), plain.bytes + 4 * 6 * 4,
                plain.weight_products, plain.cache_products + 6 * 4);
    c.relative = RELATIVE_NONE;
    c.time = TIME_BUCKETS; /* ten keys are at ten distances */
    assert_work(work_of_step(&c, &F32, 9, 1), plain.bytes + 4 * 10 * 4,
                plain.weight_products, plain.cache_products + 10 * 4);
}

TEST(test_local_attention_sees_two_blocks)
{
    struct model_config c = one_layer();
    c.block = 4;
    assert_work(work_of_step(&c, &F32, 3, 1), 4 * 216 + 4 * 24, 168, 4 * 8);
    /* The query at 9 sees from 4 on: six keys, of which five are in the cache. */
    assert_work(work_of_step(&c, &F32, 9, 1), 4 * 216 + 4 * 5 * 8, 168, 6 * 8);
    c.mixing = MIXING_FOURIER; /* which sees a block, and has no output projection */
    assert_work(work_of_step(&c, &F32, 9, 1), 4 * (216 - 32) + 4 * 3 * 8, 168 - 32,
                4 * 8);
}

TEST(test_prefill_and_training)
{
    struct model_config c = one_layer();
    assert_work(work_of_prefill(&c, &F32, 2), 4 * (128 + 44 + 40 + 8) + 4 * 16,
                2 * 128 + 40, 8 + 16);
    assert_work(work_of_training(&c, 5, 2), 24 * (128 + 44 + 40),
                3 * 5 * 2 * (128 + 40), 3 * 5 * (8 + 16));
}

TEST(test_the_slower_one_binds)
{
    const struct work w = {.bytes = 1, .weight_products = 50, .cache_products = 25};
    struct rates r = {.bytes = 701, .weight_operation = 4, .cache_operation = 6};
    struct limit l = limit_of(&w, &r); /* two operations each: 400 + 300 */
    assert_true(l.by_memory);
    assert_int_equal((long)l.seconds, 701);
    r.bytes = 699;
    l = limit_of(&w, &r);
    assert_false(l.by_memory);
    assert_int_equal((long)l.seconds, 700);
}

TEST(test_quartiles)
{
    double x[] = {9, 1, 8, 2, 7, 3, 6, 4, 5}, one[] = {4};
    struct turn_spread s = turn_spread_of(x, 9);
    assert_int_equal((int)s.low, 3);
    assert_int_equal((int)s.median, 5);
    assert_int_equal((int)s.high, 7);
    s = turn_spread_of(one, 1);
    assert_int_equal((int)s.low, 4);
    assert_int_equal((int)s.high, 4);
}

struct turn {
    int *clock, own, n;
    enum model_status fails;
};

static enum model_status take_turn(void *arg, double *seconds)
{
    struct turn *t = arg;
    assert_int_equal(*t->clock % 2, t->own);
    ++*t->clock;
    *seconds = ++t->n;
    return t->fails;
}

TEST(test_runs_take_turns)
{
    int clock = 0;
    struct turn turns[] = {{&clock, 0, 0, MODEL_OK}, {&clock, 1, 0, MODEL_OK}};
    struct turn_runner r[] = {{.run = take_turn, .arg = &turns[0]},
                              {.run = take_turn, .arg = &turns[1]}};
    const struct turn_budget budget = {.rounds = 5};
    assert_ok(turns_run(r, 2, &budget));
    assert_int_equal(clock, 12); /* the first round is not counted */
    assert_int_equal(r[1].spread.n, 5);
    assert_int_equal((int)r[1].spread.median, 4);
    turns[1].fails = MODEL_TOO_LONG;
    assert_int_equal(turns_run(r, 2, &budget), MODEL_TOO_LONG);
    assert_int_equal(clock, 14);
}

TEST(test_cores_without_avx512)
{
    assert_true(about_core_is_slow("Haswell", true));
    assert_true(about_core_is_slow("Zen", true));
    assert_false(about_core_is_slow("Haswell", false));
    assert_false(about_core_is_slow("SkylakeX", true));
    assert_false(about_core_is_slow("Cooperlake", true));
}

TEST(test_the_machine_can_be_measured)
{
    auto_pool *pool = pool_create(2);
    struct bench_memory m;
    assert_non_null(pool);
    assert_true(peak_present(PEAK_PLAIN));
    assert_true(peak_present(peak_or_f32(PEAK_INT8)));
    for (int p = 0; p < N_PEAKS; p++)
        if (peak_present(p))
            assert_true(peak_seconds(p, pool) > 0);
    assert_true(bench_memory_init(&m, 1000000));
    assert_true(bench_memory_read(&m, pool, 1000000) > 0);
    assert_true(bench_memory_read(&m, pool, 1) > 0); /* less than a turn of the loop */
    bench_memory_fini(&m);
}

/* One round of everything on models of 32. */
static struct bench b;

static int set_up(void **state)
{
    static struct model_config shape;
    if (make_model(state))
        return -1;
    shape = tiny_config(2048);
    b = (struct bench){.pool = pool_create(2),
                       .alone = pool_create(1),
                       .budget = {.rounds = 1},
                       .json = cJSON_CreateObject(),
                       .model = model,
                       .most_memory = 10000000,
                       .shape = &shape};
    return b.pool && b.alone && b.json ? 0 : -1;
}

static int tear_down(void **state)
{
    cJSON_Delete(b.json);
    pool_destroy(b.alone);
    pool_destroy(b.pool);
    return remove_own_folder(state);
}

#define BENCH_TEST(name) TEST_IN(name, set_up, tear_down)

/* A trainer multiplies bf16 only where it is faster. */
static int n_lessons(void)
{
    return product_best(true) != product_best(false) ? 2 : 1;
}

/* The list is as long as that, and its items have what every figure has. */
static void assert_figures(const char *part, const char *n, int length)
{
    const cJSON *list = json_at(b.json, part), *item;
    assert_int_equal(cJSON_GetArraySize(list), length);
    cJSON_ArrayForEach(item, list)
    {
        assert_true(cJSON_IsString(json_at(item, "model")));
        assert_true(cJSON_IsString(json_at(item, "numbers")));
        assert_true(cJSON_IsString(json_at(item, "bound_by")));
        assert_true(number(item, n) >= 1);
        assert_true(number(item, "context") >= 0);
        assert_true(number(item, "tokens_per_second") > 0);
        assert_true(number(item, "lower_quartile") <= number(item, "upper_quartile"));
        assert_true(number(item, "limit") > 0);
        double share = number(item, "tokens_per_second") / number(item, "limit");
        assert_true(share / number(item, "share") > 0.999);
        assert_true(share / number(item, "share") < 1.001);
    }
}

BENCH_TEST(test_machine)
{
    bench_about(&b);
    assert_ok(bench_machine(&b));
    const cJSON *machine = json_at(b.json, "machine"), *line;
    assert_int_equal((int)number(machine, "threads"), 2);
    assert_true(cJSON_IsString(json_at(machine, "openblas_core")));
    int n = 0;
    cJSON_ArrayForEach(line, json_at(machine, "limits"))
    {
        assert_true(number(line, "all_threads.median") > 0);
        n++;
    }
    assert_true(n >= 1 + 2 + 2); /* plain C; 1 and 8 MB; pool, sgemm */
}

BENCH_TEST(test_start)
{
    assert_ok(bench_start(&b));
    const cJSON *item, *list = json_at(b.json, "start");
    assert_int_equal(cJSON_GetArraySize(list), N_PRECISIONS);
    cJSON_ArrayForEach(item, list)
    {
        double parts = number(item, "open_ms") + number(item, "create_ms") +
                       number(item, "first_token_ms");
        assert_true(parts > 0.999 * number(item, "total_ms"));
        assert_true(parts < 1.001 * number(item, "total_ms"));
    }
}

BENCH_TEST(test_decode)
{
    b.only = "S";
    assert_ok(bench_decode(&b));
    assert_figures("decode", "takes", 9 * N_PRECISIONS);
    b.only = "bundled"; /* whose context has room for the first one */
    assert_ok(bench_decode(&b));
    assert_figures("decode", "takes", (9 + 3) * N_PRECISIONS);
}

BENCH_TEST(test_prefill)
{
    b.only = "S";
    assert_ok(bench_prefill(&b));
    assert_figures("prefill", "tokens", 4);
}

BENCH_TEST(test_train)
{
    assert_ok(bench_train(&b));
    assert_figures("train", "tokens", n_lessons());
}

BENCH_TEST(test_attention)
{
    assert_ok(bench_attention(&b));
    const cJSON *list = json_at(b.json, "attention"), *item;
    assert_int_equal(cJSON_GetArraySize(list), 9);
    cJSON_ArrayForEach(item, list)
    {
        assert_non_null(cJSON_GetStringValue(json_at(item, "what")));
        assert_true(number(item, "seconds") > 0);
    }
}

BENCH_TEST(test_tokenizer)
{
    assert_ok(bench_tokenizer(&b));
    const cJSON *item = json_at(b.json, "tokenizer");
    assert_true(number(item, "encode_tokens_per_second") > 0);
    assert_true(number(item, "decode_tokens_per_second") > 0);
}

/* What run(b) prints goes to a file, which is given back; the caller closes it. */
static FILE *printed(int (*run)(const struct bench *), const struct bench *of)
{
    FILE *to = tmpfile();
    assert_non_null(to);
    fflush(stdout);
    int before = dup(1);
    dup2(fileno(to), 1);
    int status = run(of);
    fflush(stdout);
    dup2(before, 1);
    close(before);
    assert_int_equal(status, 0);
    rewind(to);
    return to;
}

/* Every line of the tables fits, and every row of figures ends with what binds it. */
BENCH_TEST(test_tables_fit)
{
    static int (*const PARTS[])(const struct bench *) = {
        bench_machine, bench_start,     bench_decode,   bench_prefill,
        bench_train,   bench_tokenizer, bench_attention};
    struct bench to_print = b;
    to_print.json = NULL;
    int n_bound = 0;
    for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        char line[400];
        to_print.only = i < 2 ? NULL : "S";
        FILE *text = printed(PARTS[i], &to_print);
        while (fgets(line, sizeof line, text)) {
            assert_true(strlen(line) <= 101);
            n_bound += strstr(line, " %  memory\n") || strstr(line, " %  arithmetic\n");
        }
        fclose(text);
    }
    assert_int_equal(n_bound, 9 * N_PRECISIONS + 4 + n_lessons());
}

BENCH_TEST(test_json_is_one_object)
{
    assert_ok(run_words(&VERB_BENCH, STDOUT_FILENO, "tokenizer --json --threads 1"));
    auto_json *json = cJSON_Parse(said);
    assert_non_null(json_at(json, "machine"));
    assert_non_null(json_at(json, "tokenizer"));
    assert_null(json_at(json, "decode"));
}

BENCH_TEST(test_failures_are_said)
{
    b.model = "/nowhere/at/all.safetensors";
    b.only = "bundled";
    assert_int_equal(bench_start(&b), 1);
    assert_int_equal(bench_decode(&b), 1);
}
