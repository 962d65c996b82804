/* The kernels that read f32 and bf16 caches of keys and values, and the time tables.
 * model/kernels/kernels.h says what they do, model/kernels/lanes.h how they compile. */
#ifndef MODEL_KERNELS_CACHE_H
#define MODEL_KERNELS_CACHE_H

#include "model/kernels/kernels.h"

#include "model/kernels/lanes.h"

#include <stddef.h>

/* Independent sums hide the latency of an addition. Keys: CHAINS vectors of a tile, as
 * many as sixteen registers hold. Values: one sum for every RESIDUES-th position of a
 * tile, for each of COLUMNS vectors. */
enum { CHAINS = LANES == 16 ? 4 : 8, RESIDUES = 4, COLUMNS = 2 };
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

/* Adds half of the cut-off part's unit, less one if the kept part is even: ties go to
 * even. A NaN keeps its sign and gets a mantissa bit, so it stays NaN. */
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

/* How a time becomes an index into rows, counted back from their end. */
struct clamping {
    int32_t first, last; /* times that have rows of their own */
    uint32_t end;
};

/* Clamps a time to now - far .. now + far, within an int32; that equals clamping the
 * difference. A `now` more than far outside an int32 counts as far outside. Indexes are
 * computed modulo 2^32, where wrapping cancels. */
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
