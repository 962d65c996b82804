/* Adds looked-up table entries to scores: see model/kernels/kernels.h. */
#ifndef MODEL_KERNELS_LOOKUP_H
#define MODEL_KERNELS_LOOKUP_H

#include "model/kernels/lanes.h"

#include <stdbool.h>

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

TARGET static void add_looked_up(float *scores, const float *table, const uint8_t *rows,
                                 int n)
{
    if (n < FEW || !add_found(scores, table, rows, n))
        add_fetched(scores, table, rows, n);
}

#else

TARGET static void add_looked_up(float *scores, const float *table, const uint8_t *rows,
                                 int n)
{
    add_fetched(scores, table, rows, n);
}

#endif

#endif
