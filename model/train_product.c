/* The bf16 product follows the usual plan (Goto & van de Geijn 2008): a slice
 * of k at a time, both factors are copied into panels that the inner tile then
 * reads straight through, and a tile of c stays in registers for the slice.
 *
 * Panels hold words of two bf16 values that follow each other along k, which
 * is what the processor multiplies and adds at once. A panel of a is ROWS wide
 * and a panel of b COLUMNS wide: word (pair, i) stands at pair * width + i. */
#include "model/train_product.h"

#include "model/level.h"

#include <cblas.h>
#include <string.h>

enum { ROWS = 8, COLUMNS = 32, SLICE = 256 };

void product_f32(const struct product *p, uint32_t *panels)
{
    (void)panels;
    cblas_sgemm(CblasRowMajor, p->a_across ? CblasTrans : CblasNoTrans,
                p->b_across ? CblasTrans : CblasNoTrans, p->m, p->n, p->k, p->alpha,
                p->a, p->ld_a, p->b, p->ld_b, p->beta, p->c, p->ld_c);
}

static size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

size_t product_panels(size_t m, size_t n)
{
    return SLICE / 2 * (round_up(m, ROWS) + round_up(n, COLUMNS));
}

#if defined(__x86_64__)
#include <immintrin.h>

#define BF16 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

bool product_has_bf16(void)
{
    return level_to_use() >= LEVEL_AVX512 && __builtin_cpu_supports("avx512bf16");
}

/* The mask of the first n of sixteen lanes. */
static inline __mmask16 first_lanes(int n)
{
    return (__mmask16)(n >= 16 ? 0xffffu : n <= 0 ? 0u : (1u << n) - 1u);
}

/* Sixteen words of a row along k: `left` values from x, then zeros. */
BF16 static inline __m512i pairs_along(const float *x, int left)
{
    __m512 low = _mm512_maskz_loadu_ps(first_lanes(left), x);
    __m512 high = _mm512_maskz_loadu_ps(first_lanes(left - 16), x + 16);
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
}

/* Packs x [n, k], contiguous along k: each row becomes a column of words. */
BF16 static void pack_along(uint32_t *to, const float *x, int ld, int n, int k,
                            int width)
{
    int pairs = (k + 1) / 2;
    for (int first = 0; first < n; first += width, to += (size_t)pairs * (size_t)width)
        for (int r = 0; r < width; r++)
            for (int p = 0; p < pairs; p += 16) {
                uint32_t words[16] = {0};
                int end = pairs - p < 16 ? pairs - p : 16;
                if (first + r < n)
                    _mm512_storeu_si512(
                        words, pairs_along(x + (size_t)(first + r) * (size_t)ld + 2 * p,
                                           k - 2 * p));
                for (int i = 0; i < end; i++)
                    to[(size_t)(p + i) * (size_t)width + (size_t)r] = words[i];
            }
}

/* Sixteen words across: lane i pairs above[i] with below[i]. */
BF16 static inline __m512i pairs_across(const float *above, const float *below,
                                        __mmask16 lanes)
{
    const __m512i zip =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                         23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    __m512 first = _mm512_maskz_loadu_ps(lanes, above);
    __m512 second = below ? _mm512_maskz_loadu_ps(lanes, below) : _mm512_setzero_ps();
    return _mm512_permutexvar_epi16(zip, (__m512i)_mm512_cvtne2ps_pbh(second, first));
}

/* Zeros in sixteen columns of a panel that no values reach. */
static void clear_half(uint32_t *to, size_t pairs, size_t stride)
{
    for (size_t p = 0; p < pairs; p++)
        memset(to + p * stride, 0, 16 * sizeof *to);
}

/* Packs x [k, n], contiguous across k: two rows are zipped into words. Sixteen
 * columns at a time, a cache line of x, which are two panels of ROWS or half a
 * panel of COLUMNS. */
BF16 static void pack_across(uint32_t *to, const float *x, int ld, int n, int k,
                             int width)
{
    size_t pairs = (size_t)(k + 1) / 2, stride = (size_t)width;
    for (int first = 0; first < n; first += 16) {
        __mmask16 lanes = first_lanes(n - first);
        uint32_t *left = to + (size_t)(first / width) * pairs * stride + first % width;
        uint32_t *right = width < 16 ? left + pairs * stride : left + 8;
        bool both = width >= 16 || n - first > 8;
        for (int row = 0; row < k; row += 2, left += stride, right += stride) {
            const float *above = x + (size_t)row * (size_t)ld + first;
            __m512i words = pairs_across(above, row + 1 < k ? above + ld : NULL, lanes);
            _mm256_storeu_si256((__m256i *)left, _mm512_castsi512_si256(words));
            if (both)
                _mm256_storeu_si256((__m256i *)right,
                                    _mm512_extracti64x4_epi64(words, 1));
        }
    }
    if (width > 16 && (n - 1) % width < 16) /* the last panel's right half */
        clear_half(to + (size_t)(n / width) * pairs * stride + 16, pairs, stride);
}

