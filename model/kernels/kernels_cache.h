/* The kernels that read and write the cache of keys and values, in f32 and in 8 bits.
 * model/kernels/kernels.h describes their results and the shapes; model/kernels/lanes.h
 * how they are compiled. */
#ifndef MODEL_KERNELS_CACHE_H
#define MODEL_KERNELS_CACHE_H

#include "model/kernels/kernels.h"

#include "model/base/arena.h"
#include "model/kernels/lanes.h"

#include <stdbool.h>
#include <stddef.h>

/* Independent sums hide the latency of an addition. For keys: CHAINS vectors of a tile,
 * as many as the registers hold. For values: each of COLUMNS vectors has RESIDUES sums,
 * each over every RESIDUES-th position of a tile. */
enum { CHAINS = NEON ? 16 : LANES == 16 ? 4 : 8, RESIDUES = 4, COLUMNS = NEON ? 4 : 2 };
_Static_assert(KEY_TILE % (CHAINS * LANES) == 0, "a tile is so many whole chains");
_Static_assert(VALUE_PAD % LANES == 0, "a padded row is whole vectors");

/* The scores of the positions in CHAINS vectors of a tile. */
INLINE void score_chains(float *scores, const float *q, const float *keys, int d)
{
    lanes sum[CHAINS] = {{0}};
    for (int j = 0; j < d; j++, keys += KEY_TILE)
        for (int c = 0; c < CHAINS; c++)
            sum[c] += *(const lanes *)(keys + c * LANES) * q[j];
    for (int c = 0; c < CHAINS; c++)
        *(lanes *)(scores + c * LANES) = sum[c];
}

/* Each row reads the tile for itself. Reading a line once for all rows would gain
 * nothing, since the tile stays in the cache between the rows. */
TARGET static void score_keys(const struct scoring *s)
{
    const float *keys = s->keys;
    for (int t = 0; t < s->n; t += KEY_TILE, keys += (size_t)s->d * KEY_TILE)
        for (size_t r = 0; r < (size_t)s->n_rows; r++)
            for (int i = 0; i < KEY_TILE; i += CHAINS * LANES)
                score_chains(s->scores + r * s->ld + t + i, s->q + r * s->ldq, keys + i,
                             s->d);
}

/* n_columns vectors of a row's result, over the positions of one tile. */
INLINE void mix_tile(float *y, const float *p, const float *values, int n, int width,
                     int n_columns)
{
    lanes sum[COLUMNS][RESIDUES] = {{{0}}};
    int t = 0;
    for (; t + RESIDUES <= n; t += RESIDUES)
        for (int r = 0; r < RESIDUES; r++, values += width)
            for (int c = 0; c < n_columns; c++)
                sum[c][r] += *(const lanes *)(values + c * LANES) * p[t + r];
    for (; t < n; t++, values += width)
        for (int c = 0; c < n_columns; c++)
            sum[c][0] += *(const lanes *)(values + c * LANES) * p[t];
    for (int c = 0; c < n_columns; c++)
        *(lanes *)(y + c * LANES) += (sum[c][0] + sum[c][1]) + (sum[c][2] + sum[c][3]);
}

INLINE void mix_row(float *y, const float *p, const float *values, int n, int width)
{
    int i = 0;
    for (; i + COLUMNS * LANES <= width; i += COLUMNS * LANES)
        mix_tile(y + i, p, values + i, n, width, COLUMNS);
    if (i < width)
        mix_tile(y + i, p, values + i, n, width, 1);
}

TARGET static void mix_values(const struct mixing *m)
{
    for (int t = 0; t < m->n; t += KEY_TILE)
        for (size_t r = 0; r < (size_t)m->n_rows; r++)
            mix_row(m->y + r * m->ldy, m->p + r * m->ldp + t,
                    (const float *)m->values + (size_t)t * (size_t)m->width,
                    m->n - t < KEY_TILE ? m->n - t : KEY_TILE, m->width);
}

/* -- 8 bits (kernels.h has the shapes) --
 *
 * Keys and values are multiplied by the same loop. Both are lines of pairs of bytes: keys
 * [d_head / 2][KEY_TILE][2], values [KEY_TILE / 2][width][2]. The loop computes
 *
 *     y[row][i] = or += by_row[row] by_column[i] (the sum over l of
 *                       weights[row][2l + 0, 1] . lines[l][i][0, 1])
 *
 * The weights are queries, or probabilities times the scales of their values, rounded to
 * 16 bits. A sum of 64 products of 8 by 16 bits fits 32 bits. So sums are exact, and all
 * sets of kernels give the same bits however rows are grouped. A line is widened once for
 * all rows of a group. Weights in 8 bits would take as many instructions where there is
 * no VNNI, and would lose the many small probabilities. */

