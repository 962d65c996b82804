/* The sets for AVX-512, with its VNNI and BF16 and without: a line is a register. int8
 * groups go through vpdpbusd, four products to a row at once, bf16 pairs through
 * vdpbf16ps, two. Without the one, bf16 is widened to f32. Without the other, products of
 * int8 are added in pairs: with few vectors by vpmaddubsw, which takes magnitudes and
 * signed weights, with many by vpmaddwd, from a line's bytes widened to 16 bits, the even
 * ones and the odd. All are exact. See packed_kernels.h. */
#include "model/weights/packed_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

enum { FAR = 4096 }; /* bytes; from half of it to four times it measured alike */

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define VNNI   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))
#define BF16                                                                           \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni,"             \
                          "avx512bf16")))

INLINE AVX512 __m512 f32_zero(void)
{
    return _mm512_setzero_ps();
}

INLINE AVX512 __m512 f32_load(const void *at)
{
    return _mm512_loadu_ps(at);
}

INLINE AVX512 __m512 f32_spread(const void *values, size_t g)
{
    const float *x = values;
    return _mm512_set1_ps(x[g]);
}

INLINE AVX512 __m512 f32_add(__m512 sum, __m512 w, __m512 x)
{
    return _mm512_fmadd_ps(w, x, sum);
}

INLINE AVX512 void f32_store(__m512 sum, const struct packed_rows *r, int i, int j)
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

/* Two columns: the one in the lower halves, and the one in the upper. */
struct columns {
    __m512 lower, upper;
};

INLINE AVX512 __m512i load_line(const void *at)
{
    return _mm512_loadu_si512(at);
}

INLINE AVX512 __m512i spread_word(const void *values, size_t g)
{
    const int32_t *x = values;
    return _mm512_set1_epi32(x[g]);
}

INLINE AVX512 struct columns widen(__m512i pairs)
{
    __m512i lower = _mm512_slli_epi32(pairs, 16);
    __m512i upper = _mm512_and_si512(pairs, _mm512_set1_epi32(-0x10000));
    return (struct columns){_mm512_castsi512_ps(lower), _mm512_castsi512_ps(upper)};
}

INLINE AVX512 struct columns bf16_spread(const void *values, size_t g)
{
    return widen(spread_word(values, g));
}

INLINE AVX512 __m512 bf16_add(__m512 sum, __m512i pairs, struct columns x)
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

INLINE AVX512 __m512i int8_zero(void)
{
    return _mm512_setzero_si512();
}

/* The plain set's expression, operation for operation. */
INLINE AVX512 void whole_store(__m512i whole, const struct packed_rows *r, int i, int j)
{
    __m512 scale = _mm512_mul_ps(_mm512_loadu_ps(r->row_scale + i * PANEL),
                                 _mm512_set1_ps(r->scale[j]));
    f32_store(_mm512_mul_ps(_mm512_cvtepi32_ps(whole), scale), r, i, j);
}

INLINE AVX512 void int8_store(__m512i sum, const struct packed_rows *r, int i, int j)
{
    __m512i excess = _mm512_loadu_si512(r->excess + i * PANEL);
    whole_store(_mm512_sub_epi32(sum, excess), r, i, j);
}

/* Many vectors to a line: widening it serves them all. */
INLINE AVX512 __m512i many_add(__m512i sum, __m512i w, __m512i x)
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

/* A group as its magnitudes, and where it is negative. */
struct signed_group {
    __m512i magnitude;
    __mmask64 negative;
};

INLINE AVX512 struct signed_group few_spread(const void *values, size_t g)
{
    __m512i x = _mm512_xor_si512(spread_word(values, g), _mm512_set1_epi8(-128));
    return (struct signed_group){_mm512_abs_epi8(x), _mm512_movepi8_mask(x)};
}

/* The signs go to the weights: two products of at most 127 times 127 fit 16 bits, where
 * two of up to 255 times 127 would not. */
INLINE AVX512 __m512i few_add(__m512i sum, __m512i w, struct signed_group x)
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
#undef TARGET

static void int8_multiply(const struct packed_product *p)
{
    (p->n_x < 4 ? few_multiply : many_multiply)(p);
}

INLINE VNNI __m512i vnni_add(__m512i sum, __m512i w, __m512i x)
{
    /* As an intrinsic gcc 12 gives every sum two registers, and so most of them none. */
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

INLINE BF16 __m512 dot_add(__m512 sum, __m512i w, __m512i x)
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

/* Values [i, i + 16) of n, zeros past the last; nothing is read there. */
INLINE AVX512 __m512 load_part(const float *x, int i, int n)
{
    if (i + 16 <= n)
        return _mm512_loadu_ps(x + i);
    if (i >= n)
        return _mm512_setzero_ps();
    return _mm512_maskz_loadu_ps((__mmask16)((1u << (n - i)) - 1), x + i);
}

/* The order in which they are compared does not matter; one that is no number loses. */
AVX512 static float largest(const float *x, int n)
{
    __m512 most[4] = {{0}};
    for (int i = 0; i < n; i += 64)
        FOR_UNROLLED (c, 4)
            most[c] =
                _mm512_max_ps(_mm512_abs_ps(load_part(x, i + c * 16, n)), most[c]);
    most[0] = _mm512_max_ps(most[0], most[1]);
    most[2] = _mm512_max_ps(most[2], most[3]);
    return _mm512_reduce_max_ps(_mm512_max_ps(most[0], most[2]));
}

AVX512 static float prepare_int8(void *at, const float *x, int n)
{
    uint8_t *to = at;
    float most = largest(x, n), steps = most > 0.0f ? 127.0f / most : 0.0f;
    const int size = (int)packed_vector_size(WEIGHTS_INT8, n);
    for (int i = 0; i < size; i += 16) {
        __m512 value = _mm512_mul_ps(load_part(x, i, n), _mm512_set1_ps(steps));
        __mmask16 fits = _mm512_cmp_ps_mask(_mm512_abs_ps(value),
                                            _mm512_set1_ps(127.5f), _CMP_LT_OQ);
        __m512i whole = _mm512_maskz_cvtps_epi32(fits, value);
        whole = _mm512_add_epi32(whole, _mm512_set1_epi32(128));
        _mm_store_si128((__m128i *)(to + i), _mm512_cvtepi32_epi8(whole));
    }
    return most / 127.0f;
}

/* As quantise_to_bf16, which keeps what has no bf16 near it. */
INLINE AVX512 __m256i to_bf16(__m512 x)
{
    const __m512i bits = _mm512_castps_si512(x), top = _mm512_set1_epi32(0x7f800000);
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    __m512i near = _mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff));
    near = _mm512_add_epi32(near, odd);
    __mmask16 none = _mm512_cmpeq_epi32_mask(_mm512_and_si512(near, top), top);
    near = _mm512_mask_mov_epi32(near, none, bits);
    return _mm512_cvtepi32_epi16(_mm512_srli_epi32(near, 16));
}

AVX512 static float prepare_bf16(void *at, const float *x, int n)
{
    uint16_t *to = at;
    const int size = (int)(packed_vector_size(WEIGHTS_BF16, n) / sizeof *to);
    for (int i = 0; i < size; i += 16)
        _mm256_store_si256((__m256i *)(to + i), to_bf16(load_part(x, i, n)));
    return 1.0f;
}

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
