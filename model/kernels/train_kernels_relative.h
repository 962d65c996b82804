/* The kernels for distance: tables that are looked up by bucket, and their gradients;
 * model/kernels/train_kernels_body.h includes it. */
#ifndef MODEL_TRAIN_KERNELS_RELATIVE_H
#define MODEL_TRAIN_KERNELS_RELATIVE_H

#include "model/kernels/lanes.h"

#include <stdbool.h>

/* found[i] = pair[at[i] % (2 LANES)]; pair has twice as many numbers as a vector. */
#if LANES > 4
INLINE void read_pair(lanes *found, const float *pair, const lane_ints *at)
{
#if LANES == 16
    *found = (lanes)_mm512_permutex2var_ps(_mm512_loadu_ps(pair), (__m512i)*at,
                                           _mm512_loadu_ps(pair + LANES));
#else
    const __m256 low = _mm256_permutevar8x32_ps(_mm256_loadu_ps(pair), (__m256i)*at),
                 high = _mm256_permutevar8x32_ps(_mm256_loadu_ps(pair + LANES),
                                                 (__m256i)*at);
    *found = (lanes)_mm256_blendv_ps(low, high, (__m256)(*at << 28));
#endif
}

/* Whether LANES indices lie in one pair, as those of keys that sound near each other do;
 * then *found = what the table has there. */
INLINE bool read_near_indices(lanes *found, const float *table, const uint8_t *index)
{
#if LANES == 16
    const __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)index)),
                  first = _mm512_set1_epi32(index[0]);
    if (_mm512_test_epi32_mask(_mm512_xor_si512(at, first), _mm512_set1_epi32(~31)))
        return false;
#else
    const __m256i at = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)index)),
                  first = _mm256_set1_epi32(index[0]);
    if (!_mm256_testz_si256(_mm256_xor_si256(at, first), _mm256_set1_epi32(~15)))
        return false;
#endif
    read_pair(found, table + index[0] / (2 * LANES) * (2 * LANES),
              (const lane_ints *)&at);
    return true;
}
#endif

/* Whether eight keys share a bucket, as most do that lie far back or sound at one time. */
INLINE bool share_bucket(const uint8_t *index)
{
    uint64_t all;
    memcpy(&all, index, sizeof all);
    return all == index[0] * UINT64_C(0x0101010101010101);
}

TARGET static void add_looked_up(float *x, const float *table, const uint8_t *index,
                                 int n)
{
    int i = 0;
#if LANES > 4
    for (lanes found; i + LANES <= n; i += LANES)
        if (read_near_indices(&found, table, index + i))
            *(lanes *)(x + i) += found;
        else
            for (int j = 0; j < LANES; j++)
                x[i + j] += table[index[i + j]];
#endif
    for (; i < n; i++)
        x[i] += table[index[i]];
}

/* The sum of eight numbers, by vectors where the set has them. */
INLINE float sum_of_eight(const float *x)
{
    const four_lanes q = *(const four_lanes *)x + *(const four_lanes *)(x + 4);
    return (q[0] + q[2]) + (q[1] + q[3]);
}

/* Adjacent keys mostly share a bucket. Where eight do, one addition serves them; elsewhere a
 * row's additions wait for each other, and those of four rows do not. */
TARGET static void sum_into_tables(float *tables, int ld_tables, const float *x,
                                   int ld_x, const uint8_t *index, int ld_index,
                                   int n_rows, int n, int more)
{
    const size_t ld = (size_t)ld_tables, next = (size_t)ld_x, at = (size_t)ld_index;
    int r = 0;
    for (; r + 4 <= n_rows;
         r += 4, n += 4 * more, tables += 4 * ld, x += 4 * next, index += 4 * at) {
        int i = 0;
        for (; i + 8 <= n; i += 8)
            if (share_bucket(index + i) && share_bucket(index + at + i) &&
                share_bucket(index + 2 * at + i) && share_bucket(index + 3 * at + i))
                for (size_t j = 0; j < 4; j++)
                    tables[j * ld + index[j * at + i]] +=
                        sum_of_eight(x + j * next + i);
            else
                for (int k = i; k < i + 8; k++)
                    for (size_t j = 0; j < 4; j++)
                        tables[j * ld + index[j * at + k]] += x[j * next + k];
        for (int j = 0; j < 4; j++)
            for (int k = i; k < n + j * more; k++)
                tables[j * ld + index[j * at + k]] += x[j * next + k];
    }
    for (; r < n_rows; r++, n += more, tables += ld, x += next, index += at)
        for (int k = 0; k < n; k++)
            tables[index[k]] += x[k];
}

#endif
