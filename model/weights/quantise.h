/* Weights in fewer bits than in training. A matrix that steps multiply with may be
 * stored as 8-bit integers with one scale a row, that is, an output: weight = integer *
 * scale. The integers are symmetric about zero (Jacob et al. 2018, section 2.1,
 * zero-point 0). A file stores the scales of X.weight as X.weight_scale, f32 [rows]:
 * see models/FORMAT.md.
 *
 * Pure functions: any thread may call them. */
#ifndef MODEL_QUANTISE_H
#define MODEL_QUANTISE_H

#include "model/weights/safetensors.h"

/* The largest integer written. A file's -128 is read as -128. */
enum { QUANTISE_MAX = 127 };

/* True if t may be stored in 8 bits: embeddings and linear layers. Norms, biases and
 * position tables are small, and are added or multiplied element by element. */
bool quantise_may_be_int8(const struct model_tensor *t);

/* to[n] = from[n] / scale to the nearest, ties to even. Returns the scale, 1/127 of the
 * largest magnitude, rounded to 17 significant bits. So integer * scale is exact in f32
 * and quantises to the same integer and scale again. The scale is 0 for a row of zeros
 * or of numbers below 1.5e-36. from is finite. */
float quantise_row(int8_t *to, const float *from, size_t n);
/* to[n] = from[n] * scale. Not finite when the scale is too large. */
void quantise_widen_row(float *to, const int8_t *from, float scale, size_t n);

/* The scales of t, which f stores in 8 bits. NULL: they are missing, misshapen or not
 * f32, or one is negative or not finite. name[96] receives their name. */
const struct tensor *quantise_find_scales(const struct safetensors *f,
                                          const struct model_tensor *t, char *name);
/* Widens the whole matrix [rows, columns] by its scales, which need no alignment. */
void quantise_widen(float *to, const struct tensor *weights,
                    const struct tensor *scales);

/* Each row's relative error |written - was| / |was|, Euclidean; 0 for rows of zeros. */
struct quantise_error {
    size_t n_rows; /* of matrices written in fewer bits */
    double largest, mean;
    char tensor[80]; /* where the largest is; "" when there is none */
    int64_t row;
};

/* Writes m with weights of a type; with another model of an equal configuration, the mean of
 * both (Wortsman et al., "Model soups", ICML 2022). TENSOR_BF16 rounds every tensor. TENSOR_I8
 * stores each tensor that may be in 8 bits so; the others stay as they are, in bf16 if that is
 * exact, else in f32. The path must not be a file of theirs. MODEL_CANNOT_WRITE leaves errno
 * set, and no file. */
enum model_status quantise_save(const struct model *m, const struct model *other,
                                const char *path, enum tensor_type type,
                                const struct metadata *metadata, size_t n_metadata,
                                struct quantise_error *error);

#endif
