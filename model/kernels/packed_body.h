/* The products of packed matrices with a few vectors (model/kernels/packed.h), and the
 * preparation of those vectors. model/kernels/kernels_body.h includes this file.
 *
 * The loop keeps the sums of some panels times some vectors in registers. It loads a line
 * once for all these vectors, and a group of a vector once for all these panels. A row's
 * sum is one chain, column after column, so it does not depend on the other panels and
 * vectors. */
#ifndef MODEL_PACKED_BODY_H
#define MODEL_PACKED_BODY_H

#include "model/kernels/lanes.h"
#include "model/kernels/packed.h"

#include <stdbool.h>

/* Loads the first n > 0 numbers of x, or LANES, and pads with zeros. Reads nothing past
 * them. */
INLINE void load_values(lanes *v, const float *x, int n)
{
    if (n >= LANES)
        *v = *lanes_at(x, 0);
    else
        lanes_load_part(v, x, n, 0.0f);
}

/* Rounds to integers and stores them as bytes, 128 higher. Adding 1.5 * 2^23 rounds to
 * the nearest, ties to even, and leaves the integer in the low bits. A number that does
 * not fit becomes 0. */
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
        load_values(&v, x + i, n - i);
        v *= steps;
        to_bytes(to + i, &v);
    }
    return most / 127.0f;
}

/* Rounds as bf16_round does, except that it knows only the NaNs that arithmetic produces. */
TARGET static float prepare_bf16(void *at, const float *x, int n)
{
    uint16_t *to = at;
    lanes v;
    const int size = (int)(packed_vector_size(WEIGHTS_BF16, n) / sizeof *to);
    memset(to + n, 0, (size_t)(size - n) * sizeof *to);
    for (int i = 0; i < n; i += LANES) {
        load_values(&v, x + i, n - i);
        lane_words bits = (lane_words)v, nearest = bits + 0x7fffu + (bits >> 16 & 1u);
        lane_words none = (lane_words)((nearest & 0x7f800000u) == 0x7f800000u);
        nearest = (none & bits) | (~none & nearest);
        nearest >>= 16;
        store_words(to + i, &nearest);
    }
    return 1.0f;
}

enum { LINE = 64 /* bytes of a line */ };

/* A group of a vector: four bytes, whatever they hold. */
typedef uint32_t group __attribute__((may_alias));

/* What the loop reads and writes, from its first panel and vector on. It is a local copy,
 * since the compiler must assume that storing results could change the original. */
struct packed_rows {
    const uint8_t *w, *x;
    size_t n_groups,
        apart; /* the lines of a panel, and the bytes from one to the next */
    const float *bias, *row_scale, *scale; /* int8 only, else NULL */
    const int32_t *excess;
    float *y;
    size_t ldy;
};

INLINE struct packed_rows packed_rows(const struct packed_product *p, int at, int v,
                                      enum model_weights_kind kind)
{
    const struct packed *w = p->w;
    const int panel = p->panel + at, row = panel * PANEL;
    struct packed_rows rows = {.ldy = (size_t)p->ldy, .bias = w->bias + row};
    rows.w = (const uint8_t *)((const uint32_t *)w->blocks + packed_place(w, panel));
    rows.n_groups = (size_t)packed_groups(kind, w->n);
    rows.apart = (size_t)packed_width(w, panel) * LINE;
    rows.x = (const uint8_t *)p->x + (size_t)v * p->ldx;
    rows.y = p->y + (size_t)v * rows.ldy + (size_t)at * PANEL;
    if (kind == WEIGHTS_INT8) {
        rows.row_scale = w->scale + row;
        rows.excess = w->excess + row;
        rows.scale = p->scale + v;
    }
    return rows;
}

/* Whether the set multiplies words of a kind with one instruction. */
INLINE bool is_simple(enum model_weights_kind kind)
{
    return kind == WEIGHTS_F32 || DOTS >= (kind == WEIGHTS_BF16 ? 2 : 1);
}

/* How many panels times vectors of sums fit the registers. */
INLINE int most_sums(enum model_weights_kind kind)
{
    return LANES < 16 ? 4 : is_simple(kind) ? 24 : 16;
}

/* Converts both bf16 of each word to f32. */
INLINE void widen(lanes *low, lanes *high, const lane_words *pairs)
{
    *low = (lanes)(*pairs << 16);
    *high = (lanes)(*pairs & 0xffff0000u);
}

/* sum += both products of each word. Dot products are inline assembly: from the
 * intrinsics gcc 12 uses two registers per sum, so most sums would be in memory. */
