/* A trained decoder: its configuration and its weights, read once from a .safetensors
 * file and shared by all who run it.
 *
 * One engine runs many published variants; the configuration chooses among them. The
 * block is that of Vaswani et al. 2017, section 3.1; with norm "pre", that of Radford et
 * al. 2019:
 *
 *   x = token_embedding[id] (+ rows of the state table) (+ an absolute position)
 *   pre:   x += mix(norm1(x));      x += ff2(act(ff1(norm2(x))));    ... norm(x)
 *   post:  x = norm1(x + mix(x));   x = norm2(x + ff2(act(ff1(x))))
 *   logits = head(x)                if the head is tied, it is the token embedding
 *
 * mix is either causal attention followed by an output projection, or Fourier mixing. A
 * model may also have an encoder, which reads a second sequence, the source. The
 * encoder's layers are of the same kind, but each sees the whole source. Every decoder
 * layer then attends to the encoder's output, after mixing and before the feed-forward
 * layers (Vaswani et al. 2017, section 3.2.3). models/FORMAT.md has every equation.
 *
 * A model does not change after it is opened, so any thread may read it. This room knows
 * nothing of music: token ids go in, logits come out. Each token also has a time, a whole
 * number. Attention may depend on the difference of two times. */
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
    MODEL_BAD_CONFIG, /* the configuration is missing or out of range */
    MODEL_BAD_TENSOR, /* a tensor is missing, has a wrong type or shape, or is not finite;
                       * or a scale of 8-bit weights is negative */
    MODEL_CANCELLED,
    MODEL_TOO_LONG,     /* more tokens than the context holds */
    MODEL_BAD_TOKEN,    /* an id outside the vocabulary */
    MODEL_CANNOT_WRITE, /* errno says why */
    MODEL_NOT_REGULAR,  /* the path is a device, a pipe or a folder, and is not written
                         * over */
    MODEL_BAD_RESUME,   /* the training state belongs to another run */
    MODEL_NO_THREAD,
    MODEL_OTHER_TOKENS, /* the model was trained with other tokens */
    MODEL_NO_SOURCE,    /* a model with an encoder got no source, or one without got a
                       * source */
    MODEL_NO_QUERIES, /* attention was asked for at a token whose query was not stored */
    MODEL_NO_HEAD,    /* the layer, head or token does not exist */
};

/* A lower-case phrase that continues a sentence which begins with the file's name. */
const char *model_strerror(enum model_status st);

enum model_activation { ACTIVATION_RELU, ACTIVATION_GELU };
enum model_norm { NORM_PRE, NORM_POST };
enum model_position { POSITION_NONE, POSITION_LEARNED, POSITION_SINUSOIDAL };
/* How attention depends on the distance between query and key, counted in tokens. */
enum model_relative {
    RELATIVE_NONE,
    RELATIVE_SHAW, /* Shaw et al. 2018: tables for keys and for values, shared by the
                      * heads */
    RELATIVE_MUSIC, /* Huang et al. 2018 (Music Transformer): a table for keys per head */
    RELATIVE_ROTARY, /* Su et al. 2021: queries and keys are rotated by their positions */
};
/* How attention depends on the difference between the times of query and key. */
enum model_time {
    TIME_NONE,
    TIME_BUCKETS, /* as RELATIVE_MUSIC, but a row per bucket of differences */
    TIME_ROTARY,  /* as RELATIVE_ROTARY, but rotated by the times */
};
enum model_mixing { MIXING_ATTENTION, MIXING_FOURIER };

struct model_precision {
    enum model_weights_kind weights;
    enum model_cache_kind cache;
};

/* MODEL_TIME_BUCKETS: the rows of a time table; position.h maps a difference of times to
 * a row. MODEL_LOCAL_BLOCK: the block of local attention is a multiple of it. */
enum { MODEL_TIME_BUCKETS = 193, MODEL_LOCAL_BLOCK = 64 };

