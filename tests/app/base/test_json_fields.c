/* JSON that is printed: what a terminal would act on is an escape, and the text is the
 * same to whoever reads it. */
#include "app/base/json_fields.h"

#include "tests/check.h"
#include <stdlib.h>
#include <string.h>

/* malloc'd */
static char *printed(const char *value)
{
    char *text;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    cJSON *j = cJSON_CreateString(value);
    assert_non_null(to);
    assert_true(say_json(to, j));
    assert_int_equal(fclose(to), 0);
    cJSON_Delete(j);
    return text;
}

static void expect(const char *value, const char *wanted)
{
    char *text = printed(value);
    assert_string_equal(text, wanted);
    free(text);
}

TEST(music_and_letters_stay)
{
    expect("B\u266d \u00e9 \u4e2d \U0001D11E",
           "\"B\u266d \u00e9 \u4e2d \U0001D11E\"\n");
}

TEST(controls_are_escapes)
{
    expect("\033[31m\x7f", "\"\\u001b[31m\\u007f\"\n");
    expect("\302\23331m", "\"\\u009b31m\"\n");
    expect("\u202egpj.exe", "\"\\u202egpj.exe\"\n");
    expect("\U000E0001", "\"\\udb40\\udc01\"\n");
}

TEST(an_escape_reads_back)
{
    static const char VALUE[] = "\302\233\u202e\U000E0001\x7f a";
    char *text = printed(VALUE);
    cJSON *j = cJSON_Parse(text);
    assert_string_equal(cJSON_GetStringValue(j), VALUE);
    cJSON_Delete(j);
    free(text);
}

TEST(what_is_no_utf8_is_replaced)
{
    expect("a\x9b"
           "b\xe2\x80",
           "\"a\\ufffdb\\ufffd\\ufffd\"\n");
}

TEST(all_of_it_is_there)
{
    char *text = printed("");
    assert_string_equal(text, "\"\"\n");
    free(text);
    text = NULL;
    size_t n;
    FILE *to = open_memstream(&text, &n);
    assert_false(say_json(to, NULL));
    fclose(to);
    assert_int_equal(n, 0);
    free(text);
}
