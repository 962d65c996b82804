/* The tensors of one model while it is being opened: found in its file by their names,
 * given a place, and looked at once each. Nothing of the file is believed. */
#ifndef MODEL_WANTED_H
#define MODEL_WANTED_H

#include "model/weights/safetensors.h"

struct wanted {
    struct model_tensor *list;
    const struct tensor **found;  /* [n] */
    const struct tensor **scales; /* [n] of those in 8 bits, else NULL */
    const float **at;             /* [n] */
    size_t n;
};

/* *n_floats: the weights there are. Fini it whatever comes of it. */
enum model_status wanted_init(struct wanted *w, const struct model_config *c,
                              size_t *n_floats);
void wanted_fini(struct wanted *w);
/* Reads each. *n_own is how many floats cannot be used where they are in the file. On failure
 * *detail names the tensor. */
enum model_status wanted_find(struct wanted *w, const struct safetensors *f,
                              size_t *n_own, char *detail, size_t n_detail);
/* Each where it is, or widened in `own`, which has room for those. */
void wanted_place(struct wanted *w, float *own);
/* Every weight is finite; *hash is model_hash's. */
enum model_status wanted_look(const struct wanted *w, uint64_t *hash, char *detail,
                              size_t n_detail);

#endif
