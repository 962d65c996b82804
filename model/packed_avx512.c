/* The sets for AVX-512, with its VNNI and without: a line is a register. int8 groups go
 * through vpdpbusd, four products to a row at once; without it, a line's bytes are
 * widened to 16 bits, the even ones and the odd, and every two products added by
 * vpmaddwd. Both are exact. See packed_kernels.h. */
#include "model/packed_sets.h"

#if defined(__x86_64__)
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define VNNI   __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")))

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
#include "model/packed_block.h"

/* Two columns: the one in the lower halves, and the one in the upper. */
struct columns {
    __m512 lower, upper;
};

INLINE AVX512 __m512i bf16_load(const void *at)
{
    return _mm512_loadu_si512(at);
}

INLINE AVX512 struct columns bf16_spread(const void *values, size_t g)
{
    return (struct columns){f32_spread(values, 2 * g), f32_spread(values, 2 * g + 1)};
}

INLINE AVX512 __m512 bf16_add(__m512 sum, __m512i w, struct columns x)
{
    __m512i lower = _mm512_slli_epi32(w, 16);
    __m512i upper = _mm512_and_si512(w, _mm512_set1_epi32(-0x10000));
    sum = _mm512_fmadd_ps(_mm512_castsi512_ps(lower), x.lower, sum);
    return _mm512_fmadd_ps(_mm512_castsi512_ps(upper), x.upper, sum);
}

#define bf16_zero  f32_zero
#define bf16_store f32_store
#define KIND       bf16
#define MOST_SUMS  16
#define LINE       __m512i
#define GROUP      struct columns
#define SUM        __m512
#include "model/packed_block.h"

INLINE AVX512 __m512i int8_zero(void)
{
    return _mm512_setzero_si512();
}

INLINE AVX512 __m512i int8_load(const void *at)
{
    return _mm512_loadu_si512(at);
}

INLINE AVX512 __m512i int8_spread(const void *values, size_t g)
{
    const int32_t *x = values;
    return _mm512_set1_epi32(x[g]);
}

INLINE AVX512 __m512i int8_add(__m512i sum, __m512i w, __m512i x)
{
    __m512i even = _mm512_srai_epi16(_mm512_slli_epi16(w, 8), 8);
    __m512i odd = _mm512_srai_epi16(w, 8);
    even = _mm512_madd_epi16(even, _mm512_and_si512(x, _mm512_set1_epi16(0xff)));
    odd = _mm512_madd_epi16(odd, _mm512_srli_epi16(x, 8));
    return _mm512_add_epi32(sum, _mm512_add_epi32(even, odd));
}

/* The plain set's expression, operation for operation. */
INLINE AVX512 void int8_store(__m512i sum, const struct packed_rows *r, int i, int j)
{
    __m512i whole = _mm512_sub_epi32(sum, _mm512_loadu_si512(r->excess + i * PANEL));
    __m512 scale = _mm512_mul_ps(_mm512_loadu_ps(r->row_scale + i * PANEL),
                                 _mm512_set1_ps(r->scale[j]));
    f32_store(_mm512_mul_ps(_mm512_cvtepi32_ps(whole), scale), r, i, j);
}

#define KIND      int8
#define MOST_SUMS 16
#define LINE      __m512i
#define GROUP     __m512i
#define SUM       __m512i
#include "model/packed_block.h"
#undef TARGET

INLINE VNNI __m512i vnni_add(__m512i sum, __m512i w, __m512i x)
{
    /* As an intrinsic gcc 12 gives every sum two registers, and so most of them none. */
    __asm__("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(x), "v"(w));
    return sum;
}

#define vnni_zero   int8_zero
#define vnni_load   int8_load
#define vnni_spread int8_spread
#define vnni_store  int8_store
#define TARGET      VNNI
#define KIND        vnni
#define MOST_SUMS   24
#define LINE        __m512i
#define GROUP       __m512i
#define SUM         __m512i
#include "model/packed_block.h"
#undef TARGET

/* Values [i, i + 16) of n, zeros past the last; nothing is read there. */
INLINE AVX512 __m512 load_part(const float *x, int i, int n)
{
    if (i >= n)
        return _mm512_setzero_ps();
    return _mm512_maskz_loadu_ps((__mmask16)((1u << (n - i < 16 ? n - i : 16)) - 1),
                                 x + i);
}

/* The order in which they are compared does not matter; one that is no number loses. */
AVX512 static float largest(const float *x, int n)
{
    __m512 most[4] = {{0}};
    for (int i = 0; i < n; i += 64)
        for (int c = 0; c < 4; c++)
            most[c] =
                _mm512_max_ps(_mm512_abs_ps(load_part(x, i + c * 16, n)), most[c]);
    most[0] = _mm512_max_ps(most[0], most[1]);
    most[2] = _mm512_max_ps(most[2], most[3]);
    return _mm512_reduce_max_ps(_mm512_max_ps(most[0], most[2]));
}

AVX512 static void prepare_int8(uint8_t *to, float *scale, const float *x, int n)
{
    float most = largest(x, n), steps = most > 0.0f ? 127.0f / most : 0.0f;
    const int size = (int)packed_vector_size(WEIGHTS_INT8, n);
    *scale = most / 127.0f;
    for (int i = 0; i < size; i += 16) {
        __m512 value = _mm512_mul_ps(load_part(x, i, n), _mm512_set1_ps(steps));
        __mmask16 fits = _mm512_cmp_ps_mask(_mm512_abs_ps(value),
                                            _mm512_set1_ps(127.5f), _CMP_LT_OQ);
        __m512i whole = _mm512_maskz_cvtps_epi32(fits, value);
        whole = _mm512_add_epi32(whole, _mm512_set1_epi32(128));
        _mm_store_si128((__m128i *)(to + i), _mm512_cvtepi32_epi8(whole));
    }
}

AVX512 static void avx512_prepare(enum model_weights_kind kind, void *to, float *scale,
                                  const float *x, int n)
{
    float *values = to;
    *scale = 1.0f;
    if (kind == WEIGHTS_INT8) {
        prepare_int8(to, scale, x, n);
        return;
    }
    const int size = (int)(packed_vector_size(kind, n) / sizeof *values);
    for (int i = 0; i < size; i += 16)
        _mm512_store_ps(values + i, load_part(x, i, n));
}

AVX512 static void avx512_multiply(const struct packed_product *p)
{
    if (p->w->kind == WEIGHTS_F32)
        f32_multiply(p);
    else if (p->w->kind == WEIGHTS_BF16)
        bf16_multiply(p);
    else
        int8_multiply(p);
}

VNNI static void avx512vnni_multiply(const struct packed_product *p)
{
    if (p->w->kind == WEIGHTS_INT8)
        vnni_multiply(p);
    else
        avx512_multiply(p);
}

const struct packed_kernels packed_avx512 = {"avx512", avx512_prepare, avx512_multiply};
const struct packed_kernels packed_avx512vnni = {"avx512vnni", avx512_prepare,
                                                 avx512vnni_multiply};
#endif
