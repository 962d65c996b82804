/* An older processor: kernels are of the level that is asked for, and hold no instructions of a
 * higher one, whatever the compiler made of them. That the model says the same at every level:
 * tests/model/decoder/test_decoder.c, test_precision.c. */
#include "model/kernels/kernels.h"
#include "model/base/cpu_level.h"
#include "model/kernels/product.h"
#include "tests/check.h"

#include <sys/wait.h>
#include <unistd.h>

TEST(levels_are_capped)
{
    enum cpu_level all = cpu_level_of_processor();
    const char *word;
    for (int i = CPU_LEVEL_PLAIN; (word = cpu_level_name(i)); i++) {
        enum cpu_level allowed = i < (int)all ? (enum cpu_level)i : all;
        const char *name = cpu_level_name(allowed);
        setenv("CONTINUO_KERNELS", word, 1);
        assert_int_equal(cpu_level_to_use(), allowed);
        /* or avx512vnni for avx512 */
        assert_memory_equal(kernels_best()->name, name, strlen(name));
        assert_false(product_of_kind(PRODUCT_F32) && allowed < CPU_LEVEL_AVX2);
        assert_false(product_of_kind(PRODUCT_BF16) && allowed < CPU_LEVEL_AVX512);
    }
}

TEST(other_words_cap_nothing)
{
    static const char *const OTHERS[] = {"", "AVX2", "avx", "plain ", "%s%n"};
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++) {
        setenv("CONTINUO_KERNELS", OTHERS[i], 1);
        assert_int_equal(cpu_level_to_use(), cpu_level_of_processor());
    }
    unsetenv("CONTINUO_KERNELS");
    assert_int_equal(cpu_level_to_use(), cpu_level_of_processor());
    assert_ptr_equal(kernels_at(-1), NULL);
    assert_ptr_equal(kernels_at(6), NULL);
}

/* Whether a line of what `tool` says of this build's object holds the pattern; 127 is
 * the shell's word for no such tool. */
static bool object_shows(const char *tool, const char *object, const char *pattern)
{
    char self[4096], command[8192];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    assert_true(n > 0);
    self[n] = '\0';
    for (int up = 0; up < 4; up++) /* tests/model/base/test_cpu_level */
        *strrchr(self, '/') = '\0';
    snprintf(command, sizeof command, "%s '%s/model/%s' >/dev/null", tool, self,
             object);
    int status = system(command);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        skip();
    assert_int_equal(status, 0);
    snprintf(command, sizeof command, "%s '%s/model/%s' | grep -q '%s'", tool, self,
             object, pattern);
    return system(command) == 0;
}

TEST(objects_keep_their_level)
{
    static const struct {
        const char *object, *pattern;
        bool is_there;
    } ROWS[] = {
        {"kernels/kernels_plain.o", "%[yz]mm", false},
        {"kernels/product.o", "%[yz]mm", false},
        {"kernels/product_avx2.o", "%zmm\\|%k[0-7]", false},
        {"kernels/kernels_avx2.o", "%ymm", true},
        {"kernels/kernels_avx2.o", "%zmm\\|%k[0-7]\\|vpdp", false},
        {"kernels/kernels_avx2vnni.o", "vpdpbusd", true},
        {"kernels/kernels_avx2vnni.o", "vpdpwssd", true},
        {"kernels/kernels_avx2vnni.o", "%zmm\\|%k[0-7]", false},
        {"kernels/kernels_avx512.o", "%zmm", true},
        {"kernels/kernels_avx512.o", "vpdp", false},
        {"kernels/kernels_avx512vnni.o", "vpdpwssd", true},
        {"kernels/kernels_avx512vnni.o", "vdpbf16ps", false},
        {"kernels/kernels_avx512bf16.o", "vdpbf16ps", true},
    };
#if !defined(__x86_64__) || defined(__AVX__) /* or it was built for this machine */
    skip();
#endif
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (object_shows("objdump -d", ROWS[i].object, ROWS[i].pattern) !=
            ROWS[i].is_there)
            fail_msg("%s: %s", ROWS[i].object, ROWS[i].pattern);
}

/* All that one set's object offers to others is its table, so the linker can take no
 * function of it for another's. */
TEST(objects_share_no_function)
{
    static const char *const OBJECTS[] = {"plain",  "avx2",       "avx2vnni",
                                          "avx512", "avx512vnni", "avx512bf16"};
    char object[64];
    for (size_t i = 0; i < sizeof OBJECTS / sizeof *OBJECTS; i++) {
        snprintf(object, sizeof object, "kernels/kernels_%s.o", OBJECTS[i]);
        assert_false(object_shows("nm -g --defined-only", object, " [TWViu] "));
    }
    assert_false(
        object_shows("nm -g --defined-only", "kernels/product_avx2.o", " [TWViu] "));
    assert_false(
        object_shows("nm -g --defined-only", "kernels/product_avx512.o", " [TWViu] "));
}
