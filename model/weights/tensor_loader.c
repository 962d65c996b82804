#include "model/weights/tensor_loader.h"

#include "model/weights/quantise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

enum model_status tensor_loader_init(struct tensor_loader *l,
                                     const struct model_config *c, size_t *n_floats)
{
    l->n = model_tensors(c, &l->list, n_floats);
    l->found = calloc(l->n + 1, sizeof(const struct tensor *));
    l->scales = calloc(l->n + 1, sizeof(const struct tensor *));
    l->at = calloc(l->n + 1, sizeof(const float *));
    return l->n && l->found && l->scales && l->at ? MODEL_OK : MODEL_NO_MEMORY;
}

void tensor_loader_fini(struct tensor_loader *l)
{
    free(l->list);
    free(l->found);
    free(l->scales);
    free(l->at);
}

/* Reads tensor i, and its scales if it has any. On failure names the one at fault. */
static enum model_status find_tensor(struct tensor_loader *l, size_t i,
                                     const struct safetensors *f, char *detail,
                                     size_t n_detail)
{
    char scales[sizeof((struct tensor *)0)->name];
    const struct tensor *t = l->found[i] = safetensors_find(f, l->list[i].name);
    if (!t || !fits(t, &l->list[i])) {
        name_fault(detail, n_detail, l->list[i].name);
        return MODEL_BAD_TENSOR;
    }
    enum model_status st = safetensors_read(f, t);
    if (st || t->type != TENSOR_I8)
        return st;
    l->scales[i] = quantise_find_scales(f, &l->list[i], scales);
    if (!l->scales[i]) {
        name_fault(detail, n_detail, scales);
        return MODEL_BAD_TENSOR;
    }
    return MODEL_OK;
}

enum model_status tensor_loader_read(struct tensor_loader *l,
                                     const struct safetensors *f, size_t *n_own,
                                     char *detail, size_t n_detail)
{
    *n_own = 0;
    for (size_t i = 0; i < l->n; i++) {
        enum model_status st = find_tensor(l, i, f, detail, n_detail);
        if (st)
            return st;
        if (!usable_in_place(l->found[i]))
            *n_own += model_tensor_size(&l->list[i]);
    }
    return MODEL_OK;
}

/* Widens bf16 at any address. */
static void widen(float *to, const uint8_t *from, size_t n)
{
    for (size_t i = 0; i < n; i++, from += 2)
        to[i] = quantise_from_bf16((uint16_t)(from[0] | from[1] << 8));
}

void tensor_loader_convert(struct tensor_loader *l, float *own)
{
    for (size_t i = 0; i < l->n; i++) {
        const struct tensor *t = l->found[i];
        size_t n = model_tensor_size(&l->list[i]);
        if (usable_in_place(t)) {
            l->at[i] = t->data;
            continue;
        }
        if (t->type == TENSOR_I8)
            quantise_widen(own, t, l->scales[i]);
        else if (t->type == TENSOR_BF16)
            widen(own, t->data, n);
        else
            memcpy(own, t->data, t->n_bytes);
        l->at[i] = own;
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

/* Independent flags, which the compiler can vectorise. */
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

enum model_status tensor_loader_check_finite(const struct tensor_loader *l,
                                             char *detail, size_t n_detail)
{
    for (size_t i = 0; i < l->n; i++)
        if (!is_finite(l->at[i], model_tensor_size(&l->list[i]))) {
            name_fault(detail, n_detail, l->list[i].name);
            return MODEL_BAD_TENSOR;
        }
    return MODEL_OK;
}

/* FNV-1a, a word at a time. */
uint64_t tensor_loader_hash(const struct tensor_loader *l)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < l->n; i++)
        for (size_t k = 0; k < model_tensor_size(&l->list[i]); k++)
            hash = (hash ^ bits_of(l->at[i][k])) * 0x100000001b3u;
    return hash;
}
