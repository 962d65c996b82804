/* Opens a model: reads its configuration from the metadata and its tensors from the
 * file's data. An f32 tensor at an aligned address is used in place. Tensors in bf16 or 8
 * bits, and f32 tensors at odd addresses, are converted to f32 in one block that the
 * model owns. Every weight is checked to be finite. */
#include "model/weights/model.h"

#include "model/base/pool.h"
#include "model/kernels/bf16.h"
#include "model/weights/packed_model.h"
#include "model/weights/quantise.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is made on demand. Several threads may share a model, so each kind has its own
 * lock. */
enum { PACKED, PREFILL, HASH, N_MADE };
struct made_once {
    pthread_mutex_t lock[N_MADE];
    struct packed_model *packed;
    struct packed_prefill *prefill;
    uint64_t hash; /* 0: not made yet */
};

/* Allocates the layers and a block of n_own floats, which starts on a cache line. */
static bool allocate(struct model *m, size_t n_own)
{
    const size_t n_layers = (size_t)model_n_layers(&m->config);
    m->weights.layers = calloc(n_layers, sizeof *m->weights.layers);
    if (n_own)
        m->own = aligned_alloc(64, (n_own * sizeof(float) + 63) / 64 * 64);
    return m->weights.layers && (m->own || !n_own);
}

/* Loads the tensors of a model: finds each in the file by its name, then uses it in place
 * or converts it to f32. Nothing in the file is trusted. */
struct loader {
    const struct safetensors *file;
    struct model_tensor *list;
    const struct tensor **found;  /* [n] */
    const struct tensor **scales; /* [n] NULL for tensors that are not in 8 bits */
    size_t n;
    char *detail; /* [n_detail] receives the name of the tensor at fault */
    size_t n_detail;
};

static bool fits(const struct tensor *t, const struct model_tensor *as)
{
    bool fine = t->type == TENSOR_F32 || t->type == TENSOR_BF16 ||
                (t->type == TENSOR_I8 && quantise_may_be_int8(as));
    fine = fine && t->n_dims == as->n_dims;
    for (int i = 0; fine && i < t->n_dims; i++)
        fine = t->shape[i] == as->shape[i];
    return fine;
}

static bool usable_in_place(const struct tensor *t)
{
    return t->type == TENSOR_F32 && (uintptr_t)t->data % _Alignof(float) == 0;
}

static enum model_status blame(const struct loader *l, const char *name)
{
    if (l->detail && l->n_detail)
        snprintf(l->detail, l->n_detail, "%s", name);
    return MODEL_BAD_TENSOR;
}

/* Finds and reads tensor i of the list, and its scales if it is in 8 bits. */
static enum model_status find_tensor(struct loader *l, size_t i)
{
    char scales[sizeof((struct tensor *)0)->name];
    const struct tensor *t = l->found[i] = safetensors_find(l->file, l->list[i].name);
    if (!t || !fits(t, &l->list[i]))
        return blame(l, l->list[i].name);
    enum model_status st = safetensors_read(l->file, t);
    if (st || t->type != TENSOR_I8)
        return st;
    l->scales[i] = quantise_find_scales(l->file, &l->list[i], scales);
    return l->scales[i] ? MODEL_OK : blame(l, scales);
}

/* Gives each tensor of the list its address: in the file's data if it can be used in
 * place, else in `own`, where it is converted to. `own` has room for all that are
 * converted. */
static void convert(struct loader *l, float *own)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct tensor *t = l->found[i];
        const uint8_t *from = t->data;
        size_t n = model_tensor_size(&l->list[i]);
        l->list[i].at = own;
        if (usable_in_place(t)) {
            l->list[i].at = t->data;
            continue;
        }
        if (t->type == TENSOR_I8)
            quantise_widen(own, t, l->scales[i]);
        else if (t->type == TENSOR_F32)
            memcpy(own, from, t->n_bytes);
        else /* bf16, at any address */
            for (size_t k = 0; k < n; k++)
                own[k] = bf16_widen((uint16_t)(from[2 * k] | from[2 * k + 1] << 8));
        own += n;
    }
}

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t is_bad(float x)
{
    const uint32_t exponent = 0x7f800000u;
    return (bits_of(x) & exponent) == exponent;
}

