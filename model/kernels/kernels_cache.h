/* The kernels that read caches of keys and values, in f32 and bf16, and the tables of
 * time: see model/kernels/kernels.h for what they do, model/kernels/lanes.h for how they are compiled. */
#ifndef MODEL_KERNELS_CACHE_H
#define MODEL_KERNELS_CACHE_H

#include "model/kernels/kernels.h"

#include "model/kernels/lanes.h"

#include <stdbool.h>
#include <stddef.h>

/* Sums that run side by side hide the latency of an addition: those of CHAINS vectors of
 * a tile of keys, as many as sixteen registers bear, and those of every RESIDUES-th
 * position of a tile of values, for COLUMNS vectors of them. */
enum { CHAINS = LANES == 16 ? 4 : 8, RESIDUES = 4, COLUMNS = 2 };
_Static_assert(KEY_TILE % (CHAINS * LANES) == 0, "a tile is so many whole chains");
_Static_assert(VALUE_PAD % LANES == 0, "a padded row is whole vectors");

/* CHAINS vectors of a tile. */
INLINE void score_chains(float *scores, const float *q, const float *keys, int d)
{
    lanes sum[CHAINS] = {{0}};
    for (int j = 0; j < d; j++, keys += KEY_TILE)
        for (int c = 0; c < CHAINS; c++)
            sum[c] += *(const lanes *)(keys + c * LANES) * q[j];
    for (int c = 0; c < CHAINS; c++)
        *(lanes *)(scores + c * LANES) = sum[c];
}

TARGET static void score_keys(float *scores, const float *q, const float *keys,
                              int n_tiles, int d)
{
    for (; n_tiles > 0; n_tiles--, scores += KEY_TILE, keys += (size_t)d * KEY_TILE)
        for (int i = 0; i < KEY_TILE; i += CHAINS * LANES)
            score_chains(scores + i, q, keys + i, d);
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

TARGET static void mix_values(float *y, const float *p, const float *values, int n,
                              int width)
{
    for (int t = 0; t < n; t += KEY_TILE) {
        const float *tile = values + (size_t)t * (size_t)width;
        const int part = n - t < KEY_TILE ? n - t : KEY_TILE;
        int i = 0;
        for (; i + COLUMNS * LANES <= width; i += COLUMNS * LANES)
            mix_tile(y + i, p + t, tile + i, part, width, COLUMNS);
        if (i < width)
            mix_tile(y + i, p + t, tile + i, part, width, 1);
    }
}

/* Half of what is cut off, less one where what stays is even, carries to the nearest.
 * A NaN keeps its sign and a bit to stay one by. */
TARGET static void to_bf16(uint16_t *to, const float *x, int n)
{
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        uint32_t nearest = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
        uint32_t nan = bits >> 16 | 0x40;
        to[i] = (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? nan : nearest);
    }
}

INLINE int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* Places in a table of rows: from the table's end, back by the time. */
struct clamping {
    int32_t first, last; /* times that have rows of their own */
    uint32_t end;
};

/* A time's own clamping to now - far .. now + far, cut to what an int32 can be, does the
 * same as clamping a difference; a now further off than far is as far. Places are worked
 * out in the words of the times, whose wrapping comes out even. */
INLINE struct clamping clamp_times(int far, int64_t now)
{
    now = clamp(now, (int64_t)INT32_MIN - far, (int64_t)INT32_MAX + far);
    return (struct clamping){(int32_t)clamp(now - far, INT32_MIN, INT32_MAX),
                             (int32_t)clamp(now + far, INT32_MIN, INT32_MAX),
                             (uint32_t)(now + far)};
}

INLINE void look_up_rows(uint8_t *to, const uint8_t *rows, const struct clamping *c,
                         const int32_t *times, int n)
{
    uint32_t at[KEY_TILE];
    for (int i = 0; i < n; i++) {
        int32_t time = times[i] < c->first ? c->first : times[i];
        at[i] = c->end - (uint32_t)(time > c->last ? c->last : time);
    }
    for (int i = 0; i < n; i++)
        to[i] = rows[at[i]];
}

TARGET static void time_rows(uint8_t *to, const uint8_t *rows, int far, int64_t now,
                             const int32_t *times, int n)
{
    const struct clamping c = clamp_times(far, now);
    int i = 0;
    for (; i + KEY_TILE <= n; i += KEY_TILE)
        look_up_rows(to + i, rows, &c, times + i, KEY_TILE);
    look_up_rows(to + i, rows, &c, times + i, n - i);
}

#endif
