/* What the files of the trainer share. train.c drives a step, train_forward.c
 * and train_backward.c are the network, train_attention.c its attention,
 * train_relation.c and train_relation_tables.c what scores owe to distance,
 * train_fourier.c what mixes without attention, train_cross.c what is attended to in a
 * source, train_encoder.c what reads it, train_tables.c what is looked up, train_linear.c
 * the matrix products, train_optimiser.c AdamW and the schedule, train_muon.c Muon,
 * train_state.c the files.
 *
 * The batch is one matrix of N = batch * length rows. Work is cut into blocks
 * of rows, (sequence, head) pairs, or blocks of a weight matrix's rows: sizes
 * that never depend on the number of threads, so neither do the sums. */
#ifndef MODEL_TRAIN_INTERNAL_H
#define MODEL_TRAIN_INTERNAL_H

#include "model/train/newton_schulz.h"
#include "model/train/train.h"
#include "model/kernels/train_kernels.h"
#include "model/kernels/train_product.h"

enum {
    BLOCK_ROWS = 64,      /* rows of the batch in one task */
    TILE = 64,            /* queries attended at once */
    LD_TIMES = 208,       /* MODEL_TIME_BUCKETS, and lines are whole */
    MAX_LENGTH = 1 << 13, /* tokens of a sequence */
    SPAN = 1 << 16,       /* parameters the optimiser updates in one task */
};

/* One residual branch of a layer, and the norm beside it.
 *   pre-norm:   normed = norm(in);  out = sum = in + branch(normed)
 *   post-norm:  sum = in + branch(in);  out = normed = norm(sum)
 * so the branch reads normed or in, and the norm in or sum. */
struct branch {
    float *in;  /* [N, d] the stream, which the branch before gave */
    float *sum; /* [N, d] */
    float *normed;
    float *stats; /* [N, 2] of the norm: mean, 1/sd */
};
enum { BRANCH_MIX, BRANCH_CROSS, BRANCH_FEED, N_BRANCHES };

/* What a layer keeps from forward for backward. */
struct layer_kept {
    struct branch branches[N_BRANCHES];
    float *qkv;      /* [N, 3d]; Fourier: [N, 2d] spectra */
    float *log_sums; /* [batch, heads, length] of the softmax; Fourier: NULL */
    float *mixed;    /* [N, d] attention before its output projection */
    float *slope;    /* [N, ff] of the activation; NULL for ReLU */
    float *hidden;   /* [N, ff] after it */
    /* With an encoder; NS: batch * source_length */
    float *cross_q;        /* [N, d] */
    float *cross_kv;       /* [NS, 2d] */
    float *cross_log_sums; /* [batch, heads, length] */
    float *cross_mixed;    /* [N, d] */
};

/* Gradients of one layer's insides, needed whole for the weights' gradients. */
struct layer_deltas {
    float *stream; /* [N, d] of the residual stream, updated from layer to layer */
    float *feed;   /* [N, d] of ff2's output */
    float *hidden; /* [N, ff] of ff1's output */
    float *out;    /* [N, d] of out's output */
    float *mixed;  /* [N, d] */
    float *qkv;    /* [N, 3d] */
    float *cross_out, *cross_mixed, *cross_q; /* [N, d] */
    float *cross_kv;                          /* [NS, 2d] */
};

/* A thread's own memory. */
struct scratch {
    float *rows;      /* [BLOCK_ROWS, d] */
    float *scores;    /* [TILE, ld_scores] */
    float *d_scores;  /* the same */
    float *near;      /* [TILE, ld_near] products with the rows of relative tables, */
    float *by_time;   /* [TILE, LD_TIMES], or their gradients */
    uint32_t *panels; /* of products */
    /* Of one head, packed once for all its tiles: */
    uint32_t *keys, *values; /* that rows are multiplied with, */
    uint32_t *sums;          /* and what is summed: values, or keys on the way back; */
    uint32_t *times, *time_sums; /* the rows of its table of times, either way */
    struct newton_schulz muon;
};

