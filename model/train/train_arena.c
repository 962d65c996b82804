/* Every buffer of a trainer, in one arena, planned by one function that is
 * run twice: to count, and to hand out. */
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

enum { ALIGN = 16 }; /* floats: one cache line */

struct arena {
    float *base; /* NULL while counting */
    size_t used;
};

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void *take(struct arena *a, size_t n)
{
    float *p = a->base ? a->base + a->used : NULL;
    a->used += (n + ALIGN - 1) / ALIGN * ALIGN;
    return p;
}

/* Each branch begins with what the one before gave; a layer that attends to nothing
 * else has one less. */
static float *lay_out_branches(struct layer_kept *k, struct arena *a,
                               const struct trainer *t, float *in)
{
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)t->config.d_model;
    for (int i = 0; i < N_BRANCHES; i++) {
        struct branch *b = &k->branches[i];
        if (i == BRANCH_CROSS && !t->encoder)
            continue;
        b->in = in;
        b->sum = take(a, rows * d);
        b->normed = take(a, rows * d);
        b->stats = take(a, rows * 2);
        in = branch_output(t, b);
    }
    return in;
}

static size_t n_source_rows(const struct trainer *t)
{
    return (size_t)t->options.batch * (size_t)t->options.source_length;
}

/* Returns what leaves the layer. */
static float *lay_out_layer(struct layer_kept *k, struct arena *a,
                            const struct trainer *t, float *in)
{
    const struct model_config *c = &t->config;
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)c->d_model,
           ff = (size_t)c->d_ff;

    k->qkv = take(a, rows * 3 * d);
    k->log_sums =
        c->mixing == MIXING_FOURIER ? NULL : take(a, rows * (size_t)c->n_heads);
    k->mixed = take(a, rows * d);
    k->slope = c->activation == ACTIVATION_RELU ? NULL : take(a, rows * ff);
    k->hidden = take(a, rows * ff);
    if (t->encoder) {
        k->cross_q = take(a, rows * d);
        k->cross_kv = take(a, n_source_rows(t) * 2 * d);
        k->cross_log_sums = take(a, rows * (size_t)c->n_heads);
        k->cross_mixed = take(a, rows * d);
    }
    return lay_out_branches(k, a, t, in);
}

static void lay_out_deltas(struct layer_deltas *k, struct arena *a,
                           const struct trainer *t)
{
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)t->config.d_model;
    k->stream = take(a, rows * d);
    k->feed = take(a, rows * d);
    k->hidden = take(a, rows * (size_t)t->config.d_ff);
    k->out = take(a, rows * d);
    k->mixed = take(a, rows * d);
    k->qkv = take(a, rows * 3 * d);
    if (t->encoder) {
        k->cross_out = take(a, rows * d);
        k->cross_mixed = take(a, rows * d);
        k->cross_q = take(a, rows * d);
        k->cross_kv = take(a, n_source_rows(t) * 2 * d);
    }
}

/* Only what the configuration asks for. */
static void lay_out_mixing(struct trainer *t, struct arena *a)
{
    const struct model_config *c = &t->config;
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)c->d_model;
    size_t e = d / (size_t)c->n_heads, tables = c->relative == RELATIVE_SHAW ? 2 : 1;
    size_t buckets = c->time == TIME_BUCKETS ? MODEL_TIME_BUCKETS : 0;

    t->turns = position_turns(c) ? take(a, rows * e) : NULL;
    t->cross_turns = t->turns && c->n_encoder_layers ? take(a, rows * e) : NULL;
    t->n_relation = e * ((size_t)trainer_n_reach(t) * tables + buckets);
    t->relation_parts =
        take(a, t->n_relation * (size_t)t->options.batch * (size_t)c->n_heads);
    t->n_keys = take(a, (size_t)t->options.batch);
    t->first_bucket = take(a, (size_t)t->options.batch);
    t->buckets = buckets ? take(a, (rows * (size_t)t->options.length + 3) / 4) : NULL;
    if (buckets && t->encoder)
        t->cross_buckets = take(a, (rows * (size_t)t->options.source_length + 3) / 4);
    if (c->mixing == MIXING_FOURIER) {
        t->waves = take(a, 2 * d * d);
        t->circle = take(a, 2 * (size_t)c->block);
    }
}

