/* The options of `continuo train`. */
#include "app/cmd_train.h"

#include "app/train_run.h"
#include "midi/tokens.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct preset {
    const char *name;
    int context, d_model, n_heads, n_layers, d_ff;
} presets[] = {
    {"tiny", 512, 128, 4, 4, 512},
    {"lite", 1024, 256, 8, 4, 1024},
    {"small", 1024, 256, 8, 6, 1024},
    {"base", 1024, 512, 8, 8, 2048},
};

static const char help[] =
    "usage: continuo train --data DIR -o OUT.safetensors [options]\n"
    "\n"
    "Trains a model on the MIDI files below DIR. Folders DIR/NAME/{train,valid,test}\n"
    "are taken as they are; others are split nine to one.\n"
    "\n"
    "  --corpora A,B     only these folders of DIR\n"
    "  --preset P        tiny, small (the default) or base\n"
    "  --from MODEL      start from a model, to fine-tune it\n"
    "  --minutes N       how long, in all (the default is 60)\n"
    "  --steps N         how many steps, instead of how long\n"
    "  --resume          go on from OUT.state, with the same options\n"
    "  --threads N       0, the default: one for each processor\n"
    "  --batch N         sequences in a step (4)\n"
    "  --length N        tokens in a sequence (the model's context)\n"
    "  --lr X            learning rate (1e-3, or 2e-4 with --from)\n"
    "  --warmup N        steps until the learning rate is reached (200, or a\n"
    "                    tenth of --steps)\n"
    "  --dropout X       share of activations dropped (0.1)\n"
    "  --decay X         weight decay (0.05)\n"
    "  --seed S          of everything random (1)\n"
    "  --licence TEXT    of the data, for the model's provenance\n"
    "  --f32             multiply in 32 bits, where 16 would be faster\n"
    "  --bf16            write 16-bit weights, half the size\n"
    "  --log FILE        append progress to FILE\n"
    "\n"
    "Every few minutes, and when interrupted, OUT.state is written to resume from;\n"
    "OUT.safetensors is the model that did best on the pieces held out.\n";

enum option_id {
    OPTION_DATA = 256,
    OPTION_CORPORA,
    OPTION_PRESET,
    OPTION_FROM,
    OPTION_MINUTES,
    OPTION_STEPS,
    OPTION_RESUME,
    OPTION_THREADS,
    OPTION_BATCH,
    OPTION_LENGTH,
    OPTION_LR,
    OPTION_WARMUP,
    OPTION_DROPOUT,
    OPTION_DECAY,
    OPTION_SEED,
    OPTION_LICENCE,
    OPTION_F32,
    OPTION_BF16,
    OPTION_LOG,
};

static const struct option options[] = {
    {"data", required_argument, NULL, OPTION_DATA},
    {"output", required_argument, NULL, 'o'},
    {"corpora", required_argument, NULL, OPTION_CORPORA},
    {"preset", required_argument, NULL, OPTION_PRESET},
    {"from", required_argument, NULL, OPTION_FROM},
    {"minutes", required_argument, NULL, OPTION_MINUTES},
    {"steps", required_argument, NULL, OPTION_STEPS},
    {"resume", no_argument, NULL, OPTION_RESUME},
    {"threads", required_argument, NULL, OPTION_THREADS},
    {"batch", required_argument, NULL, OPTION_BATCH},
    {"length", required_argument, NULL, OPTION_LENGTH},
    {"lr", required_argument, NULL, OPTION_LR},
    {"warmup", required_argument, NULL, OPTION_WARMUP},
    {"dropout", required_argument, NULL, OPTION_DROPOUT},
    {"decay", required_argument, NULL, OPTION_DECAY},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"licence", required_argument, NULL, OPTION_LICENCE},
    {"f32", no_argument, NULL, OPTION_F32},
    {"bf16", no_argument, NULL, OPTION_BF16},
    {"log", required_argument, NULL, OPTION_LOG},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static bool read_number(const char *text, double low, double high, double *x)
{
    char *end;
    errno = 0;
    *x = strtod(text, &end);
    return end != text && !*end && !errno && *x >= low && *x <= high;
}

static bool read_int(const char *text, int low, int high, int *n)
{
    double x;
    if (!read_number(text, low, high, &x) || x != (double)(int)x)
        return false;
    *n = (int)x;
    return true;
}

static bool read_float(const char *text, double low, double high, float *f)
{
    double x;
    if (!read_number(text, low, high, &x))
        return false;
    *f = (float)x;
    return true;
}

static bool read_count(const char *text, double high, int64_t *n)
{
    double x;
    if (!read_number(text, 0, high, &x) || x != (double)(int64_t)x)
        return false;
    *n = (int64_t)x;
    return true;
}

