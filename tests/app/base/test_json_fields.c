/* JSON that is printed: what a terminal would act on is an escape, and the text is the
 * same to whoever reads it. */
#include "app/base/json_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
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

static void music_and_letters_stay(void **state)
{
    (void)state;
    expect("B\u266d \u00e9 \u4e2d \U0001D11E",
           "\"B\u266d \u00e9 \u4e2d \U0001D11E\"\n");
}

static void controls_are_escapes(void **state)
{
    (void)state;
    expect("\033[31m\x7f", "\"\\u001b[31m\\u007f\"\n");
    expect("\302\23331m", "\"\\u009b31m\"\n");
    expect("\u202egpj.exe", "\"\\u202egpj.exe\"\n");
    expect("\U000E0001", "\"\\udb40\\udc01\"\n");
}

static void an_escape_reads_back(void **state)
{
    static const char VALUE[] = "\302\233\u202e\U000E0001\x7f a";
    (void)state;
    char *text = printed(VALUE);
    cJSON *j = cJSON_Parse(text);
    assert_string_equal(cJSON_GetStringValue(j), VALUE);
    cJSON_Delete(j);
    free(text);
}

static void what_is_no_utf8_is_replaced(void **state)
{
    (void)state;
    expect("a\x9b"
           "b\xe2\x80",
           "\"a\\ufffdb\\ufffd\\ufffd\"\n");
}

static void all_of_it_is_there(void **state)
{
    (void)state;
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(music_and_letters_stay),
        cmocka_unit_test(controls_are_escapes),
        cmocka_unit_test(an_escape_reads_back),
        cmocka_unit_test(what_is_no_utf8_is_replaced),
        cmocka_unit_test(all_of_it_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
