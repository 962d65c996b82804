/* The attention of a step: one row for each of the decoders that go together, head by
 * head. What they have in common they read in common: the rows of a head's projection,
 * the products with its tables of distances, and, tile by tile, the keys and values of
 * the tokens that all of them keep (decoder_copy). Each row is summed in the order it
 * would be alone. */
#include "model/decoder_step.h"

#include <string.h>

/* One layer's attention. */
struct heads_job {
    const struct together *t;
    const struct layer_weights *w;
    const struct memory *m; /* of each row */
    const float *x;         /* [n, d] */
    int n_shared;           /* keys that are every row's, from the first one seen */
};

/* One head's rows at work. */
struct row {
    const struct memory *m;
    int query, first, n;        /* its place; the keys it sees */
    const float *keys, *values; /* of the first of them */
    float *scores;              /* [n], then weights */
    float *mixed;               /* [d_value] */
    float sum;                  /* of the weights */
};

size_t decoder_step_scratch(const struct decoder *d)
{
    size_t row = (size_t)d->n_tiles * KEY_TILE + (size_t)d->d_value;
    return DECODER_MOST_TOGETHER * row + relation_scratch(d, DECODER_MOST_TOGETHER);
}

/* y [n], each of d_head floats, ld apart = the rows of one head of one part of a
 * projection. */
static void project(const struct heads_job *job, float *y, int ld, const float *w,
                    const float *b, int part, int head)
{
    const struct decoder *d = job->t->d[0];
    const int n = d->c.d_model;
    size_t row = (size_t)part * (size_t)n + (size_t)head * (size_t)d->d_head;
    d->k->matvec_many(&(struct matvec){y, w + row * (size_t)n, b + row, job->x, ld, n,
                                       job->t->n, d->d_head, n});
}

static struct row row_of(const struct heads_job *job, int r, int head, float *scratch)
{
    const struct decoder *d = job->t->d[0];
    const struct memory *m = &job->m[r];
    const size_t n_scores = (size_t)d->n_tiles * KEY_TILE;
    struct row row = {.m = m, .query = job->t->d[r]->length};
    row.first = first_key(d, m, row.query);
    row.n = end_key(m, row.query) - row.first;
    row.keys =
        m->keys + (size_t)head * keys_stride(d) + (size_t)row.first * (size_t)d->d_head;
    row.values = m->values + (size_t)head * values_stride(d) +
                 (size_t)row.first * (size_t)d->d_value;
    row.scores = scratch + (size_t)r * (n_scores + (size_t)d->d_value);
    row.mixed = row.scores + n_scores;
    memset(row.mixed, 0, (size_t)d->d_value * sizeof *row.mixed);
    return row;
}

/* A shared tile stays near while all rows read it; then each reads its own. */
static void score(const struct heads_job *job, const struct row *rows, const float *q,
                  int ld)
{
    const struct decoder *d = job->t->d[0];
    const int n_tiles = job->n_shared / KEY_TILE;
    const size_t tile = (size_t)d->d_head * KEY_TILE;
    for (int i = 0; i < n_tiles; i++)
        for (int r = 0; r < job->t->n; r++)
            d->k->score_keys(rows[r].scores + i * KEY_TILE, q + (size_t)r * (size_t)ld,
                             rows->keys + (size_t)i * tile, 1, d->d_head);
    for (int r = 0; r < job->t->n; r++)
        d->k->score_keys(
            rows[r].scores + n_tiles * KEY_TILE, q + (size_t)r * (size_t)ld,
            rows[r].keys + (size_t)n_tiles * tile,
            (rows[r].n - n_tiles * KEY_TILE + KEY_TILE - 1) / KEY_TILE, d->d_head);
}

static void mix(const struct heads_job *job, const struct row *rows)
{
    const struct decoder *d = job->t->d[0];
    const int n = job->n_shared / KEY_TILE * KEY_TILE;
    const size_t width = (size_t)d->d_value;
    for (int at = 0; at < n; at += KEY_TILE)
        for (int r = 0; r < job->t->n; r++)
            d->k->mix_values(rows[r].mixed, rows[r].scores + at,
                             rows->values + (size_t)at * width, KEY_TILE, d->d_value);
    for (int r = 0; r < job->t->n; r++)
        d->k->mix_values(rows[r].mixed, rows[r].scores + n,
                         rows[r].values + (size_t)n * width, rows[r].n - n, d->d_value);
}

/* Scores become weights. The products with the tables are all rows', the times their
 * own. */
static void weigh(const struct relation *of_all, int r, struct row *row)
{
    struct relation relation = *of_all;
    const struct kernels *k = relation.d->k;
    relation.m = row->m;
    relation_add(&relation, r, row->query, row->first, row->n, row->scores);
    row->sum = k->exp_sum(row->scores, row->n, k->highest(row->scores, row->n));
    relation_collect(&relation, r, row->query, row->first, row->n, row->scores);
}

