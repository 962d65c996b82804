/* continuo bench: speeds, always beside something measured in the same run, since
 * this machine's own speed comes and goes. */
#include "app/cli/commands.h"

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_report.h"
#include "app/generation/options.h"
#include "app/base/say.h"
#include "app/base/json_fields.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int cmd_bench(struct options *o);

const struct verb VERB_BENCH = {
    .name = "bench",
    .summary = "speeds, beside the limits of this machine",
    .run = cmd_bench,
    .arguments = "[WORD]",
    .about =
        "Speeds of this program beside the limits of this machine, all measured now;\n"
        "two or three minutes for all of it. Or one part of it:\n\n"
        "  machine     arithmetic, memory, threads: what nothing here can be faster "
        "than\n"
        "  start       from nothing to the first token\n"
        "  decode      a token at a time, 1, 4 and 8 takes, at three contexts\n"
        "  prefill     reading what is given\n"
        "  train       a training step\n"
        "  tokenizer   notes to tokens and back\n"
        "  S M L       decode and prefill of that shape alone: 5, 25, 85 million "
        "weights\n"
        "  bundled     the same of the bundled model, or that of --model, and its "
        "start\n"
        "\nand what is only measured when it is named:\n\n"
        "  frames      the workstation: its start, frames, keys, idle and decoding\n"
        "  bytes       how many of them a frame sends\n"
        "  vast        frames with 100,000 notes; a million, too, with --all\n"
        "  attention   what it costs to look at attention, decoding and at length\n"
        "  relative    relative attention in the two published forms, memory and time\n"
        "  takes       several takes of one request, decoded together, beside one "
        "alone",
    .n_more = 1,
    .takes = OPTION_MODEL | OPTION_THREADS | OPTION_JSON | OPTION_ALL,
};

static const struct {
    const char *word;
    int (*run)(const struct bench *b);
    bool of_shape; /* belongs to a shape that is named */
    bool by_name;  /* is run only when it is named itself */
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
};
enum { N_PARTS = sizeof PARTS / sizeof *PARTS };
static const char *const SHAPES[] = {"S", "M", "L", "bundled"};

/* Half a second a figure makes three minutes of the whole. */
static const struct bench_budget PATIENCE = {.seconds = 0.5, .rounds = 3};

/* NULL: it names no shape. */
static const char *find_shape(const char *word)
{
    for (size_t i = 0; word && i < sizeof SHAPES / sizeof *SHAPES; i++)
        if (!strcmp(word, SHAPES[i]))
            return SHAPES[i];
    return NULL;
}

/* word NULL: every part. */
static bool is_wanted(int part, const char *word, const char *shape)
{
    if (shape)
        return PARTS[part].of_shape;
    if (!word)
        return !PARTS[part].by_name;
    return !strcmp(word, PARTS[part].word);
}

static bool is_known(const char *word)
{
    bool known = find_shape(word) != NULL;
    for (int i = 0; i < N_PARTS; i++)
        known |= is_wanted(i, word, NULL);
    return known;
}

static size_t quarter_of_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages / 4 * (size_t)page : 0;
}

static int run_parts(const struct bench *b, const char *word)
{
    int status = 0;
    bench_about(b);
    for (int i = 0; !status && i < N_PARTS; i++)
        if (is_wanted(i, word, b->only))
            status = PARTS[i].run(b);
    if (b->json && !status)
        say_json(stdout, b->json);
    return status;
}

static int bench(const struct options *o)
{
    struct bench b = {
        .pool = pool_create(o->threads),
        .alone = pool_create(1),
        .budget = PATIENCE,
        .most_memory = quarter_of_memory(),
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

static int cmd_bench(struct options *o)
{
    if (o->file && !strcmp(o->file, "relative"))
        return bench_relative(o->json);
    if (o->file && !strcmp(o->file, "takes"))
        return bench_takes(o->model, o->threads, o->json);
    if (is_known(o->file))
        return bench(o);
    say_error(o->file, "is nothing to measure; see continuo bench --help");
    return 2;
}
