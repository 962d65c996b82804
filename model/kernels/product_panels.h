/* Our own matrix products for one type of number, with the vectors of
 * model/kernels/lanes.h. The file of a set includes this file once per type, after it
 * defines
 *
 *   NAME(what)      the name of a function   PRODUCT_TARGET  the instructions it uses
 *   PER_WORD        values along k in a word ADD_TO          sum += x y, LANES words each
 *   SPREAD          a word of a as x of ADD_TO
 *   WIDE_ROWS, WIDE_VECTORS   the size of a tile of c in registers
 *
 * The plan is that of Goto & van de Geijn 2008, for one slice of k at a time. b is copied
 * into panels of COLUMNS columns, which a tile reads sequentially. A tile of c stays in
 * registers for the slice. A word holds values that follow one another along k; word (i,
 * column) of a panel is at i * COLUMNS + column. Words of a are read singly, each for a
 * whole row of the tile. So a need not be copied if its values are words already and lie
 * close together; otherwise it is copied into panels of PRODUCT_GROUP rows. */
#include "model/kernels/lanes.h"
#include "model/kernels/product_sets.h"

#ifndef MODEL_PRODUCT_PANELS_H
#define MODEL_PRODUCT_PANELS_H

enum {
    COLUMNS = PRODUCT_COLUMNS,
    VECTORS = COLUMNS / LANES, /* vectors in a line of a panel */
    SHORT = 64, /* the largest k for which a transposed a is read in place */
    AHEAD = 8,  /* rows ahead that are prefetched while packing */
};

/* A word of memory, whatever type was stored there. */
typedef uint32_t word __attribute__((may_alias));

/* Where a tile of c is stored, and how. At the edge of c it has fewer columns than a full
 * tile. */
struct place {
    float *c;
    int ld, rows, columns;
    float alpha, beta;
    const float *bias;
};

/* The place from column j on, for the slice of k at `from`. Only the first slice applies
 * beta and the bias. */
static inline struct place place_of(const struct product *p, int from, int j)
{
    return (struct place){
        .c = p->c + j,
        .ld = p->ld_c,
        .columns = p->n - j,
        .alpha = p->alpha,
        .beta = from ? 1.0f : p->beta,
        .bias = p->bias && !from ? p->bias + j : NULL,
    };
}

/* The words of a in one slice. Word i of a row is at row * ld + i * step within its group
 * of PRODUCT_GROUP rows; groups are `group` words apart. */
struct rows {
    const void *at;
    size_t ld, step, group;
};

static inline const word *row_at(const struct rows *a, int i)
{
    return (const word *)a->at + (size_t)(i / PRODUCT_GROUP) * a->group +
           (size_t)(i % PRODUCT_GROUP) * a->ld;
}

static inline size_t whole_columns(int n)
{
    return ((size_t)n + COLUMNS - 1) / COLUMNS * COLUMNS;
}

/* One step of transposing LANES x LANES words: words of the second half go between those
 * of the first. log2(LANES) steps transpose. */
INLINE void interleave(lanes *to, const lanes *from)
{
#if LANES == 16
    const __m512i low =
        _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    FOR_UNROLLED (i, LANES / 2) {
        __m512 x = (__m512)from[i], y = (__m512)from[i + LANES / 2];
        to[2 * i] = (lanes)_mm512_permutex2var_ps(x, low, y);
        to[2 * i + 1] = (lanes)_mm512_permutex2var_ps(x, high, y);
    }
#elif NEON
    FOR_UNROLLED (i, LANES / 2) {
        const float32x4_t x = (float32x4_t)from[i],
                          y = (float32x4_t)from[i + LANES / 2];
        to[2 * i] = (lanes)vzip1q_f32(x, y);
        to[2 * i + 1] = (lanes)vzip2q_f32(x, y);
    }
#else
    FOR_UNROLLED (i, LANES / 2) {
        __m256 x = (__m256)from[i], y = (__m256)from[i + LANES / 2];
        __m256 low = _mm256_unpacklo_ps(x, y), high = _mm256_unpackhi_ps(x, y);
        to[2 * i] = (lanes)_mm256_permute2f128_ps(low, high, 0x20);
        to[2 * i + 1] = (lanes)_mm256_permute2f128_ps(low, high, 0x31);
    }
#endif
}

