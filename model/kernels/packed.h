/* Matrices packed for the products of a single step: W times one vector or a few.
 *
 * A step is bound by memory traffic, so weights are stored in the order of reading.
 * PANEL rows make a panel, some panels a block. A group is the columns that fill four
 * bytes: one of f32, two of bf16, four of int8. A block holds, group after group, the
 * rows of all its panels side by side. So a 64-byte line times one broadcast group of
 * the vector adds to sixteen sums, no sum is folded across a register, and a block is
 * read sequentially. With separate panels the processor prefetched less and read a
 * third slower.
 *
 * bf16: weights and the vector's values are rounded to the nearest; sums are f32. int8:
 * a row's weights are integers from -127 to 127 times the row's scale, its largest
 * magnitude / 127. The vector is quantised likewise by its own scale at each step
 * (Dettmers et al. 2022, section 2.1) and stored as unsigned bytes, 128 higher. Integer
 * sums are exact.
 *
 * A row's sum with a vector does not depend on the other vectors or panels, so a take is the
 * same drawn alone or with others. Sets of kernels may differ in the last bits of f32 and bf16
 * sums. int8 sums are exact, and all sets give the same bits.
 *
 * Pure functions; any thread may read packed matrices. */
#ifndef MODEL_PACKED_H
#define MODEL_PACKED_H

#include "model/kernels/kinds.h"

#include <stddef.h>
#include <stdint.h>

enum { PANEL = 16, BLOCK_MOST = 6 /* panels */ };

struct packed {
    enum model_weights_kind kind;
    int rows, n;           /* rows a multiple of PANEL, padded with zeros */
    int block;             /* panels in a block; the last may have fewer */
    const void *blocks;    /* each [groups][its panels][PANEL] of four bytes */
    const float *bias;     /* [rows] */
    const float *scale;    /* int8: [rows] */
    const int32_t *excess; /* int8: 128 times the sum of a row, [rows] */
};

/* Some rows of a row-major matrix, ld apart; some columns of each; and the bias of the
 * products (NULL: none). */
struct packing {
    const float *w, *bias;
    int ld, rows;
};

static inline int packed_panels(int rows)
{
    return (rows + PANEL - 1) / PANEL;
}

/* Panels in a block, out of n_panels. Blocks are as even as possible, so that each has
 * enough sums to hide the latency of an addition. */
static inline int packed_block(int n_panels)
{
    int n_blocks = (n_panels + BLOCK_MOST - 1) / BLOCK_MOST;
    return n_blocks ? (n_panels + n_blocks - 1) / n_blocks : 1;
}

/* Panels in the block that panel is in. */
static inline int packed_width(const struct packed *w, int panel)
{
    int left = w->rows / PANEL - panel / w->block * w->block;
    return left < w->block ? left : w->block;
}

/* Columns in a group. */
static inline int packed_per_group(enum model_weights_kind kind)
{
    return kind == WEIGHTS_INT8 ? 4 : kind == WEIGHTS_BF16 ? 2 : 1;
}

/* Groups in a row or vector of n columns; the last is padded with zeros. */
static inline int packed_groups(enum model_weights_kind kind, int n)
{
    int of = packed_per_group(kind);
    return (n + of - 1) / of;
}

/* Bytes of a prepared vector, a multiple of 64. */
static inline size_t packed_vector_size(enum model_weights_kind kind, int n)
{
    return ((size_t)packed_groups(kind, n) * 4 + 63) / 64 * 64;
}

/* Words before a panel's first line; its next line is packed_width lines further on. */
static inline size_t packed_place(const struct packed *w, int panel)
{
    const size_t block = (size_t)(panel / w->block) * w->block;
    const size_t n_groups = (size_t)packed_groups(w->kind, w->n);
    return (block * n_groups + ((size_t)panel - block)) * PANEL;
}

enum { PACKED_MOST_VECTORS = 16 };

/* y[v] = W x[v] + bias for the rows of some panels and 1..PACKED_MOST_VECTORS
 * vectors. */
struct packed_product {
    const struct packed *w;
    int panel, n_panels;
    int n_x;
    const void *x;      /* prepared vectors, ldx bytes apart (a multiple of 64) */
    const float *scale; /* [n_x] int8: what prepare returned for each */
    size_t ldx;
    float *y; /* [n_x] of [n_panels * PANEL], written whole; ldy floats apart */
    int ldy;
};

enum { PACKED_KINDS = WEIGHTS_INT8 + 1 };

/* The largest magnitude of x. Several running maxima hide the latency of a comparison. */
float packed_largest(const float *x, size_t n);

/* The pieces' rows follow one another; each piece starts a panel. n columns each. */
size_t packed_size(enum model_weights_kind kind, const struct packing *pieces,
                   int n_pieces, int n); /* in bytes, a multiple of 64 */
/* Packs into `at`: packed_size bytes, aligned to 64, which stay the caller's. */
struct packed packed_make(enum model_weights_kind kind, const struct packing *pieces,
                          int n_pieces, int n, void *at);

#endif