/* A matrix of weights [n_out, n_in], and its panels while they are packed. */
struct linear_weight {
    const float *w;
    int n_in, n_out;
    uint32_t *panels;
};

enum { MAX_PACKED = 8 };

/* A piece of the parameters inside one tensor. */
struct span {
    size_t offset, n;
    bool decay, by_muon;
};

/* One that Muon updates. */
struct muon_matrix {
    size_t offset;
    int rows, columns;
};

/* One pass over a batch. */
struct pass {
    const int32_t *tokens, *targets, *times; /* [batch, length], borrowed */
    float dropout;                           /* 0 outside of steps */
    float loss_scale;                        /* 1 / counted targets */
};

struct trainer {
    /* An encoder is a trainer of its own kind: the same tasks over other rows and
     * layers, with this one's weights, scratch and moments. NULL without one. */
    struct trainer *encoder;
    bool both_ways; /* an encoder's attention */
    int first_site; /* of its dropout */

    struct model_config config;
    struct train_options options;
    struct pool *pool; /* borrowed */
    const struct train_kernels *kernels;
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
    struct model_weights at;                        /* into `weights` */

    float *arena;            /* all that follows, see train_arena.c */
    struct layer_kept *kept; /* [n_layers] */
    float *x_first;          /* [N, d] entering the first layer */
    float *x_last;           /* [N, d] leaving the last, which is that branch's */
    float *stats_last, *normed_last;
    float *logits; /* [N, ld_logits], then their gradient */
    float *nats;   /* [N] */
    struct layer_deltas deltas;
    float *turns;           /* [N, d_head] of rotary positions, or NULL */
    float *cross_turns;     /* towards a source: by time only */
    int *n_keys;            /* [batch] tokens there are to see of each sequence */
    float *relation_parts;  /* [batch, heads, n_relation] gradients of one layer's */
    size_t n_relation;      /*   relative tables: keys, values, times */
    uint8_t *buckets;       /* [N, length] of the times of a row and of those it sees */
    uint8_t *cross_buckets; /* [N, source_length] */
    int *first_bucket;      /* [batch] none of a sequence's buckets is below it */
    float *waves, *circle;  /* Fourier: as model/kernels/fourier.h has them */
    float *norm_parts;      /* [blocks, 2, d] a norm's gradients, by block of rows */
    struct scratch *scratch; /* [threads] */
    int ld_logits, ld_scores, ld_near;

    const struct model_state_kind *kind; /* NULL: without state, as an encoder */
    uint16_t *state_rows;                /* [N, MODEL_STATE_MOST], of which each row */
    uint8_t *n_state_rows;               /* [N] has so many */
    uint8_t *states;                     /* [threads] of trainer_state_size */

    struct linear_weight packed[MAX_PACKED]; /* for products of one direction */
    int n_packed;
    uint32_t *packed_panels; /* of one layer's weights, or of the head's */

    struct pass pass;
    int64_t n_steps;
    float gradient_norm;
};

int trainer_n_rows(const struct trainer *t);
int trainer_n_blocks(const struct trainer *t);
int trainer_block_rows(const struct trainer *t, int block); /* the last may be short */

/* Argument of the tasks of one layer. */
struct layer_job {
    struct trainer *t;
    int layer;
    int which; /* branch, for those of one */
};

/* The state rows of this pass; x [d] of a row of the batch += those it has. */
void trainer_find_state(struct trainer *t);
size_t trainer_state_size(const struct trainer *t); /* in bytes, whole lines */
void trainer_add_state(const struct trainer *t, float *x, int row);
/* v of some rows, from row `from` of the batch on, += the layer's value embeddings; and
 * from deltas.qkv their gradient. */
void trainer_add_values(const struct trainer *t, int layer, float *qkv, size_t from,
                        int rows);
void trainer_values_backward(struct trainer *t, int layer);

