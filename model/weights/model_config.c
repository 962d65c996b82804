/* The list of a model's tensors: their names, shapes and addresses. visit_all walks
 * through it, and the reader, the writer, the decoder and the trainer all use that walk.
 * Also here: the limits of a configuration, and the words for a status. */
#include "model/kernels/fourier.h"
#include "model/weights/model.h"
#include "model/base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *model_strerror(enum model_status st)
{
    static const char *const WORDS[] = {
        [MODEL_OK] = "is fine",
        [MODEL_NO_MEMORY] = "needs more memory than is available",
        [MODEL_NO_FILE] = "cannot be read",
        [MODEL_NOT_MODEL] = "is not a safetensors model",
        [MODEL_BAD_CONFIG] = "has a configuration this program cannot run",
        [MODEL_BAD_TENSOR] =
            "has a tensor that is missing, of a wrong shape or out of range",
        [MODEL_CANCELLED] = "was cancelled",
        [MODEL_TOO_LONG] = "got more tokens than its context holds",
        [MODEL_BAD_TOKEN] = "got a token outside its vocabulary",
        [MODEL_CANNOT_WRITE] = "cannot be written",
        [MODEL_NOT_REGULAR] = "is not a regular file",
        [MODEL_BAD_RESUME] = "belongs to another training run",
        [MODEL_NO_THREAD] = "could not start a thread",
        [MODEL_OTHER_TOKENS] = "has other tokens than needed here",
        [MODEL_NO_SOURCE] = "needs a source, or cannot have one",
        [MODEL_NO_QUERIES] = "did not record its attention here",
        [MODEL_NO_HEAD] = "has no such layer, head or token",
    };
    if ((unsigned)st >= sizeof WORDS / sizeof WORDS[0])
        return "failed for an unknown reason";
    return WORDS[st];
}

static bool within(int value, int lo, int hi)
{
    return value >= lo && value <= hi;
}

static bool valid_choices(const struct model_config *c)
{
    return within((int)c->activation, 0, ACTIVATION_GELU) &&
           within((int)c->norm, 0, NORM_POST) &&
           within((int)c->position, 0, POSITION_SINUSOIDAL) &&
           within((int)c->relative, 0, RELATIVE_ROTARY) &&
           within((int)c->time, 0, TIME_ROTARY) &&
           within((int)c->mixing, 0, MIXING_FOURIER) &&
           (c->mixing == MIXING_ATTENTION ||
            (!c->values && c->relative == RELATIVE_NONE && c->time == TIME_NONE &&
             c->n_encoder_layers == 0));
}

/* max_distance is used by two choices only. Otherwise it must be 0, so that equal models
 * have equal configurations. */
static bool valid_max_distance(const struct model_config *c)
{
    if (c->relative == RELATIVE_SHAW || c->relative == RELATIVE_MUSIC)
        return within(c->max_distance, 1, c->context);
    return c->max_distance == 0;
}

static bool valid_block(const struct model_config *c)
{
    if (c->mixing == MIXING_FOURIER)
        return within(c->block, 1, 1 << 13) && c->d_model <= FOURIER_MAX_WIDTH;
    return within(c->block, 0, 1 << 20) && c->block % MODEL_LOCAL_BLOCK == 0;
}

/* Rotary positions rotate pairs of numbers of a head. If both index and time are rotary,
 * each rotates half of the pairs. */
static bool valid_pairs(const struct model_config *c)
{
    int of =
        (c->relative == RELATIVE_ROTARY ? 2 : 1) * (c->time == TIME_ROTARY ? 2 : 1);
    return c->d_model / c->n_heads % of == 0;
}

bool model_config_valid(const struct model_config *c)
{
    return within(c->vocab, 2, 1 << 20) && within(c->context, 1, 1 << 20) &&
           within(c->d_model, 1, 1 << 14) && within(c->n_heads, 1, 1 << 10) &&
           within(c->n_layers, 1, 1 << 10) && within(c->d_ff, 1, 1 << 16) &&
           within(c->n_encoder_layers, 0, 1 << 10) && c->d_model % c->n_heads == 0 &&
           within(c->state, 0, MODEL_STATE_ROWS) && valid_choices(c) &&
           valid_max_distance(c) && valid_block(c) && valid_pairs(c);
}

bool model_state_fits(const struct model_config *c, const struct model_state_kind *kind)
{
    return !c->state || (kind && kind->n_rows == c->state);
}

/* A function that is called for every tensor, in file order. *at is the tensor's address
 * in struct model_weights, which the function may read or set. */
