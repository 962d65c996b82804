/* The sets for AVX-512, with and without VNNI and BF16. A line is one register. VNNI's
 * vpdpbusd takes four int8 products of a row at once; BF16's vdpbf16ps takes two bf16
 * products. Without BF16, bf16 is widened to f32. Without VNNI, int8 products are added
 * in pairs: for few vectors by vpmaddubsw, from magnitudes and signed weights; for many
 * by vpmaddwd, from even and odd bytes widened to 16 bits. Integer sums are exact. See
 * packed_kernels.h. */
#include "model/weights/packed_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { FAR = 4096 }; /* bytes of prefetch; half to four times as far measured alike */

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define VNNI   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define BF16                                                                           \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,"             \
                          "avx512bf16")))

SET_INLINE AVX512 __m512 f32_zero(void)
{
    return _mm512_setzero_ps();
}

SET_INLINE AVX512 __m512 f32_load(const void *at)
{
    return _mm512_loadu_ps(at);
}

SET_INLINE AVX512 __m512 f32_spread(const void *values, size_t g)
{
    const float *x = values;
    return _mm512_set1_ps(x[g]);
}

SET_INLINE AVX512 __m512 f32_add(__m512 sum, __m512 w, __m512 x)
{
    return _mm512_fmadd_ps(w, x, sum);
}

SET_INLINE AVX512 void f32_store(__m512 sum, const struct packed_rows *r, int i, int j)
{
    __m512 bias = _mm512_loadu_ps(r->bias + i * PANEL);
    _mm512_storeu_ps(r->y + (size_t)j * r->ldy + i * PANEL, _mm512_add_ps(sum, bias));
}

#define TARGET    AVX512
#define KIND      f32
#define MOST_SUMS 24
#define LINE      __m512
#define GROUP     __m512
#define SUM       __m512
#define AHEAD     0
#include "model/weights/packed_block.h"

/* Two columns: one in the lower halves, one in the upper. */
struct columns {
    __m512 lower, upper;
};

SET_INLINE AVX512 __m512i load_line(const void *at)
{
    return _mm512_loadu_si512(at);
}

SET_INLINE AVX512 __m512i spread_word(const void *values, size_t g)
{
    const int32_t *x = values;
    return _mm512_set1_epi32(x[g]);
}

SET_INLINE AVX512 struct columns widen(__m512i pairs)
{
    __m512i lower = _mm512_slli_epi32(pairs, 16);
    __m512i upper = _mm512_and_si512(pairs, _mm512_set1_epi32(-0x10000));
    return (struct columns){_mm512_castsi512_ps(lower), _mm512_castsi512_ps(upper)};
}

SET_INLINE AVX512 struct columns bf16_spread(const void *values, size_t g)
{
    return widen(spread_word(values, g));
}

SET_INLINE AVX512 __m512 bf16_add(__m512 sum, __m512i pairs, struct columns x)
{
    const struct columns w = widen(pairs);
    sum = _mm512_fmadd_ps(w.lower, x.lower, sum);
    return _mm512_fmadd_ps(w.upper, x.upper, sum);
}

#define bf16_zero  f32_zero
#define bf16_load  load_line
#define bf16_store f32_store
#define KIND       bf16
#define MOST_SUMS  16
#define LINE       __m512i
#define GROUP      struct columns
#define SUM        __m512
#define AHEAD      FAR
#include "model/weights/packed_block.h"

SET_INLINE AVX512 __m512i int8_zero(void)
{
    return _mm512_setzero_si512();
}

/* The same operations in the same order as the plain set. */
SET_INLINE AVX512 void whole_store(__m512i whole, const struct packed_rows *r, int i,
                                   int j)
{
    __m512 scale = _mm512_mul_ps(_mm512_loadu_ps(r->row_scale + i * PANEL),
                                 _mm512_set1_ps(r->scale[j]));
    f32_store(_mm512_mul_ps(_mm512_cvtepi32_ps(whole), scale), r, i, j);
}

SET_INLINE AVX512 void int8_store(__m512i sum, const struct packed_rows *r, int i,
                                  int j)
{
    __m512i excess = _mm512_loadu_si512(r->excess + i * PANEL);
    whole_store(_mm512_sub_epi32(sum, excess), r, i, j);
}