/* Weights that are prepared together: READY of each of READY_ROWS rows. */
enum { READY_ROWS = 16, READY = KEY_TILE };
_Static_assert(READY * 127 * 32767LL <= INT32_MAX, "a sum has room");

struct weights {
    int16_t whole[READY_ROWS][READY];
    float by[READY_ROWS];
};

typedef int32_t weight_pair __attribute__((may_alias, aligned(2)));
typedef int8_t lane_byte_pairs VECTOR(LANES * 2, 1);

/* Loads a line: LANES pairs of bytes become pairs of 16 bits. On NEON the first numbers
 * of all pairs come before the second ones. */
INLINE void line_load(lane_shorts *line, const int8_t *at)
{
#if LANES == 16
    *line = (lane_shorts)_mm512_cvtepi8_epi16(_mm256_loadu_si256((const void *)at));
#elif LANES == 8
    *line = (lane_shorts)_mm256_cvtepi8_epi16(_mm_loadu_si128((const void *)at));
#elif NEON
    const uint8x8_t apart = {0, 2, 4, 6, 1, 3, 5, 7};
    const int8x16_t pairs = vcombine_s8(vld1_s8(at), vdup_n_s8(0));
    *line = (lane_shorts)vmovl_s8(vqtbl1_s8(pairs, apart));
#else
    *line = __builtin_convertvector(*(const lane_byte_pairs *)at, lane_shorts);
#endif
}

/* Loads n lines; NEON loads two at once. */
INLINE void lines_load(lane_shorts *line, const int8_t *at, int n)
{
#if NEON
    const uint8x16_t apart = {0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15};
    FOR_UNROLLED (c, n / 2) {
        const int8x16_t pairs = vqtbl1q_s8(vld1q_s8(at + (ptrdiff_t)c * 16), apart);
        line[2 * c] = (lane_shorts)vmovl_s8(vget_low_s8(pairs));
        line[2 * c + 1] = (lane_shorts)vmovl_high_s8(pairs);
    }
    if (n == 1)
        line_load(line, at);
#else
    FOR_UNROLLED (c, n)
        line_load(line + c, at + (ptrdiff_t)c * LANES * 2);
#endif
}

/* sum += the products of each pair of the line with one pair of weights, both added. */
INLINE void line_add(lane_ints *sum, const lane_shorts *line, int32_t pair)
{
#if LANES == 16 && DOTS
    /* From the intrinsic, gcc 12 uses two registers a sum, so most sums get none. */
    __asm__("vpdpwssd %2, %1, %0"
            : "+v"(*sum)
            : "v"((__m512i)*line), "v"(_mm512_set1_epi32(pair)));
#elif LANES == 16
    *sum += (lane_ints)_mm512_madd_epi16((__m512i)*line, _mm512_set1_epi32(pair));
#elif LANES == 8 && DOTS
    __asm__("%{vex%} vpdpwssd %2, %1, %0"
            : "+x"(*sum)
            : "x"((__m256i)*line), "x"(_mm256_set1_epi32(pair)));
#elif LANES == 8
    *sum += (lane_ints)_mm256_madd_epi16((__m256i)*line, _mm256_set1_epi32(pair));
#elif NEON
    const int16x8_t of = (int16x8_t)*line;
    const int16x4_t by = vreinterpret_s16_s32(vdup_n_s32(pair));
    const int32x4_t first = vmlal_lane_s16((int32x4_t)*sum, vget_low_s16(of), by, 0);
    *sum = (lane_ints)vmlal_high_lane_s16(first, of, by, 1);
#elif defined(__SSE2__)
    *sum += (lane_ints)_mm_madd_epi16((__m128i)*line, _mm_set1_epi32(pair));
#else
    const lane_ints words = (lane_ints)*line;
    *sum += (words << 16 >> 16) * (int32_t)(int16_t)pair + (words >> 16) * (pair >> 16);
#endif
}

/* to [READY] = n numbers of x, multiplied by their factors or else all by `steps`, and
 * rounded to the nearest by adding 1.5 * 2^23; then zeros. */
INLINE void round_to(int16_t *to, const float *x, int n, const float *factors,
                     float steps)
{
    const float big = 12582912.0f;
    const lanes base = LANES_OF(big);
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        lanes v = *lanes_at(x + i, 0);
        v = (factors ? v * *lanes_at(factors + i, 0) : v * steps) + big;
        const lane_ints whole = (lane_ints)v - (lane_ints)base;
        store_shorts(to + i, &whole);
    }
    for (; i < n; i++) {
        const float nearest = x[i] * (factors ? factors[i] : steps) + big;
        int32_t bits, base_bits;
        memcpy(&bits, &nearest, sizeof bits);
        memcpy(&base_bits, &big, sizeof base_bits);
        to[i] = (int16_t)(bits - base_bits);
    }
    if (n < READY)
        memset(to + n, 0, (size_t)(READY - n) * sizeof *to);
}

