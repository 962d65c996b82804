/* Loads the tensors of one model: finds each in its file by name, uses it in place or
 * converts it to f32, and checks every number. Nothing in the file is trusted. */
#ifndef MODEL_TENSOR_LOADER_H
#define MODEL_TENSOR_LOADER_H

#include "model/weights/safetensors.h"

struct tensor_loader {
    struct model_tensor *list;
    const struct tensor **found;  /* [n] */
    const struct tensor **scales; /* [n] of those in 8 bits, else NULL */
    const float **at;             /* [n] */
    size_t n;
};

/* *n_floats = the number of weights. Call fini also after a failure. */
enum model_status tensor_loader_init(struct tensor_loader *l,
                                     const struct model_config *c, size_t *n_floats);
void tensor_loader_fini(struct tensor_loader *l);
/* Reads each tensor. *n_own = how many floats must be converted. On failure *detail names
 * the tensor. */
enum model_status tensor_loader_read(struct tensor_loader *l,
                                     const struct safetensors *f, size_t *n_own,
                                     char *detail, size_t n_detail);
/* Uses each tensor in place or converts it into `own`, which has room for n_own floats. */
void tensor_loader_convert(struct tensor_loader *l, float *own);
/* Checks that every weight is finite; *detail names the tensor of one that is not. */
enum model_status tensor_loader_check_finite(const struct tensor_loader *l,
                                             char *detail, size_t n_detail);
/* The hash of model_hash; after convert. */
uint64_t tensor_loader_hash(const struct tensor_loader *l);

#endif