/* With many vectors, one widened line serves them all. */
SET_INLINE AVX512 __m512i many_add(__m512i sum, __m512i w, __m512i x)
{
    __m512i even = _mm512_srai_epi16(_mm512_slli_epi16(w, 8), 8);
    __m512i odd = _mm512_srai_epi16(w, 8);
    even = _mm512_madd_epi16(even, _mm512_and_si512(x, _mm512_set1_epi16(0xff)));
    odd = _mm512_madd_epi16(odd, _mm512_srli_epi16(x, 8));
    return _mm512_add_epi32(sum, _mm512_add_epi32(even, odd));
}

#define many_zero   int8_zero
#define many_load   load_line
#define many_spread spread_word
#define many_store  int8_store
#define KIND        many
#define MOST_SUMS   16
#define LINE        __m512i
#define GROUP       __m512i
#define SUM         __m512i
#define AHEAD       FAR
#include "model/weights/packed_block.h"

/* A group's magnitudes, and where it is negative. */
struct signed_group {
    __m512i magnitude;
    __mmask64 negative;
};

SET_INLINE AVX512 struct signed_group few_spread(const void *values, size_t g)
{
    __m512i x = _mm512_xor_si512(spread_word(values, g), _mm512_set1_epi8(-128));
    return (struct signed_group){_mm512_abs_epi8(x), _mm512_movepi8_mask(x)};
}

/* Gives the values' signs to the weights. Two products of at most 127 * 127 fit 16
 * bits; two of up to 255 * 127 would not. */
SET_INLINE AVX512 __m512i few_add(__m512i sum, __m512i w, struct signed_group x)
{
    w = _mm512_mask_sub_epi8(w, x.negative, _mm512_setzero_si512(), w);
    __m512i pairs = _mm512_maddubs_epi16(x.magnitude, w);
    return _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
}

#define few_zero  int8_zero
#define few_load  load_line
#define few_store whole_store
#define KIND      few
#define MOST_SUMS 16
#define LINE      __m512i
#define GROUP     struct signed_group
#define SUM       __m512i
#define AHEAD     FAR
#include "model/weights/packed_block.h"

#define LANES 16
#include "model/weights/packed_prepare.h"
#undef TARGET

static void int8_multiply(const struct packed_product *p)
{
    (p->n_x < 4 ? few_multiply : many_multiply)(p);
}

SET_INLINE VNNI __m512i vnni_add(__m512i sum, __m512i w, __m512i x)
{
    /* From the intrinsic, gcc 12 uses two registers a sum, so most sums get none. */
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w));
    return sum;
}

#define vnni_zero   int8_zero
#define vnni_load   load_line
#define vnni_spread spread_word
#define vnni_store  int8_store
#define TARGET      VNNI
#define KIND        vnni
#define MOST_SUMS   24
#define LINE        __m512i
#define GROUP       __m512i
#define SUM         __m512i
#define AHEAD       0
#include "model/weights/packed_block.h"
#undef TARGET

SET_INLINE BF16 __m512 dot_add(__m512 sum, __m512i w, __m512i x)
{
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w)); /* as above */
    return sum;
}

#define dot_zero   f32_zero
#define dot_load   load_line
#define dot_spread spread_word
#define dot_store  f32_store
#define TARGET     BF16
#define KIND       dot
#define MOST_SUMS  24
#define LINE       __m512i
#define GROUP      __m512i
#define SUM        __m512
#define AHEAD      0
#include "model/weights/packed_block.h"
#undef TARGET

const struct packed_kernels packed_avx512 = {
    "avx512",
    {packed_copy, prepare_bf16, prepare_int8},
    {f32_multiply, bf16_multiply, int8_multiply},
};
const struct packed_kernels packed_avx512vnni = {
    "avx512vnni",
    {packed_copy, prepare_bf16, prepare_int8},
    {f32_multiply, bf16_multiply, vnni_multiply},
};
const struct packed_kernels packed_avx512bf16 = {
    "avx512bf16",
    {packed_copy, prepare_bf16, prepare_int8},
    {f32_multiply, dot_multiply, vnni_multiply},
};
#endif
