/* The set for AVX2 with FMA: a line is two registers, its lower rows and its upper ones.
 * Products of int8 are added in pairs by vpmaddubsw, which takes magnitudes and signed
 * weights: on a Skylake up to a seventh faster than bytes widened to 16 bits. See
 * packed_kernels.h. */
#include "model/weights/packed_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma")))

struct floats {
    __m256 lower, upper;
};
struct ints {
    __m256i lower, upper;
};

INLINE AVX2 struct floats f32_zero(void)
{
    return (struct floats){_mm256_setzero_ps(), _mm256_setzero_ps()};
}

INLINE AVX2 struct floats f32_load(const void *at)
{
    const float *w = at;
    return (struct floats){_mm256_loadu_ps(w), _mm256_loadu_ps(w + 8)};
}

INLINE AVX2 __m256 f32_spread(const void *values, size_t g)
{
    const float *x = values;
    return _mm256_set1_ps(x[g]);
}

INLINE AVX2 struct floats f32_add(struct floats sum, struct floats w, __m256 x)
{
    return (struct floats){_mm256_fmadd_ps(w.lower, x, sum.lower),
                           _mm256_fmadd_ps(w.upper, x, sum.upper)};
}

INLINE AVX2 void f32_store(struct floats sum, const struct packed_rows *r, int i, int j)
{
    struct floats bias = f32_load(r->bias + i * PANEL);
    float *y = r->y + (size_t)j * r->ldy + i * PANEL;
    _mm256_storeu_ps(y, _mm256_add_ps(sum.lower, bias.lower));
    _mm256_storeu_ps(y + 8, _mm256_add_ps(sum.upper, bias.upper));
}

#define TARGET    AVX2
#define KIND      f32
#define MOST_SUMS 4
#define LINE      struct floats
#define GROUP     __m256
#define SUM       struct floats
#define AHEAD     0
#include "model/weights/packed_block.h"

INLINE AVX2 struct ints bf16_load(const void *at)
{
    const __m256i *w = at;
    return (struct ints){_mm256_loadu_si256(w), _mm256_loadu_si256(w + 1)};
}

/* Of two columns. */
struct columns {
    __m256 lower, upper;
};

INLINE AVX2 __m256i spread_word(const void *values, size_t g)
{
    const int32_t *x = values;
    return _mm256_set1_epi32(x[g]);
}

INLINE AVX2 struct columns widen(__m256i pairs)
{
    __m256i lower = _mm256_slli_epi32(pairs, 16);
    __m256i upper = _mm256_and_si256(pairs, _mm256_set1_epi32(-0x10000));
    return (struct columns){_mm256_castsi256_ps(lower), _mm256_castsi256_ps(upper)};
}

INLINE AVX2 struct columns bf16_spread(const void *values, size_t g)
{
    return widen(spread_word(values, g));
}

INLINE AVX2 __m256 bf16_add_half(__m256 sum, __m256i pairs, struct columns x)
{
    const struct columns w = widen(pairs);
    sum = _mm256_fmadd_ps(w.lower, x.lower, sum);
    return _mm256_fmadd_ps(w.upper, x.upper, sum);
}

INLINE AVX2 struct floats bf16_add(struct floats sum, struct ints w, struct columns x)
{
    return (struct floats){bf16_add_half(sum.lower, w.lower, x),
                           bf16_add_half(sum.upper, w.upper, x)};
}

#define bf16_zero  f32_zero
#define bf16_store f32_store
#define KIND       bf16
#define MOST_SUMS  4
#define LINE       struct ints
#define GROUP      struct columns
#define SUM        struct floats
#define AHEAD      0
#include "model/weights/packed_block.h"

INLINE AVX2 struct ints int8_zero(void)
{
    return (struct ints){_mm256_setzero_si256(), _mm256_setzero_si256()};
}

/* A group, and its magnitudes. */
struct signed_group {
    __m256i x, magnitude;
};

INLINE AVX2 struct signed_group int8_spread(const void *values, size_t g)
{
    __m256i x = _mm256_xor_si256(spread_word(values, g), _mm256_set1_epi8(-128));
    return (struct signed_group){x, _mm256_abs_epi8(x)};
}

/* The signs go to the weights: two products of at most 127 times 127 fit 16 bits, where
 * two of up to 255 times 127 would not. */