INLINE void transpose_square(lanes *x)
{
    lanes turned[LANES];
    interleave(turned, x);
    interleave(x, turned);
    if (LANES == 4)
        return;
    interleave(turned, x);
    if (LANES == 16)
        interleave(x, turned);
    else
        memcpy(x, turned, sizeof turned);
}

#endif

#define PRODUCT_INLINE PRODUCT_TARGET static inline __attribute__((always_inline))

/* LANES words of a row along k: from `left` values of x, times `by`, then zeros. */
PRODUCT_INLINE void NAME(words_along)(lanes *to, const float *x, int left, float by)
{
    lanes low;
    lanes_load_part(&low, x, left, 0.0f);
    low *= by;
#if PER_WORD == 2
    lanes high;
    lanes_load_part(&high, x + LANES, left - LANES, 0.0f);
    high *= by;
    *to = (lanes)_mm512_cvtne2ps_pbh((__m512)high, (__m512)low);
#else
    *to = low;
#endif
}

/* LANES words across, times `by`: lane i < n has above[i] and, with two values per word,
 * below[i]. */
PRODUCT_INLINE void NAME(words_across)(lanes *to, const float *above,
                                       const float *below, int n, float by)
{
    lanes_load_part(to, above, n, 0.0f);
    *to *= by;
#if PER_WORD == 2
    const __m512i zip =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                         23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    lanes second = {0};
    if (below)
        lanes_load_part(&second, below, n, 0.0f);
    second *= by;
    *to = (lanes)_mm512_permutexvar_epi16(
        zip, (__m512i)_mm512_cvtne2ps_pbh((__m512)second, (__m512)*to));
#else
    (void)below;
#endif
}

/* Packs LANES rows of x, of which n exist, as LANES columns of a panel. x has `left` more
 * values along k; at most LANES words of them are packed. */
PRODUCT_TARGET static void NAME(pack_square)(uint32_t *to, const float *x, int ld,
                                             int n, int left)
{
    lanes rows[LANES];
#pragma GCC unroll 16
    for (int r = 0; r < LANES; r++) {
        rows[r] = (lanes){0};
        __builtin_prefetch(x + (size_t)(r + LANES) * (size_t)ld);
        if (r < n)
            NAME(words_along)(&rows[r], x + (size_t)r * (size_t)ld, left, 1.0f);
    }
    transpose_square(rows);
    for (int i = 0; i < LANES && i * PER_WORD < left; i++)
        *(lanes *)(void *)(to + (size_t)i * COLUMNS) = rows[i];
}

/* Packs x [n, k], which is contiguous along k: each row becomes a column of words. */
PRODUCT_TARGET static void NAME(pack_along)(uint32_t *to, const float *x, int ld, int n,
                                            int k)
{
    const int words = (k + PER_WORD - 1) / PER_WORD, end = (int)whole_columns(n);
    for (int first = 0; first < end; first += LANES) {
        uint32_t *part =
            to + (size_t)(first / COLUMNS) * (size_t)words * COLUMNS + first % COLUMNS;
        const float *row = first < n ? x + (size_t)first * (size_t)ld : x;
        for (int at = 0; at < k; at += LANES * PER_WORD, part += LANES * COLUMNS)
            NAME(pack_square)(part, row + at, ld, n - first, k - at);
    }
}

/* Packs x [k, n], which is contiguous across k, in panels of `width`: row by row, in the
 * order of memory, LANES columns at a time. Other columns of the last panel stay as they
 * were. */
PRODUCT_TARGET static void NAME(pack_across)(uint32_t *to, const float *x, int ld,
                                             int n, int k, int width)
{
    size_t panel = (size_t)(k + PER_WORD - 1) / PER_WORD * (size_t)width;
    for (int row = 0; row < k; row += PER_WORD, to += width) {
        const float *x_row = x + (size_t)row * (size_t)ld;
        size_t below = row + 1 < k ? (size_t)ld : 0;
        size_t ahead = row + AHEAD < k ? AHEAD * (size_t)ld : 0;
        uint32_t *part = to;
        for (int first = 0, at = 0; first < n; first += LANES, at += LANES) {
            const float *above = x_row + first;
            lanes line;
            if (at == width) {
                at = 0;
                part += panel;
            }
            __builtin_prefetch(above + ahead);
            NAME(words_across)
            (&line, above, below ? above + below : NULL, n - first, 1.0f);
            *(lanes *)(void *)(part + at) = line;
        }
    }
}

