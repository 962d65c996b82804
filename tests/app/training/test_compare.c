/* `continuo train` and `continuo compare` on four voices, end to end, with tiny
 * models and a handful of steps; and what compare keeps and refuses. */
#include "tests/check.h"
#include "app/training/compare.h"
#include "app/training/train_run.h"
#include "tests/app/grid_data.h"
#include "tests/app/read_json.h"
#include "tests/app/run_words.h"

#include <math.h>

static int set_up(void **state)
{
    return make_own_folder(state) || grid_data_write(in_folder("four.json"));
}

/* A verb with the options of tiny models, then those in `more`. */
static int run(const struct verb *verb, const char *out, const char *more)
{
    return run_words(verb, STDOUT_FILENO,
                     formatted("--data %s -o %s --preset tiny --width 16 --heads 2 "
                               "--layers 1 --context 64 --batch 2 --threads 1 "
                               "--dropout 0 %s",
                               in_folder("four.json"), out, more));
}

TEST(a_trained_model_says_what_it_is)
{
    assert_ok(run(&VERB_TRAIN, in_folder("m.safetensors"),
                  "--steps 3 --position none --relative music --reach 20 "
                  "--time buckets --norm post --activation gelu --block 64"));
    auto_model *m = bundled_model(in_folder("m.safetensors"));
    const struct model_config *c = &m->config;
    assert_int_equal(c->vocab, GRID_COUNT);
    assert_int_equal(c->max_distance, 20);
    assert_int_equal(c->block, 64);
    assert_int_equal(c->norm, NORM_POST);
    assert_int_equal(c->d_ff, 64);
    auto_json *j = cJSON_Parse(model_metadata(m, "tokenizer"));
    assert_string_equal(string_at(j, "name"), "grid");
    assert_true(cJSON_IsFalse(cJSON_GetObjectItem(j, "hold")));
    assert_int_equal((int)number(j, "steps_per_cell"), 6);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "kinds")), 6);
    auto_json *about = cJSON_Parse(model_metadata(m, "provenance"));
    const cJSON *v = cJSON_GetObjectItem(about, "validation");
    assert_int_equal((int)number(v, "notes"), 4 * (50 + 55));
    assert_true(fabs(number(v, "nats_per_note") - log(GRID_COUNT)) < 1.0);
    assert_true(number(v, "unigram_nats_per_note") < 4.0);
}

static struct train_options parsed(const char *option, const char *value,
                                   const char *from)
{
    char *argv[] = {"train", "--data", "d", "-o", "o", NULL, NULL, NULL, NULL, NULL};
    int argc = 5;
    struct train_settings s;
    if (option) {
        argv[argc++] = (char *)option;
        argv[argc++] = (char *)value;
    }
    if (from) {
        argv[argc++] = "--from";
        argv[argc++] = (char *)from;
    }
    assert_int_equal(train_options_parse(&s, &VERB_TRAIN, argc, argv), -1);
    assert_true(s.request.cooldown == 0.6);
    return s.request.options;
}

/* What is not said follows from the optimiser, and from whether the model has learnt. */
TEST(optimisers_bring_their_rates_and_schedules)
{
    struct train_options o = parsed(NULL, NULL, NULL);
    assert_int_equal(o.optimiser, OPTIMISER_MUON);
    assert_int_equal(o.schedule, SCHEDULE_LINEAR);
    const float muon = o.lr;
    o = parsed(NULL, NULL, "m");
    assert_int_equal(o.optimiser, OPTIMISER_MUON);
    assert_true(o.lr < muon / 2);
    o = parsed("--optimiser", "adamw", NULL);
    assert_int_equal(o.optimiser, OPTIMISER_ADAMW);
    assert_int_equal(o.schedule, SCHEDULE_COSINE);
    assert_true(o.lr < muon);
    o = parsed("--schedule", "cosine", NULL);
    assert_int_equal(o.optimiser, OPTIMISER_MUON);
    assert_int_equal(o.schedule, SCHEDULE_COSINE);
    o = parsed("--lr", "0.25", "m");
    assert_true(o.lr == 0.25f);
}

TEST(what_does_not_fit_together_is_wrong_usage)
{
    static const char *const WRONG[] = {
        "--position here",
        "--relative rotary --heads 16",
        "--relative rotary --time rotary --width 12",
        "--mixing fourier --relative shaw",
        "--mixing fourier --time rotary",
        "--block 65",
        "--reach 4",
        "--heads 3",
        "--width 0",
        "--from m.safetensors",
        "--variants none",
        "--colour red",
        "--optimiser sgd",
        "--schedule flat",
        "--cooldown 1.5",
        "--adam-share 0",
        "extra",
        "--steps",
    };
    for (size_t i = 0; i < sizeof WRONG / sizeof WRONG[0]; i++)
        if (run(&VERB_TRAIN, in_folder("never"), WRONG[i]) != 2)
            fail_msg("%s", WRONG[i]);
    assert_int_equal(run(&VERB_COMPARE, in_folder("never"), "--variants none,nothing"),
                     2);
    assert_int_equal(run(&VERB_COMPARE, in_folder("never"), "--position none"), 2);
    assert_int_equal(run(&VERB_COMPARE, in_folder("never"), "--heads 8"), 2);
    assert_int_equal(access(in_folder("never"), F_OK), -1);
}

