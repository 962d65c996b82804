/* Opens a model: its configuration from the metadata, its tensors from the file's data.
 * f32 tensors on their natural boundary are used in place. Others, bf16, 8-bit or
 * misaligned, are widened into one block that the model owns. Every weight is checked
 * to be finite. */
#include "model/weights/model.h"

#include "model/base/pool.h"
#include "model/weights/packed_model.h"
#include "model/weights/packed_prefill.h"
#include "model/weights/tensor_loader.h"

#include <pthread.h>
#include <stdlib.h>

/* Made on demand from a model that may be shared, each under its own lock. */
enum { PACKED, PREFILL, HASH, N_MADE };
struct made_once {
    pthread_mutex_t lock[N_MADE];
    struct packed_model *packed;
    struct packed_prefill *prefill;
    uint64_t hash;
    bool has_hash;
};

/* Starts on a cache line. NULL: out of memory. */
static float *block_create(size_t n_floats)
{
    size_t n = (n_floats * sizeof(float) + 63) / 64 * 64;
    return aligned_alloc(64, n ? n : 64);
}

/* Sets the weight pointers once every tensor has its address. */
static enum model_status bind(struct model *m, const struct tensor_loader *w,
                              char *detail, size_t n_detail)
{
    m->weights.layers =
        calloc((size_t)model_n_layers(&m->config), sizeof *m->weights.layers);
    if (!m->weights.layers)
        return MODEL_NO_MEMORY;
    model_bind_each(&m->weights, &m->config, w->at);
    return tensor_loader_check_finite(w, detail, n_detail);
}

static enum model_status bind_file(struct model *m, char *detail, size_t n_detail)
{
    struct tensor_loader w = {0};
    size_t n_own;
    enum model_status st = tensor_loader_init(&w, &m->config, &m->n_parameters);
    if (!st)
        st = tensor_loader_read(&w, m->file, &n_own, detail, n_detail);
    if (!st && n_own) {
        m->own = block_create(n_own);
        st = m->own ? MODEL_OK : MODEL_NO_MEMORY;
    }
    if (!st) {
        tensor_loader_convert(&w, m->own);
        safetensors_end_reading(m->file, n_own < m->n_parameters);
        st = bind(m, &w, detail, n_detail);
    }
    tensor_loader_fini(&w);
    return st;
}

static enum model_status bind_random(struct model *m, uint64_t seed)
{
    struct tensor_loader w = {0};
    enum model_status st = tensor_loader_init(&w, &m->config, &m->n_parameters);
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
    tensor_loader_fini(&w);
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
    struct made_once *made = calloc(1, sizeof *made);
    if (!m || !made) {
        free(m);
        free(made);
        return NULL;
    }
    for (int i = 0; i < N_MADE; i++)
        pthread_mutex_init(&made->lock[i], NULL);
    m->made = made;
    return m;
}

/* Opens a file, or its bytes if path is NULL. */
static enum model_status open_from(struct model **out, const char *path,
                                   const void *bytes, size_t n, char *detail,
                                   size_t n_detail)
{
    struct model *m = model_create();
    if (!m)
        return MODEL_NO_MEMORY;
    enum model_status st =
        path ? safetensors_open(&m->file, path, detail, n_detail)
             : safetensors_parse(&m->file, bytes, n, detail, n_detail);
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
    return open_from(out, path, NULL, 0, detail, n_detail);
}

enum model_status model_parse(struct model **out, const void *bytes, size_t n,
                              char *detail, size_t n_detail)
{
    return open_from(out, NULL, bytes, n, detail, n_detail);
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
    packed_model_destroy(m->made->packed);
    packed_prefill_destroy(m->made->prefill);
    for (int i = 0; i < N_MADE; i++)
        pthread_mutex_destroy(&m->made->lock[i]);
    free(m->made);
    free(m->weights.layers);
    free(m->own);
    free(m);
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

/* 0: no memory. */
static uint64_t make_hash(const struct model *m)
{
    struct tensor_loader w = {0};
    size_t n_floats;
    uint64_t hash = 0;
    if (!tensor_loader_init(&w, &m->config, &n_floats)) {
        model_list_each(&m->weights, &m->config, w.at);
        hash = tensor_loader_hash(&w);
    }
    tensor_loader_fini(&w);
    return hash;
}

uint64_t model_hash(const struct model *m)
{
    struct made_once *made = m->made;
    pthread_mutex_lock(&made->lock[HASH]);
    if (!made->has_hash)
        made->hash = make_hash(m);
    made->has_hash = made->hash != 0;
    uint64_t hash = made->hash;
    pthread_mutex_unlock(&made->lock[HASH]);
    return hash;
}

const struct packed_model *model_packed(const struct model *m)
{
    struct made_once *made = m->made;
    pthread_mutex_lock(&made->lock[PACKED]);
    if (!made->packed)
        made->packed =
            packed_model_create(&m->config, &m->weights, m->precision.weights);
    const struct packed_model *packed = made->packed;
    pthread_mutex_unlock(&made->lock[PACKED]);
    return packed;
}

const struct packed_prefill *model_packed_prefill(const struct model *m)
{
    struct made_once *made = m->made;
    if (m->precision.weights == WEIGHTS_F32 || !product_bf16())
        return NULL;
    pthread_mutex_lock(&made->lock[PREFILL]);
    if (!made->prefill)
        made->prefill =
            packed_prefill_create(&m->config, &m->weights, product_best(true));
    const struct packed_prefill *prefill = made->prefill;
    pthread_mutex_unlock(&made->lock[PREFILL]);
    return prefill;
}

static void pack_task(void *arg, int i, int thread)
{
    const struct model *const *m = arg;
    (void)thread;
    if (i)
        model_packed_prefill(*m);
    else
        model_packed(*m);
}

void model_pack(const struct model *m, struct pool *pool)
{
    pool_run(pool, pack_task, &m, 2);
}
