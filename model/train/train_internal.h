/* What the files of the trainer share:
 *   train.c                    creates and destroys a trainer; its steps
 *   train_forward.c            the network, forward
 *   train_backward.c           and backward
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
    BLOCK_ROWS = 64,     /* the rows of the batch in one task */
    TILE = 64,           /* queries that attend at once */
    KEYS = 256,          /* and the keys: a multiple of TILE and of a panel */
    LD_KEYS = KEYS + 16, /* rows of KEYS floats would share cache sets */
    LD_TIMES = LOOKED_UP,
    MAX_LENGTH = 1 << 13, /* the most tokens of a sequence */
    SPAN = 1 << 16,       /* parameters that the optimiser updates in one task */
};

/* One residual branch of a layer, and its norm.
 *
 *   pre:   normed = norm(in);  out = sum = in + branch(normed)
 *   post:  sum = in + branch(in);  out = normed = norm(sum)
 *
 * So the branch reads `normed` or `in`, and the norm reads `in` or `sum`. N is the number
 * of rows of the batch, and d is d_model. */
struct branch {
    float *in;  /* [N, d] the stream: the output of the branch before */
    float *sum; /* [N, d] */
    float *normed;
    float *stats; /* [N, 2] mean and 1 / standard deviation of the norm's rows */
};
enum { BRANCH_MIX, BRANCH_CROSS, BRANCH_FEED, N_BRANCHES };

/* The rows of one attention branch. In self-attention one row [3d] holds query, key and
 * value, so q and kv are the same; with Fourier mixing q holds the transforms [N, 2d]. In
 * cross-attention kv has the rows of the source, of which there are NS = batch *
 * source_length. */
struct attention {
    float *q;        /* [N, 3d]; cross-attention: [N, d] */
    float *kv;       /* as q; cross-attention: [NS, 2d] */
    float *mixed;    /* [N, d] the input of the output projection */
    float *out;      /* [N, d] its output; gradients only */
    float *log_sums; /* [batch, heads, length] of the softmax; activations only */
};

/* What the forward pass of a layer keeps for the backward pass. */
struct layer_activations {
    struct branch branches[N_BRANCHES];
    struct attention attention[BRANCH_FEED]; /* of the branches before BRANCH_FEED */
    float *slope;  /* [N, ff] the activation function's slope; NULL for ReLU */
    float *hidden; /* [N, ff] the activation function's output */
};

/* Gradients within one layer, which its weights' gradients need for the whole batch. */
struct layer_deltas {
    float *stream; /* [N, d] of the residual stream, from layer to layer */
    float *feed;   /* [N, d] of ff2's output */
    float *hidden; /* [N, ff] of ff1's output */
    struct attention attention[BRANCH_FEED];
};

/* The memory of one thread. */
struct scratch {
    float *rows;      /* [BLOCK_ROWS, d] */
    float *scores;    /* [TILE, ld_scores of struct head] */
    float *d_scores;  /* the same */
    float *near;      /* [TILE, ld_near] products with the rows of tables by index */
    float *by_time;   /* [TILE, LD_TIMES] likewise, of time tables */
    float *d_by_time; /* their gradients */
    uint32_t *panels; /* where products pack their factors */
    float *turned;    /* [PRODUCT_BLOCK, PRODUCT_BLOCK] part of a gradient */
    /* A tile's rows [TILE, width], and the same packed as b of sums of rows: */
    float *queries, *d_mixed;
    uint32_t *query_sums, *d_mixed_sums;
    /* One head's rows, packed once for all its tiles: */
    uint32_t *keys, *values;     /* for products with each row */
    uint32_t *sums;              /* for sums of rows: of values; in backward, of keys */
    uint32_t *times, *time_sums; /* the head's time table, for either */
    struct newton_schulz muon;
};

/* A linear layer for linear_pack and linear_gradients: its weight [n_out, n_in] (NULL:
 * the model has no such layer) and its bias [n_out] or NULL; the gradient of its output
 * (NULL: the weight is constant); and its input. */
struct linear {
    const float *w, *b;
    int n_in, n_out;
    const float *dy, *x; /* [rows, ld_dy], [rows, n_in] */
    int ld_dy, rows;
};

/* The weight of a linear layer, packed. A forward product has a column for each row of
 * the weight, which is n_in long; a backward product has a column for each column, which
 * is n_out long. */
struct packed_linear {
    const float *w;
    uint32_t *panels;
    int n_in, columns, k;
    bool forward;
};

enum { MAX_LINEAR = 8 };

/* A range of parameters within one tensor, for one task of the optimiser. */
struct span {
    size_t offset, n;
    bool decay, by_muon;
};

/* A matrix that Muon updates: [m, n] with m <= n or, if it is tall, [n, m]. */
struct muon_matrix {
    size_t offset;
    int m, n;
    bool is_tall;
};

/* One pass over a batch. */
struct pass {
    const int32_t *tokens, *targets, *times; /* [batch, length], borrowed */
    float dropout;                           /* 0 except in steps */
    float loss_scale;                        /* 1 / number of counted targets */
};

