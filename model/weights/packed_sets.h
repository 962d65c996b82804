/* What the fast sets behind model/weights/packed_kernels.h share. Each function of a
 * set carries its target as an attribute, so nothing of a set runs on a processor
 * without it. */
#ifndef MODEL_PACKED_SETS_H
#define MODEL_PACKED_SETS_H

#include "model/weights/packed_kernels.h"
#include "model/kernels/unrolled.h"

#include <stdbool.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* what gcc's -std=c11 does by itself */
#endif

#define SET_INLINE static inline __attribute__((always_inline))

enum { PACKED_LINE = 64 };

/* Copies f32 vectors, which need no other preparation; for every set. */
float packed_copy(void *to, const float *x, int n);

#if defined(__x86_64__)
extern const struct packed_kernels packed_avx2, packed_avx2vnni, packed_avx512,
    packed_avx512vnni, packed_avx512bf16;
#endif

/* The inputs of a block, from its first panel and vector on. It is a local copy, since
 * the compiler must assume that writing results could change the original. */
struct packed_rows {
    const uint8_t *w, *x;
    size_t n_groups, apart; /* lines of a panel, and bytes from one to the next */
    const float *bias, *row_scale, *scale; /* row_scale and excess: NULL if not int8 */
    const int32_t *excess;
    float *y;
    size_t ldy;
};

SET_INLINE struct packed_rows packed_rows(const struct packed_product *p, int at, int v)
{
    const struct packed *w = p->w;
    const int panel = p->panel + at, row = panel * PANEL;
    const bool is_int8 = w->kind == WEIGHTS_INT8;
    struct packed_rows rows = {.ldy = (size_t)p->ldy, .bias = w->bias + row};
    rows.w = (const uint8_t *)((const uint32_t *)w->blocks + packed_place(w, panel));
    rows.n_groups = (size_t)packed_groups(w->kind, w->n);
    rows.apart = (size_t)packed_width(w, panel) * PACKED_LINE;
    rows.x = (const uint8_t *)p->x + (size_t)v * p->ldx;
    rows.y = p->y + (size_t)v * rows.ldy + (size_t)at * PANEL;
    rows.row_scale = is_int8 ? w->scale + row : NULL;
    rows.excess = is_int8 ? w->excess + row : NULL;
    rows.scale = is_int8 ? p->scale + v : NULL;
    return rows;
}

/* Panels that go together if as many of the n_x vectors do as the sums allow. */
SET_INLINE int packed_most_panels(int n_x, int most_sums)
{
    int at_once = n_x >= 4 ? 4 : n_x >= 2 ? 2 : 1;
    int most = most_sums / at_once;
    return most < BLOCK_MOST ? most : BLOCK_MOST;
}

/* Panels to take next from panel `at` on: within one block, in even shares of what is
 * left of it. */
SET_INLINE int packed_share(const struct packed_product *p, int at, int most)
{
    const int panel = p->panel + at, left = p->n_panels - at;
    int n = packed_width(p->w, panel) - panel % p->w->block;
    n = n < left ? n : left;
    int shares = (n + most - 1) / most;
    return (n + shares - 1) / shares;
}

#endif
