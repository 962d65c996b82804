/* The parameter list: names, shapes and places, the one truth that the reader,
 * the writer, the decoder and the trainer share. */
#include "model/model.h"
#include "model/sampler.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *model_strerror(enum model_status st)
{
    static const char *const WORDS[] = {
        [MODEL_OK] = "is fine",
        [MODEL_NO_MEMORY] = "needs more memory than there is",
        [MODEL_NO_FILE] = "cannot be read",
        [MODEL_NOT_MODEL] = "is not a safetensors model",
        [MODEL_BAD_CONFIG] = "has a configuration this program cannot run",
        [MODEL_BAD_TENSOR] = "has a tensor that is missing, misshapen or not finite",
        [MODEL_CANCELLED] = "was cancelled",
        [MODEL_TOO_LONG] = "was given more tokens than its context holds",
        [MODEL_BAD_TOKEN] = "was given a token outside its vocabulary",
        [MODEL_CANNOT_WRITE] = "cannot be written",
        [MODEL_BAD_RESUME] = "belongs to another training run",
        [MODEL_NO_THREAD] = "could not start a thread",
    };
    if ((unsigned)st >= sizeof WORDS / sizeof WORDS[0])
        return "failed in an unknown way";
    return WORDS[st];
}

static bool within(int value, int lo, int hi)
{
    return value >= lo && value <= hi;
}

bool model_config_valid(const struct model_config *c)
{
    return within(c->vocab, 2, 1 << 20) && within(c->context, 1, 1 << 20) &&
           within(c->d_model, 1, 1 << 14) && within(c->n_heads, 1, 1 << 10) &&
           within(c->n_layers, 1, 1 << 10) && within(c->d_ff, 1, 1 << 16) &&
           c->d_model % c->n_heads == 0 &&
           within((int)c->activation, 0, ACTIVATION_GELU) &&
           within((int)c->position, 0, POSITION_LEARNED);
}

/* The list being built. */
struct list {
    struct model_tensor *at;
    size_t n, floats;
};

/* columns 0: a vector. */
static void add(struct list *l, const char *name, int64_t rows, int64_t columns)
{
    struct model_tensor *t = &l->at[l->n++];
    snprintf(t->name, sizeof t->name, "%s", name);
    t->n_dims = columns ? 2 : 1;
    t->shape[0] = rows;
    t->shape[1] = columns ? columns : 1;
    t->offset = l->floats;
    l->floats += (size_t)rows * (size_t)t->shape[1];
}

static void add_in_layer(struct list *l, int layer, const char *part, int64_t rows,
                         int64_t columns)
{
    char name[48];
    snprintf(name, sizeof name, "layers.%d.%s.weight", layer, part);
    add(l, name, rows, columns);
    snprintf(name, sizeof name, "layers.%d.%s.bias", layer, part);
    add(l, name, rows, 0);
}

size_t model_tensors(const struct model_config *c, struct model_tensor **tensors,
                     size_t *n_floats)
{
    const int64_t d = c->d_model, ff = c->d_ff;
    struct list l = {.at = calloc(12 * (size_t)c->n_layers + 5, sizeof *l.at)};
    *tensors = l.at;
    if (!l.at)
        return 0;
    add(&l, "token_embedding.weight", c->vocab, d);
    if (c->position == POSITION_LEARNED)
        add(&l, "position_embedding.weight", c->context, d);
    for (int i = 0; i < c->n_layers; i++) {
        add_in_layer(&l, i, "norm1", d, 0);
        add_in_layer(&l, i, "attn.qkv", 3 * d, d);
        add_in_layer(&l, i, "attn.out", d, d);
        add_in_layer(&l, i, "norm2", d, 0);
        add_in_layer(&l, i, "ff1", ff, d);
        add_in_layer(&l, i, "ff2", d, ff);
    }
    add(&l, "norm.weight", d, 0);
    add(&l, "norm.bias", d, 0);
    if (!c->tied)
        add(&l, "head.weight", c->vocab, d);
    *n_floats = l.floats;
    return l.n;
}

/* Where the next tensor is: in one block, or wherever a list says. */
struct source {
    const float *block;
    const float *const *each; /* NULL: in the block */
};

static const float *take(struct source *from, int64_t n)
{
    if (from->each)
        return *from->each++;
    const float *here = from->block;
    from->block += n;
    return here;
}

static void bind_layer(struct layer_weights *l, struct source *s, int64_t d, int64_t ff)
{
    l->norm1_w = take(s, d);
    l->norm1_b = take(s, d);
    l->qkv_w = take(s, 3 * d * d);
    l->qkv_b = take(s, 3 * d);
    l->out_w = take(s, d * d);
    l->out_b = take(s, d);
    l->norm2_w = take(s, d);
    l->norm2_b = take(s, d);
    l->ff1_w = take(s, ff * d);
    l->ff1_b = take(s, ff);
    l->ff2_w = take(s, d * ff);
    l->ff2_b = take(s, d);
}

static void bind(struct model_weights *w, const struct model_config *c, struct source s)
{
    const int64_t d = c->d_model;
    w->token = take(&s, c->vocab * d);
    w->position = c->position == POSITION_LEARNED ? take(&s, c->context * d) : NULL;
    for (int i = 0; i < c->n_layers; i++)
        bind_layer(&w->layers[i], &s, d, c->d_ff);
    w->norm_w = take(&s, d);
    w->norm_b = take(&s, d);
    w->head = c->tied ? w->token : take(&s, c->vocab * d);
}

void model_bind(struct model_weights *w, const struct model_config *c,
                const float *block)
{
    bind(w, c, (struct source){.block = block});
}

void model_bind_each(struct model_weights *w, const struct model_config *c,
                     const float *const *tensors)
{
    bind(w, c, (struct source){.each = tensors});
}

/* A matrix, or the scale of a norm (1), or a bias or shift (0). */
static void init_tensor(float *at, const struct model_tensor *t, struct rng *r)
{
    size_t n = (size_t)t->shape[0] * (size_t)t->shape[1];
    bool scale = strstr(t->name, "norm") && strstr(t->name, ".weight");
    for (size_t i = 0; i < n; i++)
        at[i] = t->n_dims == 2 ? 0.02f * rng_normal(r) : scale ? 1.0f : 0.0f;
}

void model_init_block(float *block, const struct model_config *c, uint64_t seed)
{
    struct model_tensor *tensors;
    size_t n_floats, n = model_tensors(c, &tensors, &n_floats);
    struct rng r;
    rng_seed(&r, seed);
    for (size_t i = 0; i < n; i++)
        init_tensor(block + tensors[i].offset, &tensors[i], &r);
    free(tensors);
}