/* The factor that makes the largest magnitude `most` the integer `to`. 0 if `most` is
 * negligible or not finite, so that neither causes a fault. */
INLINE float steps_of(float most, float to)
{
    return most > 1e-30f && most < 1e30f ? to / most : 0.0f;
}

/* One pass of some rows over some lines. */
struct pass {
    float *y; /* [n_rows] of [width], ldy apart */
    size_t ldy;
    const int8_t *lines; /* [n] of [width][2], `apart` bytes apart */
    size_t apart;
    size_t tile; /* bytes of a tile; the next one is prefetched */
    const struct weights *w;
    const float *by_column; /* [width], or NULL */
    int n_rows, n, width;   /* the last vector of columns is written whole */
    bool add;               /* adds to y instead of setting it */
};

/* How many rows times vectors of columns fit the registers, together with a line and a
 * product. */
enum { MOST_ROWS = 6, MOST_COLUMNS = 4, WIDE_COLUMNS = LANES == 16 || NEON ? 4 : 2 };

INLINE void pass_block(const struct pass *p, int row, int column, int n_rows,
                       int n_columns)
{
    lane_ints sum[MOST_ROWS][MOST_COLUMNS];
    lane_shorts line[MOST_COLUMNS];
    const int8_t *at = p->lines + (ptrdiff_t)column * 2;
    const weight_pair *pairs = (const weight_pair *)p->w->whole[row];
    FOR_UNROLLED (r, n_rows)
        FOR_UNROLLED (c, n_columns)
            sum[r][c] = (lane_ints){0};
    for (int i = 0; i < p->n; i++, at += p->apart) {
        lines_load(line, at, n_columns);
        for (int byte = 0; byte < n_columns * LANES * 2; byte += ARENA_LINE)
            __builtin_prefetch(at + p->tile + byte, 0, 3);
        FOR_UNROLLED (r, n_rows)
            FOR_UNROLLED (c, n_columns)
                line_add(&sum[r][c], line + c, pairs[r * (READY / 2) + i]);
    }
    FOR_UNROLLED (r, n_rows)
        FOR_UNROLLED (c, n_columns) {
            const int first = column + c * LANES;
            lanes *to = (lanes *)(p->y + (size_t)(row + r) * p->ldy + first);
            lanes total = __builtin_convertvector(sum[r][c], lanes) * p->w->by[row + r];
            if (p->by_column)
                total *= *lanes_at(p->by_column + first, 0);
            if (p->add)
                total += *to;
            *to = total;
        }
}

INLINE void pass_rows(const struct pass *p, int row, int n_rows, int most)
{
    int i = 0;
    for (; most >= 4 && i + 4 * LANES <= p->width; i += 4 * LANES)
        pass_block(p, row, i, n_rows, 4);
    for (; i + 2 * LANES <= p->width; i += 2 * LANES)
        pass_block(p, row, i, n_rows, 2);
    for (; i < p->width; i += LANES)
        pass_block(p, row, i, n_rows, 1);
}

/* Calls pass_rows with constant numbers of rows, so that its loops can be unrolled. */
TARGET static void pass_all(const struct pass *p)
{
    int r = 0;
    for (; r + 6 <= p->n_rows; r += 6)
        pass_rows(p, r, 6, WIDE_COLUMNS);
    for (; r + 4 <= p->n_rows; r += 4)
        pass_rows(p, r, 4, WIDE_COLUMNS);
    for (; r + 2 <= p->n_rows; r += 2)
        pass_rows(p, r, 2, MOST_COLUMNS);
    for (; r < p->n_rows; r++)
        pass_rows(p, r, 1, MOST_COLUMNS);
}

/* Scores of at most READY_ROWS rows from `row` on, over at most READY dimensions from
 * `from` on. */
INLINE void score_part(const struct scoring *s, int row, int from)
{
    const int n_rows = least(s->n_rows - row, READY_ROWS);
    const int n = least(s->d - from, READY);
    const uint8_t *tile = s->keys;
    struct weights w;
    for (int r = 0; r < n_rows; r++) {
        const float *q = s->q + (size_t)(row + r) * s->ldq + from;
        const float most = largest_of(q, n);
        round_to(w.whole[r], q, n, NULL, steps_of(most, 32767.0f));
        w.by[r] = most / 32767.0f;
    }
    struct pass p = {.y = s->scores + (size_t)row * s->ld,
                     .ldy = s->ld,
                     .apart = (size_t)KEY_TILE * 2,
                     .tile = int8_tile(s->d),
                     .w = &w,
                     .n_rows = n_rows,
                     .n = (n + 1) / 2,
                     .add = from > 0};
    for (int t = 0; t < s->n; t += KEY_TILE, p.y += KEY_TILE) {
        p.by_column = (const float *)(const void *)tile;
        p.lines = (const int8_t *)tile + INT8_SCALES + (ptrdiff_t)from * KEY_TILE;
        p.width = least(s->n - t, KEY_TILE);
        pass_all(&p);
        tile += p.tile;
    }
}

