/* What a verb writes for -o: whole or not at all, with the old file's permissions; a pipe
 * or device is written to at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/base/output_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/continuo-test-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/out", folder);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path);
    return rmdir(folder); /* fails if a draft was left */
}

static bool put(const char *text, bool is_whole)
{
    struct output_file out;
    assert_true(output_file_open(&out, path));
    fputs(text, out.stream);
    return output_file_close(&out, is_whole);
}

static void assert_holds(const char *want)
{
    uint8_t *bytes;
    size_t n;
    assert_int_equal(file_read(path, &bytes, &n), MIDI_OK);
    assert_int_equal(n, strlen(want));
    assert_memory_equal(bytes, want, n);
    free(bytes);
}

static void replaces_a_file_whole(void **state)
{
    (void)state;
    assert_true(put("old and long", true));
    assert_true(put("new", true));
    assert_holds("new");
}

static void half_a_file_leaves_the_old_one(void **state)
{
    (void)state;
    assert_false(put("a part", false));
    assert_int_equal(access(path, F_OK), -1);
    assert_true(put("old", true));
    assert_false(put("a part", false));
    assert_holds("old");
}

static void a_private_file_stays_private(void **state)
{
    struct stat now;
    (void)state;
    assert_true(put("old", true));
    assert_int_equal(chmod(path, 0600), 0);
    assert_true(put("new", true));
    assert_int_equal(stat(path, &now), 0);
    assert_int_equal(now.st_mode & 07777, 0600);
}

static void a_device_is_written_to(void **state)
{
    struct output_file out;
    (void)state;
    assert_true(output_file_open(&out, "/dev/null"));
    assert_true(output_file_close(&out, fputs("x", out.stream) >= 0));
    assert_true(output_file_open(&out, "/dev/full"));
    fputs("x", out.stream);
    assert_false(output_file_close(&out, true));
    assert_int_equal(errno, ENOSPC);
    assert_false(output_file_open(&out, "/nowhere/at/all"));
    assert_int_equal(errno, ENOENT);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make_folder, remove_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(replaces_a_file_whole),
        TEST(half_a_file_leaves_the_old_one),
        TEST(a_private_file_stays_private),
        TEST(a_device_is_written_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