typedef void visit_fn(void *arg, const struct model_tensor *t, const float **at);

struct walk {
    visit_fn *visit;
    void *arg;
    size_t n_floats; /* the floats of all tensors visited so far */
    bool is_linear;
    char prefix[32]; /* of the names in the current layer, as in "layers.0." */
};

/* Visits one tensor; columns 0: a vector. Matrices decay in training, but the tables of
 * states and values begin at zero and do not. */
static void visit_one(struct walk *walk, const char *part, const char *suffix,
                      int64_t rows, int64_t columns, const float **at)
{
    struct model_tensor t = {.n_dims = columns ? 2 : 1,
                             .shape = {rows, columns ? columns : 1},
                             .offset = walk->n_floats,
                             .is_linear = walk->is_linear};
    snprintf(t.name, sizeof t.name, "%s%s%s", walk->prefix, part, suffix);
    t.decays = columns && strcmp(t.name, "state_embedding.weight") != 0 &&
               !strstr(t.name, ".value_embedding");
    walk->n_floats += model_tensor_size(&t);
    walk->visit(walk->arg, &t, at);
}

/* Visits a module's weight and bias; with bias NULL, a single tensor. */
static void visit_part(struct walk *walk, const char *part, int64_t rows,
                       int64_t columns, const float **weight, const float **bias)
{
    walk->is_linear = bias && columns;
    visit_one(walk, part, bias ? ".weight" : "", rows, columns, weight);
    walk->is_linear = false;
    if (bias)
        visit_one(walk, part, ".bias", rows, 0, bias);
}

static void visit_time(struct walk *p, const struct model_config *c, const char *part,
                       const float **table)
{
    if (c->time == TIME_BUCKETS)
        visit_part(p, part, (int64_t)c->n_heads * MODEL_TIME_BUCKETS,
                   c->d_model / c->n_heads, table, NULL);
}

static void visit_attention(struct walk *p, const struct model_config *c,
                            bool both_ways, struct layer_weights *l)
{
    const int64_t d = c->d_model, e = d / c->n_heads;
    const int64_t tables = c->relative == RELATIVE_MUSIC ? c->n_heads : 1;
    const int64_t reach =
        both_ways ? 2 * (int64_t)c->max_distance - 1 : c->max_distance;
    visit_part(p, "attn.qkv", 3 * d, d, &l->qkv_w, &l->qkv_b);
    visit_part(p, "attn.out", d, d, &l->out_w, &l->out_b);
    if (c->max_distance)
        visit_part(p, "attn.relative_key", tables * reach, e, &l->relative_key, NULL);
    if (c->relative == RELATIVE_SHAW)
        visit_part(p, "attn.relative_value", reach, e, &l->relative_value, NULL);
    visit_time(p, c, "attn.time_key", &l->time_key);
    if (c->values && !both_ways)
        visit_part(p, "attn.value_embedding", c->vocab, d, &l->value_embedding, NULL);
}

static void visit_cross(struct walk *p, const struct model_config *c,
                        struct layer_weights *l)
{
    const int64_t d = c->d_model;
    visit_part(p, "norm_cross", d, 0, &l->norm_cross_w, &l->norm_cross_b);
    visit_part(p, "cross.q", d, d, &l->cross_q_w, &l->cross_q_b);
    visit_part(p, "cross.kv", 2 * d, d, &l->cross_kv_w, &l->cross_kv_b);
    visit_part(p, "cross.out", d, d, &l->cross_out_w, &l->cross_out_b);
    visit_time(p, c, "cross.time_key", &l->cross_time_key);
}

static void visit_layer(struct walk *p, const struct model_config *c, bool encoder,
                        struct layer_weights *l)
{
    const int64_t d = c->d_model, ff = c->d_ff;
    visit_part(p, "norm1", d, 0, &l->norm1_w, &l->norm1_b);
    if (c->mixing == MIXING_ATTENTION)
        visit_attention(p, c, encoder, l);
    if (c->n_encoder_layers && !encoder)
        visit_cross(p, c, l);
    visit_part(p, "norm2", d, 0, &l->norm2_w, &l->norm2_b);
    visit_part(p, "ff1", ff, d, &l->ff1_w, &l->ff1_b);
    visit_part(p, "ff2", d, ff, &l->ff2_w, &l->ff2_b);
}