/* mixed of one head from the rows' q, ld apart, which are scaled here. */
static void attend(const struct heads_job *job, int head, float *q, int ld,
                   float *scratch)
{
    struct decoder *d = job->t->d[0];
    const int n = job->t->n, e = d->d_head;
    struct row rows[DECODER_MOST_TOGETHER];
    struct relation relation;
    int last = 0;
    for (int r = 0; r < n; r++) {
        rows[r] = row_of(job, r, head, scratch);
        last = rows[r].query > last ? rows[r].query : last;
        d->k->scale(q + (size_t)r * (size_t)ld, d->scale, e);
    }
    relation_init(&relation, d, job->m, head, rows[n - 1].mixed + d->d_value, q, ld, n,
                  last, 1.0f);
    score(job, rows, q, ld);
    for (int r = 0; r < n; r++)
        weigh(&relation, r, &rows[r]);
    mix(job, rows);
    for (int r = 0; r < n; r++) {
        relation_mix(&relation, r, rows[r].mixed);
        d->k->scale(rows[r].mixed, 1.0f / rows[r].sum, e);
        memcpy(d->mixed + (size_t)r * (size_t)d->c.d_model + (size_t)head * (size_t)e,
               rows[r].mixed, (size_t)e * sizeof(float));
    }
}

static void head_task(void *arg, int head, int thread)
{
    const struct heads_job *job = arg;
    struct decoder *const *all = job->t->d, *d = all[0];
    const int width = d->c.d_model, ld = 3 * width, n = job->t->n;
    float *q = d->qkv + head * d->d_head, *k = q + width, *v = k + width;

    project(job, q, ld, job->w->qkv_w, job->w->qkv_b, 0, head);
    project(job, k, ld, job->w->qkv_w, job->w->qkv_b, 1, head);
    project(job, v, ld, job->w->qkv_w, job->w->qkv_b, 2, head);
    decoder_turn(d, q, ld, 1, d->turns, n);
    decoder_turn(d, k, ld, 1, d->turns, n);
    for (int r = 0; r < n; r++)
        decoder_store(d, &job->m[r], head, all[r]->length, k + (size_t)r * (size_t)ld,
                      v + (size_t)r * (size_t)ld);
    attend(job, head, q, ld, thread_scratch(d, thread));
}

static void cross_task(void *arg, int head, int thread)
{
    const struct heads_job *job = arg;
    struct decoder *d = job->t->d[0];
    const int ld = d->c.d_model;
    float *q = d->qkv + head * d->d_head;
    project(job, q, ld, job->w->cross_q_w, job->w->cross_q_b, 0, head);
    decoder_turn(d, q, ld, 1, d->cross_turns, job->t->n);
    attend(job, head, q, ld, thread_scratch(d, thread));
}

/* Keys that all rows see and that are the same. Rows may be in different blocks of
 * local attention: then none. */
static int shared_keys(const struct together *t, const struct memory *m)
{
    const struct decoder *d = t->d[0];
    if (t->n < 2)
        return 0;
    int first = first_key(d, m, d->length);
    for (int r = 1; r < t->n; r++)
        if (first_key(d, m + r, t->d[r]->length) != first)
            return 0;
    return t->n_shared > first ? t->n_shared - first : 0;
}

void decoder_step_attend(const struct together *t, int layer, const float *from)
{
    struct decoder *d = t->d[0];
    const size_t n = (size_t)d->c.d_model;
    struct memory m[DECODER_MOST_TOGETHER];
    size_t n_products = 0;
    for (int r = 0; r < t->n; r++) {
        m[r] = memory_of_past(t->d[r], layer, t->d[r]->length + 1);
        n_products += n * (3 * n + 2 * (size_t)t->d[r]->length);
    }
    struct heads_job job = {t, &d->w->layers[layer], m, from, shared_keys(t, m)};
    decoder_share(d, head_task, &job, d->c.n_heads, n_products);
}

void decoder_step_cross(const struct together *t, int layer, const float *from)
{
    struct decoder *d = t->d[0];
    const size_t n = (size_t)d->c.d_model;
    struct memory m[DECODER_MOST_TOGETHER];
    size_t n_products = 0;
    for (int r = 0; r < t->n; r++) {
        m[r] = memory_of_source(t->d[r], layer);
        n_products += n * (n + 2 * (size_t)m[r].n);
    }
    struct heads_job job = {t, &d->w->layers[layer], m, from,
                            t->source_shared ? m->n : 0};
    decoder_share(d, cross_task, &job, d->c.n_heads, n_products);
}
