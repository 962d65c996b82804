/* A trained decoder: configuration and weights, read once from a .safetensors file and
 * shared by everyone who runs it.
 *
 * One engine serves many published variants, chosen by the configuration. The block
 * (Vaswani et al. 2017, section 3.1; pre-norm as in Radford et al. 2019):
 *
 *   x = token_embedding[id] (+ state) (+ an absolute position)
 *   pre:   x += mix(norm1(x));      x += ff2(act(ff1(norm2(x))));    ... norm(x)
 *   post:  x = norm1(x + mix(x));   x = norm2(x + ff2(act(ff1(x))))
 *   logits = head(x)                head is the token embedding when tied
 *
 * mix is causal attention with its output projection, or Fourier mixing. An encoder
 * reads a source by layers of the same kind that see all of it. Every decoder layer
 * attends to its output, between mixing and feed-forward (Vaswani et al. 2017, section
 * 3.2.3). models/FORMAT.md has every equation.
 *
 * Immutable after open: any thread may read. This room knows nothing of music: token
 * ids in, logits out. Each token comes with a time, a whole number whose differences
 * may matter. */
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/kernels/kinds.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum model_status {
    MODEL_OK = 0,
    MODEL_NO_MEMORY,
    MODEL_NO_FILE,    /* errno says why */
    MODEL_NOT_MODEL,  /* not a safetensors file, or a malformed one */
    MODEL_BAD_CONFIG, /* its configuration is missing or out of range */
    MODEL_BAD_TENSOR, /* a tensor is missing, or of the wrong type or shape, or not finite;
                         or a scale of weights is negative */
    MODEL_CANCELLED,
    MODEL_TOO_LONG,     /* more tokens than the context holds */
    MODEL_BAD_TOKEN,    /* an id outside the vocabulary */
    MODEL_CANNOT_WRITE, /* errno says why */
    MODEL_NOT_REGULAR,  /* a device, a pipe or a folder, which is not written over */
    MODEL_BAD_RESUME,   /* training state that does not belong to this run */
    MODEL_NO_THREAD,
    MODEL_OTHER_TOKENS, /* not a model of the tokens asked for */
    MODEL_NO_SOURCE,  /* an encoder without a source, or a source without an encoder */
    MODEL_NO_QUERIES, /* attention of a token whose query was not kept */
    MODEL_NO_HEAD,    /* no such layer, head or token */
};

/* One plain lower-case phrase, without a file name. */
const char *model_strerror(enum model_status st);

enum model_activation { ACTIVATION_RELU, ACTIVATION_GELU };
enum model_norm { NORM_PRE, NORM_POST };
enum model_position { POSITION_NONE, POSITION_LEARNED, POSITION_SINUSOIDAL };
/* How queries see the distance to keys by index; */
enum model_relative {
    RELATIVE_NONE,
    RELATIVE_SHAW,   /* Shaw et al. 2018: keys and values, one table for all heads */
    RELATIVE_MUSIC,  /* Huang et al. 2018 (Music Transformer): keys, one a head */
    RELATIVE_ROTARY, /* Su et al. 2021: queries and keys turn */
};
/* and by the tokens' times. */
enum model_time {
    TIME_NONE,
    TIME_BUCKETS, /* as RELATIVE_MUSIC, over buckets of the signed difference */
    TIME_ROTARY,  /* as RELATIVE_ROTARY */
};
enum model_mixing { MIXING_ATTENTION, MIXING_FOURIER };

struct model_precision {
    enum model_weights_kind weights;
    enum model_cache_kind cache;
};

/* TIME_BUCKETS: rows of a time table; position.h has the mapping. LOCAL_BLOCK: a local
 * block is a multiple of it. */
enum { MODEL_TIME_BUCKETS = 193, MODEL_LOCAL_BLOCK = 64 };

struct model_config {
    int vocab, context, d_model, n_heads, n_layers, d_ff;
    enum model_activation activation;
    enum model_norm norm;
    enum model_position position;
    enum model_relative relative;
    enum model_time time;
    enum model_mixing mixing;
    int max_distance; /* SHAW, MUSIC: distances with a row of their own ("reach" in files),
                  the last for all beyond (Shaw's k is one less); else 0 */
    int block; /* attention sees its own block of so many tokens and the one before
                  (Huang et al. 2018, local); Fourier mixing sees that many tokens;
                  0: attention sees all */
    int n_encoder_layers; /* 0: a decoder alone */
    int state;            /* rows of the state table; 0: none */
    bool values;          /* a table of values for each layer of the decoder */
    bool tied;            /* output head shares the token embedding */
};

