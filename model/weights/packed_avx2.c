/* The sets for AVX2 with FMA, without and with AVX-VNNI. A line is two registers: its lower rows
 * and its upper rows. vpmaddubsw adds int8 products in pairs; it takes magnitudes and signed
 * weights. On a Skylake it measured up to a seventh faster than bytes widened to 16 bits. See
 * packed_kernels.h. AVX-VNNI's vpdpbusd takes four products of a row at once. */
#include "model/weights/packed_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,fma")))
#define VNNI __attribute__((target("avx2,fma,avxvnni")))

struct floats {
    __m256 lower, upper;
};
struct ints {
    __m256i lower, upper;
};

SET_INLINE AVX2 struct floats f32_zero(void)
{
    return (struct floats){_mm256_setzero_ps(), _mm256_setzero_ps()};
}

SET_INLINE AVX2 struct floats f32_load(const void *at)
{
    const float *w = at;
    return (struct floats){_mm256_loadu_ps(w), _mm256_loadu_ps(w + 8)};
}

SET_INLINE AVX2 __m256 f32_spread(const void *values, size_t g)
{
    const float *x = values;
    return _mm256_set1_ps(x[g]);
}

SET_INLINE AVX2 struct floats f32_add(struct floats sum, struct floats w, __m256 x)
{
    return (struct floats){_mm256_fmadd_ps(w.lower, x, sum.lower),
                           _mm256_fmadd_ps(w.upper, x, sum.upper)};
}

SET_INLINE AVX2 void f32_store(struct floats sum, const struct packed_rows *r, int i,
                               int j)
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

SET_INLINE AVX2 struct ints bf16_load(const void *at)
{
    const __m256i *w = at;
    return (struct ints){_mm256_loadu_si256(w), _mm256_loadu_si256(w + 1)};
}

/* The values of two columns. */
struct columns {
    __m256 lower, upper;
};

SET_INLINE AVX2 __m256i spread_word(const void *values, size_t g)
{
    const int32_t *x = values;
    return _mm256_set1_epi32(x[g]);
}

SET_INLINE AVX2 struct columns widen(__m256i pairs)
{
    __m256i lower = _mm256_slli_epi32(pairs, 16);
    __m256i upper = _mm256_and_si256(pairs, _mm256_set1_epi32(-0x10000));
    return (struct columns){_mm256_castsi256_ps(lower), _mm256_castsi256_ps(upper)};
}

SET_INLINE AVX2 struct columns bf16_spread(const void *values, size_t g)
{
    return widen(spread_word(values, g));
}

SET_INLINE AVX2 __m256 bf16_add_half(__m256 sum, __m256i pairs, struct columns x)
{
    const struct columns w = widen(pairs);
    sum = _mm256_fmadd_ps(w.lower, x.lower, sum);
    return _mm256_fmadd_ps(w.upper, x.upper, sum);
}

SET_INLINE AVX2 struct floats bf16_add(struct floats sum, struct ints w,
                                       struct columns x)
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

SET_INLINE AVX2 struct ints int8_zero(void)
{
    return (struct ints){_mm256_setzero_si256(), _mm256_setzero_si256()};
}

/* A group with its signs, and its magnitudes. */
struct signed_group {
    __m256i x, magnitude;
};

SET_INLINE AVX2 struct signed_group int8_spread(const void *values, size_t g)
{
    __m256i x = _mm256_xor_si256(spread_word(values, g), _mm256_set1_epi8(-128));
    return (struct signed_group){x, _mm256_abs_epi8(x)};
}

/* Gives the values' signs to the weights. Two products of at most 127 * 127 fit 16
 * bits; two of up to 255 * 127 would not. */
SET_INLINE AVX2 __m256i int8_add_half(__m256i sum, __m256i w, struct signed_group x)
{
    __m256i pairs = _mm256_maddubs_epi16(x.magnitude, _mm256_sign_epi8(w, x.x));
    return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

SET_INLINE AVX2 struct ints int8_add(struct ints sum, struct ints w,
                                     struct signed_group x)
{
    return (struct ints){int8_add_half(sum.lower, w.lower, x),
                         int8_add_half(sum.upper, w.upper, x)};
}

/* The same operations in the same order as the plain set. The sums exclude the
 * excess. */
SET_INLINE AVX2 void int8_store(struct ints sum, const struct packed_rows *r, int i,
                                int j)
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

#define LANES 8
#include "model/weights/packed_prepare.h"
#undef TARGET

SET_INLINE VNNI __m256i vnni_add_half(__m256i sum, __m256i w, __m256i x)
{
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(sum) : "x"(x), "x"(w));
    return sum;
}

SET_INLINE VNNI struct ints vnni_add(struct ints sum, struct ints w, __m256i x)
{
    return (struct ints){vnni_add_half(sum.lower, w.lower, x),
                         vnni_add_half(sum.upper, w.upper, x)};
}

SET_INLINE VNNI void vnni_store(struct ints sum, const struct packed_rows *r, int i,
                                int j)
{
    const struct ints excess = bf16_load(r->excess + i * PANEL);
    sum.lower = _mm256_sub_epi32(sum.lower, excess.lower);
    sum.upper = _mm256_sub_epi32(sum.upper, excess.upper);
    int8_store(sum, r, i, j);
}

#define vnni_zero   int8_zero
#define vnni_load   bf16_load
#define vnni_spread spread_word
#define TARGET      VNNI
#define KIND        vnni
#define MOST_SUMS   4
#define LINE        struct ints
#define GROUP       __m256i
#define SUM         struct ints
#define AHEAD       0
#include "model/weights/packed_block.h"
#undef TARGET

const struct packed_kernels packed_avx2 = {
    "avx2",
    {packed_copy, prepare_bf16, prepare_int8},
    {f32_multiply, bf16_multiply, int8_multiply},
};
const struct packed_kernels packed_avx2vnni = {
    "avx2vnni",
    {packed_copy, prepare_bf16, prepare_int8},
    {f32_multiply, bf16_multiply, vnni_multiply},
};
#endif