struct model_config {
    int vocab, context, d_model, n_heads, n_layers, d_ff;
    enum model_activation activation;
    enum model_norm norm;
    enum model_position position;
    enum model_relative relative;
    enum model_time time;
    enum model_mixing mixing;
    int max_distance; /* RELATIVE_SHAW and RELATIVE_MUSIC: the rows of a table of
                       * distances. The greatest one serves all beyond. Shaw's k is
                       * one less. Files call it "reach". Otherwise 0. */
    int block; /* Local attention (Huang et al. 2018) sees the query's own block of so
                * many tokens and the block before. 0: attention sees all tokens. Fourier
                * mixing sees so many tokens. */
    int n_encoder_layers; /* 0: no encoder */
    int state;            /* the rows of the state table; 0: no such table */
    bool values;          /* each decoder layer adds a learned row per token id to its
                           * values */
    bool tied;            /* the output head is the token embedding */
};

/* The number of all layers. Arrays of layers hold the decoder's first, then the
 * encoder's. */
static inline int model_n_layers(const struct model_config *c)
{
    return c->n_layers + c->n_encoder_layers;
}

/* True if the sizes are within this program's limits, the choices are members of their
 * enums, and the fields that these choices do not use are 0. */
bool model_config_valid(const struct model_config *c);
/* The names of the choices above in files, in the order of the enums; NULL at the end. */
extern const char *const model_activations[], *const model_norms[];
extern const char *const model_positions[], *const model_relatives[];
extern const char *const model_times[], *const model_mixings[];
/* The configuration as the JSON of the metadata's "config" (models/FORMAT.md), from
 * malloc. NULL: out of memory. */
char *model_config_json(const struct model_config *c);
/* Reads that JSON. text NULL stands for a file without a configuration. On failure
 * `detail` receives the name of the field at fault. */
enum model_status model_config_parse(struct model_config *c, const char *text,
                                     char *detail, size_t n_detail);

/* The weights of one layer. Matrices are row-major [out, in], as in a PyTorch state_dict.
 * A comment gives each tensor's name in the file and its shape. d is d_model, ff is d_ff,
 * and e = d / heads is the width of one head. A tensor that the configuration does not
 * have is NULL. */
struct layer_weights {
    const float *norm1_w, *norm1_b; /* layers.N.norm1.{weight,bias}      [d] */
    /* Attention; NULL with Fourier mixing. */
    const float *qkv_w, *qkv_b; /* layers.N.attn.qkv.{weight,bias}   [3d, d] */
    const float *out_w, *out_b; /* layers.N.attn.out.{weight,bias}   [d, d] */
    /* Tables of distances: one row per distance, from R - 1 tokens back (row 0) to the
     * query itself (row R - 1), where R is max_distance. In encoder layers, which see
     * both ways, 2 R - 1 rows, from R - 1 tokens back to R - 1 tokens ahead. `tables` is
     * the number of heads for RELATIVE_MUSIC and 1 for RELATIVE_SHAW. */
    const float *relative_key;   /* layers.N.attn.relative_key    [tables R, e] */
    const float *relative_value; /* layers.N.attn.relative_value  [R, e] */
    const float *time_key;       /* layers.N.attn.time_key        [heads buckets, e] */
    /* Decoder layers only: the row of a token's id is added to the token's value. */
    const float *value_embedding; /* layers.N.attn.value_embedding [vocab, d] */
    /* Attention to the encoder's output, in decoder layers of a model with an encoder.
     * (The names of an encoder layer's tensors begin with encoder.layers.N.) */
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
    const float *head; /* head.weight [vocab, d]; if tied, equals `token` */
};

/* A state summarises the tokens so far. It is `size` bytes of plain data, which may be
 * copied and whose meaning only the room that defines it knows. After each token the
 * state names some rows of the state table, and the model adds their sum to the token's
 * embedding. The functions are pure: any thread may call them. */
enum { MODEL_STATE_MOST = 32, MODEL_STATE_ROWS = 1 << 15 };
struct model_state_kind {
    size_t size;
    int n_rows;                 /* the rows of the state table */
    void (*start)(void *state); /* the state before the first token of a sequence */
    /* Advances the state by one token of the vocabulary. Writes the numbers of at most
     * MODEL_STATE_MOST rows, each below n_rows, in an order that depends on the state
     * alone. Returns how many. */
    int (*next)(void *state, int32_t token, uint16_t *rows);
};
/* True if a model of this configuration can run with this kind of state; NULL: with none. */
bool model_state_fits(const struct model_config *c,
                      const struct model_state_kind *kind);

