/* What the files of the trainer share:
 *   train.c                    a trainer's life, and its steps
 *   train_forward.c, _backward.c   the network
 *   train_attention.c          attention, and scores that depend on distance
 *   train_fourier.c            Fourier mixing, in place of attention
 *   train_encoder.c            the encoder, which reads the source; cross-attention
 *   train_tables.c             embeddings, tables of distances and other tables
 *   train_linear.c             matrix products
 *   train_optimiser.c          AdamW, Muon and the schedule
 *   train_arena.c, _state.c    memory; files
 *
 * The batch is one matrix of N = batch * length rows. Tasks are blocks of rows,
 * (sequence, head) pairs, or blocks of a weight matrix's rows. Their sizes do not
 * depend on the number of threads, so neither do the sums. */
#ifndef MODEL_TRAIN_INTERNAL_H
#define MODEL_TRAIN_INTERNAL_H

#include "model/base/parts.h"
#include "model/train/newton_schulz.h"
#include "model/train/train.h"
#include "model/kernels/kernels.h"
#include "model/kernels/product.h"

enum {
    BLOCK_ROWS = 64,     /* rows of the batch in one task */
    TILE = 64,           /* queries attended at once, */
    KEYS = 256,          /*   and keys: a multiple of TILE and of a panel */
    LD_KEYS = KEYS + 16, /* rows of 1024 bytes would share cache sets */
    LD_TIMES = LOOKED_UP,
    MAX_LENGTH = 1 << 13, /* tokens of a sequence */
    SPAN = 1 << 16,       /* parameters the optimiser updates in one task */
};

/* One residual branch of a layer, and the norm beside it.
 *   pre-norm:   normed = norm(in);  out = sum = in + branch(normed)
 *   post-norm:  sum = in + branch(in);  out = normed = norm(sum)
 * So the branch reads normed or in, and the norm reads in or sum. */
struct branch {
    float *in;  /* [N, d] the stream, output of the branch before */
    float *sum; /* [N, d] */
    float *normed;
    float *stats; /* [N, 2] of the norm: mean, 1/sd */
};
enum { BRANCH_MIX, BRANCH_CROSS, BRANCH_FEED, N_BRANCHES };

/* The rows of a branch of attention. The mix has one row [3d] for query, key and value, so q and
 * kv are the same; with Fourier mixing q has spectra [N, 2d]. The cross-attention's keys
 * and values are a source's; NS: batch * source_length. */
struct attention {
    float *q;        /* [N, 3d], or [N, d] */
    float *kv;       /* as q, or [NS, 2d] */
    float *mixed;    /* [N, d] before the output projection */
    float *out;      /* [N, d] gradients alone: after it */
    float *log_sums; /* [batch, heads, length] of the softmax; activations alone */
};

/* What a layer keeps from forward for backward. */
struct layer_activations {
    struct branch branches[N_BRANCHES];
    struct attention attention[BRANCH_FEED]; /* of the branches before it */
    float *slope;  /* [N, ff] of the activation; NULL for ReLU */
    float *hidden; /* [N, ff] after it */
};

/* Gradients within one layer that its weight gradients need whole. */
struct layer_deltas {
    float *stream; /* [N, d] of the residual stream, updated from layer to layer */
    float *feed;   /* [N, d] of ff2's output */
    float *hidden; /* [N, ff] of ff1's output */
    struct attention attention[BRANCH_FEED];
};

/* A thread's own memory. */
struct scratch {
    float *rows;      /* [BLOCK_ROWS, d] */
    float *scores;    /* [TILE, ld_scores of the head] */
    float *d_scores;  /* the same */
    float *near;      /* [TILE, ld_near] products with the rows of relative tables, */
    float *by_time;   /* [TILE, LD_TIMES] */
    float *d_by_time; /*   and their gradients */
    uint32_t *panels; /* of products */
    float
        *turned; /* [block, block] of a set that leaves out zeros: part of a gradient */
    /* A tile's rows [TILE, width], and packed as summands: */
    float *queries, *d_mixed;
    uint32_t *query_sums, *d_mixed_sums;
    /* One head's rows, packed once for all its tiles: */
    uint32_t *keys, *values;     /* as factors of dot products, */
    uint32_t *sums;              /* as summands: values; in backward, keys; */
    uint32_t *times, *time_sums; /* its rows of the time table, either way */
    struct newton_schulz muon;
};

/* A linear layer: its weight [n_out, n_in] (NULL: the model has no such layer) and bias [n_out]
 * or NULL; the gradient of its rows' output (NULL: the weight is constant) and their input. */
struct linear {
    const float *w, *b;
    int n_in, n_out;
    const float *dy, *x; /* [rows, ld_dy], [rows, n_in] */
    int ld_dy, rows;
};

/* Its weight in panels. Forward, its rows are the columns of a product, each k long; backward,
 * its columns are. */
struct packed_linear {
    const float *w;
    uint32_t *panels;
    int n_in, columns, k;
    bool forward;
};

