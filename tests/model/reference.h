/* Every variant written out plainly in double precision, straight from its formulas:
 * what decoder and trainer are measured against. Weights are one block in the order
 * of the file. Slow, and meant to be read. */
#ifndef TESTS_MODEL_REFERENCE_H
#define TESTS_MODEL_REFERENCE_H

#include "model/decoder/position.h"
#include "tests/auto.h"
#include "tests/model/toy_state.h"

#include <math.h>
#include <stdio.h>

/* In the order of REF_PARTS. */
union ref_layer {
    struct {
        const double *norm1_w, *norm1_b, *qkv_w, *qkv_b, *out_w, *out_b;
        const double *relative_key, *relative_value, *time_key, *value_embedding;
        const double *norm_cross_w, *norm_cross_b, *cross_q_w, *cross_q_b;
        const double *cross_kv_w, *cross_kv_b, *cross_out_w, *cross_out_b;
        const double *cross_time_key, *norm2_w, *norm2_b, *ff1_w, *ff1_b, *ff2_w;
        const double *ff2_b;
    };
    const double *parts[25];
};

static const char *const REF_PARTS[25] = {
    "norm1.weight",      "norm1.bias",
    "attn.qkv.weight",   "attn.qkv.bias",
    "attn.out.weight",   "attn.out.bias",
    "attn.relative_key", "attn.relative_value",
    "attn.time_key",     "attn.value_embedding",
    "norm_cross.weight", "norm_cross.bias",
    "cross.q.weight",    "cross.q.bias",
    "cross.kv.weight",   "cross.kv.bias",
    "cross.out.weight",  "cross.out.bias",
    "cross.time_key",    "norm2.weight",
    "norm2.bias",        "ff1.weight",
    "ff1.bias",          "ff2.weight",
    "ff2.bias",
};

/* The model's weights as such a block, malloc'd. */
static inline double *ref_block(const struct model *m)
{
    auto_free struct model_tensor *tensors = NULL;
    size_t n_floats, n = model_tensors(&m->config, &m->weights, &tensors, &n_floats);
    double *block = calloc(n_floats, sizeof *block);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < model_tensor_size(&tensors[i]); j++)
            block[tensors[i].offset + j] = (double)tensors[i].at[j];
    return block;
}

/* The tensors of a block, by name. */
struct ref_names {
    const double *block;
    struct model_tensor *tensors;
    size_t n;
};

static const double *ref_find(const struct ref_names *r, const char *name)
{
    for (size_t i = 0; i < r->n; i++)
        if (!strcmp(r->tensors[i].name, name))
            return r->block + r->tensors[i].offset;
    return NULL;
}

/* stem "layers" or "encoder.layers". */
static union ref_layer ref_layer_at(const struct ref_names *r, const char *stem, int i)
{
    union ref_layer layer;
    char name[80];
    for (int part = 0; part < 25; part++) {
        snprintf(name, sizeof name, "%s.%d.%s", stem, i, REF_PARTS[part]);
        layer.parts[part] = ref_find(r, name);
    }
    return layer;
}

static void ref_norm(double *y, const double *x, const double *w, const double *b,
                     int n)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        variance += (x[i] - mean) * (x[i] - mean) / n;
    for (int i = 0; i < n; i++)
        y[i] = (x[i] - mean) / sqrt(variance + 1e-5) * w[i] + b[i];
}

static void ref_linear(double *y, const double *x, const double *w, const double *b,
                       int n_out, int n_in)
{
    for (int o = 0; o < n_out; o++) {
        y[o] = b ? b[o] : 0;
        for (int i = 0; i < n_in; i++)
            y[o] += w[o * n_in + i] * x[i];
    }
}

static double ref_activation(const struct model_config *c, double x)
{
    if (c->activation == ACTIVATION_GELU)
        return 0.5 * x * (1 + erf(x / sqrt(2)));
    return x > 0 ? x : 0;
}

/* What a score owes to. */
struct ref_parts {
    double content, index, time;
};

/* What the heads of all layers looked at, [layer][head][n][n_keys]; unseen keys have
 * weight 0. */
