/* Models of random numbers, written to files and opened; and drafts: the tensors of a file
 * in memory, to be spoilt before they are written. */
#ifndef TESTS_MODEL_DRAFT_H
#define TESTS_MODEL_DRAFT_H

#include "model/weights/quantise.h"
#include "tests/check.h"
#include "tests/model/auto.h"
#include "tests/temp_file.h"

enum { DRAFT_TENSORS = 128 };

static inline struct model *random_model(const struct model_config *c, uint64_t seed)
{
    struct model *m = NULL;
    assert_ok(model_random(&m, c, seed));
    return m;
}

static inline struct model *open_model(const char *path)
{
    struct model *m = NULL;
    char detail[96];
    enum model_status st = model_open(&m, path, detail, sizeof detail);
    if (st)
        fail_msg("%s: %s", model_strerror(st), detail);
    return m;
}

/* With weights of any type, f32 too. */
static inline void write_model(const struct model *m, const char *path,
                               enum tensor_type type)
{
    struct tensor tensors[DRAFT_TENSORS];
    struct quantise_error error;
    auto_free struct model_tensor *list = NULL;
    auto_free char *config = model_config_json(&m->config);
    const struct metadata about = {"config", config};
    size_t n_floats, n = model_tensors(&m->config, &m->weights, &list, &n_floats);
    assert_in_range(n, 1, DRAFT_TENSORS);
    for (size_t i = 0; i < n; i++)
        tensors[i] = tensor_of(&list[i], TENSOR_F32, list[i].at);
    if (type == TENSOR_F32)
        assert_ok(safetensors_save(path, tensors, n, &about, 1));
    else
        assert_ok(quantise_save(m, NULL, path, type, &about, 1, &error));
}

struct draft {
    struct tensor tensors[DRAFT_TENSORS]; /* their data is the draft's */
    size_t n;
    char *config;
};

static inline struct draft draft_of(const struct model *m, enum tensor_type type)
{
    struct draft d = {.config = model_config_json(&m->config)};
    auto_safetensors *f = NULL;
    write_model(m, temp_path("draft"), type);
    assert_ok(safetensors_open(&f, temp_path("draft"), NULL, 0, NULL, 0));
    for (const struct tensor *t; (t = safetensors_at(f, d.n)); d.n++) {
        assert_ok(safetensors_read(f, t));
        void *copy = malloc(t->n_bytes);
        memcpy(copy, t->data, t->n_bytes);
        d.tensors[d.n] = *t;
        d.tensors[d.n].data = copy;
    }
    return d;
}

static inline struct tensor *draft_find(struct draft *d, const char *name)
{
    for (size_t i = 0; i < d->n; i++)
        if (!strcmp(d->tensors[i].name, name))
            return &d->tensors[i];
    fail_msg("no tensor %s", name);
    return NULL;
}

static inline void *draft_bytes(struct draft *d, const char *name)
{
    return (void *)(uintptr_t)draft_find(d, name)->data;
}

/* An odd tensor before the others pushes them off their boundaries. */
static inline void draft_stray(struct draft *d)
{
    memmove(d->tensors + 1, d->tensors, d->n++ * sizeof *d->tensors);
    d->tensors[0] = (struct tensor){"extra", TENSOR_U8, 1, {1}, calloc(1, 1), 1};
}

/* Written to temp_path("spoilt"), it opens so, and that is named; the draft is gone. */
static inline void draft_end(struct draft *d, enum model_status wanted,
                             const char *fault)
{
    auto_model *m = NULL;
    char detail[96] = "";
    const struct metadata about = {"config", d->config};
    assert_ok(safetensors_save(temp_path("spoilt"), d->tensors, d->n, &about, 1));
    assert_int_equal(model_open(&m, temp_path("spoilt"), detail, sizeof detail),
                     wanted);
    assert_string_equal(detail, fault);
    for (size_t i = 0; i < d->n; i++)
        free((void *)(uintptr_t)d->tensors[i].data);
    free(d->config);
}

/* What is wrong with a tensor: its shape, its type, or number `at`. */
struct draft_fault {
    const char *tensor;
    int n_dims, rows;
    enum tensor_type type;
    int at;
    float number;       /* not 0 */
    const char *blamed; /* NULL: it is */
};

static inline void draft_end_with(struct draft *d, const struct draft_fault *fault)
{
    struct tensor *t = draft_find(d, fault->tensor);
    if (fault->number != 0)
        ((float *)draft_bytes(d, fault->tensor))[fault->at] = fault->number;
    t->n_dims = fault->n_dims;
    t->shape[0] = fault->rows;
    t->shape[1] = t->shape[1] ? t->shape[1] : 1;
    t->type = fault->type;
    t->n_bytes = (size_t)(t->shape[0] * (t->n_dims > 1 ? t->shape[1] : 1)) *
                 tensor_types[t->type].size;
    draft_end(d, MODEL_BAD_TENSOR, fault->blamed ? fault->blamed : fault->tensor);
}

#endif