enum { MAX_LINEAR = 8 };

/* A range of parameters within one tensor. */
struct span {
    size_t offset, n;
    bool decay, by_muon;
};

/* One matrix that Muon updates: [m, n], or [n, m] if it is tall; m <= n. */
struct muon_matrix {
    size_t offset;
    int m, n;
    bool is_tall;
};

/* One pass over a batch. */
struct pass {
    const int32_t *tokens, *targets, *times; /* [batch, length], borrowed */
    float dropout;                           /* 0 outside of steps */
    float loss_scale;                        /* 1 / counted targets */
};

struct trainer {
    /* The encoder is another trainer: the same tasks over its own rows and layers, with
     * this one's weights, scratch and moments. NULL without one. */
    struct trainer *encoder;
    bool both_ways; /* an encoder's attention */
    int first_site; /* of its dropout */

    struct model_config config;
    struct train_options options;
    struct pool *pool;         /* borrowed */
    const atomic_bool *cancel; /* trainer_set_cancel */
    const struct kernels *k;
    const struct product_set *products;

    struct model_tensor *tensors;
    size_t n_tensors, n_floats;
    char fault[192]; /* see trainer_fault */
    struct span *spans;
    int n_spans;
    struct muon_matrix *matrices;
    int n_matrices;
    double *span_squares;                           /* [n_spans] of the gradients */
    float *weights, *gradients, *moment1, *moment2; /* [n_floats] each */
    float *start,
        *other; /* [n_floats] the first weights; the mean, or what it stands for */
    struct model_weights at; /* into `weights` */

    void *arena;                    /* all that follows, see train_arena.c */
    struct layer_activations *kept; /* [n_layers] */
    float *x_first;                 /* [N, d] input of the first layer */
    float *x_last; /* [N, d] output of the last layer; its last branch owns it */
    float *stats_last, *normed_last;
    float *logits; /* [N, ld_logits], then their gradient */
    float *nats;   /* [N] */
    struct layer_deltas deltas;
    float *rotations;        /* [N, d_head] of rotary positions, or NULL */
    float *cross_rotations;  /* as rotations, for cross-attention: by time only */
    int *n_keys;             /* [batch] the number of tokens each sequence can see */
    float *relative_parts;   /* [batch, heads, n_relative] gradients of one layer's */
    size_t n_relative;       /*   relative tables: keys, values, times */
    uint8_t *buckets;        /* [N, length] time buckets of each row and key */
    uint8_t *cross_buckets;  /* [N, source_length] */
    int *first_bucket;       /* [batch] the least that a sequence's buckets can be */
    float *waves, *circle;   /* Fourier: as model/kernels/fourier.h has them */
    float *norm_parts;       /* [blocks, 2, d] a norm's gradients, by block of rows */
    struct scratch *scratch; /* [threads] */
    int ld_logits, ld_scores, ld_near;

    const struct model_state_kind *kind; /* NULL: no state; an encoder has none */
    uint16_t *state_rows;                /* [N, MODEL_STATE_MOST] a token's rows, */
    uint8_t *n_state_rows;               /* [N] and their number */
    uint8_t *states;                     /* [threads] of trainer_state_size */

    struct packed_linear packed[MAX_LINEAR]; /* for one direction of products */
    int n_packed;
    uint32_t *packed_panels; /* of one layer's weights, or of the head's */

    struct pass pass;
    bool holds_mean; /* trainer_swap_mean */
    int64_t n_steps;
    float gradient_norm;
};

int trainer_n_rows(const struct trainer *t);
int trainer_n_blocks(const struct trainer *t);
int trainer_block_rows(const struct trainer *t, int block); /* the last may be short */

/* The argument of one layer's tasks. */
struct layer_job {
    struct trainer *t;
    int layer;
    int which; /* the branch, for tasks of one branch */
};

/* A block of a layer's rows, for one task in one thread. */
struct block {
    struct trainer *t;
    int layer, index, thread;
    const struct layer_weights *w;
    const struct layer_activations *kept;
    size_t from; /* its first row of the batch */
    int rows, d;
    float *room; /* [rows, d] the thread's own scratch */
};
/* arg: the struct layer_job of the pool's tasks. */
struct block block_of(const void *arg, int index, int thread);

/* Finds the state rows of this pass. add_state adds those of a row to x [d]. */
void trainer_find_state(struct trainer *t);
size_t trainer_state_size(const struct trainer *t); /* in bytes, whole lines */
void trainer_add_state(const struct trainer *t, float *x, int row);
/* v += the layer's value embeddings, for rows from `from` on; and the embeddings'
 * gradients, from that of qkv. */
void trainer_add_values(const struct trainer *t, int layer, float *qkv, size_t from,
                        int rows);
void trainer_values_backward(struct trainer *t, int layer);

/* The gradient of the weight that a pointer in `at` points to. */
float *trainer_gradient_of(const struct trainer *t, const float *weight);