PRODUCT_TARGET static void NAME(pack)(uint32_t *panels, const float *b, int ld_b,
                                      bool b_across, int n, int k)
{
    const size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD;
    if (b_across) {
        NAME(pack_along)(panels, b, ld_b, n, k);
        return;
    }
    NAME(pack_across)(panels, b, ld_b, n, k, COLUMNS);
    const int left = (int)whole_columns(n) - n;
    const int missing = left / LANES * LANES; /* whole vectors of columns */
    uint32_t *line =
        panels + whole_columns(n) * words - COLUMNS * words + COLUMNS - missing;
    for (size_t p = 0; missing && p < words; p++, line += COLUMNS)
        memset(line, 0, (size_t)missing * sizeof *line);
}

/* Stores one vector of sums in c, of which n columns exist. */
PRODUCT_INLINE void NAME(put)(const struct place *to, int row, int column,
                              const lanes *sum, int n)
{
    float *c = to->c + (size_t)row * (size_t)to->ld + column;
    lanes v = *sum * to->alpha, part;
    if (to->bias) {
        lanes_load_part(&part, to->bias + column, n, 0.0f);
        v += part;
    }
    if (to->beta != 0.0f) {
        lanes_load_part(&part, c, n, 0.0f);
        lanes_add_product(&v, &part, to->beta);
    }
    lanes_store_part(c, &v, n);
}

/* Stores a tile of sums in c. The usual tiles, which are whole and without a bias, decide
 * nothing per vector; with few words of k that would take a quarter of the time. */
PRODUCT_INLINE void NAME(put_all)(const struct place *to, lanes (*sum)[4], int rows,
                                  int vectors)
{
    float *c = to->c;
    if (to->columns < vectors * LANES || to->bias) {
        FOR_UNROLLED (i, rows)
            FOR_UNROLLED (j, vectors)
                if (to->columns > j * LANES)
                    NAME(put)(to, i, j * LANES, &sum[i][j], to->columns - j * LANES);
        return;
    }
    FOR_UNROLLED (i, rows)
        FOR_UNROLLED (j, vectors)
            sum[i][j] *= to->alpha;
    if (to->beta != 0.0f)
        FOR_UNROLLED (i, rows)
            FOR_UNROLLED (j, vectors)
                lanes_add_product(
                    &sum[i][j], lanes_at(c + (size_t)i * (size_t)to->ld, j), to->beta);
    FOR_UNROLLED (i, rows)
        FOR_UNROLLED (j, vectors)
            *(lanes *)(c + (size_t)i * (size_t)to->ld + (size_t)j * LANES) = sum[i][j];
}

/* A tile of `rows` rows by `vectors` vectors of columns. After VECTORS vectors the next
 * panel begins, `panel` words after the first. With `list`, only the listed words of k
 * are added. The sums stay in registers, and so do the two bases and the distance that
 * address the rows of a. */
PRODUCT_INLINE void NAME(tile)(const struct place *to, const struct rows *a,
                               const word *at, const uint32_t *b, size_t panel,
                               size_t words, const uint16_t *list, int rows,
                               int vectors)
{
    const size_t ld = a->ld, step = a->step;
    const int half = (rows + 1) / 2;
    const word *upper = at, *lower = at + (size_t)half * ld;
    lanes sum[8][4];
    FOR_UNROLLED (i, rows)
        FOR_UNROLLED (j, vectors)
            sum[i][j] = (lanes){0};

    const word *first = upper, *second = lower;
    const uint32_t *line = b;
    for (size_t p = 0; p < words; p++, upper += step, lower += step, b += COLUMNS) {
        lanes y[4];
        if (list) {
            upper = first + list[p] * step;
            lower = second + list[p] * step;
            b = line + (size_t)list[p] * COLUMNS;
        }
        FOR_UNROLLED (j, vectors)
            y[j] = *(const lanes *)(const void *)(b + (size_t)(j / VECTORS) * panel +
                                                  j % VECTORS * LANES);
        FOR_UNROLLED (i, rows) {
            const word single =
                i < half ? upper[(size_t)i * ld] : lower[(size_t)(i - half) * ld];
            const __auto_type x = SPREAD(single);
            FOR_UNROLLED (j, vectors)
                ADD_TO(sum[i][j], x, y[j]);
        }
    }
    NAME(put_all)(to, sum, rows, vectors);
}

