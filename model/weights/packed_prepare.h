/* Prepares vectors for packed matrices (model/weights/packed.h), on the vectors of
 * model/kernels/lanes.h, which says what the file of an instruction set defines before
 * it includes this. They have the bits of the plain set. */
#include "model/kernels/lanes.h"
#include "model/weights/packed_sets.h"

#include <string.h>

typedef uint8_t lane_bytes VECTOR(LANES, 1);
typedef uint16_t lane_halves VECTOR(LANES * 2, 2);

/* Integers that fit, as bytes or words. gcc takes the lanes of AVX2 one by one. */
INLINE void store_bytes(uint8_t *to, const lane_ints *x)
{
#if LANES == 8
    const __m256i v = (__m256i)*x;
    __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    _mm_storel_epi64((__m128i *)to, _mm_packus_epi16(words, words));
#else
    *(lane_bytes *)to = __builtin_convertvector(*x, lane_bytes);
#endif
}

INLINE void store_words(uint16_t *to, const lane_words *x)
{
#if LANES == 8
    const __m256i v = (__m256i)*x;
    _mm_storeu_si128((__m128i *)to, _mm_packus_epi32(_mm256_castsi256_si128(v),
                                                     _mm256_extracti128_si256(v, 1)));
#else
    *(lane_halves *)to = __builtin_convertvector(*x, lane_halves);
#endif
}

/* Values [i, i + LANES) of n, i < n, padded with zeros; reads nothing past the last. */
INLINE void load_values(lanes *v, const float *x, int i, int n)
{
    if (i + LANES <= n)
        *v = *lanes_at(x + i, 0);
    else
        lanes_load_part(v, x + i, n - i, 0.0f);
}

/* Adding 1.5 * 2^23 rounds to the nearest, ties to even, and leaves the integer in the
 * low bits. A value that does not fit becomes 0. */
INLINE void to_bytes(uint8_t *to, const lanes *value)
{
    const float big = 12582912.0f;
    lanes size = *value, zero = {0};
    lanes_strip_sign(&size);
    lane_ints fits = size < 127.5f;
    lanes whole = (lanes)((lane_ints)*value & fits) + big;
    lane_ints bytes = (lane_ints)whole - (lane_ints)(zero + big) + 128;
    store_bytes(to, &bytes);
}

TARGET static float prepare_f32(void *to, const float *x, int n)
{
    const size_t n_bytes = (size_t)n * sizeof *x;
    memcpy(to, x, n_bytes);
    memset((uint8_t *)to + n_bytes, 0, packed_vector_size(WEIGHTS_F32, n) - n_bytes);
    return 1.0f;
}

TARGET static float prepare_int8(void *at, const float *x, int n)
{
    uint8_t *to = at;
    lanes v;
    const float most = largest_of(x, n), steps = most > 0.0f ? 127.0f / most : 0.0f;
    const int size = (int)packed_vector_size(WEIGHTS_INT8, n);
    memset(to + n, 128, (size_t)(size - n));
    for (int i = 0; i < n; i += LANES) {
        load_values(&v, x, i, n);
        v *= steps;
        to_bytes(to + i, &v);
    }
    return most / 127.0f;
}

/* As quantise_to_bf16, which clamps to the largest bf16. */
TARGET static float prepare_bf16(void *at, const float *x, int n)
{
    uint16_t *to = at;
    lanes v;
    const int size = (int)(packed_vector_size(WEIGHTS_BF16, n) / sizeof *to);
    memset(to + n, 0, (size_t)(size - n) * sizeof *to);
    for (int i = 0; i < n; i += LANES) {
        load_values(&v, x, i, n);
        lane_words bits = (lane_words)v, nearest = bits + 0x7fffu + (bits >> 16 & 1u);
        lane_words none = (lane_words)((nearest & 0x7f800000u) == 0x7f800000u);
        nearest = (none & bits) | (~none & nearest);
        nearest >>= 16;
        store_words(to + i, &nearest);
    }
    return 1.0f;
}
