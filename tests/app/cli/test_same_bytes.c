/* The second promise from process to process: the verbs write the same bytes each time they
 * are run, on any number of threads, whatever number OpenBLAS is told, in each precision,
 * with the kernels of each level that the processor has; and the takes that are written
 * beside one another are those that are written alone. (Between levels and precisions they
 * may differ.) tests/app/decoding/test_same_notes.c looks at each bit, within one process. */
#include "tests/check.h"
#include "model/base/cpu_level.h"
#include "tests/app/own_folder.h"

#include <sys/wait.h>

enum { MOST_BYTES = 1 << 16, N_VERBS = 3 };

static const char *const LEVELS[] = {"plain", "avx2", "avx512"};
static const char *const PRECISIONS[] = {"f32", "bf16", "int8"};
static const char *const VERBS[N_VERBS] = {
    "continue models/example.mid --bars 2",
    "inpaint models/example.mid --from 2 --to 4 --density 3 --guidance 2",
    "inpaint models/example.mid --from 1 --to 3 --keep rhythm --stays 0.3",
};

struct bytes {
    size_t n;
    uint8_t of[MOST_BYTES];
};

static void read_bytes(const char *name, struct bytes *b)
{
    FILE *f = fopen(in_folder(name), "rb");
    assert_non_null(f);
    b->n = fread(b->of, 1, sizeof b->of, f);
    assert_in_range(b->n, 100, sizeof b->of - 1);
    fclose(f);
    assert_ok(remove(in_folder(name)));
}

/* In a process of its own, with this in its environment; to out*.mid of the folder. */
static void run(const char *environment, const char *verb, const char *options)
{
    const char *command = formatted(
        "env -u OPENBLAS_NUM_THREADS %s '%s' %s -o '%s/out.mid' %s >/dev/null",
        environment, getenv("CONTINUO_BIN"), verb, folder, options);
    int status = system(command);
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        fail_msg("%s", command);
}

static void assert_same_bytes(const struct bytes *a, const struct bytes *b)
{
    assert_int_equal(a->n, b->n);
    assert_memory_equal(a->of, b->of, a->n);
}

/* The first on one thread, and OpenBLAS left to itself. */
static void compare_runs(const char *level, const char *verb, const char *options)
{
    static const char *const OTHERS[][2] = {{"OPENBLAS_NUM_THREADS=1", "--threads 2"},
                                            {"OPENBLAS_NUM_THREADS=3", "--threads 3"}};
    static struct bytes first, other;
    char environment[200], said[200];
    snprintf(environment, sizeof environment, "CONTINUO_KERNELS=%s", level);
    snprintf(said, sizeof said, "%s --threads 1", options);
    run(environment, verb, said);
    read_bytes("out.mid", &first);
    for (int i = 0; i < 2; i++) {
        snprintf(environment, sizeof environment, "CONTINUO_KERNELS=%s %s", level,
                 OTHERS[i][0]);
        snprintf(said, sizeof said, "%s %s", options, OTHERS[i][1]);
        run(environment, verb, said);
        read_bytes("out.mid", &other);
        assert_same_bytes(&first, &other);
    }
}

TEST(at_each_level_and_precision)
{
    for (int level = 0; level <= (int)cpu_level_of_processor(); level++)
        for (int p = 0; p < 3; p++) {
            char options[700];
            snprintf(
                options, sizeof options,
                "--model '%s/tiny.safetensors' --style piano --seed 5 --precision %s",
                folder, PRECISIONS[p]);
            compare_runs(LEVELS[level], VERBS[(level + p) % N_VERBS], options);
        }
}

TEST(with_the_bundled_model)
{
    const char *best = LEVELS[cpu_level_of_processor()];
    for (int v = 0; v < N_VERBS; v++)
        compare_runs(best, VERBS[v], "--seed 5");
    compare_runs(best, "accompany models/example.mid", "--seed 5");
}

static void assert_take_is(int take, const struct bytes *wanted)
{
    static struct bytes found;
    read_bytes(formatted("out-%d.mid", take), &found);
    assert_same_bytes(&found, wanted);
}

TEST(a_take_alone_is_the_take_beside_others)
{
    static struct bytes alone;
    for (int v = 0; v + 1 < N_VERBS; v++) {
        run("", VERBS[v], "--seed 22 --draws 1");
        read_bytes("out.mid", &alone);
        run("", VERBS[v], "--seed 20 --takes 4 --draws 4");
        assert_take_is(3, &alone);
    }
}

/* Which notes stay is chosen by the seed of the first. */
TEST(one_take_more_changes_no_other)
{
    static struct bytes last;
    run("", VERBS[N_VERBS - 1], "--seed 20 --takes 3");
    read_bytes("out-3.mid", &last);
    run("", VERBS[N_VERBS - 1], "--seed 20 --takes 4");
    assert_take_is(3, &last);
}

static int make_home(void **state)
{
    if (make_own_folder(state) || !getenv("CONTINUO_BIN"))
        return -1;
    return tiny_model_save(in_folder("tiny.safetensors"), 512, 1) ? 0 : -1;
}

GROUP(make_home, remove_own_folder)
