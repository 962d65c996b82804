#include "app/training/train_options.h"

#include "app/generation/options.h"
#include "app/base/say.h"
#include "app/training/train_music.h"
#include "app/base/values.h"

#include <getopt.h>
#include <stdint.h>
#include <string.h>

/* Of Muon, and of AdamW alone; the second of each for a model that has learnt. */
static const float MUON_RATE = 8e-3f, MUON_TUNING_RATE = 2e-3f, ADAM_RATE = 1e-3f,
                   ADAM_TUNING_RATE = 2e-4f;
enum { UNSAID = -1 };

enum kind { TEXT, FLAG, UNFLAG, COUNT, COUNT64, REAL, REAL64, SEED, CHOICE, PRESET };

static const struct row {
    const char *name, *argument; /* NULL: takes none */
    const char *help;
    enum kind kind;
    unsigned verbs;
    size_t place;
    double low, high;
    const char *const *words; /* of a CHOICE */
} ROWS[] = {
#define AT(field)      offsetof(struct train_settings, field)
#define NEXT_LINE      "\n                     "
#define ONE            VERB_TRAIN
#define BOTH           (VERB_TRAIN | VERB_COMPARE)
#define PICK(field, w) CHOICE, ONE, AT(shape.field), 0, 0, w
    {"data", "PATH",
     "a folder of MIDI files; or a file of four voices in" NEXT_LINE
     "sixteenths, as Jsb16thSeparated.json (grid tokens)",
     TEXT, BOTH, AT(request.data), 0, 0, NULL},
    {"corpora", "A,B", "only these folders of the folder", TEXT, ONE,
     AT(request.corpora), 0, 0, NULL},
    {"variants", "A,B", "only these", TEXT, VERB_COMPARE, AT(variants), 0, 0, NULL},
    {"from", "MODEL", "start from a model, to fine-tune it", TEXT, ONE,
     AT(request.from), 0, 0, NULL},
    {"grow", NULL,
     "with --from: holes, musical time, state, values and its own" NEXT_LINE
     "output, if it lacks them",
     FLAG, ONE, AT(request.grow), 0, 0, NULL},
    {"resume", NULL,
     "go on from OUT.state; the model, --optimiser and" NEXT_LINE
     "--seed stay, other options may be new",
     FLAG, ONE, AT(request.resume), 0, 0, NULL},
    {"minutes", "N", "how long, in all (60)", REAL64, BOTH, AT(request.minutes), 0.01,
     1e6, NULL},
    {"steps", "N", "how many steps in all, instead of how long", COUNT64, BOTH,
     AT(request.options.max_steps), 0, 1e12, NULL},
    {"preset", "P", "tiny, lite, small (the default) or base", PRESET, BOTH, 0, 0, 0,
     NULL},
    {"context", "N", "tokens seen at once", COUNT, BOTH, AT(shape.context), 16, 1 << 16,
     NULL},
    {"width", "N", "numbers for a token", COUNT, BOTH, AT(shape.width), 1, 1 << 14,
     NULL},
    {"heads", "N", "of attention", COUNT, BOTH, AT(shape.heads), 1, 1024, NULL},
    {"layers", "N", "blocks, one after another", COUNT, BOTH, AT(shape.layers), 1, 1024,
     NULL},
    {"ff", "N", "numbers within a feed-forward (four widths)", COUNT, BOTH,
     AT(shape.ff), 1, 1 << 16, NULL},
    {"activation", "A", "relu (the default) or gelu", CHOICE, BOTH,
     AT(shape.activation), 0, 0, model_activations},
    {"norm", "N", "pre (the default) or post", PICK(norm, model_norms)},
    {"position", "P",
     "none, learned or sinusoidal (none; of four voices" NEXT_LINE "learned)",
     PICK(position, model_positions)},
    {"relative", "R", "none, shaw, music or rotary (rotary; of four voices none)",
     PICK(relative, model_relatives)},
    {"reach", "N", "distances that shaw and music tell apart (the context)", COUNT, ONE,
     AT(shape.reach), 1, 1 << 16, NULL},
    {"time", "T", "none, buckets or rotary (buckets; of four voices none)",
     PICK(time, model_times)},
    {"state", "A",
     "yes or no: add what the tokens so far amount to (yes" NEXT_LINE
     "where score tokens have one)",
     PICK(state, model_shape_truths)},
    {"values", "A",
     "yes or no: a table of values by token for each layer" NEXT_LINE
     "(yes; of four voices no)",
     PICK(values, model_shape_truths)},
    {"tied", "A", "yes or no: the output is the token embedding (yes)",
     PICK(tied, model_shape_truths)},
    {"mixing", "M", "attention (the default) or fourier", PICK(mixing, model_mixings)},
    {"block", "N",
     "local attention in blocks of N, a multiple of 64;" NEXT_LINE
     "of fourier the tokens mixed (the context)",
     COUNT, ONE, AT(shape.block), 0, 1 << 16, NULL},
    {"encoder", "N",
     "layers that hear the melody first, so that the" NEXT_LINE
     "others accompany it (0; of four voices)",
     COUNT, ONE, AT(shape.encoder_layers), 0, 1024, NULL},
    {"holes", "X",
     "share of windows with a hole to fill, of a folder" NEXT_LINE "of music (0.5)",
     REAL64, ONE, AT(request.shares.holes), 0.0, 1.0, NULL},
    {"chords", "X", "share of them in which chords are said (0.5)", REAL64, ONE,
     AT(request.shares.chords), 0.0, 1.0, NULL},
    {"power", "X",
     "corpora are drawn by this power of their size:" NEXT_LINE
     "0 all alike, 1 as they are (0.5)",
     REAL64, ONE, AT(request.power), 0.0, 1.0, NULL},
    {"hold", NULL, "of four voices: tell struck notes from held ones", FLAG, ONE,
     AT(request.hold), 0, 0, NULL},
    {"batch", "N", "sequences in a step (4)", COUNT, BOTH, AT(request.options.batch), 1,
     4096, NULL},
    {"length", "N", "tokens in a sequence (the context)", COUNT, ONE,
     AT(request.options.length), 8, 1 << 16, NULL},
    {"optimiser", "O",
     "muon (the default) for matrices within layers, with" NEXT_LINE
     "AdamW for the rest; or adamw for all",
     CHOICE, BOTH, AT(optimiser), 0, 0, train_optimisers},
    {"lr", "X",
     "learning rate (8e-3, or 2e-3 with --from; of adamw" NEXT_LINE
     "1e-3, or 2e-4 with --from)",
     REAL, BOTH, AT(request.options.lr), 1e-9, 1.0, NULL},
    {"adam-share", "X", "of the rate, for AdamW beside Muon (1)", REAL, BOTH,
     AT(request.options.adam_share), 1e-3, 10.0, NULL},
    {"schedule", "S",
     "linear (muon's default): a constant rate that falls to" NEXT_LINE
     "0 at last; or cosine (adamw's): it falls all along",
     CHOICE, BOTH, AT(schedule), 0, 0, train_schedules},
    {"cooldown", "X",
     "the last share of the run, resumed ones together, in" NEXT_LINE
     "which the linear schedule falls (0.6); 0: it stays," NEXT_LINE
     "for a later --resume to let it fall",
     REAL64, BOTH, AT(request.cooldown), 0.0, 1.0, NULL},
    {"warmup", "N",
     "steps until the learning rate is reached (200, or" NEXT_LINE
     "a tenth of --steps)",
     COUNT64, BOTH, AT(request.options.warmup_steps), 0, 1e9, NULL},
    {"dropout", "X", "share of activations dropped (0.1)", REAL, BOTH,
     AT(request.options.dropout), 0.0, 0.9, NULL},
    {"decay", "X", "weight decay (0.05)", REAL, BOTH, AT(request.options.weight_decay),
     0.0, 1.0, NULL},
    {"seed", "S", "of everything random (1)", SEED, BOTH, AT(request.options.seed), 0,
     0, NULL},
    {"threads", "N", "0, the default: one for each processor", COUNT, BOTH,
     AT(request.threads), 0, 1024, NULL},
    {"licence", "TEXT", "of the data, for the model's provenance", TEXT, BOTH,
     AT(request.licence), 0, 0, NULL},
    {"f32", NULL, "multiply in 32 bits, where 16 would be faster", UNFLAG, BOTH,
     AT(request.options.bf16), 0, 0, NULL},
    {"bf16", NULL, "write 16-bit weights, half the size", FLAG, BOTH, AT(request.bf16),
     0, 0, NULL},
    {"log", "FILE", "append progress to FILE", TEXT, ONE, AT(request.log), 0, 0, NULL},
};
enum { N_ROWS = sizeof ROWS / sizeof ROWS[0], HELP = 'h', FIRST_ROW = 256 };