/* The place in `gradients` of a weight found through `at`. */
float *trainer_gradient_of(const struct trainer *t, const float *weight);

/* Dropout of a place in the network, at this pass. Sites: 0 the embeddings,
 * 1 + 2 l and 2 + 2 l the branches of layer l. */
struct dropout trainer_dropout(const struct trainer *t, int site);

/* Plans the arena: points every buffer into `base` and returns the floats
 * needed; with base NULL it only counts. */
size_t trainer_lay_out(struct trainer *t, float *base);

/* Packs weights for products forwards or backwards, in place of those packed before,
 * so that not every block of rows packs them again. */
void linear_pack(struct trainer *t, const struct linear_weight *weights, int n,
                 bool forward);
void linear_pack_layer(struct trainer *t, int layer, bool forward);
void linear_pack_head(struct trainer *t, bool forward);
/* Words that hold any of these. */
size_t linear_n_packed(const struct trainer *t);

/* y [rows, n_out] = x [rows, n_in] w^T + b; w [n_out, n_in], b may be NULL. */
void linear_forward(const struct trainer *t, int thread, float *y, int ld_y,
                    const float *x, const float *w, const float *b, int rows, int n_in,
                    int n_out);
/* dx [rows, n_in] = dy [rows, n_out] w. */
void linear_backward(const struct trainer *t, int thread, float *dx, const float *dy,
                     int ld_dy, const float *w, int rows, int n_in, int n_out);

/* A linear layer's own gradients: dw = dy^T x, db = column sums of dy. */
struct linear_gradient {
    float *dw, *db;      /* [n_out, n_in], [n_out] or NULL */
    const float *dy, *x; /* [N, ld_dy], [N, n_in] */
    int ld_dy, n_in, n_out;
};
void linear_gradients(struct trainer *t, const struct linear_gradient *g, int n);

/* The time of a row of the batch. */
int32_t trainer_time(const struct trainer *t, int row);
/* Queries and keys of rows, from row `from` on, turn to their places; back: their
 * gradients turn to where the queries and keys came from. */
void trainer_turn(const struct trainer *t, float *qkv, size_t from, int rows,
                  bool back);
/* The same for x [rows] of n heads each, rows ld apart, with any turns. */
void turn_heads(const struct trainer *t, float *x, int ld, int n_heads,
                const float *turns, int rows, bool back);
/* Rows of an index table. */
int trainer_n_reach(const struct trainer *t);
/* What a branch reads, and what it gives to the next. */
float *branch_input(const struct trainer *t, const struct branch *b);
float *branch_output(const struct trainer *t, const struct branch *b);
/* The norm's weight and bias. */
struct norm_weights {
    const float *w, *b;
};
struct norm_weights branch_norm(const struct trainer *t, int layer, int which);

/* One sequence and head: strided views into the batch, and what its scores owe to
 * distance. */
struct head {
    const struct trainer *t;
    const float *q, *k, *v; /* rows ld_q and ld_kv apart */
    float *dq, *dk, *dv;    /* the same shape */
    float *mixed;           /* rows d apart */
    const float *d_mixed;
    float *log_sums; /* [length] */
    int d, ld_q, ld_kv, width, length;
    int n_keys; /* there are */
    bool causal;
    float scale;
    /* This head's own tables, or NULL: index tables of n_rows, the row `zero` being
     * distance 0; buckets [length, ld_buckets]; parts of the tables' gradients. */
    const float *relative_key, *relative_value, *time_key;
    int n_rows, zero, ld_buckets, first_bucket;
    const uint8_t *buckets;
    float *key_part, *value_part, *time_part;
};

/* One tile of a head's queries, against the keys from `start` to `end`. */
struct tile {
    const struct head *h;
    const struct scratch *s;
    int first, rows, start, end;
};

void attend_forward(const struct head *h, const struct scratch *s);
void attend_backward(const struct head *h, const struct scratch *s);