/* Layers of both kinds: the decoder's first, then the encoder's. */
static inline int model_n_layers(const struct model_config *c)
{
    return c->n_layers + c->n_encoder_layers;
}

/* True if sizes are within this program's limits, choices are in their enums, and
 * unused fields are 0. */
bool model_config_valid(const struct model_config *c);
/* The names of the choices above, in the order of their enums; NULL at the end. */
extern const char *const model_activations[], *const model_norms[];
extern const char *const model_positions[], *const model_relatives[];
extern const char *const model_times[], *const model_mixings[];
/* The JSON of the metadata's "config" (models/FORMAT.md), malloc'd; NULL: out of
 * memory. */
char *model_config_json(const struct model_config *c);
/* text NULL: no configuration. On failure *detail names the field at fault. */
enum model_status model_config_parse(struct model_config *c, const char *text,
                                     char *detail, size_t n_detail);

/* Matrices are row-major [out, in] as in a PyTorch state_dict. Beside each is its name
 * in the file. */
struct layer_weights {
    const float *norm1_w, *norm1_b; /* layers.N.norm1.{weight,bias}      [d] */
    /* NULL with Fourier mixing: */
    const float *qkv_w, *qkv_b; /* layers.N.attn.qkv.{weight,bias}   [3d, d] */
    const float *out_w, *out_b; /* layers.N.attn.out.{weight,bias}   [d, d] */
    /* Rows by the key's position minus the query's, from 1 - R to 0; R is max_distance,
     * e is d / heads. NULL where the configuration has none: */
    const float *relative_key;   /* layers.N.attn.relative_key    [tables R, e] */
    const float *relative_value; /* layers.N.attn.relative_value  [R, e] */
    const float *time_key;       /* layers.N.attn.time_key        [heads buckets, e] */
    /* Decoder only: rows by token id, added to v. NULL if the model has none. */
    const float *value_embedding; /* layers.N.attn.value_embedding [vocab, d] */
    /* An encoder's layers are encoder.layers.N and see both ways: their relative
     * tables have rows from 1 - R to R - 1. The decoder's, with an encoder: */
    const float *norm_cross_w,
        *norm_cross_b;                    /* layers.N.norm_cross.{weight,bias} [d] */
    const float *cross_q_w, *cross_q_b;   /* layers.N.cross.q.{weight,bias}  [d, d] */
    const float *cross_kv_w, *cross_kv_b; /* layers.N.cross.kv.{weight,bias} [2d, d] */
    const float *cross_out_w,
        *cross_out_b;               /* layers.N.cross.out.{weight,bias} [d, d] */
    const float *cross_time_key;    /* layers.N.cross.time_key [heads buckets, e] */
    const float *norm2_w, *norm2_b; /* layers.N.norm2.{weight,bias}      [d] */
    const float *ff1_w, *ff1_b;     /* layers.N.ff1.{weight,bias}        [ff, d] */
    const float *ff2_w, *ff2_b;     /* layers.N.ff2.{weight,bias}        [d, ff] */
};

struct model_weights {
    const float *token;    /* token_embedding.weight     [vocab, d] */
    const float *state;    /* state_embedding.weight     [state, d], or NULL */
    const float *position; /* position_embedding.weight  [context, d], or NULL */
    struct layer_weights *layers;
    const float *norm_w, *norm_b; /* norm.{weight,bias}  [d], NULL with NORM_POST */
    const float *encoder_norm_w, *encoder_norm_b; /* encoder.norm, likewise */
    const float *head; /* head.weight [vocab, d]; equals token when tied */
};

/* A state of the tokens so far: `size` bytes of plain data, copied freely, whose
 * meaning only its maker knows. For each token it gives a bag of rows of the state
 * table, which the model adds to the token's embedding. Its functions are pure: any
 * thread may call them. */