/* Tiles one below the other, of the heights that fill the rows from i to m. */
#define TILE(rows, vectors)                                                            \
    for (; i + (rows) <= m; i += (rows), to->c += (size_t)(rows) * (size_t)to->ld)     \
    NAME(tile)(to, a, row_at(a, i), b, panel, words, list, rows, vectors)
PRODUCT_INLINE void NAME(any_tiles)(struct place *to, const struct rows *a, int i,
                                    int m, const uint32_t *b, size_t panel,
                                    const uint16_t *list, size_t words)
{
    TILE(WIDE_ROWS, WIDE_VECTORS);
    TILE(4, WIDE_VECTORS);
    TILE(2, WIDE_VECTORS);
    TILE(1, WIDE_VECTORS);
}

PRODUCT_TARGET static void NAME(wide_tiles)(struct place *to, const struct rows *a,
                                            int m, const uint32_t *b, size_t panel,
                                            size_t words)
{
    NAME(any_tiles)(to, a, 0, m, b, panel, NULL, words);
}

#if WIDE_VECTORS * LANES > 32
PRODUCT_TARGET static void NAME(narrow_tiles)(struct place *to, const struct rows *a,
                                              int m, const uint32_t *b, size_t panel,
                                              size_t words)
{
    const uint16_t *const list = NULL;
    int i = 0;
    TILE(8, 2);
    TILE(4, 2);
    TILE(2, 2);
    TILE(1, 2);
}
#endif

/* Rows from i to m, at most a tile, by the listed words of k, of which there are `words`. */
PRODUCT_TARGET static void NAME(listed_tiles)(struct place *to, const struct rows *a,
                                              int i, int m, const uint32_t *b,
                                              size_t panel, const uint16_t *list,
                                              size_t words)
{
    NAME(any_tiles)(to, a, i, m, b, panel, list, words);
}
#undef TILE

/* Lists the words of k, at most PRODUCT_SLICE, in which any row of a from i to m is not
 * zero. Returns their number. */
PRODUCT_TARGET static size_t NAME(list_words)(uint16_t *list, const struct rows *a,
                                              int i, int m, size_t words)
{
    uint32_t any[PRODUCT_SLICE] = {0};
    size_t n = 0;
    for (; i < m; i++) {
        const word *row = row_at(a, i);
        if (a->step == 1)
            for (size_t p = 0; p < words; p++)
                any[p] |= row[p];
        else
            for (size_t p = 0; p < words; p++)
                any[p] |= row[p * a->step];
    }
    for (size_t p = 0; p < words; p++) {
        list[n] = (uint16_t)p;
        n += any[p] != 0;
    }
    return n;
}

#if PER_WORD == 2
/* Converts x [m, k], which is contiguous along k, to words, row by row. */
PRODUCT_TARGET static void NAME(convert)(uint32_t *to, const float *x, int ld, int m,
                                         int k)
{
    const int words = (k + 1) / 2;
    for (int r = 0; r < m; r++, x += ld, to += words)
        for (int p = 0; p < words; p += LANES) {
            lanes line;
            NAME(words_along)(&line, x + 2 * p, k - 2 * p, 1.0f);
            lanes_store_part((float *)(void *)(to + p), &line, words - p);
        }
}
#endif

/* The words of a in a slice, copied to `to` if needed. A transposed a with a short k is
 * read in place. */
