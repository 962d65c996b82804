/* The kernels that read f32 caches of keys and values, and tables of times; kernels_int8.h
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

/* Loads numbers one by one into a vector of these; a gather measured slower. */
#if LANES > 4
typedef eight_lanes fetched;
#else
typedef four_lanes fetched;
#endif
enum { FETCHED = sizeof(fetched) / sizeof(float) };

INLINE void add_fetched(float *scores, const float *table, const uint8_t *rows, int n)
{
    int i = 0;
    for (; i + FETCHED <= n; i += FETCHED) {
        fetched found = {0};
        for (int j = 0; j < FETCHED; j++)
            found[j] = table[rows[i + j]];
        *(fetched *)(scores + i) += found;
    }
    for (; i < n; i++)
        scores[i] += table[rows[i]];
}

#if LANES == 16

/* HELD registers hold part of a table; a permutation looks up sixteen numbers in two of
 * them. Filling them pays from FEW scores on. */
enum { HELD = 8, FEW = 256 };

struct held {
    __m512 part[HELD];
};

/* Loads rows low to high and nothing else of the table. */
INLINE void hold(struct held *h, const float *table, int low, int high)
{
    for (int i = 0; i < HELD; i++) {
        int n = high + 1 - (low + i * LANES);
        __mmask16 there = (__mmask16)(n >= LANES ? 0xffff : n > 0 ? (1 << n) - 1 : 0);
        h->part[i] = _mm512_maskz_loadu_ps(there, table + low + (ptrdiff_t)i * LANES);
    }
}

/* The numbers at indexes below HELD * LANES. Each pair of registers gives a candidate;
 * the index's higher bits choose among them. */
INLINE __m512 find(const struct held *h, __m512i place)
{
    __mmask16 bit5 = _mm512_test_epi32_mask(place, _mm512_set1_epi32(32));
    __mmask16 bit6 = _mm512_test_epi32_mask(place, _mm512_set1_epi32(64));
    __m512 offer[HELD / 2];
    for (int i = 0; i < HELD / 2; i++)
        offer[i] = _mm512_permutex2var_ps(h->part[2 * i], place, h->part[2 * i + 1]);
    offer[0] = _mm512_mask_blend_ps(bit5, offer[0], offer[1]);
    offer[2] = _mm512_mask_blend_ps(bit5, offer[2], offer[3]);
    return _mm512_mask_blend_ps(bit6, offer[0], offer[2]);
}

/* Adds all n if the registers hold every row they need; else returns false. */
INLINE bool add_found(float *scores, const float *table, const uint8_t *rows, int n)
{
    uint8_t low = 255, high = 0;
    for (int i = 0; i < n; i++) {
        low = rows[i] < low ? rows[i] : low;
        high = rows[i] > high ? rows[i] : high;
    }
    if (high - low >= HELD * LANES)
        return false;
    struct held h;
    hold(&h, table, low, high);
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        __m512i row = _mm512_cvtepu8_epi32(_mm_loadu_si128((const void *)(rows + i)));
        __m512i place = _mm512_sub_epi32(row, _mm512_set1_epi32(low));
        *(lanes *)(scores + i) += (lanes)find(&h, place);
    }
    add_fetched(scores + i, table, rows + i, n - i);
    return true;
}

#endif

TARGET static void add_looked_up(float *scores, const float *table, const uint8_t *rows,
                                 int n)
{
#if LANES == 16
    if (n >= FEW && add_found(scores, table, rows, n))
        return;
#endif
    add_fetched(scores, table, rows, n);
}

#endif