struct trainer {
    /* The encoder is another trainer. It runs the same tasks over its own rows and
     * layers, but with this trainer's weights, scratch and moments. NULL: no encoder. */
    struct trainer *encoder;
    bool both_ways; /* in an encoder, attention sees the whole source */
    int first_site; /* the first of its dropout sites */

    struct model_config config;
    struct train_options options;
    struct pool *pool;         /* borrowed */
    const atomic_bool *cancel; /* see trainer_set_cancel */
    const struct kernels *k;
    const struct product_set *products;

    struct model_tensor *tensors;
    size_t n_tensors, n_floats;
    char fault[192]; /* see trainer_fault */
    struct span *spans;
    int n_spans;
    struct muon_matrix *matrices;
    int n_matrices;
    double *span_squares; /* [n_spans] sums of squares of gradients */
    float *weights, *gradients, *moment1, *moment2; /* [n_floats] each */
    /* For trainer_swap_mean, [n_floats] each: the first weights; the mean, or while
     * `weights` has the mean, the weights. */
    float *start, *other;
    struct model_weights at; /* points into `weights` */

    void *arena;                    /* the memory of all buffers; see train_arena.c */
    struct layer_activations *kept; /* [n_layers] */
    float *x_first;                 /* [N, d] the input of the first layer */
    float *x_last; /* [N, d] the output of the last layer; part of its last branch */
    float *stats_last, *normed_last;
    float *logits; /* [N, ld_logits] logits, which become their gradient */
    float *nats;   /* [N] */
    struct layer_deltas deltas;
    float *rotations;       /* [N, d_head] with rotary positions, or NULL */
    float *cross_rotations; /* [N, d_head] for cross-attention: by time only */
    int *n_keys;            /* [batch] the number of tokens of each source */
    float *relative_parts;  /* [batch, heads, n_relative] gradients of one layer's */
    size_t n_relative;      /* tables of distances: of keys, of values, of times */
    uint8_t *buckets;       /* [N, length] the rows of time tables, by query and key */
    uint8_t *cross_buckets; /* [N, source_length] likewise, for cross-attention */
    int *first_bucket;      /* [batch] the least bucket that a sequence can have */
    float *waves, *circle;  /* Fourier mixing: as in model/kernels/fourier.h */
    float *norm_parts; /* [blocks, 2, d] the gradients of a norm, by block of rows */
    struct scratch *scratch; /* [threads] */
    int ld_logits, ld_scores, ld_near;

    const struct model_state_kind *kind; /* NULL: no state table, or an encoder */
    uint16_t *state_rows;  /* [N, MODEL_STATE_MOST] of the tokens' states */
    uint8_t *n_state_rows; /* [N] their number */
    uint8_t *states;       /* [threads] of trainer_state_size bytes */

    struct packed_linear packed[MAX_LINEAR]; /* for the current layer and direction */
    int n_packed;
    uint32_t *packed_panels; /* of one layer's weights, or of the head's */

    struct pass pass;
    bool holds_mean; /* `weights` has the mean of trainer_swap_mean */
    int64_t n_steps;
    float gradient_norm;
};

int trainer_n_rows(const struct trainer *t);
int trainer_n_blocks(const struct trainer *t);
/* The rows of a block. The last block may have fewer. */
int trainer_block_rows(const struct trainer *t, int block);

/* The argument of one layer's tasks. */
struct layer_job {
    struct trainer *t;
    int layer;
    int which; /* for the tasks of one branch */
};

/* A block of a layer's rows, for one task in one thread. */
struct block {
    struct trainer *t;
    int layer, index, thread;
    const struct layer_weights *w;
    const struct layer_activations *kept;
    size_t from; /* the first row of the batch */
    int rows, d;
    float *room; /* [rows, d] the thread's scratch */
};
/* The block that a task works on. arg: the struct layer_job of the pool's tasks. */
struct block block_of(const void *arg, int index, int thread);

/* find_state computes the rows of each token's state in this pass. add_state adds those
 * of one row to x [d]. */
void trainer_find_state(struct trainer *t);
size_t trainer_state_size(const struct trainer *t); /* in bytes, whole cache lines */
void trainer_add_state(const struct trainer *t, float *x, int row);
/* add_values adds the layer's value embeddings to the values of some rows of qkv, from
 * row `from` on. values_backward computes the embeddings' gradients from that of qkv. */
void trainer_add_values(const struct trainer *t, int layer, float *qkv, size_t from,
                        int rows);
void trainer_values_backward(struct trainer *t, int layer);

/* The address of the gradient of a weight that a pointer in `at` points to. */
float *trainer_gradient_of(const struct trainer *t, const float *weight);

/* The dropout of one site of the network in this pass. Site 0 is the embeddings; site 1 +
 * N_BRANCHES l + b is branch b of layer l. */
struct dropout trainer_dropout(const struct trainer *t, int site);

/* Points every buffer into `base` and returns the bytes that they take. With base NULL it
 * only counts. */