enum { MODEL_STATE_MOST = 32, MODEL_STATE_ROWS = 1 << 15 };
struct model_state_kind {
    size_t size;
    int n_rows;                 /* of the state table */
    void (*start)(void *state); /* before the first token of a sequence */
    /* Takes a token of the vocabulary. Writes at most MODEL_STATE_MOST rows, each below
     * n_rows, in an order that never differs; returns their number. */
    int (*next)(void *state, int32_t token, uint16_t *rows);
};
/* True if a model of this configuration can run with this kind, or with none (NULL). */
bool model_state_fits(const struct model_config *c,
                      const struct model_state_kind *kind);

/* Constant, but for what the opener sets before any other thread has the model. */
struct model {
    struct model_config config;
    struct model_weights weights;
    size_t n_parameters;

    /* The opener sets. */
    struct model_precision precision; /* at first f32 for both */
    /* What computes the state rows; outlives the model. NULL: a model with a state table
     * does not run. */
    const struct model_state_kind *state_kind;

    /* model.c's own. */
    struct safetensors *file; /* NULL for a random model */
    float *own;               /* tensors not used in place, or NULL */
    struct made_once *made;
};

/* detail, if not NULL, receives the tensor or field at fault (sanitised). */
enum model_status model_open(struct model **out, const char *path, char *detail,
                             size_t n_detail);
/* The same from a file's bytes, for tests and fuzzing. They stay the caller's and must
 * outlive the model. */
enum model_status model_parse(struct model **out, const void *bytes, size_t n,
                              char *detail, size_t n_detail);
/* Weights drawn from N(0, 0.02) as for training, for tests. */
enum model_status model_random(struct model **out, const struct model_config *c,
                               uint64_t seed);
void model_close(struct model *m); /* NULL is fine; no decoder may outlive it */

/* The weights of a single step, packed at the first call, by any thread. The model owns
 * them. NULL: no memory. */
struct packed_model;
const struct packed_model *model_packed(const struct model *m);
/* The same for prefill. NULL: prefill uses f32. */
struct packed_prefill;
const struct packed_prefill *model_packed_prefill(const struct model *m);

/* Packs both at once in the pool; the pool's user calls it. Otherwise the first decoder
 * packs them, one after the other. */
struct pool;
void model_pack(const struct model *m, struct pool *pool);

/* A string of the file's __metadata__ ("config", "tokenizer", "provenance"), or
 * NULL. Untrusted text. */
const char *model_metadata(const struct model *m, const char *key);
/* All of them, as safetensors_list_metadata; 0 for a random model, too. */
struct metadata;
size_t model_list_metadata(const struct model *m, struct metadata **list);
/* FNV-1a over the weights as 32-bit words, in file order: a take's provenance. The
 * first call, from any thread, takes some hundredths of a second. 0: no memory. */
uint64_t model_hash(const struct model *m);

/* The parameter list, in file order: shared by reader, writer and trainer. */
struct model_tensor {
    char name[80];
    int n_dims;
    int64_t shape[2];
    size_t offset; /* in floats, in one contiguous block of all parameters */
    bool decays;   /* in training: a matrix, unless it is a table that begins at zero */
    bool is_linear;  /* the weight of a linear layer, which products multiply with */
    const float *at; /* its numbers, borrowed; NULL: nobody has found them yet */
};
/* The number of its elements. */
static inline size_t model_tensor_size(const struct model_tensor *t)
{
    return (size_t)t->shape[0] * t->shape[1]; /* [1] is 1 for a vector */
}
/* *tensors is malloc'd, with the addresses in w, or NULL. Returns the number, 0 when out
 * of memory; *n_floats is the size of the block. */
size_t model_tensors(const struct model_config *c, const struct model_weights *w,
                     struct model_tensor **tensors, size_t *n_floats);
/* Points w at the parts of `block`, which model_tensors laid out; w->layers must hold
 * model_n_layers. */
void model_bind(struct model_weights *w, const struct model_config *c,
                const float *block);
/* The same for tensors at any addresses, those of the list. */
void model_bind_each(struct model_weights *w, const struct model_config *c,
                     const struct model_tensor *tensors);
bool model_config_equal(const struct model_config *a, const struct model_config *b);
void model_init_block(float *block, const struct model_config *c, uint64_t seed);

#endif