static const struct about {
    const char *name, *usage, *before, *after;
} TRAIN =
    {"train", "--data PATH -o OUT.safetensors [options]",
     "Trains a model on the MIDI files below a folder. Folders "
     "PATH/NAME/{train,valid,\n"
     "test} are taken as they are; others are split nine to one.",
     "Every few minutes, and when interrupted, OUT.state is written to resume from;\n"
     "OUT.safetensors is the model that did best on the pieces held out."},
  COMPARE = {
      "compare", "--data FILE.json -o DIR [options]",
      "Trains every variant of the decoder on four voices, all of the same size and "
      "with\n"
      "the same data and budget, and prints one table: nats a note on the pieces held\n"
      "out, beside what has been published. Each is DIR/NAME.safetensors; run again,\n"
      "what is finished stays and what was interrupted goes on.",
      "Times and sizes are for each variant. DIR/table.json is the table."};

static const struct about *about(enum train_verb verb)
{
    return verb == VERB_TRAIN ? &TRAIN : &COMPARE;
}

static bool read_choice(const char *const *words, const char *text, int *choice)
{
    for (int i = 0; words[i]; i++)
        if (!strcmp(words[i], text)) {
            *choice = i;
            return true;
        }
    return false;
}

static bool read_count64(const struct row *r, const char *text, int64_t *n)
{
    double x;
    if (!value_real(text, r->low, r->high, &x) || x != (double)(int64_t)x)
        return false;
    *n = (int64_t)x;
    return true;
}