PRODUCT_TARGET static struct rows NAME(slice_of_a)(const struct product *p, int from,
                                                   int k, uint32_t *to)
{
    const size_t ld = (size_t)p->a.ld, words = ((size_t)k + PER_WORD - 1) / PER_WORD;
    if (p->a.transposed) {
        const float *x = p->a.at + (size_t)from * ld;
        if (PER_WORD == 1 && k <= SHORT)
            return (struct rows){x, 1, ld, PRODUCT_GROUP};
        NAME(pack_across)(to, x, p->a.ld, p->m, k, PRODUCT_GROUP);
        return (struct rows){to, 1, PRODUCT_GROUP, PRODUCT_GROUP * words};
    }
#if PER_WORD == 2
    NAME(convert)(to, p->a.at + from, p->a.ld, p->m, k);
    return (struct rows){to, words, 1, PRODUCT_GROUP * words};
#else
    return (struct rows){p->a.at + from, ld, 1, PRODUCT_GROUP * ld};
#endif
}

/* The panels of b in a slice, *panel words apart, packed into `to` unless b is packed
 * already. */
PRODUCT_TARGET static const uint32_t *
NAME(slice_of_b)(const struct product *p, int from, int k, uint32_t *to, size_t *panel)
{
    const size_t whole = p->packed ? (size_t)p->k : (size_t)k;
    *panel = p->panel ? p->panel : (whole + PER_WORD - 1) / PER_WORD * COLUMNS;
    if (p->packed)
        return p->packed + (size_t)from / PER_WORD * COLUMNS;
    NAME(pack)
    (to, p->b.at + (p->b.transposed ? (size_t)from : (size_t)from * (size_t)p->b.ld),
     p->b.ld, p->b.transposed, p->n, k);
    return to;
}

/* Adds a slice for a sparse a: for each tile of rows only the words that are not zero.
 * False, and nothing is added, if the first tile has too many such words for that to pay. */
PRODUCT_TARGET static bool NAME(add_sparse)(const struct product *p, int from,
                                            const struct rows *a, const uint32_t *b,
                                            size_t panel, size_t words)
{
    uint16_t list[PRODUCT_SLICE];
    if (whole_columns(p->n) % (WIDE_VECTORS * LANES))
        return false;
    for (int i = 0; i < p->m; i += WIDE_ROWS) {
        const int end = least(p->m, i + WIDE_ROWS);
        const size_t n = NAME(list_words)(list, a, i, end, words);
        if (!i && n * 4 > words * 3)
            return false;
        for (int j = 0; j < p->n; j += WIDE_VECTORS * LANES) {
            struct place to = place_of(p, from, j);
            to.c += (size_t)i * (size_t)to.ld;
            NAME(listed_tiles)
            (&to, a, i, end, b + (size_t)(j / COLUMNS) * panel + (size_t)(j % COLUMNS),
             panel, list, n);
        }
    }
    return true;
}

/* Adds one slice of k to c. Only the first slice applies beta. */
PRODUCT_TARGET static void NAME(add_slice)(const struct product *p, int from, int k,
                                           uint32_t *scratch)
{
    const size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD;
    size_t panel;
    const uint32_t *b = NAME(slice_of_b)(p, from, k, scratch, &panel);
    const struct rows a =
        NAME(slice_of_a)(p, from, k, scratch + whole_columns(p->n) * words);

    if (p->sparse && NAME(add_sparse)(p, from, &a, b, panel, words))
        return;
    for (int j = 0, vectors; j < p->n; j += vectors * LANES) {
        const uint32_t *at = b + (size_t)(j / COLUMNS) * panel + (size_t)(j % COLUMNS);
        struct place to = place_of(p, from, j);
        vectors = WIDE_VECTORS;
#if WIDE_VECTORS * LANES > 32
        if (p->n - j <= COLUMNS) {
            vectors = VECTORS;
            NAME(narrow_tiles)(&to, &a, p->m, at, panel, words);
            continue;
        }
#endif
        NAME(wide_tiles)(&to, &a, p->m, at, panel, words);
    }
}

PRODUCT_TARGET static void NAME(multiply)(const struct product *p, uint32_t *scratch)
{
    /* If a has to be copied as well, half as much stays in the first-level cache. */
    const int most = (p->a.transposed ? PRODUCT_SLICE / 2 : PRODUCT_SLICE) * PER_WORD;
    for (int from = 0; from < p->k; from += most)
        NAME(add_slice)(p, from, least(p->k - from, most), scratch);
}

#undef NAME
#undef PRODUCT_TARGET
#undef PRODUCT_INLINE
#undef PER_WORD
#undef ADD_TO
#undef SPREAD
