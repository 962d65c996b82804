/* See bench_roofline.h. Letters: d the width, n the keys that a query sees. */
#include "app/benchmark/bench_roofline.h"

const struct precision_row PRECISIONS[] = {
    {"f32", {WEIGHTS_F32, CACHE_F32}, 4, 4, PEAK_AVX512, PEAK_AVX512, true},
    {"bf16", {WEIGHTS_BF16, CACHE_BF16}, 2, 2, PEAK_BF16, PEAK_BF16, true},
    {"int8", {WEIGHTS_INT8, CACHE_BF16}, 1, 2, PEAK_INT8, PEAK_BF16, false},
};
const int N_PRECISIONS = sizeof PRECISIONS / sizeof *PRECISIONS;

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

/* Positions that the token after `context` others sees, itself included. */
static int n_seen(const struct model_config *c, int context)
{
    if (c->mixing == MIXING_FOURIER && c->block)
        return at_most(context + 1, c->block);
    if (!c->block || context < c->block)
        return context + 1;
    return context + 1 - (context / c->block - 1) * c->block;
}

/* Numbers in one layer's matrices. Fourier mixing transforms a token by one of its
 * own. */
static double matrices(const struct model_config *c)
{
    double d = c->d_model;
    double mixing = c->mixing == MIXING_FOURIER ? 2 * d * d : 4 * d * d;
    return mixing + 2 * d * c->d_ff;
}

/* Biases and norms. */
static double vectors(const struct model_config *c)
{
    return 9.0 * c->d_model + c->d_ff;
}

/* The rows of the tables of distance that occur among n keys, which a query is
 * multiplied with. */
static double tables(const struct model_config *c, int n)
{
    double d = c->d_model, rows = 0;
    if (c->relative == RELATIVE_MUSIC)
        rows = at_most(c->reach, n);
    if (c->relative == RELATIVE_SHAW) /* keys and values, the same for all heads */
        rows = 2.0 * at_most(c->reach, n) / c->n_heads;
    if (c->time == TIME_BUCKETS)
        rows += at_most(MODEL_TIME_BUCKETS, n);
    return rows * d;
}

static double head(const struct model_config *c)
{
    return (double)c->vocab * c->d_model;
}

/* Scores and what they weigh: n products with keys and n with values, each d wide. */
static double attention(const struct model_config *c, int n)
{
    return 2.0 * c->d_model * n;
}

struct work work_of_step(const struct model_config *c, const struct precision_row *p,
                         int context, int takes)
{
    const int n = n_seen(c, context);
    double layer = matrices(c) + vectors(c) + tables(c, n);
    double weights = c->n_layers * layer + head(c) + takes * (double)c->d_model;
    double cache = c->n_layers * attention(c, n - 1); /* its own is not yet there */
    return (struct work){
        .bytes = weights * p->weight_bytes + cache * p->cache_bytes,
        .weight_products = takes * (c->n_layers * matrices(c) + head(c)),
        .cache_products = takes * c->n_layers * (tables(c, n) + attention(c, n)),
    };
}

/* Of all layers, over n tokens from the first. */
static double mixing_of(const struct model_config *c, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += attention(c, n_seen(c, i)) + tables(c, n_seen(c, i));
    return c->n_layers * sum;
}

struct work work_of_prefill(const struct model_config *c, const struct precision_row *p,
                            int n)
{
    double layer = matrices(c) + vectors(c) + tables(c, n_seen(c, n - 1));
    double weights = c->n_layers * layer + head(c) + (double)n * c->d_model;
    return (struct work){
        .bytes =
            weights * p->weight_bytes + c->n_layers * attention(c, n) * p->cache_bytes,
        .weight_products = n * c->n_layers * matrices(c) + head(c),
        .cache_products = mixing_of(c, n),
    };
}

struct work work_of_training(const struct model_config *c, int batch, int length)
{
    double weights = c->n_layers * (matrices(c) + vectors(c)) + head(c);
    double products = length * (c->n_layers * matrices(c) + head(c));
    return (struct work){
        .bytes = weights * 6 * sizeof(float),
        .weight_products = 3.0 * batch * products,
        .cache_products = 3.0 * batch * mixing_of(c, length),
    };
}

struct limit limit_of(const struct work *w, const struct rates *r)
{
    double arithmetic = 2 * w->weight_products * r->weight_operation +
                        2 * w->cache_products * r->cache_operation;
    bool by_memory = r->bytes > arithmetic;
    return (struct limit){by_memory ? r->bytes : arithmetic, by_memory};
}