size_t trainer_lay_out(struct trainer *t, void *base);

/* Lists the MAX_LINEAR linear layers of one layer of the network; and the head. */
void linear_list(const struct trainer *t, int layer, struct linear *list);
struct linear linear_head(const struct trainer *t);
/* Packs weights for forward or backward products, so that all blocks of rows share the
 * panels. Replaces what was packed before. */
void linear_pack(struct trainer *t, const struct linear *list, int n, bool forward);
/* The words that any such set of weights needs. */
size_t linear_n_packed(const struct trainer *t);
/* The floats of a thread's `turned`; 0: not needed. */
size_t linear_n_turned(const struct trainer *t);

/* For the rows of a block: y [rows, n_out] = x [rows, n_in] w^T + bias, with w [n_out,
 * n_in]; bias may be NULL. */
void linear_forward(const struct block *b, float *y, int ld_y, const float *x,
                    const float *w, const float *bias, int n_in, int n_out);
/* For the rows of a block: dx [rows, n_in] = dy [rows, n_out] w. */
void linear_backward(const struct block *b, float *dx, const float *dy, int ld_dy,
                     const float *w, int n_in, int n_out);

/* The gradients of weights and biases: dw = dy^T x, and db = the column sums of dy. */
void linear_gradients(struct trainer *t, const struct linear *list, int n);

/* The time of a row of the batch. */
int32_t trainer_time(const struct trainer *t, int row);
/* Rotates the n_heads heads of x [rows], ld apart, by the rotations from row `from` on
 * (NULL: does nothing). With `back` it rotates gradients by the opposite angles. */
void rotate_heads(const struct trainer *t, float *x, int ld, int n_heads,
                  const float *rotations, size_t from, int rows, bool back);
/* The rows of a table of distances by index. */
int trainer_n_distances(const struct trainer *t);
/* The input of a branch; and its output, which is the input of the next branch. */
float *branch_input(const struct trainer *t, const struct branch *b);
float *branch_output(const struct trainer *t, const struct branch *b);
/* The norm of a branch, and the linear layer with which it ends (Fourier mixing has
 * none). */
struct branch_weights {
    const float *norm_w, *norm_b, *out_w, *out_b;
};
struct branch_weights branch_weights(const struct trainer *t, int layer, int which);

/* Finds the time buckets of this pass, once for all layers and heads. */
void relative_find_buckets(struct trainer *t);
/* Computes the gradients of a layer's tables of distances from the parts of all heads. */
void relative_gradients(struct trainer *t, int layer, int which);

/* The cross-attention branch, forward and backward. */
void cross_forward(struct trainer *t, int layer);
void cross_backward(struct trainer *t, int layer);

/* The encoder of `t`: creating it, giving it this pass, running it. */
enum model_status encoder_create(struct trainer *t);
enum model_status encoder_set_pass(struct trainer *t, const struct train_batch *b);
void encoder_forward(struct trainer *t);
void encoder_backward(struct trainer *t);
/* [NS, d] the encoder's output. */
float *encoder_output(const struct trainer *t);

/* The layers of the network, and the steps of one branch, which cross-attention uses as
 * well. enter: the norm before the branch. leave: the residual sum and the norm after it. */
void train_layers_forward(struct trainer *t);
void train_layers_backward(struct trainer *t);
const float *branch_enter(const struct block *b, int which);
void branch_leave(const struct block *b, int which, const float *out);
/* to = the stream's gradient of these rows, through the dropout of the branch. */
void branch_drop_backward(const struct block *b, int which, float *to);
void branch_leave_backward(struct trainer *t, int layer, int which);
void branch_enter_backward(const struct block *b, int which, const float *d_input);
void branch_entered_backward(struct trainer *t, int layer, int which);
/* The token embedding and the last norm, norm(x_last), of this trainer, and their
 * backward passes. */
void trainer_embed(struct trainer *t);
void trainer_embed_backward(struct trainer *t);
const float *last_norm(const struct block *b);
void last_norm_backward(const struct block *b, const float *d_normed);
void last_norm_add_up(struct trainer *t);

/* Tasks of an attention branch: the output projection, if there is one, and the residual
 * sum; and backward, the gradient of `mixed`. */
void join_task(void *arg, int index, int thread);
void join_backward_task(void *arg, int index, int thread);

/* forward: from transforms to mixed rows. backward: from the gradient of these to that of
 * the transforms. */
void fourier_forward(struct trainer *t, int layer);
void fourier_backward(struct trainer *t, int layer);

void train_forward(struct trainer *t);
void train_backward(struct trainer *t);
void attention_forward(struct trainer *t, int layer, int which);
/* From the gradient of `mixed` to those of q and kv. */
void attention_backward(struct trainer *t, int layer, int which);

/* Lists Muon's matrices and AdamW's spans. */
enum model_status optimiser_plan(struct trainer *t);
void optimiser_step(struct trainer *t);
float optimiser_rate(const struct train_options *o, int64_t step);

#endif
