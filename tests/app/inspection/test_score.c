/* continuo score adds up, and names of heads come with their model. */
#include "tests/check.h"
#include "app/inspection/head_names.h"
#include "tests/app/inspection/attention_home.h"

static double sum_numbers(const cJSON *list, const char *name)
{
    double sum = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        sum += number(item, name);
    }
    return sum;
}

TEST(test_score_adds_up)
{
    assert_done("score in.mid --json --alternatives 3");
    auto_json *j = cJSON_Parse(said);
    assert_non_null(j);
    const cJSON *notes = json_at(j, "note_list"), *note;
    double all = number(j, "nats");
    assert_int_equal(cJSON_GetArraySize(notes), N_NOTES);
    assert_true(fabs(sum_numbers(notes, "nats") - all) < 1e-3);
    assert_true(fabs(sum_numbers(json_at(j, "bars"), "nats") - all) < 1e-3);
    assert_true(fabs(sum_numbers(json_at(j, "tracks"), "nats") - all) < 1e-3);
    cJSON_ArrayForEach(note, notes)
    {
        const cJSON *list = json_at(note, "alternatives"), *one;
        int n_chosen = 0;
        cJSON_ArrayForEach(one, list)
        {
            n_chosen += cJSON_IsTrue(json_at(one, "chosen"));
            if (cJSON_IsTrue(json_at(one, "chosen")))
                assert_true(fabs(-log(number(one, "probability")) -
                                 number(note, "of.pitch")) < 1e-3);
        }
        assert_int_equal(n_chosen, 1);
    }
    assert_done("score in.mid");
    assert_null(strchr(said, '\033'));
}

TEST(test_names_come_with_a_model)
{
    auto_model *m = NULL;
    char text[256];
    assert_ok(model_open(&m, in_folder("models/continuo.safetensors"), NULL, 0));
    snprintf(text, sizeof text,
             "{\"model\": {\"hash\": \"%016llx\", \"layers\": 2, \"heads\": 2}, "
             "\"heads\": [{\"layer\": 1, \"head\": 1, \"name\": \"bass\"}]}",
             (unsigned long long)model_hash(m));
    put_text("models/continuo.heads.json", text);
    assert_done("attention in.mid --layer 1 --head 1 -o a.json");
    auto_json *j = read_json("a.json");
    assert_string_equal(json_at(j, "name")->valuestring, "bass");
    assert_ok(remove(in_folder("models/continuo.heads.json")));
}

GROUP(set_up, remove_own_folder)
