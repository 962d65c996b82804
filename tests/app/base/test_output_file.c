/* What a verb writes for -o: whole or not at all, with the old file's permissions; a pipe
 * or device is written to at once. */
#include "tests/check.h"
#include "tests/app/own_folder.h"

#include <errno.h>

/* Fails if a draft was left. */
static int end(__attribute__((unused)) void **state)
{
    unlink(in_folder("out"));
    int failed = rmdir(folder);
    free(folder);
    return failed;
}

static bool put(const char *text, bool is_whole)
{
    struct output_file out;
    assert_true(output_file_open(&out, in_folder("out")));
    fputs(text, out.stream);
    return output_file_close(&out, is_whole);
}

static void assert_holds(const char *want)
{
    size_t n;
    auto_free char *text = get_bytes("out", &n);
    assert_non_null(text);
    assert_string_equal(text, want);
}

TEST_IN(half_a_file_leaves_the_old_one, make_own_folder, end)
{
    assert_false(put("a part", false));
    assert_false(is_there("out"));
    assert_true(put("old", true));
    assert_false(put("a part", false));
    assert_holds("old");
}

TEST_IN(a_device_is_written_to, make_own_folder, end)
{
    struct output_file out;
    assert_true(output_file_open(&out, "/dev/null"));
    assert_true(output_file_close(&out, fputs("x", out.stream) >= 0));
    assert_true(output_file_open(&out, "/dev/full"));
    fputs("x", out.stream);
    assert_false(output_file_close(&out, true));
    assert_int_equal(errno, ENOSPC);
    assert_false(output_file_open(&out, "/nowhere/at/all"));
    assert_int_equal(errno, ENOENT);
}
