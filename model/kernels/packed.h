/* Matrices that are packed for the products of a single step: W times one vector or a
 * few.
 *
 * A step is bound by memory traffic, so weights are stored in the order in which they are
 * read. PANEL rows make a panel, and some panels make a block. A group is the columns
 * whose weights fill four bytes: one in f32, two in bf16, four in int8. A block holds the
 * first group of the rows of all its panels, then the second group of all rows, and so
 * on. So one line of 64 bytes, times one group of the vector for all lanes, adds to
 * sixteen sums. No sum is folded across a register, and a block is read sequentially.
 * When each panel was stored by itself, the processor prefetched less and read a third
 * slower.
 *
 * bf16: the weights and the numbers of the vector are rounded to the nearest bf16; sums
 * are f32.
 *
 * int8: the weights of a row are integers from -127 to 127 times the row's scale, which
 * is its largest magnitude / 127. Each vector is quantised likewise at each step, by its
 * own scale (Dettmers et al. 2022, section 2.1), and stored as unsigned bytes, 128
 * higher. Sums of integers are exact.
 *
 * A row's sum with one vector does not depend on the other vectors and panels, so a take
 * is the same whether it is decoded alone or with others. Sets of kernels may differ in
 * the last bits of f32 and bf16 sums; int8 sums have the same bits in all sets.
 *
 * The functions are pure; any thread may read packed matrices. */
#ifndef MODEL_PACKED_H
#define MODEL_PACKED_H

#include "model/kernels/kinds.h"

#include <stddef.h>
#include <stdint.h>

enum { PANEL = 16, BLOCK_MOST = 6 /* in panels */ };

struct packed {
    enum model_weights_kind kind;
    int rows, n;        /* rows is a multiple of PANEL, padded with zeros */
    int block;          /* panels in a block; the last block may have fewer */
    const void *blocks; /* each block [groups][its panels][PANEL] words of four bytes */
    const float *bias;  /* [rows] */
    const float *scale; /* int8: [rows] */
    const int32_t *excess; /* int8: [rows] 128 times the sum of a row's integers */
};

/* One piece of a matrix to pack: `rows` rows of a row-major matrix, ld apart, and the
 * bias that is added to their products (NULL: none). The number of columns is given
 * apart. */
struct packing {
    const float *w, *bias;
    int ld, rows;
};

static inline int packed_panels(int rows)
{
    return (rows + PANEL - 1) / PANEL;
}

/* The panels of a block, of n_panels in all. Blocks are as even as possible, so that each
 * has enough sums to hide the latency of an addition. */
static inline int packed_block(int n_panels)
{
    int n_blocks = (n_panels + BLOCK_MOST - 1) / BLOCK_MOST;
    return n_blocks ? (n_panels + n_blocks - 1) / n_blocks : 1;
}

/* The panels of the block to which a panel belongs. */
static inline int packed_width(const struct packed *w, int panel)
{
    int left = w->rows / PANEL - panel / w->block * w->block;
    return left < w->block ? left : w->block;
}

/* The columns of a group. */
static inline int packed_per_group(enum model_weights_kind kind)
{
    return kind == WEIGHTS_INT8 ? 4 : kind == WEIGHTS_BF16 ? 2 : 1;
}

/* The groups of a row or a vector of n columns. The last one is padded with zeros. */
static inline int packed_groups(enum model_weights_kind kind, int n)
{
    int of = packed_per_group(kind);
    return (n + of - 1) / of;
}

/* The bytes of a prepared vector, a multiple of 64. */
static inline size_t packed_vector_size(enum model_weights_kind kind, int n)
{
    return ((size_t)packed_groups(kind, n) * 4 + 63) / 64 * 64;
}

/* The words before a panel's first line. Its next line is packed_width lines further on. */
static inline size_t packed_place(const struct packed *w, int panel)
{
    const size_t block = (size_t)(panel / w->block) * w->block;
    const size_t n_groups = (size_t)packed_groups(w->kind, w->n);
    return (block * n_groups + ((size_t)panel - block)) * PANEL;
}

enum { PACKED_MOST_VECTORS = 16 };

/* A product: y[v] = W x[v] + bias, for the rows of some panels and for 1 to
 * PACKED_MOST_VECTORS vectors. */
struct packed_product {
    const struct packed *w;
    int panel, n_panels;
    int n_x;
    const void *x;      /* [n_x] prepared vectors, ldx bytes apart, a multiple of 64 */
    const float *scale; /* [n_x] int8: what `prepare` returned for each */
    size_t ldx;
    float *y; /* [n_x] of [n_panels * PANEL], ldy floats apart */
    int ldy;
};

enum { PACKED_KINDS = WEIGHTS_INT8 + 1 };

/* The largest magnitude of x. Several running maxima hide the latency of a comparison. */
float packed_largest(const float *x, size_t n);

/* The bytes of the pieces as one packed matrix, a multiple of 64. The rows of the pieces
 * follow one another, each piece from the start of a panel. All have n columns. */
size_t packed_size(enum model_weights_kind kind, const struct packing *pieces,
                   int n_pieces, int n);
/* Packs the pieces into `at`, which has packed_size bytes, is aligned to 64 and stays the
 * caller's. */
struct packed packed_make(enum model_weights_kind kind, const struct packing *pieces,
                          int n_pieces, int n, void *at);

#endif