/* A model is constant, except for the fields that the opener sets before another thread
 * gets it. */
struct model {
    struct model_config config;
    struct model_weights weights;
    size_t n_parameters;

    /* Set by the opener: */
    struct model_precision precision; /* f32 for both unless the opener changes it */
    /* Computes the rows of the state table; must outlive the model. While it is NULL, a
     * model with a state table does not run. */
    const struct model_state_kind *state_kind;

    /* Private to model.c: */
    struct safetensors *file; /* NULL for a random model */
    float *own;               /* the tensors that are not used in place, or NULL */
    struct made_once *made;
};

/* Opens a model file. On failure `detail`, unless NULL, receives the name of the tensor
 * or field at fault, in printable ASCII. */
enum model_status model_open(struct model **out, const char *path, char *detail,
                             size_t n_detail);
/* Opens a model from the bytes of a file, for tests and fuzzing. The bytes stay the
 * caller's and must outlive the model. */
enum model_status model_parse(struct model **out, const void *bytes, size_t n,
                              char *detail, size_t n_detail);
/* Makes a model with the random weights that training starts from, of standard deviation
 * 0.02. For tests. */
enum model_status model_random(struct model **out, const struct model_config *c,
                               uint64_t seed);
void model_close(
    struct model *m); /* NULL is fine; close all decoders of the model first */

/* The weights as a single step reads them. The first call, from any thread, packs them;
 * the model owns them. NULL: out of memory. */
struct packed_model;
const struct packed_model *model_packed(const struct model *m);
/* The weights as prefill reads them, likewise. NULL: out of memory, or prefill multiplies
 * in f32. */
struct packed_prefill;
const struct packed_prefill *model_packed_prefill(const struct model *m);

/* Packs both kinds at the same time in the pool's threads. Only the thread that uses the
 * pool may call it. Without this call the first decoder packs one kind after the other. */
struct pool;
void model_pack(const struct model *m, struct pool *pool);

/* A string from the file's __metadata__, such as "config", "tokenizer" or "provenance",
 * or NULL. The text is not to be trusted. */
const char *model_metadata(const struct model *m, const char *key);
/* All strings of __metadata__, as safetensors_list_metadata gives them. A random model
 * has none. */
struct metadata;
size_t model_list_metadata(const struct model *m, struct metadata **list);
/* A hash that identifies the model in a take's provenance: FNV-1a over the weights as
 * 32-bit words, in file order. The first call, from any thread, takes some hundredths of
 * a second. 0: out of memory. */
uint64_t model_hash(const struct model *m);

/* One tensor of a model. The list of all of them, in file order, serves the reader, the
 * writer and the trainer. */
struct model_tensor {
    char name[80];
    int n_dims;
    int64_t shape[2];
    size_t offset; /* in floats, from the start of a block that holds all tensors */
    bool decays;   /* training applies weight decay: to matrices, but not to tables that
                    * begin at zero */
    bool is_linear;  /* the weight matrix of a linear layer */
    const float *at; /* its numbers, borrowed; NULL: not known yet */
};
/* The number of elements of a tensor. */
static inline size_t model_tensor_size(const struct model_tensor *t)
{
    return (size_t)t->shape[0] * t->shape[1]; /* [1] is 1 for a vector */
}
/* Lists the tensors of a configuration; *tensors comes from malloc. With w, each tensor
 * has its address in w; w NULL: addresses are NULL. Returns the number of tensors, or 0
 * when out of memory. *n_floats is the size of the block that all of them fill. */
size_t model_tensors(const struct model_config *c, const struct model_weights *w,
                     struct model_tensor **tensors, size_t *n_floats);
/* Points w at the tensors in `block`, at the offsets of model_tensors. w->layers must
 * have room for model_n_layers. */
void model_bind(struct model_weights *w, const struct model_config *c,
                const float *block);
/* The same for tensors that lie at the addresses in the list of model_tensors. */
void model_bind_each(struct model_weights *w, const struct model_config *c,
                     const struct model_tensor *tensors);
/* Fills the block with the random weights that training starts from. */
void model_init_block(float *block, const struct model_config *c, uint64_t seed);
bool model_config_equal(const struct model_config *a, const struct model_config *b);

#endif