static bool read_float(const struct row *r, const char *text, float *f)
{
    double x;
    if (!value_real(text, r->low, r->high, &x))
        return false;
    *f = (float)x;
    return true;
}

/* false: not a value of this option. */
static bool store(struct train_settings *s, const struct row *r, const char *text)
{
    void *at = (char *)s + r->place;
    switch (r->kind) {
    case TEXT:
        *(const char **)at = text;
        return true;
    case FLAG:
    case UNFLAG:
        *(bool *)at = r->kind == FLAG;
        return true;
    case COUNT:
        return value_count(text, (int)r->low, (int)r->high, at);
    case COUNT64:
        return read_count64(r, text, at);
    case REAL:
        return read_float(r, text, at);
    case REAL64:
        return value_real(text, r->low, r->high, at);
    case SEED:
        return value_seed(text, at);
    case CHOICE:
        return read_choice(r->words, text, at);
    case PRESET:
        return model_shape_set_preset(&s->shape, text);
    }
    return false;
}

static void print_help(enum train_verb verb)
{
    const struct about *a = about(verb);
    printf("usage: continuo %s %s\n\n%s\n\n", a->name, a->usage, a->before);
    for (int i = 0; i < N_ROWS; i++) {
        const struct row *r = &ROWS[i];
        char left[40];
        if (!(r->verbs & (unsigned)verb))
            continue;
        snprintf(left, sizeof left, "--%s %s", r->name, r->argument ? r->argument : "");
        printf("  %-18s %s\n", left, r->help);
    }
    printf("\n%s\n", a->after);
}

bool train_options_about(enum train_verb verb, int i, struct option_about *out)
{
    for (int row = 0; row < N_ROWS; row++)
        if ((ROWS[row].verbs & (unsigned)verb) && i-- == 0) {
            *out = (struct option_about){ROWS[row].name, ROWS[row].argument,
                                         ROWS[row].help};
            return true;
        }
    if (i == 0)
        *out = (struct option_about){"output", "FILE", "where to write (also -o)"};
    return i == 0;
}

static int wrong(enum train_verb verb, const char *subject, const char *what)
{
    fputs("continuo: ", stderr);
    if (subject) {
        say_safe(stderr, subject);
        fputs(": ", stderr);
    }
    fprintf(stderr, "%s; see continuo %s --help\n", what, about(verb)->name);
    return 2;
}

static int wrong_value(enum train_verb verb, const struct row *r, const char *text)
{
    char subject[128];
    snprintf(subject, sizeof subject, "--%s %s", r->name, text);
    return wrong(verb, subject, "is out of range, or not such a value");
}

