/* Weights in fewer bits than they were trained in. A matrix that steps multiply with
 * may be stored as whole numbers of eight bits and a scale for each row, which is one
 * output: weight = integer * scale, the integers symmetric about zero (Jacob et al.
 * 2018, section 2.1, with a zero-point of 0). In files the scales of X.weight are
 * X.weight_scale, f32 [rows]; models/FORMAT.md has the rest.
 *
 * Functions of their arguments alone: any thread may call them. */
#ifndef MODEL_QUANTISE_H
#define MODEL_QUANTISE_H

#include "model/weights/safetensors.h"

#include <string.h>

/* The largest integer that is written. -128 is read as what it says. */
enum { QUANTISE_MAX = 127 };

/* Whether t may be stored in eight bits: embeddings and linear layers. Norms, biases
 * and tables of places are small, and added to or multiplied one by one. */
bool quantise_may_be_int8(const struct model_tensor *t);

/* to[n] = from[n] / scale to the nearest, ties to even; returns the scale, a 127th of
 * the largest magnitude in 17 significant bits, so that every product of the two is
 * exact in f32 and quantises to the same integer and scale again. 0 for a row of
 * zeros, or of numbers too small for that (below 1.5e-36). from is finite. */
float quantise_row(int8_t *to, const float *from, size_t n);
/* to[n] = from[n] * scale. Not finite when the scale is too large. */
void quantise_widen_row(float *to, const int8_t *from, float scale, size_t n);

/* To the nearest bf16, ties to even; the largest bf16 for finite numbers beyond it. */
uint16_t quantise_to_bf16(float x);
/* What those 16 bits are: the upper half of an f32. Exact. */
static inline float quantise_from_bf16(uint16_t half)
{
    uint32_t bits = (uint32_t)half << 16;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The scales of t, which f holds in eight bits. NULL: they are missing, misshapen, not
 * f32, or one is not finite or negative. name[96] receives what they are called. */
const struct tensor *quantise_find_scales(const struct safetensors *f,
                                          const struct model_tensor *t, char *name);
/* The whole matrix, [rows, columns], by its scales. They may lie at any byte. */
void quantise_widen(float *to, const struct tensor *weights,
                    const struct tensor *scales);

/* How far rows moved: |written - was| / |was|, Euclidean; rows of zeros count as 0. */
struct quantise_error {
    size_t n_rows; /* of matrices written in fewer bits */
    double largest, mean;
    char tensor[80]; /* where the largest is; "" when there is none */
    int64_t row;
};

/* Writes m with weights of a type: TENSOR_BF16 rounds every tensor; TENSOR_I8 stores
 * what may be so in eight bits, and the rest as it is, in bf16 where that loses
 * nothing and else in f32. The path is not one of m's own file. MODEL_CANNOT_WRITE
 * leaves errno, and no file. */
enum model_status quantise_save(const struct model *m, const char *path,
                                enum tensor_type type, const struct metadata *metadata,
                                size_t n_metadata, struct quantise_error *error);

#endif