TARGET static void score_keys_int8(const struct scoring *s)
{
    for (int row = 0; row < s->n_rows; row += READY_ROWS)
        for (int from = 0; from < s->d; from += READY)
            score_part(s, row, from);
}

/* Adds one tile of values. The values' scales are multiplied into the weights. The factor
 * makes the products as large as 16 bits allow for weights up to 1. */
INLINE void mix_tile_int8(const struct mixing *m, int t, const uint8_t *tile)
{
    const int n = least(m->n - t, KEY_TILE);
    const float *scales = (const float *)(const void *)tile;
    const float most = largest_of(scales, n), steps = steps_of(most, 32767.0f);
    float factors[KEY_TILE];
    struct weights w;
    for (int i = 0; i < n; i++)
        factors[i] = scales[i] * steps;
    for (int r = 0; r < READY_ROWS; r++)
        w.by[r] = most / 32767.0f;
    struct pass p = {.ldy = m->ldy,
                     .lines = (const int8_t *)tile + INT8_SCALES,
                     .apart = (size_t)m->width * 2,
                     .tile = int8_tile(m->width),
                     .w = &w,
                     .n = (n + 1) / 2,
                     .width = m->width,
                     .add = true};
    for (int row = 0; row < m->n_rows; row += READY_ROWS) {
        p.n_rows = least(m->n_rows - row, READY_ROWS);
        p.y = m->y + (size_t)row * m->ldy;
        for (int r = 0; r < p.n_rows; r++)
            round_to(w.whole[r], m->p + (size_t)(row + r) * m->ldp + t, n, factors, 0);
        pass_all(&p);
    }
}

TARGET static void mix_values_int8(const struct mixing *m)
{
    const uint8_t *tile = m->values;
    for (int t = 0; t < m->n; t += KEY_TILE, tile += int8_tile(m->width))
        mix_tile_int8(m, t, tile);
}

/* Stores n numbers in a tile with a scale of their own. Number i goes i / 2 * apart + i %
 * 2 * odd bytes after `at`. */
INLINE void store_int8(void *tile, int place, const float *x, int n, ptrdiff_t at,
                       ptrdiff_t apart, ptrdiff_t odd)
{
    int16_t whole[READY];
    int8_t *to = (int8_t *)tile + INT8_SCALES + at;
    const float most = largest_of(x, n), steps = steps_of(most, 127.0f);
    ((float *)tile)[place] = steps > 0.0f ? most / 127.0f : 0.0f;
    for (int from = 0; from < n; from += READY, to += READY / 2 * apart) {
        const int part = least(n - from, READY);
        round_to(whole, x + from, part, NULL, steps);
        for (int i = 0; i < part; i++)
            to[i / 2 * apart + i % 2 * odd] = (int8_t)whole[i];
    }
}

TARGET static void store_key_int8(void *tile, int place, const float *key, int d)
{
    store_int8(tile, place, key, d, (ptrdiff_t)place * 2, (ptrdiff_t)KEY_TILE * 2, 1);
}

TARGET static void store_value_int8(void *tile, int place, const float *value, int d,
                                    int width)
{
    store_int8(tile, place, value, d, place / 2 * (ptrdiff_t)width * 2 + place % 2, 4,
               2);
}

INLINE void widen_line(float *restrict even, float *restrict odd, const int8_t *pairs,
                       const float *by_even, const float *by_odd, int step, int width)
{
    for (int i = 0; i < width; i++) {
        even[i] = (float)pairs[2 * i] * by_even[i * step];
        odd[i] = (float)pairs[2 * i + 1] * by_odd[i * step];
    }
}

TARGET static void widen_keys_int8(float *to, const void *tile, int d)
{
    const float *scales = tile;
    const int8_t *pairs = (const int8_t *)tile + INT8_SCALES;
    for (int i = 0; i < d; i += 2, to += 2 * KEY_TILE, pairs += 2 * KEY_TILE)
        widen_line(to, to + KEY_TILE, pairs, scales, scales, 1, KEY_TILE);
}

TARGET static void widen_values_int8(float *to, const void *tile, int width)
{
    const float *scales = tile;
    const int8_t *pairs = (const int8_t *)tile + INT8_SCALES;
    for (int t = 0; t < KEY_TILE; t += 2, to += 2 * width, pairs += 2 * width)
        widen_line(to, to + width, pairs, scales + t, scales + t + 1, 0, width);
}

#endif