static bool read_seed(const char *text, uint64_t *seed)
{
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    return end != text && !*end && !errno && *text != '-';
}

static bool read_preset(const char *name, struct model_config *c)
{
    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        const struct preset *p = &presets[i];
        if (strcmp(name, p->name) != 0)
            continue;
        *c = (struct model_config){
            .vocab = TOKEN_COUNT,
            .context = p->context,
            .d_model = p->d_model,
            .n_heads = p->n_heads,
            .n_layers = p->n_layers,
            .d_ff = p->d_ff,
            .activation = ACTIVATION_RELU,
            .position = POSITION_LEARNED,
            .tied = true,
        };
        return true;
    }
    return false;
}

/* Options that are words; false: not one of them. */
static bool take_word(struct train_request *q, int id, const char *text)
{
    switch (id) {
    case OPTION_DATA:
        q->data = text;
        return true;
    case 'o':
        q->out = text;
        return true;
    case OPTION_CORPORA:
        q->corpora = text;
        return true;
    case OPTION_FROM:
        q->from = text;
        return true;
    case OPTION_LICENCE:
        q->licence = text;
        return true;
    case OPTION_LOG:
        q->log = text;
        return true;
    case OPTION_RESUME:
        q->resume = true;
        return true;
    case OPTION_F32:
        q->options.bf16 = false;
        return true;
    case OPTION_BF16:
        q->bf16 = true;
        return true;
    default:
        return false;
    }
}

/* Options with a value to check; false: it is no good. */
static bool take_value(struct train_request *q, int id, const char *text)
{
    struct train_options *o = &q->options;
    switch (id) {
    case OPTION_PRESET:
        return read_preset(text, &q->config);
    case OPTION_MINUTES:
        return read_number(text, 0.01, 1e6, &q->minutes);
    case OPTION_STEPS:
        return read_count(text, 1e12, &o->max_steps);
    case OPTION_THREADS:
        return read_int(text, 0, 1024, &q->threads);
    case OPTION_BATCH:
        return read_int(text, 1, 4096, &o->batch);
    case OPTION_LENGTH:
        return read_int(text, 8, 1 << 16, &o->length);
    case OPTION_LR:
        return read_float(text, 1e-9, 1.0, &o->lr);
    case OPTION_WARMUP:
        return read_count(text, 1e9, &o->warmup_steps);
    case OPTION_DROPOUT:
        return read_float(text, 0.0, 0.9, &o->dropout);
    case OPTION_DECAY:
        return read_float(text, 0.0, 1.0, &o->weight_decay);
    case OPTION_SEED:
        return read_seed(text, &o->seed);
    default:
        return false;
    }
}

static const char *option_name(int id)
{
    for (const struct option *o = options; o->name; o++)
        if (o->val == id)
            return o->name;
    return "";
}

/* 0: go on; otherwise the exit status plus one. */
static int parse(struct train_request *q, int argc, char **argv)
{
    int id;
    while ((id = getopt_long(argc, argv, "o:h", options, NULL)) != -1) {
        if (id == 'h') {
            fputs(help, stdout);
            return 1;
        }
        if (id == '?')
            return 3;
        if (take_word(q, id, optarg) || take_value(q, id, optarg))
            continue;
        fprintf(stderr, "continuo: --%s: \"%s\" is out of range\n", option_name(id),
                optarg);
        return 3;
    }
    if (q->data && q->out && optind == argc)
        return 0;
    fputs("continuo: train needs --data DIR and -o OUT.safetensors; see train --help\n",
          stderr);
    return 3;
}

/* A tenth of a short run: it should not be over before it is warm. */
static int64_t default_warmup(int64_t max_steps)
{
    return max_steps > 0 && max_steps < 2000 ? max_steps / 10 + 1 : 200;
}

int cmd_train(int argc, char **argv)
{
    struct train_request q = {
        .options =
            {
                .batch = 4,
                .warmup_steps = -1,
                .beta1 = 0.9f,
                .beta2 = 0.95f,
                .eps = 1e-8f,
                .weight_decay = 0.05f,
                .clip = 1.0f,
                .dropout = 0.1f,
                .seed = 1,
                .bf16 = true,
            },
    };
    read_preset("small", &q.config);
    optind = 1;
    int status = parse(&q, argc, argv);
    if (status)
        return status - 1;
    if (q.options.lr <= 0.0f)
        q.options.lr = q.from ? 2e-4f : 1e-3f;
    if (q.options.max_steps == 0 && q.minutes <= 0)
        q.minutes = 60;
    if (q.options.warmup_steps < 0)
        q.options.warmup_steps = default_warmup(q.options.max_steps);
    return train_run(&q);
}