/* Where a tile goes: rows and columns may be fewer than a full tile's. */
struct place {
    float *c;
    int ld, rows, columns;
    float alpha, beta;
};

BF16 static inline void put(const struct place *to, int row, __m512 left, __m512 right)
{
    __mmask16 lanes_left = first_lanes(to->columns);
    __mmask16 lanes_right = first_lanes(to->columns - 16);
    if (row >= to->rows)
        return;
    float *c = to->c + (size_t)row * (size_t)to->ld;
    left = _mm512_mul_ps(left, _mm512_set1_ps(to->alpha));
    right = _mm512_mul_ps(right, _mm512_set1_ps(to->alpha));
    if (to->beta != 0.0f) {
        __m512 beta = _mm512_set1_ps(to->beta);
        left = _mm512_fmadd_ps(beta, _mm512_maskz_loadu_ps(lanes_left, c), left);
        right =
            _mm512_fmadd_ps(beta, _mm512_maskz_loadu_ps(lanes_right, c + 16), right);
    }
    _mm512_mask_storeu_ps(c, lanes_left, left);
    _mm512_mask_storeu_ps(c + 16, lanes_right, right);
}

/* Sixteen named sums, so that they are registers at any optimisation. */
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define BEGIN(i)     __m512 left##i = _mm512_setzero_ps(), right##i = _mm512_setzero_ps();
#define ADD(i)                                                                         \
    {                                                                                  \
        __m512bh x = (__m512bh)_mm512_set1_epi32((int)a[i]);                           \
        left##i = _mm512_dpbf16_ps(left##i, x, b_left);                                \
        right##i = _mm512_dpbf16_ps(right##i, x, b_right);                             \
    }
#define PUT(i) put(to, i, left##i, right##i);

BF16 static void tile(const struct place *to, const uint32_t *a, const uint32_t *b,
                      int pairs)
{
    EACH_ROW(BEGIN)
    for (int p = 0; p < pairs; p++, a += ROWS, b += COLUMNS) {
        __m512bh b_left = (__m512bh)_mm512_loadu_si512(b);
        __m512bh b_right = (__m512bh)_mm512_loadu_si512(b + 16);
        EACH_ROW(ADD)
    }
    EACH_ROW(PUT)
}

static void pack(uint32_t *to, const float *x, int ld, bool across, int n, int from,
                 int k, int width)
{
    if (across)
        pack_across(to, x + (size_t)from * (size_t)ld, ld, n, k, width);
    else
        pack_along(to, x + from, ld, n, k, width);
}

/* c += one slice of k; the first slice sees beta. */
static void add_slice(const struct product *p, int from, uint32_t *panels)
{
    int k = p->k - from < SLICE ? p->k - from : SLICE, pairs = (k + 1) / 2;
    uint32_t *a = panels, *b = panels + round_up((size_t)p->m, ROWS) * (size_t)pairs;

    pack(a, p->a, p->ld_a, p->a_across, p->m, from, k, ROWS);
    pack(b, p->b, p->ld_b, !p->b_across, p->n, from, k, COLUMNS);
    for (int j = 0; j < p->n; j += COLUMNS)
        for (int i = 0; i < p->m; i += ROWS) {
            struct place to = {
                .c = p->c + (size_t)i * (size_t)p->ld_c + j,
                .ld = p->ld_c,
                .rows = p->m - i,
                .columns = p->n - j,
                .alpha = p->alpha,
                .beta = from ? 1.0f : p->beta,
            };
            tile(&to, a + (size_t)i * (size_t)pairs, b + (size_t)j * (size_t)pairs,
                 pairs);
        }
}

void product_bf16(const struct product *p, uint32_t *panels)
{
    for (int from = 0; from < p->k; from += SLICE)
        add_slice(p, from, panels);
}

#else

bool product_has_bf16(void)
{
    return false;
}

void product_bf16(const struct product *p, uint32_t *panels)
{
    product_f32(p, panels);
}

#endif