/* getopt's table: values are HELP, 'o', or FIRST_ROW and the row's index. */
static void list_options(enum train_verb verb, struct option *list)
{
    int n = 0;
    for (int i = 0; i < N_ROWS; i++)
        if (ROWS[i].verbs & (unsigned)verb)
            list[n++] = (struct option){
                .name = ROWS[i].name,
                .has_arg = ROWS[i].argument ? required_argument : no_argument,
                .val = FIRST_ROW + i,
            };
    list[n++] = (struct option){.name = "help", .val = HELP};
    list[n++] =
        (struct option){.name = "output", .has_arg = required_argument, .val = 'o'};
    list[n] = (struct option){0};
}

static int read_all(struct train_settings *s, enum train_verb verb, int argc,
                    char **argv)
{
    struct option list[N_ROWS + 3];
    int c;
    list_options(verb, list);
    opterr = 0;
    optind = 0; /* begin afresh, in glibc */
    while ((c = getopt_long(argc, argv, ":o:h", list, NULL)) != -1) {
        if (c == HELP) {
            print_help(verb);
            return 0;
        }
        if (c == 'o')
            s->request.out = optarg;
        else if (c == '?' || c == ':')
            return wrong(verb, argv[optind - 1],
                         c == ':' ? "wants a value" : "is not an option here");
        else if (!store(s, &ROWS[c - FIRST_ROW], optarg))
            return wrong_value(verb, &ROWS[c - FIRST_ROW], optarg);
    }
    if (optind < argc)
        return wrong(verb, argv[optind], "is not an option");
    return -1;
}

/* A tenth of a short run: it should not be over before it is warm. */
static int64_t default_warmup(int64_t max_steps)
{
    return max_steps > 0 && max_steps < 2000 ? max_steps / 10 + 1 : 200;
}

static float default_rate(enum optimiser optimiser, bool tuning)
{
    if (optimiser == OPTIMISER_MUON)
        return tuning ? MUON_TUNING_RATE : MUON_RATE;
    return tuning ? ADAM_TUNING_RATE : ADAM_RATE;
}

static void set_defaults(struct train_settings *s)
{
    struct train_request *q = &s->request;
    struct train_options *o = &q->options;
    o->optimiser = (enum optimiser)s->optimiser;
    if (s->schedule == UNSAID)
        s->schedule =
            o->optimiser == OPTIMISER_MUON ? SCHEDULE_LINEAR : SCHEDULE_COSINE;
    o->schedule = (enum rate_schedule)s->schedule;
    if (o->lr <= 0.0f)
        o->lr = default_rate(o->optimiser, q->from);
    if (o->max_steps == 0 && q->minutes <= 0)
        q->minutes = 60;
    if (o->warmup_steps < 0)
        o->warmup_steps = default_warmup(o->max_steps);
}

static int check(struct train_settings *s, enum train_verb verb)
{
    struct train_request *q = &s->request;
    if (!q->data || !q->out)
        return wrong(verb, NULL,
                     !q->data ? "--data is missing"
                              : "-o says where to write, and is missing");
    if (q->from && !model_shape_is_plain(&s->shape))
        return wrong(verb, "--from", "brings its model's own shape");
    const bool is_grid = verb == VERB_COMPARE || train_music_is_grid(q->data);
    q->config = model_shape_config(&s->shape, is_grid ? SHAPE_GRID : SHAPE_SCORE);
    const char *fault = model_shape_fault(&q->config);
    return fault ? wrong(verb, NULL, fault) : -1;
}

int train_options_parse(struct train_settings *s, enum train_verb verb, int argc,
                        char **argv)
{
    *s = (struct train_settings){
        .request.options = {.batch = 4,
                            .warmup_steps = -1,
                            .beta1 = 0.9f,
                            .beta2 = 0.95f,
                            .eps = 1e-8f,
                            .weight_decay = 0.05f,
                            .clip = 1.0f,
                            .momentum = 0.95f,
                            .adam_share = 1.0f,
                            .dropout = 0.1f,
                            .seed = 1,
                            .bf16 = true},
        .shape = model_shape_default(),
        .request.shares = {.holes = 0.5, .chords = 0.5},
        .request.power = 0.5,
        .request.cooldown = 0.6,
        .optimiser = OPTIMISER_MUON,
        .schedule = UNSAID,
    };
    int status = read_all(s, verb, argc, argv);
    if (status < 0)
        status = check(s, verb);
    if (status < 0)
        set_defaults(s);
    return status;
}
