/* Opening a model: its configuration from the metadata, its tensors from what was
 * read. f32 tensors that lie on their natural boundary are used where they
 * are; bf16, 8-bit and stray ones are copied, widened, into one block of the model's
 * own. Every weight is looked at once, for its finiteness and for the hash. */
#include "model/weights/model.h"

#include "model/weights/packed_model.h"
#include "model/weights/packed_wide.h"
#include "model/weights/wanted.h"

#include <pthread.h>
#include <stdlib.h>

struct model {
    struct model_config config;
    struct model_weights weights;
    struct safetensors *file; /* NULL for a random model */
    float *own;               /* tensors not used in place, or NULL */
    size_t n_parameters;
    uint64_t hash;
    struct model_precision precision;
    const struct model_state_kind *state_kind;
    struct packing_once *packing;
};

/* What is made of a model that others may already share. */
struct packing_once {
    pthread_mutex_t lock;
    struct packed_model *packed;
    struct packed_wide *wide;
};

/* Starts on a cache line. NULL: out of memory. */
static float *block_create(size_t n_floats)
{
    size_t n = (n_floats * sizeof(float) + 63) / 64 * 64;
    return aligned_alloc(64, n ? n : 64);
}

/* The pointers, once every tensor has its place. */
static enum model_status bind(struct model *m, const struct wanted *w, char *detail,
                              size_t n_detail)
{
    m->weights.layers =
        calloc((size_t)model_n_layers(&m->config), sizeof *m->weights.layers);
    if (!m->weights.layers)
        return MODEL_NO_MEMORY;
    model_bind_each(&m->weights, &m->config, w->at);
    return wanted_look(w, &m->hash, detail, n_detail);
}

static enum model_status bind_file(struct model *m, char *detail, size_t n_detail)
{
    struct wanted w = {0};
    size_t n_own;
    enum model_status st = wanted_init(&w, &m->config, &m->n_parameters);
    if (!st)
        st = wanted_find(&w, m->file, &n_own, detail, n_detail);
    if (!st && n_own) {
        m->own = block_create(n_own);
        st = m->own ? MODEL_OK : MODEL_NO_MEMORY;
    }
    if (!st) {
        wanted_place(&w, m->own);
        safetensors_end_reading(m->file, n_own < m->n_parameters);
        st = bind(m, &w, detail, n_detail);
    }
    wanted_fini(&w);
    return st;
}

static enum model_status bind_random(struct model *m, uint64_t seed)
{
    struct wanted w = {0};
    enum model_status st = wanted_init(&w, &m->config, &m->n_parameters);
    if (!st) {
        m->own = block_create(m->n_parameters);
        st = m->own ? MODEL_OK : MODEL_NO_MEMORY;
    }
    if (!st) {
        model_init_block(m->own, &m->config, seed);
        for (size_t i = 0; i < w.n; i++)
            w.at[i] = m->own + w.list[i].offset;
        st = bind(m, &w, NULL, 0);
    }
    wanted_fini(&w);
    return st;
}

static enum model_status finish(struct model **out, struct model *m,
                                enum model_status st)
{
    if (st)
        model_close(m);
    else
        *out = m;
    return st;
}

static struct model *model_create(void)
{
    struct model *m = calloc(1, sizeof *m);
    struct packing_once *packing = calloc(1, sizeof *packing);
    if (!m || !packing) {
        free(m);
        free(packing);
        return NULL;
    }
    pthread_mutex_init(&packing->lock, NULL);
    m->packing = packing;
    return m;
}

/* Of m->file, if st says that it was opened. */
static enum model_status read_file(struct model **out, struct model *m,
                                   enum model_status st, char *detail, size_t n_detail)
{
    if (!st)
        st = model_config_parse(&m->config, safetensors_metadata(m->file, "config"),
                                detail, n_detail);
    if (!st)
        st = bind_file(m, detail, n_detail);
    return finish(out, m, st);
}

enum model_status model_open(struct model **out, const char *path, char *detail,
                             size_t n_detail)
{
    struct model *m = model_create();
    if (!m)
        return MODEL_NO_MEMORY;
    return read_file(out, m,
                     safetensors_open_or_blame(&m->file, path, detail, n_detail),
                     detail, n_detail);
}

enum model_status model_parse(struct model **out, const void *bytes, size_t n,
                              char *detail, size_t n_detail)
{
    struct model *m = model_create();
    if (!m)
        return MODEL_NO_MEMORY;
    return read_file(out, m,
                     safetensors_parse_or_blame(&m->file, bytes, n, detail, n_detail),
                     detail, n_detail);
}

enum model_status model_random(struct model **out, const struct model_config *c,
                               uint64_t seed)
{
    if (!model_config_valid(c))
        return MODEL_BAD_CONFIG;
    struct model *m = model_create();
    if (!m)
        return MODEL_NO_MEMORY;
    m->config = *c;
    return finish(out, m, bind_random(m, seed));
}

void model_close(struct model *m)
{
    if (!m)
        return;
    safetensors_close(m->file);
    packed_model_destroy(m->packing->packed);
    packed_wide_destroy(m->packing->wide);
    pthread_mutex_destroy(&m->packing->lock);
    free(m->packing);
    free(m->weights.layers);
    free(m->own);
    free(m);
}

const struct model_config *model_config(const struct model *m)
{
    return &m->config;
}

const struct model_weights *model_weights(const struct model *m)
{
    return &m->weights;
}

size_t model_n_parameters(const struct model *m)
{
    return m->n_parameters;
}

const char *model_metadata(const struct model *m, const char *key)
{
    return m->file ? safetensors_metadata(m->file, key) : NULL;
}

size_t model_list_metadata(const struct model *m, struct metadata **list)
{
    *list = NULL;
    return m->file ? safetensors_list_metadata(m->file, list) : 0;
}

uint64_t model_hash(const struct model *m)
{
    return m->hash;
}

void model_set_precision(struct model *m, struct model_precision p)
{
    m->precision = p;
}

struct model_precision model_precision(const struct model *m)
{
    return m->precision;
}

void model_set_state_kind(struct model *m, const struct model_state_kind *kind)
{
    m->state_kind = kind;
}

const struct model_state_kind *model_state_kind(const struct model *m)
{
    return m->state_kind;
}

const struct packed_model *model_packed(const struct model *m)
{
    struct packing_once *p = m->packing;
    pthread_mutex_lock(&p->lock);
    if (!p->packed)
        p->packed = packed_model_create(&m->config, &m->weights, m->precision.weights);
    const struct packed_model *packed = p->packed;
    pthread_mutex_unlock(&p->lock);
    return packed;
}

const struct packed_wide *model_packed_wide(const struct model *m)
{
    struct packing_once *p = m->packing;
    if (m->precision.weights == WEIGHTS_F32 || !product_bf16())
        return NULL;
    pthread_mutex_lock(&p->lock);
    if (!p->wide)
        p->wide = packed_wide_create(&m->config, &m->weights, product_bf16());
    const struct packed_wide *wide = p->wide;
    pthread_mutex_unlock(&p->lock);
    return wide;
}
