/* The second promise from process to process: the verbs write the same bytes each time they
 * are run, on any number of threads, whatever number OpenBLAS is told, in each precision,
 * with the kernels of each level that the processor has. (Between levels and precisions they may differ.)
 * tests/app/decoding/test_same_notes.c looks at each bit, within one process, and at takes beside
 * one another. */
#include "tests/check.h"
#include "model/base/cpu_level.h"
#include "tests/app/program_home.h"

enum { N_VERBS = 3 };

static const char *const PRECISIONS[] = {"f32", "bf16", "int8"};
static const char *const VERBS[N_VERBS] = {
    "continue models/example.mid --bars 3 --motif 1:varied",
    "inpaint models/example.mid --from 2 --to 4 --density 3 --guidance 2",
    "inpaint models/example.mid --from 1 --to 3 --keep rhythm --stays 0.3",
};

/* In a process of its own, with this in its environment; to that file of the folder. */
static void compose(const char *environment, const char *verb, const char *options,
                    const char *out)
{
    const char *command =
        formatted("env -u OPENBLAS_NUM_THREADS %s '%s' %s -o '%s' %s >/dev/null",
                  environment, getenv("CONTINUO_BIN"), verb, in_folder(out), options);
    if (system(command))
        fail_msg("%s", command);
}

/* The first on one thread, and OpenBLAS left to itself. */
static void compare_runs(const char *level, const char *verb, const char *options)
{
    static const char *const OTHERS[][2] = {{"OPENBLAS_NUM_THREADS=1", "--threads 2"},
                                            {"OPENBLAS_NUM_THREADS=3", "--threads 3"}};
    compose(formatted("CONTINUO_KERNELS=%s", level), verb,
            formatted("%s --threads 1", options), "first.mid");
    for (int i = 0; i < 2; i++) {
        compose(formatted("CONTINUO_KERNELS=%s %s", level, OTHERS[i][0]), verb,
                formatted("%s %s", options, OTHERS[i][1]), "other.mid");
        assert_true(same_bytes("first.mid", "other.mid"));
    }
}

/* A small model of random weights, from that seed on. */
static const char *tiny(int seed)
{
    return formatted("--model '%s/tiny.safetensors' --style piano --seed %d", folder,
                     seed);
}

TEST(at_each_level_and_precision)
{
    for (int level = 0; level <= (int)cpu_level_of_processor(); level++)
        for (int p = 0; p < 3; p++)
            compare_runs(cpu_level_name(level), VERBS[(level + p) % N_VERBS],
                         formatted("%s --precision %s", tiny(5), PRECISIONS[p]));
}

TEST(with_the_bundled_model)
{
    const char *best = cpu_level_name((int)cpu_level_of_processor());
    compare_runs(best, VERBS[0], "--seed 5");
    compare_runs(best, "accompany models/example.mid", "--seed 5");
}

static int make_home(void **state)
{
    if (make_own_folder(state) || !getenv("CONTINUO_BIN"))
        return -1;
    return tiny_model_save(in_folder("tiny.safetensors"), 512, 1) ? 0 : -1;
}

GROUP(make_home, remove_own_folder)
