/* The real program, run as a script would: what it does with models. Their logits, what they
 * cost in fewer bits, what they lose on data, and the data as tokens. */
#include "tests/check.h"
#include "tests/app/cli/cli_home.h"

TEST(test_logits_are_rows_of_json)
{
    assert_done("logits tiny --tokens '1 4 3'");
    char *line = strtok(said, "\n");
    int n_lines = 0;
    for (; line; line = strtok(NULL, "\n"), n_lines++) {
        auto_json *row = cJSON_Parse(line);
        assert_int_equal(cJSON_GetArraySize(row), TOKEN_COUNT);
        assert_true(isfinite(cJSON_GetArrayItem(row, 7)->valuedouble));
    }
    assert_int_equal(n_lines, 3);
}

TEST(test_quantise_writes_a_smaller_model)
{
    const char *tiny = "models/tiny.safetensors";
    assert_done("quantise tiny -o eight.safetensors");
    assert_says("largest error of a row ");
    size_t n_tiny, n_eight;
    free(get_bytes(tiny, &n_tiny));
    free(get_bytes("eight.safetensors", &n_eight));
    assert_true(n_eight < n_tiny);
    assert_int_equal(run("info tiny --json"), 1);
    assert_done("info models/tiny.safetensors");
    char hash[17] = "";
    assert_int_equal(sscanf(strstr(said, "hash "), "hash %16s", hash), 1);
    assert_done("info eight.safetensors --json");
    assert_says(hash);
    assert_says("\"int8\"");
    assert_done("logits eight.safetensors --tokens '1 4 3'");

    /* What was read is written again, but for the provenance. */
    assert_done("quantise eight.safetensors -o again.safetensors");
    assert_says("largest error of a row 0 ");
    assert_done("quantise eight.safetensors -o half.safetensors "
                "--weights bf16");
    assert_done("info half.safetensors --json");
    assert_says("\"bf16\"");
}

TEST(test_quantise_spares_its_input)
{
    size_t n, n_after;
    auto_free uint8_t *bytes = get_bytes("models/tiny.safetensors", &n);
    assert_int_equal(run("quantise tiny -o models/../models/tiny.safetensors"), 1);
    assert_says("continuo: models/../models/tiny.safetensors: ");
    assert_ok(symlink("models/tiny.safetensors", in_folder("link")));
    assert_int_equal(run("quantise tiny -o link"), 1);
    auto_free uint8_t *after = get_bytes("models/tiny.safetensors", &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(bytes, after, n);
    assert_int_equal(run("quantise in.mid -o out.safetensors"), 1);
    assert_says("continuo: in.mid: ");
    assert_int_equal(run("quantise tiny -o no/such/out.safetensors"), 1);
    assert_says("continuo: no/such/out.safetensors: ");
}

static void copy_music(const char *to)
{
    char name[64];
    snprintf(name, sizeof name, "data/%s", to);
    assert_ok(mkdir(in_folder(name), 0700));
    snprintf(name, sizeof name, "data/%s/a.mid", to);
    save_music(name);
}

TEST(test_eval_beside_baselines)
{
    assert_ok(mkdir(in_folder("data"), 0700));
    copy_music("songs");
    copy_music("songs/train");
    copy_music("songs/valid");
    assert_done("eval tiny --data data --windows 1 --json");
    cJSON *j = cJSON_Parse(said);
    const cJSON *all = json_at(j, "all");
    assert_int_equal((int)number(all, "notes"), 16);
    double model = number(all, "nats_per_token");
    double unigram = number(all, "unigram_nats_per_token");
    double bigram = number(all, "bigram_nats_per_token");
    /* Random weights know nothing; the baselines have seen this very piece. */
    assert_true(fabs(model - log(TOKEN_COUNT)) < 1.0);
    assert_true(unigram < model && bigram < unigram);
    /* Two bars have no middle for a hole. */
    assert_int_equal((int)number(j, "holes.holes"), 0);
    cJSON_Delete(j);
    assert_done("eval tiny --data data --windows 1 --json --holes 0");
    j = cJSON_Parse(said);
    assert_null(json_at(j, "holes"));
    cJSON_Delete(j);
}

/* Nats a token on the bundled example, of which no model has heard. */
static double example_loss(const char *model)
{
    char line[1024];
    snprintf(line, sizeof line,
             "eval '%s' --data unheard --windows 1 --music 0 --holes 0 --json", model);
    assert_done(line);
    auto_json *j = cJSON_Parse(said);
    double nats = number(j, "all.nats_per_token");
    return nats;
}

/* The bundled model has eight bits already: again they are the same, and sixteen are
 * nearly. */
TEST(test_fewer_bits_cost_little)
{
    const char *ours = getenv("CONTINUO_HOME");
    char model[512], line[1024];
    snprintf(model, sizeof model, "%s/models/continuo.safetensors", ours ? ours : "");
    if (access(model, R_OK))
        skip();
    snprintf(line, sizeof line,
             "cd '%s' && mkdir -p unheard/train unheard/valid && "
             "tee unheard/train/a.mid unheard/valid/a.mid <'%s/models/example.mid' "
             ">/dev/null",
             folder, ours);
    assert_ok(system(line));
    snprintf(line, sizeof line, "quantise '%s' -o bundled.safetensors", model);
    assert_done(line);
    double was = example_loss(model), is = example_loss("bundled.safetensors");
    assert_true(was < 3.0);
    assert_true(is == was);
    snprintf(line, sizeof line, "quantise '%s' --weights bf16 -o bundled.safetensors",
             model);
    assert_done(line);
    is = example_loss("bundled.safetensors");
    assert_true(is != was && fabs(is / was - 1.0) < 0.005);
}

/* Of the data that the test before this one has left. */
TEST(test_tokens_are_an_array)
{
    const char *tokens = "tokens --data data --windows 3 --length 32 -o";
    char line[256];
    size_t n;
    snprintf(line, sizeof line, "%s w.txt", tokens);
    assert_int_equal(run(line), 1);
    assert_says("must end in .npy");
    snprintf(line, sizeof line, "%s w.npy", tokens);
    assert_done(line);
    uint8_t *bytes = get_bytes("w.npy", &n);
    assert_int_equal(n, 128 + 3 * 3 * 32 * 2);
    assert_non_null(memmem(bytes, n, "'shape': (3, 3, 32)", 19));
    assert_int_equal(bytes[128] | bytes[129] << 8, TOKEN_BOS);
    const uint8_t *targets = bytes + 128 + 3 * 32 * 2;
    for (int i = 0; i < 8; i++) {
        const uint8_t none[2] = {0xff, 0xff}, *next = bytes + 128 + 2 * (i + 1);
        enum token kind = token_kind(next[0] | next[1] << 8);
        bool is_declared = kind == TOKEN_TRACK || kind == TOKEN_FAMILY; /* not learnt */
        assert_memory_equal(targets + 2 * i, is_declared ? none : next, 2);
    }
    free(bytes);
    bytes = get_bytes("w.json", &n);
    auto_json *j = cJSON_ParseWithLength((char *)bytes, n);
    assert_int_equal((int)number(j, "vocab"), TOKEN_COUNT);
    assert_non_null(json_at(j, "tokenizer.kinds"));
    free(bytes);
}

TEST(test_bench_weighs_takes)
{
    assert_done("bench takes --model tiny --threads 1 --json");
    assert_says("\"takes\":\t8");
    assert_says("\"cost_of_one\"");
}

GROUP(set_up, remove_own_folder)