struct ref_look {
    int n, n_keys;
    struct ref_parts *parts;
    double *weights;
};

/* What is known of a sequence besides its numbers. */
struct place {
    struct ref_look *past, *source; /* filled, or NULL */
    int layer;
    const struct model_config *c;
    const union ref_layer *l;
    const int32_t *tokens, *times;
    bool both_ways;       /* an encoder's */
    const double *memory; /* [n_memory][d] what the encoder gave, or NULL */
    const int32_t *memory_times;
    int n_memory;
};

/* Turns pairs of x[width] as Su et al. 2021, eq. 15. */
static void ref_turn(double *x, int n_pairs, double place)
{
    for (int i = 0; i < n_pairs; i++) {
        double angle = place * pow(10000, -(double)i / n_pairs);
        double a = x[2 * i], b = x[2 * i + 1];
        x[2 * i] = a * cos(angle) - b * sin(angle);
        x[2 * i + 1] = b * cos(angle) + a * sin(angle);
    }
}

/* By its time; towards a source only times turn. */
static void ref_turn_time(const struct place *p, double *x, int32_t time)
{
    int pairs = p->c->d_model / p->c->n_heads / 2;
    int first = p->c->relative == RELATIVE_ROTARY ? pairs / 2 : 0;
    if (p->c->time == TIME_ROTARY)
        ref_turn(x + 2 * first, pairs - first, time);
}

static void ref_rotate(const struct place *p, double *x, int t)
{
    int pairs = p->c->d_model / p->c->n_heads / 2;
    bool index = p->c->relative == RELATIVE_ROTARY, time = p->c->time == TIME_ROTARY;
    if (index)
        ref_turn(x, time ? pairs / 2 : pairs, t);
    ref_turn_time(p, x, p->times[t]);
}

static double ref_dot(const double *q, const double *row, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += q[i] * row[i];
    return sum;
}

/* The row of a relative table that stands for this distance. */
static int ref_row(const struct model_config *c, int t, int s)
{
    int far = c->max_distance - 1, delta = s - t;
    return (delta < -far ? -far : delta > far ? far : delta) + far;
}

static bool ref_sees(const struct place *p, int t, int s)
{
    int block = p->c->block;
    return p->both_ways || (s <= t && (!block || s / block >= t / block - 1));
}

static void ref_keep(const struct place *p, struct ref_look *look, int head, int t,
                     int s, struct ref_parts parts, double weight)
{
    if (!look)
        return;
    size_t row = ((size_t)p->layer * p->c->n_heads + head) * look->n + t;
    look->parts[row * look->n_keys + s] = parts;
    look->weights[row * look->n_keys + s] = weight;
}

/* What queries attend to: keys and values of all heads, row s having its key at kv + s ld
 * and its value d after it. */
struct ref_keys {
    const double *kv, *time_key;
    int ld, n;
    const int32_t *times;
    bool own; /* of the sequence itself, where places mean something */
    struct ref_look *look;
};

static struct ref_parts ref_score(const struct place *p, const struct ref_keys *keys,
                                  const double *q, int head, int t, int s)
{
    int width = p->c->d_model / p->c->n_heads;
    double scale = 1 / sqrt(width);
    const double *k = keys->kv + (size_t)s * keys->ld + head * width;
    struct ref_parts parts = {.content = ref_dot(q, k, width) * scale};
    if (keys->own && p->l->relative_key) {
        int rows = p->both_ways ? 2 * p->c->max_distance - 1 : p->c->max_distance;
        int own = p->c->relative == RELATIVE_MUSIC ? head * rows : 0;
        int row = own + ref_row(p->c, t, s);
        parts.index = ref_dot(q, p->l->relative_key + row * width, width) * scale;
    }
    if (keys->time_key) {
        int row = position_time_bucket((int64_t)p->times[t] - keys->times[s]);
        row += head * MODEL_TIME_BUCKETS;
        parts.time = ref_dot(q, keys->time_key + row * width, width) * scale;
    }
    return parts;
}

static double ref_sum(const struct ref_parts *p)
{
    return p->content + p->index + p->time;
}

