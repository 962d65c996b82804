/* JSON that is printed: what a terminal would act on is an escape, and the text is the
 * same to whoever reads it. */
#include "app/base/json_fields.h"

#include "tests/app/auto.h"
#include "tests/check.h"

static const char *const CASES[][2] = {
    {"", "\"\"\n"},
    {"B\u266d \u00e9 \u4e2d \U0001D11E", "\"B\u266d \u00e9 \u4e2d \U0001D11E\"\n"},
    {"\033[31m\x7f", "\"\\u001b[31m\\u007f\"\n"},
    {"\302\23331m", "\"\\u009b31m\"\n"},
    {"\u202egpj.exe", "\"\\u202egpj.exe\"\n"},
    {"\U000E0001", "\"\\udb40\\udc01\"\n"},
    {"a\x9b-b\xe2\x80", "\"a\\ufffd-b\\ufffd\\ufffd\"\n"}, /* no UTF-8 */
};

/* And reads back, unless it was no UTF-8. */
TEST(what_a_terminal_would_act_on_is_an_escape)
{
    const size_t n_cases = sizeof CASES / sizeof *CASES;
    for (size_t i = 0; i < n_cases; i++) {
        auto_free char *text = NULL;
        size_t n;
        FILE *to = open_memstream(&text, &n);
        auto_json *j = cJSON_CreateString(CASES[i][0]);
        assert_true(to && say_json(to, j) && !fclose(to));
        assert_string_equal(text, CASES[i][1]);
        auto_json *again = cJSON_Parse(text);
        if (i + 1 < n_cases)
            assert_string_equal(cJSON_GetStringValue(again), CASES[i][0]);
    }
}

TEST(fields_are_written_as_their_conversions_say)
{
    auto_json *j = json_add(cJSON_CreateObject(),
                            "n %d size %zu x %g rounded %.2f yes %hhd seed %llu "
                            "hash %04llx name %s none %s",
                            -3, (size_t)7, 0.125, 2.345678, (bool)true, ~0ull, 255ull,
                            "a\033b", getenv("CONTINUO_NO_SUCH_VARIABLE"));
    json_add(cJSON_AddObjectToObject(j, "in"), "nan %g", NAN);
    auto_free char *text = cJSON_PrintUnformatted(j);
    assert_string_equal(text, "{\"n\":-3,\"size\":7,\"x\":0.125,\"rounded\":2.35,"
                              "\"yes\":true,"
                              "\"seed\":\"18446744073709551615\",\"hash\":\"00ff\","
                              "\"name\":\"a\ufffdb\",\"in\":{\"nan\":null}}");
}

TEST(only_what_is_of_the_kind_and_in_range_is_read)
{
    auto_json *j =
        cJSON_Parse("{\"n\": 3, \"x\": 2.5, \"name\": \"folk\", \"z\": null}");
    int n = 9;
    double x = 9;
    assert_true(json_count(j, "n", 1, 3, &n) && n == 3);
    assert_false(json_count(j, "n", 4, 9, &n));
    assert_false(json_count(j, "x", 1, 3, &n));
    assert_false(json_count(j, "N", 1, 3, &n));
    assert_int_equal(n, 3);
    assert_true(json_real(j, "x", 0, 3, &x) && x > 2);
    assert_false(json_real(j, "name", 0, 3, &x));
    assert_true(isnan(json_number(j, "z")));
    assert_true(json_is_text(j, "name", "folk"));
    assert_null(json_text(j, "n"));
}
