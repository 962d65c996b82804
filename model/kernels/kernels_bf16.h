/* The kernels that read bf16 caches. Keys and values share one shape, lines of pairs:
 * keys [d_head / 2][KEY_TILE][2], values [n / 2][width][2]. The weights are queries, or
 * the probabilities made of scores:
 *     y[row][i] += the sum over l of weights[row][2l + 0, 1] . lines[l][i][0, 1]
 * A line is loaded and widened once for all rows. A row's order of summation does not
 * depend on how many rows go together.
 *
 * A set that defines DOT_BF16 multiplies bf16 pairs by one instruction, so it rounds
 * the weights to bf16, too. The other sets widen the lines to f32. They need more
 * instructions a line, so fewer loads are in flight; they prefetch lines AHEAD, which
 * measured a tenth faster on a Skylake. */
#ifndef MODEL_KERNELS_BF16_H
#define MODEL_KERNELS_BF16_H

#include "model/kernels/kernels.h"

#include "model/kernels/lanes.h"

#include <stdbool.h>
#include <stddef.h>

/* Weights prepared at once: READY of each of READY_ROWS rows. */
enum { READY_ROWS = 8, READY = KEY_TILE };

#ifdef DOT_BF16

enum { LINE_SUMS = 1 }; /* successive lines go to a row's sums in turn */
enum { AHEAD = 0 };     /* no prefetch */

struct line {
    __m512i pairs;
};

struct weights {
    uint32_t pairs[READY_ROWS][READY / 2];
};

INLINE void line_load(struct line *line, const uint16_t *at)
{
    line->pairs = _mm512_loadu_si512(at);
}

INLINE void line_clear_second(struct line *line)
{
    line->pairs = _mm512_and_si512(line->pairs, _mm512_set1_epi32(0xffff));
}

INLINE void weights_init(struct weights *w, const float *x, size_t ld, int n_rows,
                         int n)
{
    for (int r = 0; r < n_rows; r++, x += ld)
        for (int i = 0; i < n; i += LANES) {
            __m512 wide = _mm512_maskz_loadu_ps(first_lanes(n - i), x + i);
            __m256bh narrow = _mm512_cvtneps_pbh(wide);
            _mm256_storeu_si256((__m256i *)(w->pairs[r] + i / 2), (__m256i)narrow);
        }
}

INLINE void line_add(lanes *sums, const struct line *line, const struct weights *w,
                     int row, int i)
{
    __m512i pair = _mm512_set1_epi32((int)w->pairs[row][i]);
    *sums =
        (lanes)_mm512_dpbf16_ps((__m512)*sums, (__m512bh)line->pairs, (__m512bh)pair);
}

#else

enum { LINE_SUMS = 2 }; /* one sum for first numbers, one for second numbers */
enum { AHEAD = 4096 };  /* bytes */

struct line {
    lanes first, second;
};

struct weights {
    const float *x; /* rows ld apart */
    size_t ld;
    float room[READY_ROWS][READY];
};

INLINE void line_load(struct line *line, const uint16_t *at)
{
    lane_words words = *(const lane_words *)at;
    line->first = (lanes)(words << 16);
    line->second = (lanes)(words & 0xffff0000u);
}

INLINE void line_clear_second(struct line *line)
{
    lanes_set(&line->second, 0.0f);
}

/* Uses x in place, unless the last weight lacks a partner. */
INLINE void weights_init(struct weights *w, const float *x, size_t ld, int n_rows,
                         int n)
{
    w->x = x;
    w->ld = ld;
    if (n % 2 == 0)
        return;
    for (int r = 0; r < n_rows; r++) {
        memcpy(w->room[r], x + (size_t)r * ld, (size_t)n * sizeof *x);
        w->room[r][n] = 0.0f;
    }
    w->x = w->room[0];
    w->ld = READY;
}

