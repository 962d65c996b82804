/* continuo score adds up, and the survey of heads names them for the model. */
#include "tests/check.h"
#include "app/inspection/head_profile.h"
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

TEST(test_survey)
{
    struct head_names names;
    assert_done("attention --survey --data music --split train --windows 2 -o s.json");
    assert_non_null(strstr(said, "| 2.2 |"));
    assert_true(head_names_read(&names, in_folder("s.json")));
    assert_int_equal(names.n_layers, 2);
    assert_int_equal(names.n_heads, 2);
    assert_true(*head_names_of(&names, 1, 1));
    assert_string_equal(head_names_of(&names, 2, 0), "");
    head_names_fini(&names);
    const cJSON *head;
    auto_json *j = read_json("s.json");
    cJSON_ArrayForEach(head, json_at(j, "heads"))
    {
        double parts = 0;
        const cJSON *part, *lost = json_at(head, "lost_when_muted");
        cJSON_ArrayForEach(part, json_at(head, "parts"))
        {
            parts += part->valuedouble;
        }
        assert_true(fabs(parts - 1) < 2e-3); /* of four digits each */
        assert_int_equal(number(lost, "all.windows"), 2);
    }
    assert_done("attention --survey --data voices.json --model hears -o h.json");
}

TEST(test_names_come_with_a_model)
{
    assert_done("attention --survey --data music --split train --windows 1 "
                "-o models/continuo.heads.json");
    assert_done("attention in.mid --layer 1 --head 1 -o a.json");
    auto_json *j = read_json("a.json");
    assert_true(*json_at(j, "name")->valuestring);
    assert_ok(remove(in_folder("models/continuo.heads.json")));
}

GROUP(set_up, remove_own_folder)
