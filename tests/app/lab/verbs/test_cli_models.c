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

/* What was read is written again, but for the provenance, which has the hash of what was read. */
TOLD(test_quantise_writes_a_smaller_model) = {
    {"quantise tiny -o eight.safetensors", 0, "largest error of a row |, row "},
    {"$[ $(wc -c <eight.safetensors) -lt $(wc -c <models/tiny.safetensors) ]"},
    {"info tiny --json", 1},
    {"$\"$CONTINUO_BIN\" info eight.safetensors --json | grep "
     "\"from.*$(\"$CONTINUO_BIN\" info "
     "models/tiny.safetensors | sed -n 's/ *hash //p')\""},
    {"info eight.safetensors --json", 0, "\"int8\""},
    {"logits eight.safetensors --tokens '1 4 3'"},
    {"quantise eight.safetensors -o again.safetensors", 0, "largest error of a row 0 "},
    {"quantise eight.safetensors -o half.safetensors --weights bf16"},
    {"info half.safetensors --json", 0, "\"bf16\""},
};

TOLD(test_quantise_spares_its_input) = {
    {"$cp models/tiny.safetensors before && ln -s models/tiny.safetensors link"},
    {"quantise tiny -o models/../models/tiny.safetensors", 1,
     "continuo: models/../models/tiny.safetensors: "},
    {"quantise tiny -o link", 1},
    {"$cmp models/tiny.safetensors before"},
    {"quantise in.mid -o out.safetensors", 1, "continuo: in.mid: "},
    {"quantise tiny -o no/such/out.safetensors", 1,
     "continuo: no/such/out.safetensors: "},
};

/* Nor are they renamed over after an hour of training. */
TOLD(test_models_spare_pipes_devices_and_links) = {
    {"$mkfifo -m 600 pipe && ln -s /dev/null device && ln -s no/such nowhere"},
    {"$for f in pipe device models; do for v in 'quantise tiny' 'train --data . "
     "--steps 1'; do "
     "\"$CONTINUO_BIN\" $v -o $f 2>&1 | grep \"^continuo: $f: is not a regular file\" "
     "|| "
     "exit 1; done; done"},
    /* before anything is read */
    {"$for f in nowhere no/such.safetensors; do \"$CONTINUO_BIN\" train --data . "
     "--steps 1 -o "
     "$f 2>&1 | head -1 | grep \"^continuo: $f: No such file\" || exit 1; done"},
    {"$[ -p pipe ] && [ -L device ] && [ -c device ]"},
    {"quantise tiny -o models/whole.safetensors"},
    {"$chmod 600 models/whole.safetensors && ln -s models/whole.safetensors to-whole"},
    {"quantise tiny -o to-whole --weights bf16"},
    {"$[ -L to-whole ] && stat -c %a models/whole.safetensors", 0, "600"},
    {"info models/whole.safetensors --json", 0, "\"bf16\""},
    {"$ln models/whole.safetensors second"},
    {"quantise tiny -o second", 1, "hard link"},
    {"quantise tiny -o second --force"},
};

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
