/* The decoder variants that are compared: the published ones and a few combinations. All have
 * one size; they differ in position encoding, token mixing and the place of the norms. Pure. */
#ifndef APP_VARIANTS_H
#define APP_VARIANTS_H

#include "model/weights/model.h"

struct variant {
    const char *name;  /* of its file, too */
    const char *about; /* a few words with their source */
    enum model_position position;
    enum model_relative relative;
    enum model_time time;
    enum model_mixing mixing;
    enum model_norm norm;
    int max_distance_part; /* the context over this is the max distance; 0: none */
    int block;             /* tokens mixed by Fourier; 0: the context */
    bool is_local;         /* attention in blocks of about a quarter of the context */
};

enum { N_VARIANTS = 13 };
extern const struct variant VARIANTS[N_VARIANTS];

/* Stores the named variants, in the order of the list, and returns how many. names: separated
 * by commas, NULL: all. 0: a name is unknown. */
int variants_choose(const char *names, const struct variant *chosen[N_VARIANTS]);

/* The variant in the sizes of another configuration. */
struct model_config variant_config(const struct variant *v,
                                   const struct model_config *sizes);

#endif
