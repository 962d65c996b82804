/* A training step of shapes S and M: forward, backward and AdamW over 8 sequences. */
#include "midi/base/clock.h"
#include "app/benchmark/bench_race.h"
#include "model/kernels/product.h"
#include "model/train/train.h"

#include <stdlib.h>

enum { BATCH = 8, LENGTH = 512, N_TOKENS = BATCH * LENGTH };

struct lesson {
    struct trainer *trainer;
    struct train_batch batch;
};

static enum model_status run(void *arg, double *seconds)
{
    const struct lesson *l = arg;
    float loss;
    double start = clock_now_seconds();
    enum model_status st = trainer_step(l->trainer, &l->batch, &loss);
    *seconds = clock_now_seconds() - start;
    return st;
}

static enum model_status open_lesson(struct lesson *l, const struct bench *b,
                                     const struct model_config *c, bool bf16)
{
    struct train_options o = {
        .batch = BATCH,
        .length = LENGTH,
        .max_steps = 1 << 20,
        .lr = 1e-4f,
        .beta1 = 0.9f,
        .beta2 = 0.95f,
        .eps = 1e-8f,
        .weight_decay = 0.1f,
        .clip = 1,
        .seed = 1,
        .bf16 = bf16,
    };
    return trainer_create(&l->trainer, c, &o, NULL, b->pool);
}

/* bf16 only where it is faster: the trainer would take f32 instead. */
static enum model_status measure(const struct bench *b, int subject, int32_t *tokens,
                                 int32_t *targets)
{
    const struct model_config c = subject_shape(b, subject);
    const int n = product_best(true) != product_best(false) ? 2 : 1;
    struct lesson lessons[2] = {0};
    struct figure f[2];
    enum model_status st = MODEL_OK;
    for (int i = 0; i < N_TOKENS; i++) {
        tokens[i] = subject_token(&c, i);
        targets[i] = subject_token(&c, i + 1);
    }
    for (int i = 0; !st && i < n; i++) {
        lessons[i].batch = (struct train_batch){.tokens = tokens, .targets = targets};
        f[i] = (struct figure){.subject = subject_name(subject),
                               .precision = &PRECISIONS[i], /* f32, bf16 */
                               .n = N_TOKENS,
                               .work = work_of_training(&c, BATCH, LENGTH),
                               .run = run,
                               .arg = &lessons[i]};
        st = open_lesson(&lessons[i], b, &c, i == 1);
    }
    if (!st)
        st = bench_race(b, "train", "tokens", f, n);
    for (int i = 0; i < n; i++)
        trainer_destroy(lessons[i].trainer);
    return st;
}

/* A step of M takes seconds, so it runs only on request, like L. */
static bool is_wanted(const struct bench *b, int subject)
{
    return subject_wanted(b, subject) && (subject == SUBJECT_S || b->large);
}

int bench_train(const struct bench *b)
{
    int status = 0;
    if (!is_wanted(b, SUBJECT_S) && !is_wanted(b, SUBJECT_M))
        return 0;
    report_heading(b, "Training: steps of 8 sequences of 512 tokens, with AdamW",
                   "tokens");
    int32_t *tokens = calloc(2 * (size_t)N_TOKENS, sizeof *tokens);
    for (int i = SUBJECT_S; i <= SUBJECT_M && !status; i++)
        if (is_wanted(b, i))
            status = report_status("bench train",
                                   tokens ? measure(b, i, tokens, tokens + N_TOKENS)
                                          : MODEL_NO_MEMORY);
    free(tokens);
    return status;
}
