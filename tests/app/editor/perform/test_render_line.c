/* Rendering to a file while the work goes on, by typed lines and keys. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/keyed.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static char folder[64], path[160], line[200];

static int open_session(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/continuo-test-XXXXXX");
    *state = mkdtemp(folder) ? keyed_open() : NULL;
    return *state ? 0 : -1;
}

static int close_session(void **state)
{
    keyed_close(state);
    return rmdir(folder); /* fails if anything was left */
}

static void type_line(struct session *s, const char *verb, const char *name,
                      const char *more)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    snprintf(line, sizeof line, ":%s %s%s\r", verb, path, more);
    keys(s, line);
}

static void wait_for_end(struct session *s)
{
    for (int i = 0; i < 1000 && s->parts.rendering; i++) {
        nanosleep(&(struct timespec){0, 10000000}, NULL);
        session_tick(s);
    }
    assert_null(s->parts.rendering);
}

static void it_is_written(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 0, 480, 60, 80);
    type_line(s, "render", "a b.flac", " 24 48000");
    assert_non_null(s->parts.rendering);
    assert_true(session_timeout_ms(s) < 100); /* its share is shown */
    wait_for_end(s);
    assert_false(s->message_is_error);
    assert_non_null(strstr(s->message, "is written"));
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_true(st.st_size > 1000);
    type_line(s, "render", "a b.flac", "");
    assert_true(s->message_is_error && !s->parts.rendering); /* it is there already */
    type_line(s, "render!", "a b.flac", "");
    assert_non_null(s->parts.rendering);
    type_line(s, "render", "other.wav", "");
    assert_true(s->message_is_error); /* one at a time */
    wait_for_end(s);
    snprintf(path, sizeof path, "%s/a b.flac", folder);
    assert_int_equal(unlink(path), 0);
}

static void it_is_stopped(void **state)
{
    struct session *s = *state;
    put_note(s, 0, 0, 480 * 4000, 60, 80); /* half an hour */
    type_line(s, "render", "long.ogg", "");
    keys(s, ":q\r");
    assert_true(s->message_is_error && !s->quit);
    keys(s, "\003");
    wait_for_end(s);
    assert_non_null(strstr(s->message, "was stopped"));
    assert_int_equal(access(path, F_OK), -1);
    type_line(s, "render", "long.wav", ""); /* the session ends meanwhile */
    assert_non_null(s->parts.rendering);
}

static void refusals(void **state)
{
    struct session *s = *state;
    static const char *const NAMES[] = {"x.mp3", "x.flac 32", "x.wav 7000", "x.wav 20"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++) {
        type_line(s, "render", NAMES[i], "");
        assert_true(s->message_is_error && !s->parts.rendering);
    }
    keys(s, ":render\r");
    assert_true(s->message_is_error);
    type_line(s, "render", "nowhere/x.wav", "");
    wait_for_end(s);
    assert_true(s->message_is_error);
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, open_session, close_session)
    const struct CMUnitTest tests[] = {
        ALONE(it_is_written),
        ALONE(it_is_stopped),
        ALONE(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