TEST(every_variant_is_trained_and_told)
{
    assert_ok(run(&VERB_COMPARE, in_folder("all"), "--steps 2"));
    auto_json *j = read_json("all/table.json");
    const cJSON *rows = cJSON_GetObjectItem(j, "variants"), *row;
    assert_int_equal(cJSON_GetArraySize(rows), N_VARIANTS);
    cJSON_ArrayForEach(row, rows)
    {
        const char *name = string_at(row, "name");
        assert_non_null(name);
        auto_model *m = bundled_model(in_folder(formatted("all/%s.safetensors", name)));
        assert_true(number(row, "parameters") == (double)m->n_parameters);
        assert_int_equal((int)number(row, "tokens_seen"), 2 * 2 * 64);
        assert_true(fabs(number(row, "valid_nats") - log(GRID_COUNT)) < 1.0);
        assert_true(fabs(number(row, "test_nats") - log(GRID_COUNT)) < 1.0);
        assert_true(number(row, "decoded_tokens_per_second") > 0);
    }
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "baselines")), 3);
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "published")), 6);
}

/* The trainer's own validation and the decoder's measure agree: every cell, the
 * same windows. */
TEST(the_two_measures_agree)
{
    auto_json *j = read_json("all/music+time.json");
    auto_model *m = bundled_model(in_folder("all/music+time.safetensors"));
    auto_json *p = cJSON_Parse(model_metadata(m, "provenance"));
    double told = number(cJSON_GetObjectItem(p, "validation"), "nats_per_note");
    assert_true(fabs(number(j, "valid_nats") - told) < 5e-3); /* bf16 products */
}

static struct timespec written(const char *name)
{
    struct stat s;
    assert_ok(stat(in_folder(name), &s));
    return s.st_mtim;
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

TEST(the_finished_stay_and_the_rest_goes_on)
{
    const char *some = "--steps 2 --variants music,none";
    struct timespec none = written("all/none.safetensors");
    assert_ok(unlink(in_folder("all/music.json"))); /* as if interrupted */
    assert_ok(run(&VERB_COMPARE, in_folder("all"), some));
    assert_true(same_time(none, written("all/none.safetensors")));
    assert_int_equal(access(in_folder("all/music.state"), F_OK), -1);
    auto_json *j = read_json("all/table.json");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(j, "variants")), 2);

    assert_int_equal(run(&VERB_COMPARE, in_folder("all"), "--steps 3 --variants none"),
                     1);
    assert_int_equal(run(&VERB_COMPARE, in_folder("all"), "--steps 2 --seed 2"), 1);
    assert_true(same_time(none, written("all/none.safetensors")));
}

TEST(records_that_are_none_are_refused)
{
    static const char *const BAD[] = {"", "{}", "[", "{\"parameters\": \"many\"}"};
    struct compare_record r;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        put_text("bad.json", BAD[i]);
        assert_int_equal(compare_record_read(&r, in_folder("bad.json"), "{}"),
                         RECORD_BROKEN);
    }
    assert_int_equal(compare_record_read(&r, in_folder("no.json"), "{}"), RECORD_NONE);
}

TEST(a_record_is_read_as_written)
{
    struct compare_record r = {1, 2, 3, 0.1, 0.335, NAN}, back;
    const char *path = in_folder("record.json");
    assert_true(compare_record_write(&r, path, "{\"a\":1}"));
    assert_int_equal(compare_record_read(&back, path, "{\"a\":1}"), RECORD_FINE);
    assert_true(back.valid == r.valid && isnan(back.test) && back.minutes == r.minutes);
    assert_int_equal(compare_record_read(&back, path, "{\"a\":2}"), RECORD_OTHER);
}

TEST(names_choose_variants)
{
    const struct variant *chosen[N_VARIANTS];
    assert_int_equal(variants_choose(NULL, chosen), N_VARIANTS);
    assert_int_equal(variants_choose("music,none", chosen), 2);
    assert_string_equal(chosen[0]->name, "none");
    assert_int_equal(variants_choose("music,mus", chosen), 0);
    assert_int_equal(variants_choose("", chosen), 0);
}

GROUP(set_up, remove_own_folder)