/* y [d] of query t and all heads, from q [d], turned as the keys are. */
static void ref_attend(const struct place *p, const struct ref_keys *keys, double *y,
                       const double *q, int t)
{
    int d = p->c->d_model, width = d / p->c->n_heads;
    const double *shaw = keys->own ? p->l->relative_value : NULL;
    auto_free double *weight = calloc((size_t)keys->n, sizeof *weight);
    auto_free struct ref_parts *parts = calloc((size_t)keys->n, sizeof *parts);
    for (int head = 0; head < p->c->n_heads; head++) {
        double sum = 0;
        for (int s = 0; s < keys->n; s++) {
            parts[s] = ref_score(p, keys, q + head * width, head, t, s);
            weight[s] = !keys->own || ref_sees(p, t, s) ? exp(ref_sum(&parts[s])) : 0;
            sum += weight[s];
        }
        for (int s = 0; s < keys->n; s++)
            ref_keep(p, keys->look, head, t, s, parts[s], weight[s] / sum);
        for (int i = 0; i < width; i++) {
            y[head * width + i] = 0;
            for (int s = 0; s < keys->n; s++) {
                double v = keys->kv[(size_t)s * keys->ld + d + head * width + i];
                if (shaw)
                    v += shaw[ref_row(p->c, t, s) * width + i];
                y[head * width + i] += weight[s] / sum * v;
            }
        }
    }
}

/* mixed [n][d] from the inputs [n][d]. */
static void ref_attention(const struct place *p, double *mixed, const double *in, int n)
{
    int d = p->c->d_model, width = d / p->c->n_heads;
    auto_free double *qkv = calloc((size_t)n * 3 * d, sizeof *qkv),
                     *h = calloc(d, sizeof *h);
    for (int t = 0; t < n; t++) {
        double *row = qkv + (size_t)t * 3 * d;
        ref_linear(row, in + t * d, p->l->qkv_w, p->l->qkv_b, 3 * d, d);
        for (int i = 0; i < 2 * p->c->n_heads; i++)
            ref_rotate(p, row + i * width, t);
        for (int i = 0; p->l->value_embedding && i < d; i++)
            row[2 * d + i] += p->l->value_embedding[p->tokens[t] * d + i];
    }
    const struct ref_keys keys = {qkv + d,  p->l->time_key, 3 * d,  n,
                                  p->times, true,           p->past};
    for (int t = 0; t < n; t++) {
        ref_attend(p, &keys, h, qkv + (size_t)t * 3 * d, t);
        ref_linear(mixed + t * d, h, p->l->out_w, p->l->out_b, d, d);
    }
}

/* The double sum of model/kernels/fourier.h, as it stands there. */
static void ref_fourier(const struct place *p, double *mixed, const double *in, int n)
{
    int d = p->c->d_model, w = p->c->block;
    double turn = 2 * acos(-1);
    auto_free double *c = calloc((size_t)n * d, sizeof *c),
                     *s = calloc((size_t)n * d, sizeof *s);
    for (int j = 0; j < n; j++)
        for (int a = 0; a < d; a++)
            for (int b = 0; b < d; b++) {
                c[j * d + a] += in[j * d + b] * cos(turn * a * b / d);
                s[j * d + a] += in[j * d + b] * sin(turn * a * b / d);
            }
    for (int t = 0; t < n; t++)
        for (int a = 0; a < d; a++) {
            mixed[t * d + a] = 0;
            for (int j = t - w + 1 > 0 ? t - w + 1 : 0; j <= t; j++) {
                double angle = turn * ((t % w) * (j % w) % w) / w;
                mixed[t * d + a] +=
                    (cos(angle) * c[j * d + a] - sin(angle) * s[j * d + a]) /
                    sqrt((double)w * d);
            }
        }
}