/* Collects several independent flags, so that the compiler can vectorise the loop. */
static bool is_finite(const float *x, size_t n)
{
    enum { TURNS = 16 };
    uint32_t bad[TURNS] = {0};
    size_t i = 0;
    for (; i + TURNS <= n; i += TURNS)
        for (int t = 0; t < TURNS; t++)
            bad[t] |= is_bad(x[i + (size_t)t]);
    for (; i < n; i++)
        bad[0] |= is_bad(x[i]);
    for (int t = 1; t < TURNS; t++)
        bad[0] |= bad[t];
    return !bad[0];
}

static enum model_status bind_file(struct model *m, char *detail, size_t n_detail)
{
    struct loader l = {.file = m->file, .detail = detail, .n_detail = n_detail};
    size_t n_own = 0;
    l.n = model_tensors(&m->config, NULL, &l.list, &m->n_parameters);
    l.found = calloc(l.n + 1, sizeof(const struct tensor *));
    l.scales = calloc(l.n + 1, sizeof(const struct tensor *));
    enum model_status st = l.n && l.found && l.scales ? MODEL_OK : MODEL_NO_MEMORY;
    for (size_t i = 0; !st && i < l.n; i++) {
        st = find_tensor(&l, i);
        if (!st && !usable_in_place(l.found[i]))
            n_own += model_tensor_size(&l.list[i]);
    }
    if (!st && !allocate(m, n_own))
        st = MODEL_NO_MEMORY;
    if (!st) {
        convert(&l, m->own);
        safetensors_end_reading(m->file, n_own < m->n_parameters);
        model_bind_each(&m->weights, &m->config, l.list);
    }
    for (size_t i = 0; !st && i < l.n; i++)
        if (!is_finite(l.list[i].at, model_tensor_size(&l.list[i])))
            st = blame(&l, l.list[i].name);
    free(l.list);
    free(l.found);
    free(l.scales);
    return st;
}

/* Hands the model to the caller, or closes it if something failed. */
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

/* Opens a file or, if path is NULL, the bytes of one. */
static enum model_status open_from(struct model **out, const char *path,
                                   const void *bytes, size_t n, char *detail,
                                   size_t n_detail)
{
    struct model *m = model_create();
    if (!m)
        return MODEL_NO_MEMORY;
    enum model_status st = safetensors_open(&m->file, path, bytes, n, detail, n_detail);
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
    struct model_tensor *list;
    const size_t n = model_tensors(c, NULL, &list, &m->n_parameters);
    free(list);
    if (!n || !allocate(m, m->n_parameters))
        return finish(out, m, MODEL_NO_MEMORY);
    model_init_block(m->own, c, seed);
    model_bind(&m->weights, c, m->own);
    return finish(out, m, MODEL_OK);
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

/* FNV-1a, one 32-bit word at a time. 0: out of memory. */
static uint64_t make_hash(const struct model *m)
{
    struct model_tensor *list;
    size_t n_floats, n = model_tensors(&m->config, &m->weights, &list, &n_floats);
    uint64_t hash = n ? 0xcbf29ce484222325u : 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < model_tensor_size(&list[i]); k++)
            hash = (hash ^ bits_of(list[i].at[k])) * 0x100000001b3u;
    free(list);
    return hash;
}

/* Makes one of the things that are made on demand, unless it exists. */
static const struct made_once *make(const struct model *m, int what)
{
    struct made_once *made = m->made;
    pthread_mutex_lock(&made->lock[what]);
    if (what == HASH && !made->hash)
        made->hash = make_hash(m);
    if (what == PACKED && !made->packed)
        made->packed =
            packed_model_create(&m->config, &m->weights, m->precision.weights);
    if (what == PREFILL && !made->prefill)
        made->prefill =
            packed_prefill_create(&m->config, &m->weights, product_best(true));
    pthread_mutex_unlock(&made->lock[what]);
    return made;
}

uint64_t model_hash(const struct model *m)
{
    return make(m, HASH)->hash;
}

const struct packed_model *model_packed(const struct model *m)
{
    return make(m, PACKED)->packed;
}

const struct packed_prefill *model_packed_prefill(const struct model *m)
{
    if (m->precision.weights == WEIGHTS_F32 || product_best(true)->per_word == 1)
        return NULL;
    return make(m, PREFILL)->prefill;
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
