/* The decoder against a reader written from models/FORMAT.md alone, and against PyTorch:
 * models/train.py against this decoder and trainer, for every variant: the same logits
 * from the same file, in f32 and in eight bits, and the same weights after one optimiser
 * step. Each is skipped where there is no Python with NumPy or torch. One Python process
 * checks all cases: it starts slowly. */
#include "tests/model/draft.h"
#include "tests/model/train/training.h"

#include <sys/wait.h>

enum { SKIPPED = 77 };

static struct train_options options(void)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    o.max_steps = 100;
    o.warmup_steps = 0;
    o.eps =
        1e-4f; /* large, so that gradients that are zero but for rounding move nothing */
    o.clip = 0.5f;
    o.dropout = 0.0f;
    o.seed = 3;
    o.momentum = 0.95f;
    o.adam_share = 0.3f;
    return o;
}

/* Variants train with either in turns. */
static enum optimiser optimiser_of(int i)
{
    return i % 2 ? OPTIMISER_MUON : OPTIMISER_ADAMW;
}

static const char *in_folder(const char *stem, int i, const char *suffix)
{
    char name[32];
    snprintf(name, sizeof name, "%s-%d.%s", stem, i, suffix);
    return temp_path(name);
}

static void write_rows(FILE *f, const char *name, const int32_t *x, int length)
{
    fprintf(f, "\"%s\": [", name);
    for (int b = 0; b < LONG_BATCH; b++) {
        fprintf(f, "%s[", b ? ", " : "");
        for (int i = 0; i < length; i++)
            fprintf(f, "%s%d", i ? ", " : "", x[b * length + i]);
        fputs("]", f);
    }
    fputs("], ", f);
}

/* A bag for each token, filled up with -1. */
static void write_state(FILE *f, const int32_t *tokens)
{
    struct toy_state state;
    uint16_t bag[MODEL_STATE_MOST];
    fputs("\"state\": [", f);
    for (int i = 0; i < LONG_N; i++) {
        if (i % LONG_LENGTH == 0)
            TOY_STATE.start(&state);
        int n = TOY_STATE.next(&state, tokens[i], bag);
        fprintf(f, "%s[", i % LONG_LENGTH ? ", " : i ? "], [" : "[");
        for (int k = 0; k < MODEL_STATE_MOST; k++)
            fprintf(f, "%s%d", k ? ", " : "", k < n ? bag[k] : -1);
        fputs("]", f);
    }
    fputs("]], ", f);
}

static void write_batch(int i, const struct train_batch *b)
{
    const struct train_options o = options();
    FILE *f = fopen(in_folder("batch", i, "json"), "w");
    assert_non_null(f);
    fputs("{", f);
    write_rows(f, "tokens", b->tokens, LONG_LENGTH);
    write_rows(f, "targets", b->targets, LONG_LENGTH);
    write_rows(f, "times", b->times, LONG_LENGTH);
    write_rows(f, "sources", b->sources, LONG_SOURCE);
    write_rows(f, "source_times", b->source_times, LONG_SOURCE);
    write_state(f, b->tokens);
    fprintf(f,
            "\"options\": {\"lr\": %.9g, \"min_lr\": %.9g, \"beta1\": %.9g, \"beta2\": "
            "%.9g, \"eps\": %.9g, \"weight_decay\": %.9g, \"clip\": %.9g, "
            "\"warmup_steps\": 0, \"max_steps\": 100, \"momentum\": %.9g, "
            "\"adam_share\": %.9g, \"optimiser\": \"%s\"}}",
            (double)o.lr, (double)o.min_lr, (double)o.beta1, (double)o.beta2,
            (double)o.eps, (double)o.weight_decay, (double)o.clip, (double)o.momentum,
            (double)o.adam_share, train_optimisers[optimiser_of(i)]);
    assert_int_equal(fclose(f), 0);
}

static void save(struct trainer *t, const char *path)
{
    auto_free char *config = model_config_json(trainer_config(t));
    struct metadata metadata = {"config", config};
    assert_ok(trainer_save_model(t, path, false, &metadata, 1));
}

/* STEM-i.f32 of STEM-i.safetensors: [LONG_LENGTH, vocab] of the first row, as our decoder
 * has them. */
static void write_logits(const char *stem, int i, const struct train_batch *b,
                         struct pool *pool)
{
    auto_model *m = NULL;
    auto_decoder *d = NULL;
    assert_ok(model_open(&m, in_folder(stem, i, "safetensors"), NULL, 0));
    m->state_kind = &TOY_STATE;
    assert_ok(decoder_create(&d, m, pool));
    if (m->config.n_encoder_layers)
        assert_ok(decoder_encode(d, b->sources, b->source_times, LONG_SOURCE));
    size_t n = (size_t)LONG_LENGTH * (size_t)m->config.vocab;
    auto_free float *logits = calloc(n, sizeof *logits);
    assert_ok(decoder_prefill(d, b->tokens, b->times, LONG_LENGTH, true, logits));
    FILE *f = fopen(in_folder(stem, i, "f32"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(logits, sizeof *logits, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Before and after one step. */
static void train_case(int i, const struct train_batch *b)
{
    struct train_options o = options();
    float loss;
    o.optimiser = optimiser_of(i);
    auto_school s = school_begin(&VARIANTS[i].config, &o, 2);
    stir(s.block, s.n_floats, 0.3f); /* so that every part is heard */
    save(s.trainer, in_folder("before", i, "safetensors"));
    assert_ok(trainer_step(s.trainer, b, &loss));
    save(s.trainer, in_folder("after", i, "safetensors"));
}

static void write_case(int i, struct pool *pool)
{
    struct lesson l;
    lesson_fill(&l, LONG_BATCH, LONG_LENGTH, VARIANTS[i].config.vocab, 0);
    variant_times(l.times, LONG_N);
    variant_times(l.source_times, MOST_SOURCES);
    l.batch.times = l.times;
    train_case(i, &l.batch);
    write_batch(i, &l.batch);
    write_logits("before", i, &l.batch, pool);
    auto_model *before = open_model(in_folder("before", i, "safetensors"));
    write_model(before, in_folder("eight", i, "safetensors"), TENSOR_I8);
    write_logits("eight", i, &l.batch, pool);
}

static void check_all(const char *modules, const char *script)
{
    char command[256];
    snprintf(command, sizeof command,
             "sh tests/python_with.sh '%s' tests/model/%s %s %d", modules, script,
             temp_folder, N_VARIANTS);
    int status = system(command); /* of our own words only */
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (status == SKIPPED)
        skip();
    assert_int_equal(status, 0);
}

TEST(a_reader_written_from_the_page_agrees)
{
    check_all("numpy", "numpy_check.py");
}

TEST(both_trainers_agree)
{
    check_all("torch, numpy", "torch_check.py");
}

static int write_cases(void **state)
{
    auto_pool *pool = pool_create(2);
    if (!pool)
        return -1;
    for (int i = 0; i < N_VARIANTS; i++)
        write_case(i, pool);
    return 0;
}

GROUP(write_cases, NULL)
