/* The decoder against a reader written from models/FORMAT.md alone, and against PyTorch:
 * models/train.py against this decoder and trainer, for every variant: the same logits
 * from the same file, in f32 and in eight bits, and the same weights after one optimiser
 * step. Each is skipped where there is no Python with NumPy or torch. One Python process
 * checks all cases: it starts slowly. */
#include "model/decoder/decoder.h"
#include "model/weights/quantise.h"
#include "model/train/train.h"
#include "tests/model/variants.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    BATCH = 2,
    LENGTH = 150,
    N = BATCH * LENGTH,
    SOURCE = 100, /* the second one ends after 70 */
    SKIPPED = 77
};

static const struct train_options OPTIONS = {
    .batch = BATCH,
    .length = LENGTH,
    .max_steps = 100,
    .warmup_steps = 0,
    .lr = 1e-2f,
    .min_lr = 1e-3f,
    .beta1 = 0.9f,
    .beta2 = 0.95f,
    /* Large, so that gradients that are zero but for rounding move nothing. */
    .eps = 1e-4f,
    .weight_decay = 0.05f,
    .clip = 0.5f,
    .seed = 3,
    .momentum = 0.95f,
    .adam_share = 0.3f,
};

/* Variants train with either in turns. */
static enum optimiser optimiser_of(int i)
{
    return i % 2 ? OPTIMISER_MUON : OPTIMISER_ADAMW;
}

static char folder[] = "/tmp/continuo-torch-XXXXXX";

static const char *in_folder(const char *stem, int i, const char *suffix)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s-%d.%s", folder, stem, i, suffix);
    return path;
}

