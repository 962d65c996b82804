/* The training kernels for distance: lookup tables by bucket and their gradients. model/kernels/train_kernels_body.h includes it. */
#ifndef MODEL_TRAIN_KERNELS_RELATIVE_H
#define MODEL_TRAIN_KERNELS_RELATIVE_H

#include "model/kernels/lanes.h"

#include <stdbool.h>

enum { TABLE_PAIRS = TRAIN_TABLE / 32 }; /* of vectors of sixteen */

#if LANES == 16
/* Adds table[index[i]] to sixteen numbers. Registers hold the table, 32 numbers in two of
 * them; pairs before `pair` are never read. */
INLINE void read_from_pairs(lanes *x, const __m512 (*pairs)[2], int pair,
                            const uint8_t *index)
{
    const __m512i at = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)index)),
                  of = _mm512_srli_epi32(at, 5);
    __m512 found = _mm512_permutex2var_ps(pairs[pair][0], at, pairs[pair][1]);
    for (int i = pair + 1; i < TABLE_PAIRS; i++)
        found =
            _mm512_mask_mov_ps(found, _mm512_cmpeq_epi32_mask(of, _mm512_set1_epi32(i)),
                               _mm512_permutex2var_ps(pairs[i][0], at, pairs[i][1]));
    *x += (lanes)found;
}
#endif

TARGET static void read_table(float *x, const float *table, const uint8_t *index, int n,
                              int first)
{
    int i = 0;
#if LANES == 16
    __m512 pairs[TABLE_PAIRS][2];
    const int upper = first >= 3 * 32;
    for (int j = upper ? 3 : 0; j < TABLE_PAIRS; j++)
        for (int half = 0; half < 2; half++)
            pairs[j][half] = _mm512_loadu_ps(table + 32 * j + 16 * half);
    for (; upper && i + LANES <= n; i += LANES)
        read_from_pairs((lanes *)(x + i), pairs, 3, index + i);
    for (; i + LANES <= n; i += LANES)
        read_from_pairs((lanes *)(x + i), pairs, 0, index + i);
#endif
    (void)first;
    for (; i < n; i++)
        x[i] += table[index[i]];
}

INLINE void sum_into_table(float *table, const float *x, const uint8_t *index, int from,
                           int n)
{
    for (int i = from; i < n; i++)
        table[index[i]] += x[i];
}

/* Adjacent keys mostly share a bucket, so a row's additions wait for each other; those
 * of four rows do not. */
TARGET static void sum_into_tables(float *tables, int ld_tables, const float *x,
                                   int ld_x, const uint8_t *index, int ld_index,
                                   int n_rows, int n, int more)
{
    const size_t ld = (size_t)ld_tables, next = (size_t)ld_x, at = (size_t)ld_index;
    int r = 0;
    for (; r + 4 <= n_rows; r += 4, n += 4 * more) {
        for (int i = 0; i < n; i++) {
            tables[index[i]] += x[i];
            tables[ld + index[at + i]] += x[next + i];
            tables[2 * ld + index[2 * at + i]] += x[2 * next + i];
            tables[3 * ld + index[3 * at + i]] += x[3 * next + i];
        }
        for (int j = 0; j < 4; j++, tables += ld, x += next, index += at)
            sum_into_table(tables, x, index, n, n + j * more);
    }
    for (; r < n_rows; r++, n += more, tables += ld, x += next, index += at)
        sum_into_table(tables, x, index, 0, n);
}

#endif
