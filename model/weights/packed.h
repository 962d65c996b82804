/* Matrices laid out for the products of a single step: W times one vector or a few.
 *
 * A step is memory traffic, so weights stand in the order in which they are read:
 * panels of PANEL rows, some panels in a block, and in a block, group after group of
 * columns, the rows of all its panels side by side. A group is as many columns as make
 * four bytes: one of f32, two of bf16, four of int8. So a line of 64 bytes times one
 * broadcast group of the vector is the next part of sixteen sums, no sum is ever folded
 * across a register, and a block is read from its first byte to its last: with panels
 * apart, the processor foresaw so little of what comes that it read a third slower.
 *
 * bf16: weights and the vector's values are rounded to the nearest; sums are f32.
 * int8: a row's weights are whole numbers from -127 to 127 times the row's scale, its
 * largest magnitude / 127; a vector's values likewise, by a scale of its own, found as
 * it comes (Dettmers et al. 2022, section 2.1), and kept 128 above as unsigned bytes.
 * The products are summed in integers, so exactly.
 *
 * Pure functions; any thread may read what is packed. */
#ifndef MODEL_PACKED_H
#define MODEL_PACKED_H

#include "model/weights/model.h"

#include <stddef.h>
#include <stdint.h>

enum { PANEL = 16, BLOCK_MOST = 6 /* panels */ };

struct packed {
    enum model_weights_kind kind;
    int rows, n;           /* rows a multiple of PANEL, the added ones 0 */
    int block;             /* panels in one, the last may have fewer */
    const void *blocks;    /* each [groups][its panels][PANEL] of four bytes */
    const float *bias;     /* [rows] */
    const float *scale;    /* int8: [rows] */
    const int32_t *excess; /* int8: 128 times the sum of a row, [rows] */
};

/* Some rows of a matrix, row-major and ld apart, some columns of each, and what is
 * added to the products (NULL: nothing). */
struct packing {
    const float *w, *bias;
    int ld, rows;
};

static inline int packed_panels(int rows)
{
    return (rows + PANEL - 1) / PANEL;
}

/* Panels in a block, of so many in all: blocks as even as can be, so that none is left
 * with too few sums to hide the latency of an addition. */
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

/* Groups in a row of n columns, or in a vector; its last is filled up with zeros. */
static inline int packed_groups(enum model_weights_kind kind, int n)
{
    int of = packed_per_group(kind);
    return (n + of - 1) / of;
}

/* Bytes of a vector made ready, a multiple of 64. */
static inline size_t packed_vector_size(enum model_weights_kind kind, int n)
{
    return ((size_t)packed_groups(kind, n) * 4 + 63) / 64 * 64;
}

/* Words of blocks before a panel's first line; its next is packed_width lines on. */
static inline size_t packed_place(const struct packed *w, int panel)
{
    const size_t block = (size_t)(panel / w->block) * (size_t)w->block;
    const size_t n_groups = (size_t)packed_groups(w->kind, w->n);
    return (block * n_groups + ((size_t)panel - block)) * PANEL;
}

/* Pieces follow one another in rows, each from the start of a panel. n columns each. */
size_t packed_size(enum model_weights_kind kind, const struct packing *pieces,
                   int n_pieces, int n); /* in bytes, a multiple of 64 */
/* At `at`, which is aligned to 64, has packed_size bytes and stays the caller's. */
struct packed packed_make(enum model_weights_kind kind, const struct packing *pieces,
                          int n_pieces, int n, void *at);

#endif