INLINE void line_add(lanes *sums, const struct line *line, const struct weights *w,
                     int row, int i)
{
    const float *pair = w->x + (size_t)row * w->ld + (size_t)i * 2;
    lanes_add_product(sums, &line->first, pair[0]);
    lanes_add_product(sums + 1, &line->second, pair[1]);
}

#endif

/* Rows times vectors of columns times sums of each must fit the registers. Two sums
 * hide the latency of an addition. Where lines are NARROW vectors or fewer and feed one
 * sum at a time, there are four. */
enum {
    MOST_COLUMNS = 4, /* vectors */
    NARROW = 2,       /* vectors */
    MOST_SUMS = 4,
    MOST_BLOCK = LANES == 16 ? 16 : 8,
};

/* One pass over some lines. */
struct pass {
    float *y; /* [n_rows] of [width], ldy apart */
    size_t ldy;
    const uint16_t *lines; /* [n] of [width][2], ld apart */
    size_t ld;
    const struct weights *w;
    int n_rows, n, width; /* the last vector of columns is written whole */
    bool odd;             /* the last line's second numbers are ignored */
    bool fresh;           /* sets y instead of adding to it */
};

/* Inlined callers pass constants; otherwise the sums would be in memory. */
#define BLOCK int n_rows, int n_columns, lanes(*sum)[MOST_COLUMNS][MOST_SUMS]

INLINE void block_add(const struct pass *p, const uint16_t *lines, int row, int line,
                      int to, bool first_only, BLOCK)
{
    struct line of[MOST_COLUMNS];
    FOR_UNROLLED (c, n_columns) {
        const uint16_t *at = lines + (size_t)line * p->ld + (size_t)c * LANES * 2;
        line_load(of + c, at);
        if (AHEAD > 0)
            __builtin_prefetch(at + AHEAD / sizeof *at, 0, 3);
        if (first_only)
            line_clear_second(of + c);
    }
    FOR_UNROLLED (r, n_rows)
        FOR_UNROLLED (c, n_columns)
            line_add(sum[r][c] + to, of + c, p->w, row + r, line);
}

INLINE void block_store(const struct pass *p, float *y, int n_sums, BLOCK)
{
    FOR_UNROLLED (r, n_rows)
        FOR_UNROLLED (c, n_columns) {
            lanes *to = (lanes *)(y + (size_t)r * p->ldy + (size_t)c * LANES);
            lanes total = sum[r][c][0] + sum[r][c][1];
            if (n_sums == 4)
                total += sum[r][c][2] + sum[r][c][3];
            if (!p->fresh)
                total += *to;
            *to = total;
        }
}

/* Each round takes one line for every sum. */
INLINE void pass_block(const struct pass *p, int row, int column, int n_rows,
                       int n_columns, int n_sums)
{
    lanes sum[READY_ROWS][MOST_COLUMNS][MOST_SUMS];
    const int round = n_sums / LINE_SUMS;
    const uint16_t *lines = p->lines + (size_t)column * 2;
    const int n = p->n - p->odd;
    int i = 0;
    FOR_UNROLLED (r, n_rows)
        FOR_UNROLLED (c, n_columns)
            FOR_UNROLLED (j, n_sums)
                sum[r][c][j] = (lanes){0};
    for (; i + round <= n; i += round)
        FOR_UNROLLED (j, round)
            block_add(p, lines, row, i + j, j, false, n_rows, n_columns, sum);
    for (; i < n; i++)
        block_add(p, lines, row, i, 0, false, n_rows, n_columns, sum);
    if (p->odd)
        block_add(p, lines, row, i, 0, true, n_rows, n_columns, sum);
    block_store(p, p->y + (size_t)row * p->ldy + column, n_sums, n_rows, n_columns,
                sum);
}