static void ref_cross(const struct place *p, double *mixed, const double *in, int n)
{
    int d = p->c->d_model, width = d / p->c->n_heads;
    auto_free double *kv = calloc((size_t)p->n_memory * 2 * d, sizeof *kv);
    auto_free double *q = calloc(d, sizeof *q), *y = calloc(d, sizeof *y);
    for (int s = 0; s < p->n_memory; s++) {
        double *row = kv + (size_t)s * 2 * d;
        ref_linear(row, p->memory + s * d, p->l->cross_kv_w, p->l->cross_kv_b, 2 * d,
                   d);
        for (int at = 0; at < d; at += width)
            ref_turn_time(p, row + at, p->memory_times[s]);
    }
    const struct ref_keys keys = {kv,          p->l->cross_time_key, 2 * d,
                                  p->n_memory, p->memory_times,      false,
                                  p->source};
    for (int t = 0; t < n; t++) {
        ref_linear(q, in + t * d, p->l->cross_q_w, p->l->cross_q_b, d, d);
        for (int at = 0; at < d; at += width)
            ref_turn_time(p, q + at, p->times[t]);
        ref_attend(p, &keys, y, q, t);
        ref_linear(mixed + t * d, y, p->l->cross_out_w, p->l->cross_out_b, d, d);
    }
}

static void ref_feed(const struct place *p, double *out, const double *in)
{
    int d = p->c->d_model, ff = p->c->d_ff;
    auto_free double *wide = calloc(ff, sizeof *wide);
    ref_linear(wide, in, p->l->ff1_w, p->l->ff1_b, ff, d);
    for (int i = 0; i < ff; i++)
        wide[i] = ref_activation(p->c, wide[i]);
    ref_linear(out, wide, p->l->ff2_w, p->l->ff2_b, d, ff);
}

enum ref_branch { REF_MIX, REF_CROSS, REF_FEED };

static void ref_branch(const struct place *p, enum ref_branch which, double *out,
                       const double *in, int n)
{
    if (which == REF_CROSS)
        ref_cross(p, out, in, n);
    else if (which == REF_MIX && p->c->mixing == MIXING_FOURIER)
        ref_fourier(p, out, in, n);
    else if (which == REF_MIX)
        ref_attention(p, out, in, n);
    else
        for (int t = 0; t < n; t++)
            ref_feed(p, out + t * p->c->d_model, in + t * p->c->d_model);
}

/* x = norm(x + branch(x)), or x += branch(norm(x)). */
static void ref_residual(const struct place *p, enum ref_branch which, double *x, int n,
                         const double *w, const double *b)
{
    int d = p->c->d_model;
    bool post = p->c->norm == NORM_POST;
    auto_free double *in = calloc((size_t)n * d, sizeof *in),
                     *out = calloc((size_t)n * d, sizeof *out);
    memcpy(in, x, (size_t)n * d * sizeof *in);
    for (int t = 0; t < n && !post; t++)
        ref_norm(in + t * d, x + t * d, w, b, d);
    ref_branch(p, which, out, in, n);
    for (int i = 0; i < n * d; i++)
        x[i] += out[i];
    for (int t = 0; t < n && post; t++)
        ref_norm(x + t * d, x + t * d, w, b, d);
}

static void ref_run_layer(const struct place *p, double *x, int n)
{
    const union ref_layer *l = p->l;
    ref_residual(p, REF_MIX, x, n, l->norm1_w, l->norm1_b);
    if (p->memory)
        ref_residual(p, REF_CROSS, x, n, l->norm_cross_w, l->norm_cross_b);
    ref_residual(p, REF_FEED, x, n, l->norm2_w, l->norm2_b);
}

static double ref_position(const struct model_config *c, const double *learned, int t,
                           int i)
{
    int d = c->d_model;
    double angle = t / pow(10000, (double)(i / 2 * 2) / d);
    if (c->position == POSITION_LEARNED)
        return learned[t * d + i];
    if (c->position == POSITION_SINUSOIDAL)
        return i % 2 ? cos(angle) : sin(angle);
    return 0;
}

