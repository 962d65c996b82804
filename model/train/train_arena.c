/* All buffers of a trainer, in one arena. trainer_lay_out runs twice: first it counts the
 * bytes, then it divides the arena. */
#include "model/base/arena.h"
#include "model/decoder/position.h"
#include "model/train/train_internal.h"

static size_t n_source_rows(const struct trainer *t)
{
    return (size_t)t->options.batch * t->options.source_length;
}

/* Lays out the branches of attention: the activations or, if `back`, the gradients. */
static void lay_out_attention(struct attention *all, struct arena *a,
                              const struct trainer *t, bool back)
{
    const size_t rows = (size_t)trainer_n_rows(t), d = (size_t)t->config.d_model;
    const int n_branches = t->encoder ? BRANCH_FEED : BRANCH_CROSS;
    for (struct attention *at = all; at < all + n_branches; at++) {
        const bool is_mix = at == all;
        at->q = arena_floats(a, rows * (is_mix ? 3 * d : d));
        at->kv = is_mix ? at->q : arena_floats(a, n_source_rows(t) * 2 * d);
        at->mixed = arena_floats(a, rows * d);
        if (back)
            at->out = arena_floats(a, rows * d);
        else
            at->log_sums = arena_floats(a, rows * (size_t)t->config.n_heads);
    }
}

/* Lays out the activations of a layer whose input is `in`. Returns its output. */
static float *lay_out_layer(struct layer_activations *k, struct arena *a,
                            const struct trainer *t, float *in)
{
    const struct model_config *c = &t->config;
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)c->d_model,
           ff = (size_t)c->d_ff;

    lay_out_attention(k->attention, a, t, false);
    k->slope = c->activation == ACTIVATION_RELU ? NULL : arena_floats(a, rows * ff);
    k->hidden = arena_floats(a, rows * ff);
    /* Each branch starts from the output of the one before. A layer without
     * cross-attention has one branch fewer. */
    for (int i = 0; i < N_BRANCHES; i++) {
        struct branch *b = &k->branches[i];
        if (i == BRANCH_CROSS && !t->encoder)
            continue;
        b->in = in;
        b->sum = arena_floats(a, rows * d);
        b->normed = arena_floats(a, rows * d);
        b->stats = arena_floats(a, rows * 2);
        in = branch_output(t, b);
    }
    return in;
}

/* Lays out the buffers of one stack of layers, the decoder's or the encoder's. */
static void lay_out_stack(struct trainer *t, struct arena *a)
{
    const struct model_config *c = &t->config;
    const size_t rows = (size_t)trainer_n_rows(t), d = (size_t)c->d_model,
                 ff = (size_t)c->d_ff, e = d / (size_t)c->n_heads,
                 tables = c->relative == RELATIVE_SHAW ? 2 : 1,
                 buckets = c->time == TIME_BUCKETS ? MODEL_TIME_BUCKETS : 0;
    /* The most sequences: those of the shortest length (trainer_set_length). */
    const struct train_options *o = &t->options;
    const size_t batch = rows / (size_t)(o->shortest ? o->shortest : o->length);
    struct layer_deltas *k = &t->deltas;
    t->x_first = arena_floats(a, rows * d);
    t->x_last = t->x_first;
    for (int i = 0; i < c->n_layers; i++)
        t->x_last = lay_out_layer(&t->kept[i], a, t, t->x_last);
    t->stats_last = arena_floats(a, rows * 2);
    t->normed_last = arena_floats(a, rows * d);

    k->stream = arena_floats(a, rows * d);
    k->feed = arena_floats(a, rows * d);
    k->hidden = arena_floats(a, rows * ff);
    lay_out_attention(k->attention, a, t, true);

    t->rotations = position_is_rotary(c) ? arena_floats(a, rows * e) : NULL;
    t->cross_rotations =
        position_is_rotary(c) && c->n_encoder_layers ? arena_floats(a, rows * e) : NULL;
    t->n_relative = e * ((size_t)trainer_n_distances(t) * tables + buckets);
    t->relative_parts = arena_floats(a, t->n_relative * batch * (size_t)c->n_heads);
    t->n_keys = arena_floats(a, batch);
    t->first_bucket = arena_floats(a, batch);
    t->buckets = buckets ? arena_bytes(a, rows * (size_t)o->length) : NULL;
    if (buckets && t->encoder)
        t->cross_buckets = arena_bytes(a, rows * (size_t)o->source_length);
    if (c->mixing == MIXING_FOURIER) {
        t->waves = arena_floats(a, 2 * d * d);
        t->circle = arena_floats(a, 2 * (size_t)c->block);
    }
    t->packed_panels = arena_floats(a, linear_n_packed(t));
    t->norm_parts = arena_floats(a, (size_t)trainer_n_blocks(t) * 2 * d);
}