INLINE void add_bf16(lanes *sum, const lane_words *w, const lane_words *x)
{
#if DOTS >= 2 && NEON
    __asm__("bfdot %0.4s, %1.8h, %2.8h" : "+w"(*sum) : "w"(*w), "w"(*x));
#elif DOTS >= 2
    __asm__("vdpbf16ps %2, %1, %0" : "+v"(*sum) : "v"(*x), "v"(*w));
#else
    lanes w_low, w_high, x_low, x_high;
    widen(&w_low, &w_high, w);
    widen(&x_low, &x_high, x);
    lanes_add_products(sum, &w_low, &x_low);
    lanes_add_products(sum, &w_high, &x_high);
#endif
}

/* Whether bytes of a vector are multiplied as they are stored, 128 too high, and the
 * excess is subtracted at the end. x86's dot products do so; the other sets make the
 * bytes signed. */
enum { HAS_EXCESS = DOTS && !NEON };

/* sum += the four products of each word. Without a dot product, products are added in
 * pairs: two of at most 127 * 127 fit 16 bits. vpmaddubsw multiplies unsigned by signed
 * bytes, so it gets the magnitudes of the vector, and the weights with the vector's
 * signs. */
INLINE void add_int8(lanes *sum, const lane_words *w, const lane_words *x)
{
#if NEON && DOTS
    __asm__("sdot %0.4s, %1.16b, %2.16b" : "+w"(*sum) : "w"(*w), "w"(*x));
#elif NEON
    const int8x16_t a = (int8x16_t)*w, b = (int8x16_t)*x;
    const int16x8_t lower = vmull_s8(vget_low_s8(a), vget_low_s8(b)),
                    upper = vmull_high_s8(a, b);
    __asm__("sadalp %0.4s, %1.8h" : "+w"(*sum) : "w"(vpaddq_s16(lower, upper)));
#elif LANES == 16 && DOTS
    __asm__("vpdpbusd %2, %1, %0" : "+v"(*sum) : "v"(*x), "v"(*w));
#elif LANES == 16
    const __m512i zero = _mm512_setzero_si512(),
                  a = _mm512_mask_sub_epi8(
                      (__m512i)*w, _mm512_movepi8_mask((__m512i)*x), zero, (__m512i)*w),
                  pairs = _mm512_maddubs_epi16(_mm512_abs_epi8((__m512i)*x), a);
    *sum = (lanes)((lane_ints)*sum +
                   (lane_ints)_mm512_madd_epi16(pairs, _mm512_set1_epi16(1)));
#elif LANES == 8 && DOTS
    __asm__("%{vex%} vpdpbusd %2, %1, %0" : "+x"(*sum) : "x"(*x), "x"(*w));
#elif LANES == 8
    const __m256i a = _mm256_sign_epi8((__m256i)*w, (__m256i)*x),
                  pairs = _mm256_maddubs_epi16(_mm256_abs_epi8((__m256i)*x), a);
    *sum = (lanes)((lane_ints)*sum +
                   (lane_ints)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
#else
    const lane_shorts a = (lane_shorts)*w, b = (lane_shorts)*x;
    const lane_ints pairs =
        (lane_ints)((a << 8 >> 8) * (b << 8 >> 8) + (a >> 8) * (b >> 8));
    *sum = (lanes)((lane_ints)*sum + (pairs << 16 >> 16) + (pairs >> 16));
#endif
}

INLINE void add_group(lanes *sum, const lane_words *w, const lane_words *x,
                      enum model_weights_kind kind)
{
    const lanes of_w = (lanes)*w, of_x = (lanes)*x;
    if (kind == WEIGHTS_F32)
        lanes_add_products(sum, &of_w, &of_x);
    else if (kind == WEIGHTS_BF16)
        add_bf16(sum, w, x);
    else
        add_int8(sum, w, x);
}

/* Stores vector i of the rows of result j. int8 uses the operations of the plain set in
 * their order. */
INLINE void store_rows(const lanes *sum, const struct packed_rows *r, int i, int j,
                       enum model_weights_kind kind)
{
    const size_t at = (size_t)i * LANES;
    lanes v = *sum;
    if (kind == WEIGHTS_INT8) {
        lane_ints whole = (lane_ints)v;
        if (HAS_EXCESS)
            whole -= *(const lane_ints *)(r->excess + at);
        v = __builtin_convertvector(whole, lanes);
        v *= *lanes_at(r->row_scale + at, 0) * r->scale[j];
    }
    *(lanes *)(r->y + (size_t)j * r->ldy + at) = v + *lanes_at(r->bias + at, 0);
}

/* How far ahead lines are prefetched, in bytes, where a set of AVX-512 needs several
 * instructions per line and so has fewer loads in flight. There any number of vectors
 * gains from prefetching into the first-level cache: up to two fifths on a Skylake with
 * weights beyond the second level. Half to four times this distance measured alike.
 *
 * Elsewhere four or more vectors take so much arithmetic that the processor's own
 * prefetch does not reach far enough. There the lines of the next block are prefetched
 * into the second-level cache. On a Zen 4 with weights in the third level this measured
 * up to a fifth faster; with fewer vectors it measured slower. */
enum { FAR = 4096 };

/* Copies group g of a vector to every lane. */
INLINE void spread_group(lane_words *to, const void *values, size_t g,
                         enum model_weights_kind kind)
{
    *to = (lane_words){0} + ((const group *)values)[g];
    if (kind == WEIGHTS_F32)
        return;
        /* Hides from gcc that the lanes are equal. It would compute with one lane and
         * copy the results. */
#if NEON
    __asm__("" : "+w"(*to));
#elif LANES > 4
    __asm__("" : "+v"(*to));
#endif
    if (kind == WEIGHTS_INT8 && !HAS_EXCESS)
        *to ^= 0x80808080u;
}

INLINE void multiply_block(const struct packed_product *p, int at, int v, int n_panels,
                           int n_x, enum model_weights_kind kind)
{
    lanes sum[4][BLOCK_MOST * PARTS];
    lane_words line[BLOCK_MOST * PARTS];
    const struct packed_rows rows = packed_rows(p, at, v, kind);
    const size_t ldx = p->ldx, n_groups = rows.n_groups, apart = rows.apart;
    const bool is_far = LANES == 16 && !is_simple(kind);
    const size_t ahead = v ? 0 : apart * n_groups;
    const int n = n_panels * PARTS;
    const uint8_t *w = rows.w;
    FOR_UNROLLED (j, n_x)
        FOR_UNROLLED (i, n)
            sum[j][i] = (lanes){0};
    for (size_t g = 0; g < n_groups; g++, w += apart) {
        FOR_UNROLLED (i, n)
            line[i] = *(const lane_words *)(w + i * sizeof *line);
        if (is_far) {
            FOR_UNROLLED (i, n_panels)
                __builtin_prefetch(w + FAR + i * LINE, 0, 3);
        } else if (n_x >= 4) {
            FOR_UNROLLED (i, n_panels)
                __builtin_prefetch(w + ahead + i * LINE, 0, 2);
        }
        FOR_UNROLLED (j, n_x) {
            lane_words x;
            spread_group(&x, rows.x + (size_t)j * ldx, g, kind);
            FOR_UNROLLED (i, n)
                add_group(&sum[j][i], line + i, &x, kind);
        }
    }
    FOR_UNROLLED (j, n_x)
        FOR_UNROLLED (i, n)
            store_rows(&sum[j][i], &rows, i, j, kind);
}

/* Calls multiply_block with a constant number of panels, so that its loops can be
 * unrolled. */
#define BLOCK_CASE(n)                                                                  \
    case n:                                                                            \
        if ((n)*n_x <= most_sums(kind))                                                \
            multiply_block(p, at, v, n, n_x, kind);                                    \
        break
INLINE void some_panels(const struct packed_product *p, int at, int v, int n_panels,
                        int n_x, enum model_weights_kind kind)
{
    switch (n_panels) {
        BLOCK_CASE(1);
        BLOCK_CASE(2);
        BLOCK_CASE(3);
        BLOCK_CASE(4);
        BLOCK_CASE(5);
        BLOCK_CASE(6);
    }
}
#undef BLOCK_CASE

/* The number of panels to take from panel `at` on. They lie within one block, of which
 * the rest is divided into even shares. */
INLINE int next_share(const struct packed_product *p, int at,
                      enum model_weights_kind kind)
{
    const int at_once = p->n_x >= 4 ? 4 : p->n_x >= 2 ? 2 : 1;
    const int most = least(most_sums(kind) / at_once, BLOCK_MOST);
    const int panel = p->panel + at;
    const int n =
        least(packed_width(p->w, panel) - panel % p->w->block, p->n_panels - at);
    const int shares = (n + most - 1) / most;
    return (n + shares - 1) / shares;
}

/* Multiplies each share with all vectors: after the first of them it is in the cache. */
INLINE void multiply_packed(const struct packed_product *p,
                            enum model_weights_kind kind)
{
    for (int at = 0, n; at < p->n_panels; at += n) {
        int v = 0;
        n = next_share(p, at, kind);
        for (; v + 4 <= p->n_x; v += 4)
            some_panels(p, at, v, n, 4, kind);
        for (; v + 2 <= p->n_x; v += 2)
            some_panels(p, at, v, n, 2, kind);
        for (; v < p->n_x; v++)
            some_panels(p, at, v, n, 1, kind);
    }
}

TARGET static void multiply_f32(const struct packed_product *p)
{
    multiply_packed(p, WEIGHTS_F32);
}

TARGET static void multiply_bf16(const struct packed_product *p)
{
    multiply_packed(p, WEIGHTS_BF16);
}

TARGET static void multiply_int8(const struct packed_product *p)
{
    multiply_packed(p, WEIGHTS_INT8);
}

#endif
