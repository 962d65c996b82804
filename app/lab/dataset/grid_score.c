/* One prefill for each window, which uses all its logits. With an encoder, it first reads the
 * window's melody. */
#include "app/lab/dataset/grid_corpus.h"

#include "app/base/draw.h"

#include <stdlib.h>

enum { LEAST_CONTEXT = 8 };

struct run {
    const struct grid_score_request *request;
    struct decoder *decoder;
    struct grid_window *windows;
    int n_windows;
    int vocab, source_length;
    int32_t *numbers; /* of the row */
    struct grid_row row;
    float *logits; /* [length, vocab] */
};

static void add_cells(const struct run *r, int n, struct grid_score *score)
{
    const struct grid_form told = r->request->lesson.told;
    for (int i = 0; i < n; i++) {
        if (r->row.targets[i] < 0)
            continue;
        int voice = told.first + i % told.n;
        score->nats[voice] -= likelihood_log(r->logits + (size_t)i * (size_t)r->vocab,
                                             r->vocab, r->row.targets[i]);
        score->n_cells[voice]++;
    }
}

static enum model_status measure_window(struct run *r, const struct grid_window *w,
                                        struct grid_score *score)
{
    const struct grid_score_request *q = r->request;
    if (grid_corpus_window(q->corpus, &q->lesson, q->split, w, &r->row))
        return MODEL_NO_MEMORY;
    int n = r->row.length, n_heard = 0;
    while (n > 0 && r->row.targets[n - 1] < 0) /* what follows is of no use */
        n--;
    while (n_heard < r->source_length && r->row.sources[n_heard] >= 0)
        n_heard++;
    enum model_status st = MODEL_OK;
    decoder_truncate(r->decoder, 0);
    if (r->source_length)
        st = decoder_encode(r->decoder, r->row.sources, r->row.source_times, n_heard);
    if (!st)
        st = decoder_prefill(r->decoder, r->row.tokens, r->row.times, n, true,
                             r->logits);
    if (!st)
        add_cells(r, n, score);
    return st;
}

static enum model_status set_up(struct run *r, int length)
{
    const struct grid_score_request *q = r->request;
    const size_t n = (size_t)length, heard = (size_t)r->source_length;
    r->logits = calloc(n * (size_t)r->vocab, sizeof *r->logits);
    r->numbers = calloc(3 * n + 2 * heard, sizeof *r->numbers);
    if (!r->logits || !r->numbers)
        return MODEL_NO_MEMORY;
    r->row = (struct grid_row){.length = length,
                               .tokens = r->numbers,
                               .targets = r->numbers + n,
                               .times = r->numbers + 2 * n,
                               .sources = r->numbers + 3 * n,
                               .source_times = r->numbers + 3 * n + heard};
    r->n_windows =
        grid_corpus_windows(q->corpus, &q->lesson, q->split, length, &r->windows);
    if (r->n_windows < 0)
        return MODEL_NO_MEMORY;
    enum model_status st = decoder_create(&r->decoder, q->model, q->pool);
    if (!st)
        decoder_set_cancel(r->decoder, q->cancel);
    return st;
}

enum model_status grid_score_measure(struct grid_score *score,
                                     const struct grid_score_request *q)
{
    const struct model_config *config = &q->model->config;
    struct run r = {.request = q, .vocab = config->vocab};
    *score = (struct grid_score){0};
    if (config->vocab != GRID_COUNT || config->context < LEAST_CONTEXT ||
        (config->n_encoder_layers > 0) != (q->lesson.heard.n > 0))
        return MODEL_BAD_CONFIG;
    r.source_length = grid_lesson_source_length(&q->lesson, config->context);
    enum model_status st = set_up(&r, config->context);
    for (int i = 0; !st && i < r.n_windows; i++)
        st = measure_window(&r, &r.windows[i], score);
    decoder_destroy(r.decoder);
    free(r.windows);
    free(r.numbers);
    free(r.logits);
    return st;
}

double grid_score_sum(const struct grid_score *score, int64_t *n_cells)
{
    double nats = 0.0;
    *n_cells = 0;
    for (int v = 0; v < GRID_VOICES; v++) {
        nats += score->nats[v];
        *n_cells += score->n_cells[v];
    }
    return nats;
}
