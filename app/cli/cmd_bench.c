/* continuo bench: speeds, always compared with a figure of the same run, since the speed of
 * a machine varies. */
#include "app/cli/verbs.h"

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_race.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"

#include <string.h>
#include <unistd.h>

static const struct {
    const char *word;
    int (*run)(const struct bench *b);
    bool of_shape; /* belongs to a shape that is named */
    bool by_name;  /* is run only when it is named itself */
    bool own_json; /* prints its own JSON, without the machine */
} PARTS[] = {
    {"machine", bench_machine, .of_shape = false},
    {"start", bench_start, .of_shape = true},
    {"decode", bench_decode, .of_shape = true},
    {"prefill", bench_prefill, .of_shape = true},
    {"train", bench_train, .of_shape = false},
    {"tokenizer", bench_tokenizer, .of_shape = false},
    {"frames", bench_frames, .by_name = true},
    {"bytes", bench_bytes, .by_name = true},
    {"vast", bench_vast, .by_name = true},
    {"attention", bench_attention, .by_name = true},
    {"relative", bench_relative, .by_name = true, .own_json = true},
    {"takes", bench_takes, .by_name = true, .own_json = true},
};
enum { N_PARTS = sizeof PARTS / sizeof *PARTS };

/* Half a second a figure makes three minutes of the whole. */
static const struct turn_budget BUDGET = {.seconds = 0.5, .rounds = 3};

static const char *find_shape(const char *word)
{
    for (int i = 0; word && i < N_SUBJECTS; i++)
        if (!strcmp(word, subject_name(i)))
            return subject_name(i);
    return NULL;
}

static int find_part(const char *word)
{
    for (int i = 0; word && i < N_PARTS; i++)
        if (!strcmp(word, PARTS[i].word))
            return i;
    return -1;
}

static int run_parts(const struct bench *b, const char *word)
{
    const int named = find_part(word);
    int status = 0;
    if (named >= 0 && PARTS[named].own_json)
        return PARTS[named].run(b);
    bench_about(b);
    for (int i = 0; !status && i < N_PARTS; i++)
        if (b->only ? PARTS[i].of_shape : word ? i == named : !PARTS[i].by_name)
            status = PARTS[i].run(b);
    if (b->json && !status)
        say_json(stdout, b->json);
    return status;
}

static int cmd_bench(struct options *o)
{
    if (o->file && !find_shape(o->file) && find_part(o->file) < 0)
        return say_wrong(o->file,
                         "is not a part of the bench; see continuo bench --help");
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    struct bench b = {
        .pool = pool_create(o->threads),
        .alone = pool_create(1),
        .budget = BUDGET,
        .most_memory = pages > 0 && page > 0 ? (size_t)pages / 4 * (size_t)page : 0,
        .json = o->json ? cJSON_CreateObject() : NULL,
        .model = o->model,
        .only = find_shape(o->file),
        .large = o->all,
    };
    int status = b.pool && b.alone && (b.json || !o->json)
                     ? run_parts(&b, o->file)
                     : say_error("bench", "not enough memory, or no threads");
    cJSON_Delete(b.json);
    pool_destroy(b.alone);
    pool_destroy(b.pool);
    return status;
}

const struct verb VERB_BENCH = {
    .name = "bench",
    .summary = "measure speeds and compare them with this machine's limits",
    .run = cmd_bench,
    .arguments = "[WORD]",
    .about =
        "Measures the speed of this program and the limits of this machine. All of\n"
        "it takes two or three minutes. Or name one part:\n"
        "\n"
        "  machine     arithmetic, memory, threads: the limits of all others\n"
        "  start       from the start to the first token\n"
        "  decode      one token at a time, 1, 4 and 8 takes, at three contexts\n"
        "  prefill     reading a context\n"
        "  train       a training step\n"
        "  tokenizer   notes to tokens and back\n"
        "  S M L       decode and prefill of one shape: 5, 25, 85 million weights\n"
        "  bundled     the same of the bundled model, or of --model, and its start\n"
        "\n"
        "These run only if you name them:\n"
        "\n"
        "  frames      the workstation: start, frames, keys, idle, decoding\n"
        "  bytes       how many bytes a frame sends\n"
        "  vast        frames with 100,000 notes; with --all also with a million\n"
        "  attention   the cost of showing attention\n"
        "  relative    relative attention in both published forms: memory and time\n"
        "  takes       several takes decoded together, compared with one",
    .n_more = 1,
    .takes = OPTION_MODEL | OPTION_THREADS | OPTION_JSON | OPTION_ALL,
};
