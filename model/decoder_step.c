/* One token. Every weight is read once and nothing is reused, so this is memory
 * traffic: rows of a matrix are shared out over the pool, four jobs a layer (the
 * heads, with their own rows of q, k and v; the output projection; both halves
 * of the feed-forward). Norms are small and stay on the calling thread. */
#include "model/decoder_internal.h"

#include <string.h>

enum {
    ROWS_A_TASK = 32,
    WORTH_SHARING = 1 << 15, /* weights; below, waking the pool costs more */
};

/* y = W x + b, or y += W x + b, with what follows it. */
struct rows_job {
    const struct decoder *d;
    const float *w, *b, *x;
    float *y;
    int n_out, n_in;
    enum { ROWS_SET, ROWS_ADD, ROWS_ACTIVATE } how;
};

static void rows_task(void *arg, int i, int thread)
{
    const struct rows_job *job = arg;
    const struct decoder *d = job->d;
    int from = i * ROWS_A_TASK;
    int n = job->n_out - from < ROWS_A_TASK ? job->n_out - from : ROWS_A_TASK;
    float sums[ROWS_A_TASK], *y = job->how == ROWS_ADD ? sums : job->y + from;
    (void)thread;
    d->k->matvec(y, job->w + (size_t)from * (size_t)job->n_in,
                 job->b ? job->b + from : NULL, job->x, n, job->n_in);
    if (job->how == ROWS_ADD)
        d->k->add(job->y + from, sums, n);
    else if (job->how == ROWS_ACTIVATE)
        decoder_activate(d, y, n);
}

/* Tasks are the same however they are run, and so are the numbers. */
static void share(const struct decoder *d, void (*task)(void *arg, int i, int thread),
                  void *arg, int n, size_t n_weights)
{
    if (n_weights >= WORTH_SHARING) {
        pool_run(d->pool, task, arg, n);
        return;
    }
    for (int i = 0; i < n; i++)
        task(arg, i, 0);
}

static void run_rows(const struct rows_job *job)
{
    struct rows_job own = *job;
    share(job->d, rows_task, &own, (job->n_out + ROWS_A_TASK - 1) / ROWS_A_TASK,
          (size_t)job->n_out * (size_t)job->n_in);
}

/* One layer's attention of the one row, head by head. */
struct heads_job {
    struct decoder *d;
    const struct layer_weights *w;
    const struct memory *m;
    const float *x; /* [d] */
};

/* y [d_head] = the rows of one head of one part of a projection. */
static void project(const struct heads_job *job, float *y, const float *w,
                    const float *b, int part, int head)
{
    const struct decoder *d = job->d;
    size_t n = (size_t)d->c.d_model;
    size_t row = (size_t)part * n + (size_t)head * (size_t)d->d_head;
    d->k->matvec(y, w + row * n, b + row, job->x, d->d_head, (int)n);
}

size_t decoder_step_scratch(const struct decoder *d)
{
    return (size_t)d->n_tiles * KEY_TILE + (size_t)d->d_value + relation_scratch(d, 1);
}

/* mixed of one head from its q, which is scaled here. */
static void attend(const struct heads_job *job, int head, float *q, float *scratch)
{
    struct decoder *d = job->d;
    const struct memory *m = job->m;
    const int query = d->length, first = first_key(d, m, query);
    const int n = end_key(m, query) - first;
    const float *keys =
        m->keys + (size_t)head * keys_stride(d) + (size_t)first * (size_t)d->d_head;
    const float *values = m->values + (size_t)head * values_stride(d) +
                          (size_t)first * (size_t)d->d_value;
    float *scores = scratch, *mixed = scores + (size_t)d->n_tiles * KEY_TILE;
    struct relation r;

    d->k->scale(q, d->scale, d->d_head);
    relation_init(&r, d, m, head, mixed + d->d_value, q, 0, 1, query, 1.0f);
    d->k->score_keys(scores, q, keys, (n + KEY_TILE - 1) / KEY_TILE, d->d_head);
    relation_add(&r, 0, query, first, n, scores);
    float sum = d->k->exp_sum(scores, n, d->k->highest(scores, n));
    d->k->mix_values(mixed, scores, values, n, d->d_value);
    relation_collect(&r, 0, query, first, n, scores);
    relation_mix(&r, 0, mixed);
    d->k->scale(mixed, 1.0f / sum, d->d_head);
    memcpy(d->mixed + head * d->d_head, mixed, (size_t)d->d_head * sizeof *mixed);
}