/* The dropout of a site in the network, in this pass. Site 0 is the embeddings;
 * 1 + N_BRANCHES l + b is branch b of layer l. */
struct dropout trainer_dropout(const struct trainer *t, int site);

/* Plans the arena: points every buffer into `base` and returns the bytes needed. With
 * base NULL it only counts. */
size_t trainer_lay_out(struct trainer *t, void *base);

/* The linear layers of a layer of the network, MAX_LINEAR; and the head. */
void linear_list(const struct trainer *t, int layer, struct linear *list);
struct linear linear_head(const struct trainer *t);
/* Packs weights for forward or backward products, so that blocks of rows share the panels.
 * Replaces those packed before. */
void linear_pack(struct trainer *t, const struct linear *list, int n, bool forward);
/* Words enough for any such set of weights. */
size_t linear_n_packed(const struct trainer *t);
/* Floats of a thread's turned part of a gradient; 0: none is turned. */
size_t linear_n_turned(const struct trainer *t);

/* On a block's rows: y [rows, n_out] = x [rows, n_in] w^T + bias. w is [n_out, n_in];
 * bias may be NULL. */
void linear_forward(const struct block *b, float *y, int ld_y, const float *x,
                    const float *w, const float *bias, int n_in, int n_out);
/* dx [rows, n_in] = dy [rows, n_out] w. */
void linear_backward(const struct block *b, float *dx, const float *dy, int ld_dy,
                     const float *w, int n_in, int n_out);

/* Their own gradients: dw = dy^T x, db = column sums of dy. */
void linear_gradients(struct trainer *t, const struct linear *list, int n);

/* The time of a row of the batch. */
int32_t trainer_time(const struct trainer *t, int row);
/* Rotates the n_heads heads of x [rows], ld apart, by the rotations from row `from` on
 * (NULL: not at all). With `back`, rotates gradients by the opposite angles. */
void rotate_heads(const struct trainer *t, float *x, int ld, int n_heads,
                  const float *rotations, size_t from, int rows, bool back);
/* Rows of an index table. */
int trainer_n_distances(const struct trainer *t);
/* The input of a branch; and its output, the input of the next. */
float *branch_input(const struct trainer *t, const struct branch *b);
float *branch_output(const struct trainer *t, const struct branch *b);
/* Its norm, and the linear layer that it ends with (Fourier mixing: none). */
struct branch_weights {
    const float *norm_w, *norm_b, *out_w, *out_b;
};
struct branch_weights branch_weights(const struct trainer *t, int layer, int which);

/* The buckets of this pass, once for all layers and heads. */
void relative_find_buckets(struct trainer *t);
/* The gradients of a layer's tables of distances, from the parts of all heads. */
void relative_gradients(struct trainer *t, int layer, int which);

/* The cross-attention branch, forward and backward. */
void cross_forward(struct trainer *t, int layer);
void cross_backward(struct trainer *t, int layer);

/* The encoder of `t`: creates it, gives it this pass, runs it. */
enum model_status encoder_create(struct trainer *t);
enum model_status encoder_set_pass(struct trainer *t, const struct train_batch *b);
void encoder_forward(struct trainer *t);
void encoder_backward(struct trainer *t);
/* [NS, d]: the encoder's output; and its gradient, summed over decoder layers. */
float *encoder_output(const struct trainer *t);

/* The network between embedding and head, and parts of it that others use. */
void train_layers_forward(struct trainer *t);
void train_layers_backward(struct trainer *t);
const float *branch_enter(const struct block *b, int which);
void branch_leave(const struct block *b, int which, const float *out);
/* to = the stream's gradient of these rows, zero where the branch was dropped. */
void branch_drop_backward(const struct block *b, int which, float *to);
void branch_leave_backward(struct trainer *t, int layer, int which);
void branch_enter_backward(const struct block *b, int which, const float *d_input);
void branch_entered_backward(struct trainer *t, int layer, int which);
/* norm(x_last) and its backward pass; this trainer's token embedding and its. */
void trainer_embed(struct trainer *t);
void trainer_embed_backward(struct trainer *t);
const float *last_norm(const struct block *b);
void last_norm_backward(const struct block *b, const float *d_normed);
void last_norm_add_up(struct trainer *t);

/* Tasks of attention's branches: the output projection, if there is one; and the gradient of
 * the mixed rows. */
void join_task(void *arg, int index, int thread);
void join_backward_task(void *arg, int index, int thread);

/* From spectra to mixed rows; and from the gradient of those to that of the spectra. */
void fourier_forward(struct trainer *t, int layer);
void fourier_backward(struct trainer *t, int layer);

void train_forward(struct trainer *t);
void train_backward(struct trainer *t);
void attention_forward(struct trainer *t, int layer, int which);
/* From the mixed rows' gradient to that of q and kv. */
void attention_backward(struct trainer *t, int layer, int which);

enum model_status optimiser_plan(struct trainer *t);
void optimiser_step(struct trainer *t);
float optimiser_rate(const struct train_options *o, int64_t step);

#endif