INLINE void pass_rows(const struct pass *p, int row, int n_rows, int n_sums)
{
    const int most = MOST_BLOCK / n_sums / n_rows;
    int i = 0;
    for (; most >= 4 && i + 4 * LANES <= p->width; i += 4 * LANES)
        pass_block(p, row, i, n_rows, 4, n_sums);
    for (; most >= 2 && i + 2 * LANES <= p->width; i += 2 * LANES)
        pass_block(p, row, i, n_rows, 2, n_sums);
    for (; i < p->width; i += LANES)
        pass_block(p, row, i, n_rows, 1, n_sums);
}

INLINE void pass_all(const struct pass *p, int n_sums)
{
    int r = 0;
    for (; MOST_BLOCK / n_sums >= 8 && r + 8 <= p->n_rows; r += 8)
        pass_rows(p, r, 8, n_sums);
    for (; r + 4 <= p->n_rows; r += 4)
        pass_rows(p, r, 4, n_sums);
    for (; r + 2 <= p->n_rows; r += 2)
        pass_rows(p, r, 2, n_sums);
    for (; r < p->n_rows; r++)
        pass_rows(p, r, 1, n_sums);
}

/* Written into mix_part itself, it makes steps of several takes a tenth slower. */
INLINE void pass_run(const struct pass *p)
{
    if (LINE_SUMS == 1 && p->width <= NARROW * LANES)
        pass_all(p, 4);
    else
        pass_all(p, 2);
}

INLINE int least(int a, int b)
{
    return a < b ? a : b;
}

_Static_assert(KEY_TILE > NARROW * LANES, "a tile's keys have two sums, however many");

/* Scores of READY_ROWS rows from `row` on, over READY dimensions from `from` on. */
INLINE void score_part(const struct scoring *s, int row, int from)
{
    const int n_rows = least(s->n_rows - row, READY_ROWS);
    const int n = least(s->d - from, READY);
    const size_t tile = ((size_t)s->d + 1) / 2 * KEY_TILE * 2;
    struct weights w;
    weights_init(&w, s->q + (size_t)row * s->ldq + from, s->ldq, n_rows, n);
    struct pass p = {.y = s->scores + (size_t)row * s->ld,
                     .ldy = s->ld,
                     .lines = (const uint16_t *)s->keys + (size_t)from * KEY_TILE,
                     .ld = (size_t)KEY_TILE * 2,
                     .w = &w,
                     .n_rows = n_rows,
                     .n = (n + 1) / 2,
                     .fresh = !from};
    for (int t = 0; t < s->n; t += KEY_TILE, p.lines += tile, p.y += KEY_TILE) {
        p.width = least(s->n - t, KEY_TILE);
        pass_all(&p, 2);
    }
}

TARGET static void score_keys_bf16(const struct scoring *s)
{
    for (int row = 0; row < s->n_rows; row += READY_ROWS)
        for (int from = 0; from < s->d; from += READY)
            score_part(s, row, from);
}

/* READY_ROWS rows from `row` on, over the tile from position t on. */
INLINE void mix_part(const struct mixing *m, int row, int t)
{
    const int n_rows = least(m->n_rows - row, READY_ROWS);
    const int n = least(m->n - t, KEY_TILE);
    const size_t width = (size_t)m->width;
    struct weights w;
    weights_init(&w, m->p + (size_t)row * m->ldp + t, m->ldp, n_rows, n);
    pass_run(&(struct pass){.y = m->y + (size_t)row * m->ldy,
                            .ldy = m->ldy,
                            .lines = (const uint16_t *)m->values + (size_t)t * width,
                            .ld = width * 2,
                            .w = &w,
                            .n_rows = n_rows,
                            .n = (n + 1) / 2,
                            .width = m->width,
                            .odd = n % 2});
}

TARGET static void mix_values_bf16(const struct mixing *m)
{
    for (int t = 0; t < m->n; t += KEY_TILE)
        for (int row = 0; row < m->n_rows; row += READY_ROWS)
            mix_part(m, row, t);
}

#endif