static void head_task(void *arg, int head, int thread)
{
    const struct heads_job *job = arg;
    struct decoder *d = job->d;
    int width = d->c.d_model;
    float *q = d->qkv + head * d->d_head, *k = q + width, *v = k + width;

    project(job, q, job->w->qkv_w, job->w->qkv_b, 0, head);
    project(job, k, job->w->qkv_w, job->w->qkv_b, 1, head);
    project(job, v, job->w->qkv_w, job->w->qkv_b, 2, head);
    decoder_turn(d, q, 0, 1, d->turns, 1);
    decoder_turn(d, k, 0, 1, d->turns, 1);
    decoder_store(d, job->m, head, d->length, k, v);
    attend(job, head, q, thread_scratch(d, thread));
}

static void cross_task(void *arg, int head, int thread)
{
    const struct heads_job *job = arg;
    struct decoder *d = job->d;
    float *q = d->qkv + head * d->d_head;
    project(job, q, job->w->cross_q_w, job->w->cross_q_b, 0, head);
    decoder_turn(d, q, 0, 1, d->cross_turns, 1);
    attend(job, head, q, thread_scratch(d, thread));
}

/* x += what the tokens before make of `from`. */
static void mix(struct decoder *d, int layer, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    if (d->c.mixing == MIXING_FOURIER) {
        decoder_fourier(d, layer, d->length, 1, from);
        d->k->add(d->x, d->mixed, n);
        return;
    }
    struct memory m = memory_of_past(d, layer, d->length + 1);
    struct heads_job job = {d, w, &m, from};
    share(d, head_task, &job, d->c.n_heads,
          (size_t)n * (size_t)(3 * n + 2 * d->length));
    run_rows(&(struct rows_job){d, w->out_w, w->out_b, d->mixed, d->x, n, n, ROWS_ADD});
}

/* x += what the source says to `from`. */
static void cross(struct decoder *d, int layer, const float *from)
{
    const struct layer_weights *w = &d->w->layers[layer];
    const int n = d->c.d_model;
    struct memory m = memory_of_source(d, layer);
    struct heads_job job = {d, w, &m, from};
    share(d, cross_task, &job, d->c.n_heads, (size_t)n * (size_t)(n + 2 * m.n));
    run_rows(&(struct rows_job){d, w->cross_out_w, w->cross_out_b, d->mixed, d->x, n, n,
                                ROWS_ADD});
}

/* x += the feed-forward of `from`. */
static void feed(struct decoder *d, const struct layer_weights *w, const float *from)
{
    const int n = d->c.d_model, ff = d->c.d_ff;
    run_rows(&(struct rows_job){d, w->ff1_w, w->ff1_b, from, d->hidden, ff, n,
                                ROWS_ACTIVATE});
    run_rows(
        &(struct rows_job){d, w->ff2_w, w->ff2_b, d->hidden, d->x, n, ff, ROWS_ADD});
}

/* The stream through a norm, into h. */
static void norm(const struct decoder *d, const float *w, const float *b)
{
    d->k->layer_norm(d->h, d->x, w, b, d->c.d_model);
}

static void run_pre_norm(struct decoder *d, int layer)
{
    const struct layer_weights *w = &d->w->layers[layer];
    norm(d, w->norm1_w, w->norm1_b);
    mix(d, layer, d->h);
    if (d->c.n_encoder_layers) {
        norm(d, w->norm_cross_w, w->norm_cross_b);
        cross(d, layer, d->h);
    }
    norm(d, w->norm2_w, w->norm2_b);
    feed(d, w, d->h);
}

static void norm_in_stream(struct decoder *d, const float *w, const float *b)
{
    norm(d, w, b);
    decoder_swap(d);
}

static void run_post_norm(struct decoder *d, int layer)
{
    const struct layer_weights *w = &d->w->layers[layer];
    mix(d, layer, d->x);
    norm_in_stream(d, w->norm1_w, w->norm1_b);
    if (d->c.n_encoder_layers) {
        cross(d, layer, d->x);
        norm_in_stream(d, w->norm_cross_w, w->norm_cross_b);
    }
    feed(d, w, d->x);
    norm_in_stream(d, w->norm2_w, w->norm2_b);
}

void decoder_logits(struct decoder *d, const float *x, float *logits)
{
    const int n = d->c.d_model;
    if (d->w->norm_w) {
        d->k->layer_norm(d->h, x, d->w->norm_w, d->w->norm_b, n);
        x = d->h;
    }
    run_rows(
        &(struct rows_job){d, d->w->head, NULL, x, logits, d->c.vocab, n, ROWS_SET});
}

enum model_status decoder_run_step(struct decoder *d, int32_t token, float *logits)
{
    decoder_embed(d, d->x, token, d->length);
    decoder_place(d, d->length, 1);
    for (int layer = 0; layer < d->c.n_layers; layer++) {
        if (decoder_cancelled(d))
            return MODEL_CANCELLED;
        if (d->c.norm == NORM_POST)
            run_post_norm(d, layer);
        else
            run_pre_norm(d, layer);
    }
    if (logits)
        decoder_logits(d, d->x, logits);
    return MODEL_OK;
}
