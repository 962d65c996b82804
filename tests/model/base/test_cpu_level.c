/* An older processor: the model runs at every level that this one has, each in a process
 * of its own, and says the same; and no level's kernels hold instructions of a higher
 * one, whatever the compiler made of them. */
#include "model/kernels/kernels.h"
#include "model/base/cpu_level.h"
#include "model/weights/packed_kernels.h"
#include "model/kernels/train_kernels.h"
#include "model/kernels/product.h"
#include "tests/check.h"
#include "tests/model/decoder_fixture.h"

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
        assert_memory_equal(packed_kernels_best()->name, name, strlen(name));
        assert_ptr_equal(train_kernels_best(), train_kernels_at((int)allowed));
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
    assert_ptr_equal(kernels_at(5), NULL);
}

enum { READ = 140, STEPS = 3 };

/* Logits [STEPS][vocab] of the steps after READ tokens. */
static float *run_decoder(const struct model_config *c, struct model_precision p)
{
    auto_fixture b = set_up_at(c, 2, p);
    float *logits = make_logits(&b, STEPS);
    read_at_once(&b, b.decoder, 0, READ, false, logits);
    read_in_steps(&b, b.decoder, READ, READ + STEPS, logits);
    take_logits(&b);
    return logits;
}

/* A level's logits, from a process that never used another. */
static float *run_at(const char *word, const struct model_config *c,
                     struct model_precision p)
{
    const size_t n = (size_t)STEPS * (size_t)c->vocab;
    float *logits = calloc(n, sizeof *logits);
    int ends[2], status;
    assert_non_null(logits);
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        setenv("CONTINUO_KERNELS", word, 1);
        FILE *out = fdopen(ends[1], "wb");
        auto_free float *own = run_decoder(c, p);
        bool written = fwrite(own, sizeof *own, n, out) == n && !fclose(out);
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    FILE *in = fdopen(ends[0], "rb");
    assert_int_equal(fread(logits, sizeof *logits, n, in), n);
    fclose(in);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    return logits;
}

static void check_decoder(const struct model_config *c, struct model_precision p,
                          double tolerance)
{
    auto_free float *plain = run_at("plain", c, p);
    for (int i = CPU_LEVEL_AVX2; i <= (int)cpu_level_of_processor(); i++) {
        auto_free float *other = run_at(cpu_level_name(i), c, p);
        double away = 0, size = 0;
        for (int j = 0; j < STEPS * c->vocab; j++) {
            away += (double)(plain[j] - other[j]) * (plain[j] - other[j]);
            size += (double)plain[j] * plain[j];
        }
        assert_true(size > 0 && sqrt(away / size) < tolerance);
    }
}

/* Prefill in bf16 is AVX-512's alone, and a rounding to int8 may fall the other way. */
TEST(roundings_stay_near)
{
    const struct model_precision bf16 = {WEIGHTS_BF16, CACHE_INT8};
    const struct model_precision int8 = {WEIGHTS_INT8, CACHE_INT8};
    check_decoder(&MEDIUM, bf16, 0.02);
    check_decoder(&MEDIUM, int8, 0.06);
    check_decoder(&VARIANTS[N_VARIANTS - 1].config, int8, 0.06);
}

TEST(decoders_say_the_same)
{
    check_decoder(&MEDIUM, F32, 2e-5);
    for (int i = 0; i < N_VARIANTS; i++)
        check_decoder(&VARIANTS[i].config, F32, 2e-5);
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
        {"kernels/train_kernels_plain.o", "%[yz]mm", false},
        {"kernels/product.o", "%[yz]mm", false},
        {"weights/packed_plain.o", "%[yz]mm", false},
        {"weights/packed_avx2.o", "%zmm\\|%k[0-7]", false},
        {"weights/packed_avx2.o", "vpdp", false},
        {"weights/packed_avx2vnni.o", "vpdpbusd", true},
        {"weights/packed_avx2vnni.o", "%zmm\\|%k[0-7]", false},
        {"weights/packed_avx512.o", "vpdp", false},
        {"weights/packed_avx512vnni.o", "vdpbf16ps", false},
        {"weights/packed_avx512bf16.o", "vdpbf16ps", true},
        {"kernels/kernels_avx2.o", "%ymm", true},
        {"kernels/kernels_avx2.o", "%zmm\\|%k[0-7]\\|vpdp", false},
        {"kernels/train_kernels_avx2.o", "%zmm\\|%k[0-7]", false},
        {"kernels/product_avx2.o", "%zmm\\|%k[0-7]", false},
        {"kernels/kernels_avx2vnni.o", "vpdpwssd", true},
        {"kernels/kernels_avx2vnni.o", "%zmm\\|%k[0-7]", false},
        {"kernels/kernels_avx512.o", "%zmm", true},
        {"kernels/kernels_avx512.o", "vpdpwssd", false},
        {"kernels/kernels_avx512vnni.o", "vpdpwssd", true},
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
    static const char *const OBJECTS[] = {
        "kernels/kernels_plain",        "kernels/train_kernels_plain",
        "weights/packed_plain",         "kernels/kernels_avx2",
        "kernels/train_kernels_avx2",   "kernels/product_avx2",
        "weights/packed_avx2",          "kernels/kernels_avx512",
        "kernels/kernels_avx512vnni",   "weights/packed_avx512",
        "kernels/train_kernels_avx512", "kernels/product_avx512",
        "weights/packed_avx2vnni",      "weights/packed_avx512vnni",
        "weights/packed_avx512bf16"};
    char object[64];
    for (size_t i = 0; i < sizeof OBJECTS / sizeof *OBJECTS; i++) {
        snprintf(object, sizeof object, "%s.o", OBJECTS[i]);
        assert_false(object_shows("nm -g --defined-only", object, " [TWViu] "));
    }
}
