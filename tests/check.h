/* The tests of one file, by cmocka: each TEST is one of them, and they run in the order in
 * which they stand. tests/main.c runs them; only one source of a test may include this.
 *
 *   TEST(name) { ... }                  state is the group's, if there is one
 *   TEST_IN(name, begin, end) { ... }   with a fixture of its own
 *   GROUP(begin, end)                   a fixture around all of them
 *   FIXTURE(name) { ...; return 0; }    a begin or an end
 *
 * It brings the headers that most tests need, too. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include "tests/auto.h"

/* Callbacks, fixtures and stand-ins are given more than they use. */
#pragma GCC diagnostic ignored "-Wunused-parameter"
/* Rows end where nothing more is expected. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* The call returns 0, which is every room's word for success. */
#define assert_ok(call) assert_int_equal(call, 0)

/* What the environment asks for, or the usual. */
static inline double asked_for(const char *name, double usual)
{
    const char *value = getenv(name);
    return value ? strtod(value, NULL) : usual;
}

static inline void sleep_ms(int ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

struct check_file {
    const char *path;
    struct CMUnitTest tests[128];
    int lines[128]; /* where each stands in the source */
    size_t n;
    CMFixtureFunction begin, end;
    struct check_file *next;
};
static struct check_file check = {.path = __BASE_FILE__};

/* tests/main.c: this file is one of the program. */
void check_join(struct check_file *file);

/* Constructors run in any order. */
static inline void check_add(struct CMUnitTest test, int line)
{
    if (check.n == 0)
        check_join(&check);
    size_t at = check.n++;
    assert_true(check.n <= sizeof check.lines / sizeof check.lines[0]);
    for (; at > 0 && check.lines[at - 1] > line; at--) {
        check.tests[at] = check.tests[at - 1];
        check.lines[at] = check.lines[at - 1];
    }
    check.tests[at] = test;
    check.lines[at] = line;
}

/* Reads the next row of "text=number; text=number; ...". false: that was the last. */
static inline bool next_row(const char **rows, char text[64], int *number)
{
    int used = 0;
    text[0] = '\0';
    const char *is = strchr(*rows, '=');
    if (!is)
        return false;
    assert_true(is - *rows < 64 && sscanf(is, "=%i; %n", number, &used) == 1);
    memcpy(text, *rows, (size_t)(is - *rows));
    text[is - *rows] = '\0';
    *rows = is + used;
    return true;
}

#define TEST_IN(name, begin, end)                                                      \
    static void name(void **state);                                                    \
    __attribute__((constructor)) static void name##_joins(void)                        \
    {                                                                                  \
        check_add((struct CMUnitTest){#name, name, begin, end, NULL}, __LINE__);       \
    }                                                                                  \
    static void name(void **state)

#define TEST(name)    TEST_IN(name, NULL, NULL)

#define FIXTURE(name) static int name(__attribute__((unused)) void **state)

#define GROUP(begin_all, end_all)                                                      \
    __attribute__((constructor)) static void check_group(void)                         \
    {                                                                                  \
        check.begin = begin_all;                                                       \
        check.end = end_all;                                                           \
    }

#endif
