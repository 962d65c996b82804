/* See wanted.h. */
#include "model/weights/wanted.h"

#include "model/weights/quantise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t n_elements(const struct model_tensor *t)
{
    return (size_t)t->shape[0] * (size_t)t->shape[1];
}

static bool fits(const struct tensor *t, const struct model_tensor *as)
{
    if (t->type != TENSOR_F32 && t->type != TENSOR_BF16 &&
        !(t->type == TENSOR_I8 && quantise_may_be_int8(as)))
        return false;
    if (t->n_dims != as->n_dims)
        return false;
    for (int i = 0; i < t->n_dims; i++)
        if (t->shape[i] != as->shape[i])
            return false;
    return true;
}

static bool usable_in_place(const struct tensor *t)
{
    return t->type == TENSOR_F32 && (uintptr_t)t->data % _Alignof(float) == 0;
}

static void name_fault(char *detail, size_t n_detail, const char *name)
{
    if (detail && n_detail)
        snprintf(detail, n_detail, "%s", name);
}

enum model_status wanted_init(struct wanted *w, const struct model_config *c,
                              size_t *n_floats)
{
    w->n = model_tensors(c, &w->list, n_floats);
    w->found = calloc(w->n + 1, sizeof(const struct tensor *));
    w->scales = calloc(w->n + 1, sizeof(const struct tensor *));
    w->at = calloc(w->n + 1, sizeof(const float *));
    return w->n && w->found && w->scales && w->at ? MODEL_OK : MODEL_NO_MEMORY;
}

void wanted_fini(struct wanted *w)
{
    free(w->list);
    free(w->found);
    free(w->scales);
    free(w->at);
}

/* Tensor i, and its scales if it has any, read. What is at fault otherwise is named. */
static enum model_status find_tensor(struct wanted *w, size_t i,
                                     const struct safetensors *f, char *detail,
                                     size_t n_detail)
{
    char scales[sizeof((struct tensor *)0)->name];
    const struct tensor *t = w->found[i] = safetensors_find(f, w->list[i].name);
    if (!t || !fits(t, &w->list[i])) {
        name_fault(detail, n_detail, w->list[i].name);
        return MODEL_BAD_TENSOR;
    }
    enum model_status st = safetensors_read(f, t);
    if (st || t->type != TENSOR_I8)
        return st;
    w->scales[i] = quantise_find_scales(f, &w->list[i], scales);
    if (!w->scales[i]) {
        name_fault(detail, n_detail, scales);
        return MODEL_BAD_TENSOR;
    }
    return MODEL_OK;
}

enum model_status wanted_find(struct wanted *w, const struct safetensors *f,
                              size_t *n_own, char *detail, size_t n_detail)
{
    *n_own = 0;
    for (size_t i = 0; i < w->n; i++) {
        enum model_status st = find_tensor(w, i, f, detail, n_detail);
        if (st)
            return st;
        if (!usable_in_place(w->found[i]))
            *n_own += n_elements(&w->list[i]);
    }
    return MODEL_OK;
}

/* Wherever in a file they begin. */
static void widen(float *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++, from += 2)
        to[i] = quantise_from_bf16((uint16_t)(from[0] | from[1] << 8));
}

void wanted_place(struct wanted *w, float *own)
{
    for (size_t i = 0; i < w->n; i++) {
        const struct tensor *t = w->found[i];
        size_t n = n_elements(&w->list[i]);
        if (usable_in_place(t)) {
            w->at[i] = t->data;
            continue;
        }
        if (t->type == TENSOR_I8)
            quantise_widen(own, t, w->scales[i]);
        else if (t->type == TENSOR_BF16)
            widen(own, t->data, n);
        else
            memcpy(own, t->data, t->n_bytes);
        w->at[i] = own;
        own += n;
    }
}

/* FNV-1a, a word at a time. False when a weight is not finite. */
static bool look_at(const float *x, size_t n, uint64_t *hash)
{
    uint32_t worst = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        uint32_t exponent = bits & 0x7f800000u;
        worst = exponent > worst ? exponent : worst;
        *hash = (*hash ^ bits) * 0x100000001b3u;
    }
    return worst < 0x7f800000u;
}

enum model_status wanted_look(const struct wanted *w, uint64_t *hash, char *detail,
                              size_t n_detail)
{
    *hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < w->n; i++)
        if (!look_at(w->at[i], n_elements(&w->list[i]), hash)) {
            name_fault(detail, n_detail, w->list[i].name);
            return MODEL_BAD_TENSOR;
        }
    return MODEL_OK;
}
