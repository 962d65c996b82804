/* continuo bench: speeds. What is compared takes turns, since the speed of a machine varies. */
#include "app/lab/verbs/lab_verbs.h"

#include "app/base/say.h"
#include "app/lab/benchmark/bench.h"

#include <string.h>

static const struct {
    const char *word;
    int (*run)(const struct bench *b);
    bool by_name; /* is run only when it is named itself */
} PARTS[] = {
    {"start", bench_start, false},     {"decode", bench_decode, false},
    {"prefill", bench_prefill, false}, {"train", bench_train, false},
    {"takes", bench_takes, true},      {"frames", bench_frames, true},
    {"vast", bench_vast, true},
};
enum { N_PARTS = sizeof PARTS / sizeof *PARTS };

/* Half a second a figure makes a minute of the whole. */
static const struct turn_budget BUDGET = {.seconds = 0.5, .rounds = 3};

/* Words are a part, a shape, or both. false: one of them is neither. */
static bool read_words(const struct options *o, int *part, const char **shape)
{
    *part = -1;
    *shape = NULL;
    for (int k = 0; k < o->n_arguments; k++) {
        const int before = *part;
        for (int i = 0; i < N_PARTS; i++)
            if (!strcmp(o->arguments[k], PARTS[i].word))
                *part = i;
        if (bench_is_shape(o->arguments[k]) && !*shape)
            *shape = o->arguments[k];
        else if (before >= 0 || *part < 0)
            return false;
    }
    return true;
}

static int cmd_bench(struct options *o)
{
    struct bench b = {
        .to = stdout, .budget = BUDGET, .model = o->model, .large = o->all};
    int part, status = 0;
    if (!read_words(o, &part, &b.shape_name))
        return say_wrong(o->arguments[o->n_arguments - 1],
                         "is not a part of the bench; see continuo bench --help");
    b.pool = pool_create(o->threads);
    if (!b.pool)
        return say_error("bench", "not enough memory, or no threads");
    bench_about(&b);
    for (int i = 0; !status && i < N_PARTS; i++)
        if (part >= 0 ? i == part : !PARTS[i].by_name)
            status = PARTS[i].run(&b);
    pool_destroy(b.pool);
    return status;
}

const struct verb VERB_BENCH = {
    .name = "bench",
    .summary = "measure speeds, as lines of JSON",
    .run = cmd_bench,
    .arguments = "[PART] [S|M|L]",
    .about = "Measures the speed of the bundled model, of --model, or of a shape with "
             "random\n"
             "weights (S, M, L: 5, 25, 85 million). Each figure is a line of JSON, a "
             "median\n"
             "with its quartiles. Without a PART it runs the first four:\n"
             "\n"
             "  start       from the start to the first token\n"
             "  decode      one token at a time, 1, 4 and 8 takes, at three contexts\n"
             "  prefill     reading a context\n"
             "  train       a training step of a shape (S)\n"
             "  takes       several takes decoded together, compared with one\n"
             "  frames      the workstation: start, frames, keys, idle, decoding\n"
             "  vast        frames with 100,000 notes; with --all also with a million",
    .n_more = 2,
    .takes = OPTION_MODEL | OPTION_THREADS | OPTION_ALL,
};
