/* One token. Every weight is read once and nothing is reused, so this is memory
 * traffic: rows of a matrix are shared out over the pool, four jobs a layer (the
 * heads, with their own rows of q, k and v; the output projection; both halves
 * of the feed-forward). Norms are small and stay on the calling thread. */
#include "model/decoder_internal.h"
#include "model/position.h"

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

struct heads_job {
    struct decoder *d;
    const struct layer_weights *w;
    const float *x; /* [d] */
    int layer;
};

static void turn_head(const struct decoder *d, int head)
{
    float *q = d->qkv + (size_t)head * (size_t)d->d_head;
    if (!d->turns)
        return;
    position_turn(q, d->turns, d->d_head);
    position_turn(q + d->c.d_model, d->turns, d->d_head);
}

/* One head's rows of q, k and v, from the normed stream. */
static void project_head(const struct heads_job *job, int head)
{
    struct decoder *d = job->d;
    int n = d->c.d_model;
    for (int part = 0; part < 3; part++) {
        size_t row = (size_t)part * (size_t)n + (size_t)head * (size_t)d->d_head;
        d->k->matvec(d->qkv + row, job->w->qkv_w + row * (size_t)n, job->w->qkv_b + row,
                     job->x, d->d_head, n);
    }
    turn_head(d, head);
}

size_t decoder_step_scratch(const struct decoder *d)
{
    return (size_t)d->n_tiles * KEY_TILE + (size_t)d->d_value + relation_scratch(d, 1);
}

/* mixed [d_value] from the q of one head, scaled; the keys from `first` on are seen,
 * which starts a tile. Causal by construction: the cache holds this position and
 * those before it. */
static void attend(const struct heads_job *job, int head, const float *q, int first,
                   float *scores, float *mixed)
{
    struct decoder *d = job->d;
    const int query = d->length, n = query + 1 - first;
    const float *keys = head_keys(d, job->layer, head) + (size_t)first * d->d_head;
    const float *values = head_values(d, job->layer, head) + (size_t)first * d->d_value;
    struct relation r;

    relation_init(&r, d, job->w, head, mixed + d->d_value, q, 0, 1, query, 1.0f);
    d->k->score_keys(scores, q, keys, (n + KEY_TILE - 1) / KEY_TILE, d->d_head);
    relation_add(&r, 0, query, first, n, scores);
    float sum = d->k->exp_sum(scores, n, d->k->highest(scores, n));
    d->k->mix_values(mixed, scores, values, n, d->d_value);
    relation_collect(&r, 0, query, first, n, scores);
    relation_mix(&r, 0, mixed);
    d->k->scale(mixed, 1.0f / sum, d->d_head);
}

static void head_task(void *arg, int head, int thread)
{
    const struct heads_job *job = arg;
    struct decoder *d = job->d;
    int width = d->c.d_model;
    float *q = d->qkv + head * d->d_head, *scores = thread_scratch(d, thread);
    float *mixed = scores + (size_t)d->n_tiles * KEY_TILE;

    project_head(job, head);
    decoder_store(d, job->layer, head, d->length, q + width, q + 2 * width);
    d->k->scale(q, d->scale, d->d_head);
    attend(job, head, q, first_key(d, d->length), scores, mixed);
    memcpy(d->mixed + head * d->d_head, mixed, (size_t)d->d_head * sizeof *mixed);
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
    struct heads_job heads = {d, w, from, layer};
    share(d, head_task, &heads, d->c.n_heads,
          (size_t)n * (size_t)(3 * n + 2 * d->length));
    run_rows(&(struct rows_job){d, w->out_w, w->out_b, d->mixed, d->x, n, n, ROWS_ADD});
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
    norm(d, w->norm2_w, w->norm2_b);
    feed(d, w, d->h);
}

static void run_post_norm(struct decoder *d, int layer)
{
    const struct layer_weights *w = &d->w->layers[layer];
    mix(d, layer, d->x);
    norm(d, w->norm1_w, w->norm1_b);
    decoder_swap(d);
    feed(d, w, d->x);
    norm(d, w->norm2_w, w->norm2_b);
    decoder_swap(d);
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
    decoder_embed(d, 0, token, d->length);
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
