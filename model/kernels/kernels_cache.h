/* The kernels that read f32 caches of keys and values; kernels_int8.h
 * has those of caches in 8 bits.
 * model/kernels/kernels.h says what they do, model/kernels/lanes.h how they compile. */
#ifndef MODEL_KERNELS_CACHE_H
#define MODEL_KERNELS_CACHE_H

#include "model/kernels/kernels.h"

#include "model/kernels/lanes.h"

#include <stdbool.h>
#include <stddef.h>

/* Independent sums hide the latency of an addition. Keys: CHAINS vectors of a tile, as
 * many as the registers hold. Values: one sum for every RESIDUES-th position of a
 * tile, for each of COLUMNS vectors. */
enum { CHAINS = NEON ? 16 : LANES == 16 ? 4 : 8, RESIDUES = 4, COLUMNS = NEON ? 4 : 2 };
_Static_assert(KEY_TILE % (CHAINS * LANES) == 0, "a tile is so many whole chains");
_Static_assert(VALUE_PAD % LANES == 0, "a padded row is whole vectors");

/* The scores of CHAINS vectors of a tile. */
INLINE void score_chains(float *scores, const float *q, const float *keys, int d)
{
    lanes sum[CHAINS] = {{0}};
    for (int j = 0; j < d; j++, keys += KEY_TILE)
        for (int c = 0; c < CHAINS; c++)
            sum[c] += *(const lanes *)(keys + c * LANES) * q[j];
    for (int c = 0; c < CHAINS; c++)
        *(lanes *)(scores + c * LANES) = sum[c];
}

/* Nothing is to be gained by reading a line for all rows, but a tile stays near while
 * they read it. */
TARGET static void score_keys(const struct scoring *s)
{
    const float *keys = s->keys;
    for (int t = 0; t < s->n; t += KEY_TILE, keys += (size_t)s->d * KEY_TILE)
        for (size_t r = 0; r < (size_t)s->n_rows; r++)
            for (int i = 0; i < KEY_TILE; i += CHAINS * LANES)
                score_chains(s->scores + r * s->ld + t + i, s->q + r * s->ldq, keys + i,
                             s->d);
}

/* n_columns vectors of the result, over a tile's positions. */
INLINE void mix_tile(float *y, const float *p, const float *values, int n, int width,
                     int n_columns)
{
    lanes sum[COLUMNS][RESIDUES] = {{{0}}};
    int t = 0;
    for (; t + RESIDUES <= n; t += RESIDUES)
        for (int r = 0; r < RESIDUES; r++, values += width)
            for (int c = 0; c < n_columns; c++)
                sum[c][r] += *(const lanes *)(values + c * LANES) * p[t + r];
    for (; t < n; t++, values += width)
        for (int c = 0; c < n_columns; c++)
            sum[c][0] += *(const lanes *)(values + c * LANES) * p[t];
    for (int c = 0; c < n_columns; c++)
        *(lanes *)(y + c * LANES) += (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
}

INLINE void mix_row(float *y, const float *p, const float *values, int n, int width)
{
    int i = 0;
    for (; i + COLUMNS * LANES <= width; i += COLUMNS * LANES)
        mix_tile(y + i, p, values + i, n, width, COLUMNS);
    if (i < width)
        mix_tile(y + i, p, values + i, n, width, 1);
}

TARGET static void mix_values(const struct mixing *m)
{
    for (int t = 0; t < m->n; t += KEY_TILE)
        for (size_t r = 0; r < (size_t)m->n_rows; r++)
            mix_row(m->y + r * m->ldy, m->p + r * m->ldp + t,
                    (const float *)m->values + (size_t)t * (size_t)m->width,
                    m->n - t < KEY_TILE ? m->n - t : KEY_TILE, m->width);
}

#endif