/* The most rows or columns of any product, not rounded up. */
static size_t most_rows(const struct trainer *t)
{
    size_t most = BLOCK_ROWS;
    const int sizes[] = {3 * t->config.d_model,    t->config.d_ff,
                         t->config.vocab,          t->options.length,
                         t->options.source_length, 2 * t->config.max_distance,
                         MODEL_TIME_BUCKETS};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        most = larger(most, (size_t)sizes[i]);
    return most;
}

/* Lays out room for any of Muon's matrices. */
static void lay_out_muon(struct newton_schulz *to, struct arena *a,
                         const struct trainer *t)
{
    size_t x = 0, square = 0, panels = 0;
    for (int i = 0; i < t->n_matrices; i++) {
        const int m = t->matrices[i].m, n = t->matrices[i].n;
        x = larger(x, (size_t)m * newton_schulz_ld(n));
        square = larger(square, (size_t)m * newton_schulz_ld(m));
        panels = larger(panels, newton_schulz_panels(t->products, m, n));
    }
    to->x = arena_floats(a, x);
    to->square = arena_floats(a, square);
    to->polynomial = arena_floats(a, square);
    to->panels = arena_floats(a, panels);
}

/* The words of n rows of one head, packed for either kind of product. */
static size_t n_packed_head(const struct trainer *t, size_t n)
{
    const size_t width = (size_t)(t->config.d_model / t->config.n_heads);
    return (n + PRODUCT_COLUMNS) * (width + PRODUCT_COLUMNS);
}

size_t trainer_lay_out(struct trainer *t, void *base)
{
    struct arena a = {.block = base};
    size_t rows = (size_t)trainer_n_rows(t), d = (size_t)t->config.d_model;
    size_t most = most_rows(t), times = n_packed_head(t, LD_TIMES);
    size_t past = n_packed_head(
        t, larger((size_t)t->options.length, (size_t)t->options.source_length));
    size_t tile = (size_t)TILE * larger((size_t)t->ld_scores, LD_KEYS);
    size_t width = d / (size_t)t->config.n_heads, tile_sums = n_packed_head(t, TILE);

    t->weights = arena_floats(&a, t->n_floats);
    t->gradients = arena_floats(&a, t->n_floats);
    t->moment1 = arena_floats(&a, t->n_floats);
    t->moment2 = arena_floats(&a, t->n_floats);
    if (t->options.start_share > 0) {
        t->start = arena_floats(&a, t->n_floats);
        t->other = arena_floats(&a, t->n_floats);
    }
    t->logits = arena_floats(&a, rows * (size_t)t->ld_logits);
    t->nats = arena_floats(&a, rows);
    if (t->kind) {
        size_t threads = (size_t)pool_n_threads(t->pool);
        t->state_rows = arena_bytes(&a, rows * MODEL_STATE_MOST * sizeof(uint16_t));
        t->n_state_rows = arena_bytes(&a, rows);
        t->states = arena_bytes(&a, threads * trainer_state_size(t));
    }
    lay_out_stack(t, &a);
    if (t->encoder) {
        t->encoder->weights = t->weights;
        t->encoder->gradients = t->gradients;
        lay_out_stack(t->encoder, &a);
    }
    for (int i = 0; i < pool_n_threads(t->pool); i++) {
        t->scratch[i].rows = arena_floats(&a, BLOCK_ROWS * d);
        t->scratch[i].scores = arena_floats(&a, tile);
        t->scratch[i].d_scores = arena_floats(&a, tile);
        t->scratch[i].near = arena_floats(&a, (size_t)TILE * t->ld_near);
        t->scratch[i].by_time = arena_floats(&a, (size_t)TILE * LD_TIMES);
        t->scratch[i].d_by_time = arena_floats(&a, (size_t)TILE * LD_TIMES);
        t->scratch[i].queries = arena_floats(&a, TILE * width);
        t->scratch[i].d_mixed = arena_floats(&a, TILE * width);
        t->scratch[i].query_sums = arena_floats(&a, tile_sums);
        t->scratch[i].d_mixed_sums = arena_floats(&a, tile_sums);
        t->scratch[i].times = arena_floats(&a, times);
        t->scratch[i].time_sums = arena_floats(&a, times);
        t->scratch[i].panels = arena_floats(&a, product_scratch(most, most));
        t->scratch[i].turned = arena_floats(&a, linear_n_turned(t));
        t->scratch[i].keys = arena_floats(&a, past);
        t->scratch[i].values = arena_floats(&a, past);
        t->scratch[i].sums = arena_floats(&a, past);
        lay_out_muon(&t->scratch[i].muon, &a, t);
        t->scratch[i].muon.multiplied = t->scratch[i].panels;
    }
    return a.n_bytes;
}
