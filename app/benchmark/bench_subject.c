#include "app/benchmark/bench_race.h"

#include "app/decoding/model_file.h"
#include "app/base/say.h"
#include "model/decoder/decoder.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    int d_model, n_heads, n_layers, d_ff;
} SUBJECTS[N_SUBJECTS] = {
    [SUBJECT_S] = {"S", 256, 8, 6, 1024},
    [SUBJECT_M] = {"M", 512, 8, 8, 2048},
    [SUBJECT_L] = {"L", 768, 12, 12, 3072},
    [SUBJECT_FILE] = {.name = "bundled"},
};

const char *subject_name(int i)
{
    return SUBJECTS[i].name;
}

bool subject_wanted(const struct bench *b, int i)
{
    if (b->only)
        return !strcmp(b->only, SUBJECTS[i].name);
    return i != SUBJECT_L || b->large;
}

struct model_config subject_shape(const struct bench *b, int i)
{
    if (b->shape)
        return *b->shape;
    return (struct model_config){
        .vocab = 512,
        .context = 2048,
        .d_model = SUBJECTS[i].d_model,
        .n_heads = SUBJECTS[i].n_heads,
        .n_layers = SUBJECTS[i].n_layers,
        .d_ff = SUBJECTS[i].d_ff,
        .activation = ACTIVATION_GELU,
        .position = POSITION_LEARNED,
        .tied = true,
    };
}

int subject_open(struct model **m, const struct bench *b, int i,
                 struct model_precision p)
{
    const struct model_config c = subject_shape(b, i);
    char path[4096] = "";
    *m = NULL;
    int status = i == SUBJECT_FILE
                     ? verb_model_open(m, b->model, path, sizeof path)
                     : report_status(SUBJECTS[i].name, model_random(m, &c, 1));
    if (!status && (*m)->config.n_encoder_layers) {
        model_close(*m);
        *m = NULL;
        say_error(path, "has an encoder; only decoders are measured");
        return 1;
    }
    if (!status)
        (*m)->precision = p;
    return status;
}

int32_t subject_token(const struct model_config *c, int i)
{
    return (int32_t)((uint32_t)i * 2654435761u % (uint32_t)c->vocab);
}

int32_t subject_time(int i)
{
    return 3 * i; /* the usual distance of notes */
}

enum model_status subject_read(struct decoder *d, const struct model_config *c, int n,
                               float *logits)
{
    int32_t tokens[SUBJECT_MOST_READ], times[SUBJECT_MOST_READ];
    assert(n <= SUBJECT_MOST_READ);
    for (int i = 0; i < n; i++) {
        tokens[i] = subject_token(c, i);
        times[i] = subject_time(i);
    }
    decoder_truncate(d, 0);
    return decoder_prefill(d, tokens, times, n, false, logits);
}

/* A model is packed in one precision, so each precision has its own model. */
int subjects_each(const struct bench *b, bool prefill,
                  int (*run)(const struct bench *b, const struct model *m,
                             const char *name, const struct precision_row *p))
{
    int status = 0;
    for (int i = 0; i < N_SUBJECTS * N_PRECISIONS && !status; i++) {
        const int subject = i / N_PRECISIONS;
        const struct precision_row *p = &PRECISIONS[i % N_PRECISIONS];
        struct model *m = NULL;
        if (!subject_wanted(b, subject) || (prefill && !p->in_prefill))
            continue;
        status = subject_open(&m, b, subject, p->precision);
        if (!status)
            status = run(b, m, SUBJECTS[subject].name, p);
        model_close(m);
    }
    return status;
}
