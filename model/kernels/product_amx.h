/* Matrix products by AMX. A tile is sixteen rows of 64 bytes; AMX multiplies tiles of
 * pairs of bf16 and sums in f32. product_avx512.c includes this file after the version
 * for bf16, whose panels of b are used here: sixteen rows of a panel are two tiles
 * without copying.
 *
 * a is copied into tiles, times alpha, one slice of k at a time. Four tiles of c stay in
 * registers during the slice: two tiles of a by the two of a panel of b. A panel stays in
 * the first-level cache for all rows. */

/* The size of a tile. */
enum { TILE_ROWS = 16, TILE_WORDS = 16, SQUARE = TILE_ROWS * TILE_WORDS };

#define AMX_TARGET                                                                     \
    __attribute__((                                                                    \
        target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16,amx-tile,amx-bf16")))
#define AMX_INLINE         AMX_TARGET static inline __attribute__((always_inline))

/* Tells the compiler that tiles read and write memory, which it does not know. */
#define TILES_SEE_MEMORY() __asm__ volatile("" ::: "memory")

/* The operand of LDTILECFG. */
struct tile_shapes {
    uint8_t palette, start_row, reserved[14];
    uint16_t row_bytes[16];
    uint8_t rows[16];
};

/* The address of a row's line in the copy of a. The copy holds, for 32 rows, the two
 * tiles of the first step of k (sixteen words), then the two of the next step. */
static inline uint32_t *tile_line(uint32_t *to, int row, int step, int steps)
{
    size_t group = (size_t)(row / (2 * TILE_ROWS)) * (size_t)steps + (size_t)step;
    return to + group * 2 * SQUARE + (size_t)(row % (2 * TILE_ROWS)) * TILE_WORDS;
}

static inline int n_steps_of(int words)
{
    return (words + TILE_WORDS - 1) / TILE_WORDS;
}

/* Copies a slice of a that is contiguous along k. */
AMX_TARGET static void amx_tiles_along(uint32_t *to, const float *x, int ld, int m,
                                       int k, float alpha)
{
    const int steps = n_steps_of((k + 1) / 2);
    for (int r = 0; r < m; r++, x += ld)
        for (int s = 0; s < steps; s++) {
            const int at = 2 * TILE_WORDS * s;
            bf16_words_along((lanes *)(void *)tile_line(to, r, s, steps), x + at,
                             k - at, alpha);
        }
}

/* Makes one tile of n columns from `left` rows of x, contiguous across k: transposes
 * words of two values each. */
AMX_TARGET static void amx_turn_square(uint32_t *to, const float *x, size_t ld,
                                       int left, int n, float alpha)
{
    lanes rows[TILE_ROWS];
#pragma GCC unroll 16
    for (int p = 0; p < TILE_ROWS; p++) {
        const float *above = x + (size_t)(2 * p) * ld;
        rows[p] = (lanes){0};
        /* Rows lie pages apart, which no processor foresees. */
        if (left > 4 * TILE_ROWS) {
            __builtin_prefetch(above + 2 * TILE_ROWS * ld, 0, 2);
            __builtin_prefetch(above + (2 * TILE_ROWS + 1) * ld, 0, 2);
        }
        if (2 * p < left)
            bf16_words_across(&rows[p], above, 2 * p + 1 < left ? above + ld : NULL, n,
                              alpha);
    }
    transpose_square(rows);
#pragma GCC unroll 16
    for (int i = 0; i < TILE_ROWS; i++)
        *(lanes *)(void *)(to + i * TILE_WORDS) = rows[i];
}

/* Copies a slice of a that is contiguous across k. */
AMX_TARGET static void amx_tiles_across(uint32_t *to, const float *x, int ld, int m,
                                        int k, float alpha)
{
    const int steps = n_steps_of((k + 1) / 2);
    for (int s = 0, at = 0; s < steps; s++, at += 2 * TILE_WORDS)
        for (int i = 0; i < m; i += TILE_ROWS)
            amx_turn_square(tile_line(to, i, s, steps), x + (size_t)at * (size_t)ld + i,
                            (size_t)ld, k - at, m - i, alpha);
}

/* The factors of a square of tiles: the full steps of a panel, and a shorter last step,
 * which is copied to `tail` and padded with zeros. */
struct amx_factors {
    const uint32_t *a, *b, *tail;
    const float *bias; /* [COLUMNS], or NULL */
    int steps;         /* full steps */
};

enum { LINE = 64 }; /* bytes in a row of a tile */

/* One step of k, for one or two tiles of rows by one or two tiles of columns. */
AMX_INLINE void amx_step(const uint32_t *a, const uint32_t *b, bool low, bool right)
{
    _tile_loadd(4, a, LINE);
    _tile_loadd(6, b, 4 * COLUMNS);
    _tile_dpbf16ps(0, 4, 6);
    if (right) {
        _tile_loadd(7, b + TILE_WORDS, 4 * COLUMNS);
        _tile_dpbf16ps(1, 4, 7);
    }
    if (low) {
        _tile_loadd(5, a + SQUARE, LINE);
        _tile_dpbf16ps(2, 5, 6);
        if (right)
            _tile_dpbf16ps(3, 5, 7);
    }
}

AMX_INLINE void amx_steps(const struct amx_factors *f, bool low, bool right)
{
    const uint32_t *a = f->a, *b = f->b;
    for (int s = 0; s < f->steps; s++) {
        amx_step(a, b, low, right);
        a += 2 * SQUARE;
        b += TILE_WORDS * COLUMNS;
    }
    if (f->tail)
        amx_step(a, f->tail, low, right);
}

/* Stores a tile of which a part lies outside of c, or whose beta is neither 0 nor 1. */
AMX_TARGET static void amx_put(const struct place *to, int row, int column,
                               const float *sums)
{
    const __mmask16 mask = first_lanes(to->columns - column);
    const __m512 beta = _mm512_set1_ps(to->beta);
    for (int r = 0; r < TILE_ROWS && row + r < to->rows; r++) {
        float *c = to->c + (size_t)(row + r) * (size_t)to->ld + column;
        __m512 sum = _mm512_load_ps(sums + r * TILE_WORDS);
        if (to->beta != 0.0f)
            sum = _mm512_fmadd_ps(beta, _mm512_maskz_loadu_ps(mask, c), sum);
        _mm512_mask_storeu_ps(c, mask, sum);
    }
}

/* Whether the tile lies within c and can be loaded and stored directly. */
static inline bool amx_is_whole(const struct place *to, int row, int column)
{
    return to->rows - row >= TILE_ROWS && to->columns - column >= TILE_WORDS &&
           (to->beta == 0.0f || to->beta == 1.0f);
}

/* Opens and closes tile n of c, at (row, column). Its sums start from the bias in each
 * row, from c, or from zero. */
#define AMX_OPEN(n, row, column)                                                       \
    if (bias)                                                                          \
        _tile_loadd(n, bias + (column), 0L);                                           \
    else if (amx_is_whole(to, row, column) && to->beta != 0.0f)                        \
        _tile_loadd(n, to->c + (size_t)(row) * (size_t)to->ld + (column),              \
                    4L * to->ld);                                                      \
    else                                                                               \
        _tile_zero(n);
#define AMX_CLOSE(n, row, column)                                                      \
    if (amx_is_whole(to, row, column)) {                                               \
        _tile_stored(n, to->c + (size_t)(row) * (size_t)to->ld + (column),             \
                     4L * to->ld);                                                     \
    } else {                                                                           \
        _tile_stored(n, sums, LINE);                                                   \
        TILES_SEE_MEMORY();                                                            \
        amx_put(to, row, column, sums);                                                \
    }

AMX_INLINE void amx_square(const struct place *to, const struct amx_factors *f,
                           bool low, bool right)
{
    float sums[SQUARE] __attribute__((aligned(64)));
    const float *bias = f->bias;
    AMX_OPEN(0, 0, 0)
    if (right) {
        AMX_OPEN(1, 0, TILE_WORDS)
    }
    if (low) {
        AMX_OPEN(2, TILE_ROWS, 0)
    }
    if (low && right) {
        AMX_OPEN(3, TILE_ROWS, TILE_WORDS)
    }
    amx_steps(f, low, right);
    AMX_CLOSE(0, 0, 0)
    if (right) {
        AMX_CLOSE(1, 0, TILE_WORDS)
    }
    if (low) {
        AMX_CLOSE(2, TILE_ROWS, 0)
    }
    if (low && right) {
        AMX_CLOSE(3, TILE_ROWS, TILE_WORDS)
    }
}

#undef AMX_OPEN
#undef AMX_CLOSE

AMX_TARGET static void amx_any_square(const struct place *to,
                                      const struct amx_factors *f)
{
    const bool low = to->rows > TILE_ROWS, right = to->columns > TILE_WORDS;
    TILES_SEE_MEMORY();
    if (low && right)
        amx_square(to, f, true, true);
    else if (low)
        amx_square(to, f, true, false);
    else if (right)
        amx_square(to, f, false, true);
    else
        amx_square(to, f, false, false);
    TILES_SEE_MEMORY();
}

/* Copies the words of b after the last full step and pads them with zeros. NULL: there
 * are none. */
static const uint32_t *amx_tail(uint32_t *to, const uint32_t *b, int words)
{
    const size_t n = (size_t)(words % TILE_WORDS) * COLUMNS, all = TILE_WORDS * COLUMNS;
    if (!n)
        return NULL;
    memcpy(to, b + (size_t)(words / TILE_WORDS) * all, n * sizeof *to);
    memset(to + n, 0, (all - n) * sizeof *to);
    return to;
}

/* Copies the bias of a panel's columns and pads it with zeros. NULL: there is none. */
AMX_TARGET static const float *amx_bias(float *to, const float *from, int n)
{
    if (!from)
        return NULL;
    _mm512_storeu_ps(to, _mm512_maskz_loadu_ps(first_lanes(n), from));
    _mm512_storeu_ps(to + 16, _mm512_maskz_loadu_ps(first_lanes(n - 16), from + 16));
    return to;
}

/* The product for the columns of one panel and all rows. It makes its own struct place,
 * because copying one would wait for all tiles stored before. */
AMX_TARGET static void amx_panel(const struct product *p, int from, int j,
                                 const uint32_t *a, const uint32_t *b, int words)
{
    struct place to = place_of(p, from, j);
    uint32_t tail[TILE_WORDS * COLUMNS] __attribute__((aligned(64)));
    float bias[COLUMNS];
    const size_t steps = (size_t)n_steps_of(words);
    struct amx_factors f = {
        .a = a,
        .b = b,
        .tail = amx_tail(tail, b, words),
        .bias = amx_bias(bias, to.bias, to.columns),
        .steps = words / TILE_WORDS,
    };
    for (int i = 0; i < p->m; i += 2 * TILE_ROWS) {
        to.rows = p->m - i;
        amx_any_square(&to, &f);
        to.c += 2 * TILE_ROWS * (size_t)to.ld;
        f.a += 2 * SQUARE * steps;
    }
}

/* Adds one slice of k to c. Only the first slice applies beta. */
AMX_TARGET static void amx_add_slice(const struct product *p, int from, int k,
                                     uint32_t *scratch)
{
    const int words = (k + 1) / 2;
    size_t panel;
    const uint32_t *b = bf16_slice_of_b(p, from, k, scratch, &panel);
    uint32_t *a = scratch + whole_columns(p->n) * (size_t)words;
    if (p->a.transposed)
        amx_tiles_across(a, p->a.at + (size_t)from * (size_t)p->a.ld, p->a.ld, p->m, k,
                         p->alpha);
    else
        amx_tiles_along(a, p->a.at + from, p->a.ld, p->m, k, p->alpha);
    for (int j = 0; j < p->n; j += COLUMNS, b += panel)
        amx_panel(p, from, j, a, b, words);
}

AMX_TARGET static void amx_multiply(const struct product *p, uint32_t *scratch)
{
    static const struct tile_shapes all = {
        .palette = 1,
        .row_bytes = {64, 64, 64, 64, 64, 64, 64, 64},
        .rows = {16, 16, 16, 16, 16, 16, 16, 16},
    };
    const int most = 2 * PRODUCT_SLICE;
    _tile_loadconfig(&all);
    for (int from = 0; from < p->k; from += most)
        amx_add_slice(p, from, least(p->k - from, most), scratch);
    _tile_release();
}

#undef AMX_TARGET
#undef AMX_INLINE
#undef TILES_SEE_MEMORY