/* What a head's tiles share is packed, once for all of them; what goes back, too. */
void relation_pack(const struct head *h, const struct scratch *s, bool back);
/* What the tile's scores owe to distance is added to them. */
void relation_forward(const struct tile *tile);
/* Shaw's values: adds them to the tile's rows of `mixed`, given weights that are
 * still to be divided by their sum; */
void relation_values_forward(const struct tile *tile);
/* to the gradient of the weights, in d_scores; */
void relation_weights_backward(const struct tile *tile);
/* and, from weights and the scores' gradient, to dq and to the parts of the tables'
 * gradients, which begin at zero and are summed when the layer is done. */
void relation_backward(const struct tile *tile);
void relation_begin(struct trainer *t);
/* The part of a sequence and head: [n_relation]. */
float *relation_part(const struct trainer *t, int index);
/* The buckets of this pass, once for all layers and heads. */
void relation_find_buckets(struct trainer *t);
void relation_gradients(struct trainer *t, int layer);
/* A table for each head of [n] floats, whose parts lie at `at`. */
void relation_sum_by_head(const struct trainer *t, const float *table, size_t at,
                          size_t n);

/* The branch that attends to a source, forwards and backwards. */
void cross_forward(struct trainer *t, int layer);
void cross_backward(struct trainer *t, int layer);
void cross_gradients(struct trainer *t, int layer);
void cross_find_buckets(struct trainer *t);

/* What reads the source: makes it of `t`, gives it this pass, runs it. */
enum model_status encoder_create(struct trainer *t);
void encoder_share(struct trainer *t); /* what both have, once it is laid out */
enum model_status encoder_set_pass(struct trainer *t, const struct train_batch *b);
void encoder_forward(struct trainer *t);
void encoder_backward(struct trainer *t);
/* [NS, d]: what the decoder's layers attend to, and its gradient, added to. */
float *encoder_output(const struct trainer *t);

/* The network between embedding and head, and parts of it that others use. */
void train_layers_forward(struct trainer *t);
void train_layers_backward(struct trainer *t);
const float *branch_enter(const struct trainer *t, int layer, int which, size_t from,
                          int rows);
void branch_leave(const struct trainer *t, int layer, int which, size_t from, int rows,
                  const float *out);
void branch_leave_backward(struct trainer *t, int layer, int which);
void branch_enter_backward(const struct trainer *t, int layer, int which, int block,
                           const float *d_input);
void branch_entered_backward(struct trainer *t, int layer, int which);
/* norm(x_last) and back; embedding of this trainer's own tokens and back. */
void trainer_embed(struct trainer *t);
void trainer_embed_backward(struct trainer *t);
const float *last_norm(const struct trainer *t, size_t from, int rows);
void last_norm_backward(const struct trainer *t, int block, const float *d_normed);
void last_norm_add_up(struct trainer *t);

/* kept.qkv -> kept.mixed, and deltas.mixed -> deltas.qkv. */
void fourier_forward(struct trainer *t, int layer);
void fourier_backward(struct trainer *t, int layer);

void train_forward(struct trainer *t);
void train_backward(struct trainer *t);
void attention_forward(struct trainer *t, int layer);
/* deltas.mixed -> deltas.qkv */
void attention_backward(struct trainer *t, int layer);

/* d_hidden, of what the activation gave, becomes that of what it was given. */
void activation_backward(const struct trainer *t, float *d_hidden, const float *slope,
                         const float *hidden, size_t n);

enum model_status optimiser_plan(struct trainer *t);
void optimiser_step(struct trainer *t);
float optimiser_rate(const struct train_options *o, int64_t step);

/* Lists the matrices that are Muon's. */
enum model_status muon_plan(struct trainer *t);
/* Matrices of a tensor that are; 0: it is AdamW's. */
int muon_parts(const struct trainer *t, const struct model_tensor *tensor);
int muon_short_side(const struct muon_matrix *m);
int muon_long_side(const struct muon_matrix *m);
void muon_update(const struct trainer *t, const struct muon_matrix *m, float rate,
                 int thread);

#endif
