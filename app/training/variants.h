/* The variants of the decoder that are compared: the published ones, and a few of
 * their sums. One size for all; only how places are told, how tokens mix and
 * where the norms stand differ. Pure. */
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
    int reach_part; /* the context over this is the reach; 0: has none */
    int block;      /* tokens mixed by Fourier; 0: the context */
    bool is_local;  /* attention in blocks of about a quarter of the context */
};

enum { N_VARIANTS = 13 };
extern const struct variant VARIANTS[N_VARIANTS];

/* Those named, separated by commas, in the order of the list; NULL: all. Their
 * number; 0: a name is none of them. */
int variants_choose(const char *names, const struct variant *chosen[N_VARIANTS]);

/* The variant in the sizes of another configuration. */
struct model_config variant_config(const struct variant *v,
                                   const struct model_config *sizes);

#endif
