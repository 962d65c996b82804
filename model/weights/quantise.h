/* Weights in fewer bits than in training. A matrix that single steps multiply with may be
 * stored as 8-bit integers, with one scale per row: weight = integer * scale. The
 * integers are symmetric about zero (Jacob et al. 2018, section 2.1, with zero-point 0).
 * A file stores the scales of X.weight as the tensor X.weight_scale, f32 [rows]; see
 * models/FORMAT.md.
 *
 * The functions on rows are pure: any thread may call them. */
#ifndef MODEL_QUANTISE_H
#define MODEL_QUANTISE_H

#include "model/weights/safetensors.h"

/* The largest integer that is written. A file's -128 is read as -128. */
enum { QUANTISE_MAX = 127 };

/* True if t may be stored in 8 bits: embeddings, linear layers and value embeddings.
 * Norms, biases and position tables are small and are added or multiplied element by
 * element. */
bool quantise_may_be_int8(const struct model_tensor *t);

/* to[n] = from[n] / scale, to the nearest integer, ties to even; from must be finite.
 * Returns the scale: the largest magnitude / 127, rounded to 17 significant bits. So
 * integer * scale is exact in f32, and quantising the products gives the same integers
 * and scale again. The scale is 0 if all numbers are zero or below 1.5e-36. */
float quantise_row(int8_t *to, const float *from, size_t n);
/* to[n] = from[n] * scale. Results are not finite if the scale is too large. */
void quantise_widen_row(float *to, const int8_t *from, float scale, size_t n);

/* Finds and reads the scales of t, which the file f stores in 8 bits. NULL: they are
 * missing, of another shape or type than f32 [rows], or one is negative or not finite.
 * name[96] receives the name of their tensor. */
const struct tensor *quantise_find_scales(const struct safetensors *f,
                                          const struct model_tensor *t, char *name);
/* Widens the whole matrix [rows, columns] to f32. The scales' data may be at any address. */
void quantise_widen(float *to, const struct tensor *weights,
                    const struct tensor *scales);

/* The relative error of a row is |written - was| / |was|, with Euclidean norms; 0 for a
 * row of zeros. */
struct quantise_error {
    size_t n_rows; /* the rows of all matrices that were written in fewer bits */
    double largest, mean;
    char tensor[80]; /* where the largest error is; "" if there is none */
    int64_t row;
};

/* Writes the model m with weights of a type or, with `other`, the mean of both models,
 * whose configurations must be equal (Wortsman et al., "Model soups", ICML 2022).
 * TENSOR_BF16 rounds every tensor to bf16. TENSOR_I8 stores every tensor in 8 bits that
 * may be, and the others exactly: in bf16 if that is possible, else in f32. The path must
 * not be a file that one of the models was opened from. On MODEL_CANNOT_WRITE errno says
 * why, and there is no file. */
enum model_status quantise_save(const struct model *m, const struct model *other,
                                const char *path, enum tensor_type type,
                                const struct metadata *metadata, size_t n_metadata,
                                struct quantise_error *error);

#endif