INLINE AVX2 __m256i int8_add_half(__m256i sum, __m256i w, struct signed_group x)
{
    __m256i pairs = _mm256_maddubs_epi16(x.magnitude, _mm256_sign_epi8(w, x.x));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

INLINE AVX2 struct ints int8_add(struct ints sum, struct ints w, struct signed_group x)
{
    return (struct ints){int8_add_half(sum.lower, w.lower, x),
                         int8_add_half(sum.upper, w.upper, x)};
}

/* The plain set's expression, operation for operation; the sums lack the excess. */
INLINE AVX2 void int8_store(struct ints sum, const struct packed_rows *r, int i, int j)
{
    struct floats rows = f32_load(r->row_scale + i * PANEL);
    __m256 scale = _mm256_set1_ps(r->scale[j]);
    __m256 lower = _mm256_cvtepi32_ps(sum.lower), upper = _mm256_cvtepi32_ps(sum.upper);
    lower = _mm256_mul_ps(lower, _mm256_mul_ps(rows.lower, scale));
    upper = _mm256_mul_ps(upper, _mm256_mul_ps(rows.upper, scale));
    f32_store((struct floats){lower, upper}, r, i, j);
}

#define int8_load bf16_load
#define KIND      int8
#define MOST_SUMS 4
#define LINE      struct ints
#define GROUP     struct signed_group
#define SUM       struct ints
#define AHEAD     0
#include "model/weights/packed_block.h"
#undef TARGET

/* Values [i, i + 8) of n, zeros past the last; nothing is read there. */
INLINE AVX2 __m256 load_part(const float *x, int i, int n)
{
    const __m256i lane = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    if (i >= n)
        return _mm256_setzero_ps();
    return _mm256_maskload_ps(x + i,
                              _mm256_cmpgt_epi32(_mm256_set1_epi32(n - i), lane));
}

INLINE AVX2 __m256 magnitude(__m256 x)
{
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), x);
}

/* The order in which they are compared does not matter; one that is no number loses. */
AVX2 static float largest(const float *x, int n)
{
    __m256 most[4] = {{0}};
    float lanes[8], highest = 0.0f;
    for (int i = 0; i < n; i += 32)
        for (int c = 0; c < 4; c++)
            most[c] = _mm256_max_ps(magnitude(load_part(x, i + c * 8, n)), most[c]);
    most[0] = _mm256_max_ps(most[0], most[1]);
    most[2] = _mm256_max_ps(most[2], most[3]);
    _mm256_storeu_ps(lanes, _mm256_max_ps(most[0], most[2]));
    for (int i = 0; i < 8; i++)
        highest = lanes[i] > highest ? lanes[i] : highest;
    return highest;
}

AVX2 static float prepare_int8(void *at, const float *x, int n)
{
    uint8_t *to = at;
    float most = largest(x, n), steps = most > 0.0f ? 127.0f / most : 0.0f;
    const int size = (int)packed_vector_size(WEIGHTS_INT8, n);
    for (int i = 0; i < size; i += 8) {
        __m256 value = _mm256_mul_ps(load_part(x, i, n), _mm256_set1_ps(steps));
        __m256 fits =
            _mm256_cmp_ps(magnitude(value), _mm256_set1_ps(127.5f), _CMP_LT_OQ);
        __m256i whole = _mm256_cvtps_epi32(_mm256_and_ps(value, fits));
        whole = _mm256_add_epi32(whole, _mm256_set1_epi32(128));
        __m128i halves = _mm_packs_epi32(_mm256_castsi256_si128(whole),
                                         _mm256_extracti128_si256(whole, 1));
        _mm_storel_epi64((__m128i *)(to + i), _mm_packus_epi16(halves, halves));
    }
    return most / 127.0f;
}

/* As quantise_to_bf16, which keeps what has no bf16 near it; words below 2^16. */
INLINE AVX2 __m256i to_bf16(__m256 x)
{
    const __m256i bits = _mm256_castps_si256(x), top = _mm256_set1_epi32(0x7f800000);
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
    __m256i near = _mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff));
    near = _mm256_add_epi32(near, odd);
    __m256i none = _mm256_cmpeq_epi32(_mm256_and_si256(near, top), top);
    near = _mm256_blendv_epi8(near, bits, none);
    return _mm256_srli_epi32(near, 16);
}

AVX2 static float prepare_bf16(void *at, const float *x, int n)
{
    uint16_t *to = at;
    const int size = (int)(packed_vector_size(WEIGHTS_BF16, n) / sizeof *to);
    for (int i = 0; i < size; i += 8) {
        __m256i words = to_bf16(load_part(x, i, n));
        __m128i halves = _mm_packus_epi32(_mm256_castsi256_si128(words),
                                          _mm256_extracti128_si256(words, 1));
        _mm_store_si128((__m128i *)(to + i), halves);
    }
    return 1.0f;
}

const struct packed_kernels packed_avx2 = {
    "avx2",
    {packed_copy, prepare_bf16, prepare_int8},
    {f32_multiply, bf16_multiply, int8_multiply},
};
#endif
