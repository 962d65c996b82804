/* Files of names may hold anything; the bundled model has names. */
#include "tests/check.h"
#include "app/inspection/head_names.h"
#include "tests/app/own_folder.h"

TEST_IN(names_of_files_are_not_trusted, make_own_folder, remove_own_folder)
{
    static const char *const BAD[] = {
        "",
        "{",
        "[]",
        "{\"model\": 3}",
        "{\"model\": {\"hash\": \"12\", \"layers\": 1, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"zzzzzzzzzzzzzzzz\", \"layers\": 1, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 1e9, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 0, \"heads\": 1}}",
        "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 1.5, \"heads\": 1}}",
    };
    struct head_names names;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        put_text("x.heads.json", BAD[i]);
        assert_false(head_names_read(&names, in_folder("x.heads.json")));
        assert_null(names.names);
    }
    put_text("x.heads.json",
             "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 2, "
             "\"heads\": 2}, \"heads\": [3, {\"layer\": 9, \"head\": 1, "
             "\"name\": \"far\"}, {\"layer\": 2, \"head\": 1, \"name\": "
             "\"\\u001b[2Jclear\"}, {\"layer\": 1, \"head\": 2, \"of\": "
             "\"source\", \"name\": \"heard\"}]}");
    assert_true(head_names_read(&names, in_folder("x.heads.json")));
    assert_true(names.hash == UINT64_C(0x0123456789abcdef));
    assert_null(strchr(head_names_of(&names, 1, 0), '\033'));
    assert_non_null(strstr(head_names_of(&names, 1, 0), "clear"));
    assert_string_equal(head_names_of(&names, 0, 1), "");
    assert_string_equal(head_names_of(&names, -1, 0), "");
    assert_string_equal(head_names_of(&names, 0, 2), "");
    head_names_fini(&names);
    put_text("x.heads.json",
             "{\"model\": {\"hash\": \"0123456789abcdef\", \"layers\": 1, "
             "\"heads\": 1}, \"heads\": [{\"layer\": 1, \"head\": 1, "
             "\"name\": \"only\"}]}");
    assert_true(head_names_read(&names, in_folder("x.heads.json")));
    assert_string_equal(head_names_of(&names, 0, 0), "only");
    head_names_fini(&names);
    assert_false(head_names_read(&names, folder));
}

/* Who trains another surveys it anew. */
TEST(the_bundled_model_has_names)
{
    struct head_names names;
    auto_model *m = bundled_model("continuo");
    assert_true(head_names_find(&names, model_hash(m)));
    assert_int_equal(names.n_layers, m->config.n_layers);
    assert_int_equal(names.n_heads, m->config.n_heads);
    for (int i = 0; i < names.n_layers * names.n_heads; i++)
        assert_true(*head_names_of(&names, i / names.n_heads, i % names.n_heads));
    head_names_fini(&names);
    assert_false(head_names_find(&names, model_hash(m) + 1));
    assert_null(names.names);
}

GROUP(NULL, NULL)