/* What one stack of layers, the decoder's or the encoder's, has for itself. */
static void lay_out_stack(struct trainer *t, struct arena *a)
{
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)t->config.d_model;
    t->x_first = take(a, rows * d);
    t->x_last = t->x_first;
    for (int i = 0; i < t->config.n_layers; i++)
        t->x_last = lay_out_layer(&t->kept[i], a, t, t->x_last);
    t->stats_last = take(a, rows * 2);
    t->normed_last = take(a, rows * d);
    lay_out_deltas(&t->deltas, a, t);
    lay_out_mixing(t, a);
    t->packed_panels = take(a, linear_n_packed(t));
    t->norm_parts = take(a, (size_t)trainer_n_blocks(t) * 2 * d);
}

/* The most rows or columns of any product, up to rounding. */
static size_t most_rows(const struct trainer *t)
{
    int most = BLOCK_ROWS;
    const int sizes[] = {3 * t->config.d_model,    t->config.d_ff,
                         t->config.vocab,          t->options.length,
                         t->options.source_length, 2 * t->config.reach,
                         MODEL_TIME_BUCKETS};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        most = sizes[i] > most ? sizes[i] : most;
    return (size_t)most;
}

/* Words of a head's keys or values, packed either way. */
static size_t n_packed_head(const struct trainer *t)
{
    const int length = t->options.length, source = t->options.source_length;
    const size_t keys = (size_t)(length > source ? length : source) + PRODUCT_COLUMNS;
    return keys * ((size_t)(t->config.d_model / t->config.n_heads) + PRODUCT_COLUMNS);
}

/* Room for any of Muon's matrices. */
static void lay_out_muon(struct newton_schulz *to, struct arena *a,
                         const struct trainer *t)
{
    size_t x = 0, square = 0, panels = 0;
    for (int i = 0; i < t->n_matrices; i++) {
        const int m = muon_short_side(&t->matrices[i]),
                  n = muon_long_side(&t->matrices[i]);
        const size_t rows = (size_t)m;
        x = larger(x, rows * (size_t)newton_schulz_ld(n));
        square = larger(square, rows * (size_t)newton_schulz_ld(m));
        panels = larger(panels, newton_schulz_panels(t->products, m, n));
    }
    to->x = take(a, x);
    to->square = take(a, square);
    to->polynomial = take(a, square);
    to->panels = take(a, panels);
}

/* The same for its rows of a table of times. */
static size_t n_packed_times(const struct trainer *t)
{
    return (LD_TIMES + PRODUCT_COLUMNS) *
           ((size_t)(t->config.d_model / t->config.n_heads) + PRODUCT_COLUMNS);
}

size_t trainer_lay_out(struct trainer *t, float *base)
{
    struct arena a = {base, 0};
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)t->config.d_model;
    size_t most = most_rows(t);
    size_t tile = (size_t)TILE * (size_t)t->ld_scores;

    t->weights = take(&a, t->n_floats);
    t->gradients = take(&a, t->n_floats);
    t->moment1 = take(&a, t->n_floats);
    t->moment2 = take(&a, t->n_floats);
    t->logits = take(&a, rows * (size_t)t->ld_logits);
    t->nats = take(&a, rows);
    if (t->kind) {
        size_t threads = (size_t)pool_n_threads(t->pool);
        t->state_rows = take(&a, (rows * MODEL_STATE_MOST + 1) / 2);
        t->n_state_rows = take(&a, (rows + 3) / 4);
        t->states = take(&a, (threads * trainer_state_size(t) + 3) / 4);
    }
    lay_out_stack(t, &a);
    if (t->encoder)
        lay_out_stack(t->encoder, &a);
    for (int i = 0; i < pool_n_threads(t->pool); i++) {
        t->scratch[i].rows = take(&a, BLOCK_ROWS * d);
        t->scratch[i].scores = take(&a, tile);
        t->scratch[i].d_scores = take(&a, tile);
        t->scratch[i].near = take(&a, (size_t)TILE * (size_t)t->ld_near);
        t->scratch[i].by_time = take(&a, (size_t)TILE * LD_TIMES);
        t->scratch[i].times = take(&a, n_packed_times(t));
        t->scratch[i].time_sums = take(&a, n_packed_times(t));
        t->scratch[i].panels = take(&a, product_scratch(most, most));
        t->scratch[i].keys = take(&a, n_packed_head(t));
        t->scratch[i].values = take(&a, n_packed_head(t));
        t->scratch[i].sums = take(&a, n_packed_head(t));
        lay_out_muon(&t->scratch[i].muon, &a, t);
        t->scratch[i].muon.multiplied = t->scratch[i].panels;
    }
    if (t->encoder)
        encoder_share(t);
    return a.used;
}