static void write_rows(FILE *f, const char *name, const int32_t *x, int length)
{
    fprintf(f, "\"%s\": [", name);
    for (int b = 0; b < BATCH; b++) {
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
    for (int i = 0; i < N; i++) {
        if (i % LENGTH == 0)
            TOY_STATE.start(&state);
        int n = TOY_STATE.next(&state, tokens[i], bag);
        fprintf(f, "%s[", i % LENGTH ? ", " : i ? "], [" : "[");
        for (int k = 0; k < MODEL_STATE_MOST; k++)
            fprintf(f, "%s%d", k ? ", " : "", k < n ? bag[k] : -1);
        fputs("]", f);
    }
    fputs("]], ", f);
}

static void write_batch(int i, const struct train_batch *b)
{
    FILE *f = fopen(in_folder("batch", i, "json"), "w");
    assert_non_null(f);
    fputs("{", f);
    write_rows(f, "tokens", b->tokens, LENGTH);
    write_rows(f, "targets", b->targets, LENGTH);
    write_rows(f, "times", b->times, LENGTH);
    write_rows(f, "sources", b->sources, SOURCE);
    write_rows(f, "source_times", b->source_times, SOURCE);
    write_state(f, b->tokens);
    fprintf(f,
            "\"options\": {\"lr\": %.9g, \"min_lr\": %.9g, \"beta1\": %.9g, \"beta2\": "
            "%.9g, \"eps\": %.9g, \"weight_decay\": %.9g, \"clip\": %.9g, "
            "\"warmup_steps\": 0, \"max_steps\": 100, \"momentum\": %.9g, "
            "\"adam_share\": %.9g, \"optimiser\": \"%s\"}}",
            (double)OPTIONS.lr, (double)OPTIONS.min_lr, (double)OPTIONS.beta1,
            (double)OPTIONS.beta2, (double)OPTIONS.eps, (double)OPTIONS.weight_decay,
            (double)OPTIONS.clip, (double)OPTIONS.momentum, (double)OPTIONS.adam_share,
            train_optimisers[optimiser_of(i)]);
    assert_int_equal(fclose(f), 0);
}

static void save(struct trainer *t, const char *path)
{
    char *config = model_config_json(trainer_config(t));
    struct metadata metadata = {"config", config};
    assert_int_equal(trainer_save_model(t, path, &metadata, 1), MODEL_OK);
    free(config);
}

/* The model before its step, in eight bits. */
static void quantise(int i)
{
    struct model *m = NULL;
    struct quantise_error error;
    assert_int_equal(model_open(&m, in_folder("before", i, "safetensors"), NULL, 0),
                     MODEL_OK);
    char *config = model_config_json(model_config(m));
    struct metadata metadata = {"config", config};
    assert_int_equal(quantise_save(m, in_folder("eight", i, "safetensors"), TENSOR_I8,
                                   &metadata, 1, &error),
                     MODEL_OK);
    free(config);
    model_close(m);
}

/* STEM-i.f32 of STEM-i.safetensors: [LENGTH, vocab] of the first row, as our decoder
 * has them. */
static void write_logits(const char *stem, int i, const struct train_batch *b,
                         struct pool *pool)
{
    struct model *m = NULL;
    struct decoder *d = NULL;
    assert_int_equal(model_open(&m, in_folder(stem, i, "safetensors"), NULL, 0),
                     MODEL_OK);
    model_set_state_kind(m, &TOY_STATE);
    assert_int_equal(decoder_create(&d, m, pool), MODEL_OK);
    if (model_config(m)->n_encoder_layers)
        assert_int_equal(decoder_encode(d, b->sources, b->source_times, SOURCE),
                         MODEL_OK);
    size_t n = (size_t)LENGTH * (size_t)model_config(m)->vocab;
    float *logits = calloc(n, sizeof *logits);
    assert_int_equal(decoder_prefill(d, b->tokens, b->times, LENGTH, true, logits),
                     MODEL_OK);
    FILE *f = fopen(in_folder(stem, i, "f32"), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(logits, sizeof *logits, n, f), n);
    assert_int_equal(fclose(f), 0);
    free(logits);
    decoder_destroy(d);
    model_close(m);
}

/* Far enough from the small beginnings that every part is heard. */
static void stir(float *w, size_t n)
{
    uint32_t h = 1;
    for (size_t i = 0; i < n; i++) {
        h = h * 1664525u + 1013904223u;
        w[i] += 0.3f * ((float)(h >> 8) / 8388608.0f - 1.0f);
    }
}

/* Before and after one step. */
static void train_case(int i, const struct train_batch *b, struct pool *pool)
{
    const struct model_config *c = &VARIANTS[i].config;
    struct train_options o = OPTIONS;
    struct trainer *t = NULL;
    struct model_tensor *tensors;
    size_t n_floats;
    float loss;
    o.state = &TOY_STATE;
    o.source_length = c->n_encoder_layers ? SOURCE : 0;
    o.optimiser = optimiser_of(i);
    assert_int_equal(trainer_create(&t, c, &o, NULL, pool), MODEL_OK);
    model_tensors(c, &tensors, &n_floats);
    stir(trainer_block(t), n_floats);
    save(t, in_folder("before", i, "safetensors"));
    assert_int_equal(trainer_step(t, b, &loss), MODEL_OK);
    save(t, in_folder("after", i, "safetensors"));
    free(tensors);
    trainer_destroy(t);
}

static void write_case(int i, struct pool *pool)
{
    int32_t tokens[N], targets[N], times[N], sources[BATCH * SOURCE],
        source_times[BATCH * SOURCE];
    struct train_batch b = {tokens, targets, times, sources, source_times};
    int vocab = VARIANTS[i].config.vocab;
    for (int j = 0; j < N; j++) {
        tokens[j] = (j * 3 + j / 5 * 7) % vocab;
        targets[j] = j % 6 == 5 ? -1 : (tokens[j] + 2) % vocab;
    }
    for (int j = 0; j < BATCH * SOURCE; j++)
        sources[j] = j < SOURCE + 70 ? (j * 5 + j / 3) % vocab : -1;
    variant_times(times, N);
    variant_times(source_times, BATCH * SOURCE);
    train_case(i, &b, pool);
    write_batch(i, &b);
    write_logits("before", i, &b, pool);
    quantise(i);
    write_logits("eight", i, &b, pool);
}

static void check_all(const char *script)
{
    char command[256];
    snprintf(command, sizeof command, "sh tests/model/%s %s %d", script, folder,
             N_VARIANTS);
    int status = system(command); /* of our own words only */
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    if (status == SKIPPED)
        skip();
    assert_int_equal(status, 0);
}

static void a_reader_written_from_the_page_agrees(void **state)
{
    (void)state;
    check_all("numpy_check.sh");
}

static void both_trainers_agree(void **state)
{
    (void)state;
    check_all("torch_check.sh");
}

static int write_cases(void **state)
{
    (void)state;
    struct pool *pool = pool_create(2);
    if (!pool || !mkdtemp(folder))
        return -1;
    for (int i = 0; i < N_VARIANTS; i++)
        write_case(i, pool);
    pool_destroy(pool);
    return 0;
}

static int remove_cases(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_written_from_the_page_agrees),
        cmocka_unit_test(both_trainers_agree),
    };
    return cmocka_run_group_tests(tests, write_cases, remove_cases);
}