static void visit_layers(struct walk *walk, const struct model_config *c, bool encoder,
                         struct layer_weights *layers)
{
    struct layer_weights unused = {0};
    const int n = encoder ? c->n_encoder_layers : c->n_layers,
              first = encoder ? c->n_layers : 0;
    for (int i = 0; i < n; i++) {
        snprintf(walk->prefix, sizeof walk->prefix, "%slayers.%d.",
                 encoder ? "encoder." : "", i);
        visit_layer(walk, c, encoder, layers ? &layers[first + i] : &unused);
    }
    walk->prefix[0] = '\0';
}

/* The one list of a model's tensors. If w->layers is NULL, the addresses in layers are
 * not meaningful. Returns the number of floats. */
static size_t visit_all(const struct model_config *c, struct model_weights *w,
                        visit_fn *visit, void *arg)
{
    struct walk at = {.visit = visit, .arg = arg};
    const int64_t d = c->d_model;
    visit_one(&at, "token_embedding", ".weight", c->vocab, d, &w->token);
    if (c->state)
        visit_one(&at, "state_embedding", ".weight", c->state, d, &w->state);
    if (c->position == POSITION_LEARNED)
        visit_one(&at, "position_embedding", ".weight", c->context, d, &w->position);
    visit_layers(&at, c, true, w->layers);
    if (c->n_encoder_layers && c->norm == NORM_PRE)
        visit_part(&at, "encoder.norm", d, 0, &w->encoder_norm_w, &w->encoder_norm_b);
    visit_layers(&at, c, false, w->layers);
    if (c->norm == NORM_PRE)
        visit_part(&at, "norm", d, 0, &w->norm_w, &w->norm_b);
    if (!c->tied)
        visit_one(&at, "head", ".weight", c->vocab, d, &w->head);
    return at.n_floats;
}

struct list {
    struct model_tensor *tensors; /* NULL: the tensors are only counted */
    size_t n;
};

static void put_in_list(void *arg, const struct model_tensor *t, const float **at)
{
    struct list *l = arg;
    if (l->tensors) {
        l->tensors[l->n] = *t;
        l->tensors[l->n].at = *at;
    }
    l->n++;
}

size_t model_tensors(const struct model_config *c, const struct model_weights *w,
                     struct model_tensor **tensors, size_t *n_floats)
{
    struct model_weights from = w ? *w : (struct model_weights){0}; /* only read */
    struct list l = {0};
    *n_floats = visit_all(c, &from, put_in_list, &l);
    l = (struct list){.tensors = calloc(l.n, sizeof *l.tensors)};
    *tensors = l.tensors;
    if (l.tensors)
        visit_all(c, &from, put_in_list, &l);
    return l.n;
}

static void bind_in_block(void *arg, const struct model_tensor *t, const float **at)
{
    const float *const *block = arg;
    *at = *block + t->offset;
}

static void bind_next(void *arg, const struct model_tensor *t, const float **at)
{
    const struct model_tensor **next = arg;
    (void)t;
    *at = (*next)++->at;
}

/* Sets every pointer of w by `visit`; the pointers of absent tensors become NULL. */
static void bind(struct model_weights *w, const struct model_config *c, visit_fn *visit,
                 void *arg)
{
    struct layer_weights *layers = w->layers;
    memset(layers, 0, model_n_layers(c) * sizeof *layers);
    *w = (struct model_weights){.layers = layers};
    visit_all(c, w, visit, arg);
    w->head = c->tied ? w->token : w->head;
}

void model_bind(struct model_weights *w, const struct model_config *c,
                const float *block)
{
    bind(w, c, bind_in_block, &block);
}

void model_bind_each(struct model_weights *w, const struct model_config *c,
                     const struct model_tensor *tensors)
{
    bind(w, c, bind_next, &tensors);
}

struct init {
    float *block;
    struct rng rng;
};

/* Matrices are random, the scales of norms are 1, and all other tensors are 0: biases,
 * shifts, and the tables that begin at zero. */
static void init_tensor(void *arg, const struct model_tensor *t, const float **at)
{
    struct init *init = arg;
    float *to = init->block + t->offset;
    const bool scale = strstr(t->name, "norm") && strstr(t->name, ".weight");
    (void)at;
    for (size_t i = 0; i < model_tensor_size(t); i++)
        to[i] = t->decays ? 0.02f * rng_normal(&init->rng) : scale ? 1.0f : 0.0f;
}

void model_init_block(float *block, const struct model_config *c, uint64_t seed)
{
    struct model_weights unused = {0};
    struct init init = {.block = block};
    rng_seed(&init.rng, seed);
    visit_all(c, &unused, init_tensor, &init);
}
