/* The real program, run as a script would: what it does with models. Their logits, what they
 * cost in fewer bits and what they lose on data. */
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
    assert_says(", row "); /* of which tensor */
    size_t n_tiny, n_eight;
    free(get_bytes(tiny, &n_tiny));
    free(get_bytes("eight.safetensors", &n_eight));
    assert_true(n_eight < n_tiny);
    assert_int_equal(run_program("info tiny --json"), 1);
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
    assert_int_equal(run_program("quantise tiny -o models/../models/tiny.safetensors"),
                     1);
    assert_says("continuo: models/../models/tiny.safetensors: ");
    assert_ok(symlink("models/tiny.safetensors", in_folder("link")));
    assert_int_equal(run_program("quantise tiny -o link"), 1);
    auto_free uint8_t *after = get_bytes("models/tiny.safetensors", &n_after);
    assert_int_equal(n, n_after);
    assert_memory_equal(bytes, after, n);
    assert_int_equal(run_program("quantise in.mid -o out.safetensors"), 1);
    assert_says("continuo: in.mid: ");
    assert_int_equal(run_program("quantise tiny -o no/such/out.safetensors"), 1);
    assert_says("continuo: no/such/out.safetensors: ");
}

/* Nor are they renamed over after an hour of training. */
TEST(test_models_spare_pipes_devices_and_links)
{
    struct stat st;
    assert_ok(mkfifo(in_folder("pipe"), 0600));
    assert_ok(symlink("/dev/null", in_folder("device")));
    static const char *const NAMES[] = {"pipe", "device", "models"};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(run_program(formatted("quantise tiny -o %s", NAMES[i])), 1);
        assert_says(formatted("continuo: %s: is not a regular file", NAMES[i]));
        assert_int_equal(
            run_program(formatted("train --data . -o %s --steps 1", NAMES[i])), 1);
        assert_says(formatted("continuo: %s: is not a regular file", NAMES[i]));
    }
    assert_ok(symlink("no/such", in_folder("nowhere")));
    static const char *const NO_PLACES[] = {"nowhere", "no/such.safetensors"};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            run_program(formatted("train --data . -o %s --steps 1", NO_PLACES[i])), 1);
        const char *why = formatted("continuo: %s: No such file", NO_PLACES[i]);
        assert_ptr_equal(strstr(said, why), said); /* before anything is read */
    }
    assert_ok(lstat(in_folder("pipe"), &st));
    assert_true(S_ISFIFO(st.st_mode));
    assert_ok(lstat(in_folder("device"), &st));
    assert_true(S_ISLNK(st.st_mode));
    assert_ok(stat(in_folder("device"), &st));
    assert_true(S_ISCHR(st.st_mode));

    assert_done("quantise tiny -o models/whole.safetensors");
    assert_ok(chmod(in_folder("models/whole.safetensors"), 0600));
    assert_ok(symlink("models/whole.safetensors", in_folder("to-whole")));
    assert_done("quantise tiny -o to-whole --weights bf16");
    assert_ok(lstat(in_folder("to-whole"), &st));
    assert_true(S_ISLNK(st.st_mode));
    assert_ok(stat(in_folder("models/whole.safetensors"), &st));
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_done("info models/whole.safetensors --json");
    assert_says("\"bf16\"");

    assert_ok(link(in_folder("models/whole.safetensors"), in_folder("second")));
    assert_int_equal(run_program("quantise tiny -o second"), 1);
    assert_says("hard link");
    assert_done("quantise tiny -o second --force");
}

static void copy_music(const char *to)
{
    assert_ok(mkdir(in_folder(to), 0700));
    save_music(formatted("%s/a.mid", to));
}

TEST(test_eval_beside_baselines)
{
    assert_ok(mkdir(in_folder("data"), 0700));
    copy_music("data/songs");
    copy_music("data/songs/train");
    copy_music("data/songs/valid");
    assert_done("eval tiny --data data --windows 1 --json");
    auto_json *j = cJSON_Parse(said);
    const cJSON *all = json_at(j, "all");
    assert_int_equal((int)number(all, "notes"), 16);
    double own = number(all, "nats_per_token");
    double unigram = number(all, "unigram_nats_per_token");
    double bigram = number(all, "bigram_nats_per_token");
    /* Random weights know nothing; the baselines have seen this very piece. */
    assert_true(fabs(own - log(TOKEN_COUNT)) < 1.0);
    assert_true(unigram < own && bigram < unigram);
    /* Nor do they fill the context; and holes are only measured when they are asked for. */
    assert_int_equal(cJSON_GetArraySize(json_at(j, "heard")), 0);
    assert_null(json_at(j, "holes"));
}

TEST(test_eval_tells_what_is_lost_by_how_much_is_heard)
{
    assert_ok(mkdir(in_folder("long"), 0700));
    save_score("long/a.mid", score_of("96 | a: (72q 73 74 75 76 77 78 79)*25 | "
                                      "b: (48q 49 50 51 52 53 54 55)*25"));
    copy_file("long/b.mid", "long/a.mid");
    assert_done("eval tiny --data long --split train --windows 8 --json");
    auto_json *j = cJSON_Parse(said);
    const cJSON *rows = json_at(j, "heard");
    assert_int_equal(cJSON_GetArraySize(rows), 3); /* the context is 256 tokens */
    for (int k = 0; k < 3; k++) {
        const cJSON *row = cJSON_GetArrayItem(rows, k);
        assert_int_equal((int)number(row, "most"), 64 << k);
        assert_true(fabs(number(row, "nats_per_token") - log(TOKEN_COUNT)) < 1.0);
    }
    assert_int_equal(2 * (int)number(cJSON_GetArrayItem(rows, 1), "tokens"),
                     (int)number(cJSON_GetArrayItem(rows, 2), "tokens"));
    assert_null(json_at(j, "missing"));
}

/* Two parts of the bars that fit, each from the other; and holes. */
TEST(test_eval_measures_missing_parts_and_holes)
{
    assert_done("eval tiny --data long --split train --windows 1 --missing 2 "
                "--holes 2 --json");
    auto_json *j = cJSON_Parse(said);
    const cJSON *all = json_at(j, "missing.all"), *holes = json_at(j, "holes.all");
    const int notes = (int)number(all, "notes");
    assert_in_range(notes, 2 * 8, 2 * 32);
    assert_int_equal(notes % 4, 0); /* whole bars */
    assert_in_range((int)number(holes, "notes"), 1, 2 * 128);
    assert_true(fabs(number(holes, "nats_per_token") - log(TOKEN_COUNT)) < 1.0);
    assert_true(fabs(number(all, "nats_per_token") - log(TOKEN_COUNT)) < 1.0);
}

GROUP(set_up, remove_own_folder)