static void ref_head(const struct model_config *c, const struct ref_names *names,
                     double *logits, const double *x, int n)
{
    int d = c->d_model;
    const double *norm_w = ref_find(names, "norm.weight");
    const double *head =
        ref_find(names, c->tied ? "token_embedding.weight" : "head.weight");
    auto_free double *h = calloc(d, sizeof *h);
    for (int t = 0; t < n; t++) {
        memcpy(h, x + t * d, (size_t)d * sizeof *h);
        if (norm_w)
            ref_norm(h, x + t * d, norm_w, ref_find(names, "norm.bias"), d);
        ref_linear(logits + (size_t)t * c->vocab, h, head, NULL, c->vocab, d);
    }
}

/* Tokens with their times. */
struct ref_sequence {
    const int32_t *tokens, *times;
    int n;
};

/* [n][d], malloc'd. */
static double *ref_embed(const struct model_config *c, const struct ref_names *names,
                         const struct ref_sequence *s)
{
    int d = c->d_model;
    const double *token = ref_find(names, "token_embedding.weight");
    const double *learned = ref_find(names, "position_embedding.weight");
    double *x = calloc((size_t)s->n * d, sizeof *x);
    for (int t = 0; t < s->n; t++)
        for (int i = 0; i < d; i++)
            x[t * d + i] = token[s->tokens[t] * d + i] + ref_position(c, learned, t, i);
    return x;
}

/* x[n][d] += the rows of the state table that the toy state tells of. */
static void ref_add_state(const struct model_config *c, const struct ref_names *names,
                          const struct ref_sequence *s, double *x)
{
    const double *table = ref_find(names, "state_embedding.weight");
    int d = c->d_model;
    uint16_t rows[MODEL_STATE_MOST];
    struct toy_state state;
    toy_start(&state);
    for (int t = 0; table && t < s->n; t++) {
        int n = toy_next(&state, s->tokens[t], rows);
        for (int k = 0; k < n; k++)
            for (int i = 0; i < d; i++)
                x[t * d + i] += table[rows[k] * d + i];
    }
}

/* What the encoder gives, [n][d], malloc'd. */
static double *ref_encode(const struct model_config *c, const struct ref_names *names,
                          const struct ref_sequence *source)
{
    double *x = ref_embed(c, names, source);
    const double *w = ref_find(names, "encoder.norm.weight");
    for (int i = 0; i < c->n_encoder_layers; i++) {
        union ref_layer layer = ref_layer_at(names, "encoder.layers", i);
        ref_run_layer(
            &(struct place){
                .c = c, .l = &layer, .times = source->times, .both_ways = true},
            x, source->n);
    }
    for (int t = 0; w && t < source->n; t++)
        ref_norm(x + t * c->d_model, x + t * c->d_model, w,
                 ref_find(names, "encoder.norm.bias"), c->d_model);
    return x;
}

/* logits [n][vocab], malloc'd. source NULL: none. past and towards, filled where they are
 * not NULL, have room for every layer and head. */
static inline double *
reference_attention(const struct model_config *c, const double *block,
                    const struct ref_sequence *s, const struct ref_sequence *source,
                    struct ref_look *past, struct ref_look *towards)
{
    struct ref_names names = {.block = block};
    size_t n_floats;
    names.n = model_tensors(c, NULL, &names.tensors, &n_floats);
    auto_free double *memory = source ? ref_encode(c, &names, source) : NULL;
    auto_free double *x = ref_embed(c, &names, s);
    ref_add_state(c, &names, s, x);
    double *logits = calloc((size_t)s->n * c->vocab, sizeof *logits);
    for (int i = 0; i < c->n_layers; i++) {
        union ref_layer layer = ref_layer_at(&names, "layers", i);
        struct place p = {.past = past,
                          .source = towards,
                          .layer = i,
                          .c = c,
                          .l = &layer,
                          .tokens = s->tokens,
                          .times = s->times,
                          .memory = memory};
        if (source) {
            p.memory_times = source->times;
            p.n_memory = source->n;
        }
        ref_run_layer(&p, x, s->n);
    }
    ref_head(c, &names, logits, x, s->n);
    free(names.tensors);
    return logits;
}

static inline double *reference(const struct model_config *c, const double *block,
                                const struct ref_sequence *s,
                                const struct ref_sequence *source)
{
    return reference_attention(c, block, s, source, NULL, NULL);
}

#endif
