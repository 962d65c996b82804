/* Our own products for one kind of word. product.c includes this once for each, with
 *   NAME(what)  the function's name        TARGET    what the processor must have
 *   PER_WORD    values along k in a word   ADD_TO    sum + x y, sixteen words each
 *
 * The plan is that of Goto & van de Geijn 2008, one slice of k at a time. b is copied
 * into panels COLUMNS wide, which a tile reads sequentially. A tile of c stays in
 * registers for the slice. It is WIDE_ROWS by two panels, or ROWS by a single last
 * panel. The wide shape reads fewer words for each multiply-add than a squarer one, and
 * no more rows than the first-level cache has ways. A word holds values that follow one
 * another along k; word (i, column) of a panel is at i * COLUMNS + column. Words of a
 * are read singly, each for a whole row of the tile. So a stays in place if its values
 * are words already and close together; else it is copied into panels GROUP wide. */

/* Sixteen words of a row along k: `left` values from x, then zeros. */
TARGET static inline __m512i NAME(words_along)(const float *x, int left)
{
    __m512 low = _mm512_maskz_loadu_ps(first_lanes(left), x);
#if PER_WORD == 2
    __m512 high = _mm512_maskz_loadu_ps(first_lanes(left - 16), x + 16);
    return (__m512i)_mm512_cvtne2ps_pbh(high, low);
#else
    return _mm512_castps_si512(low);
#endif
}

/* Sixteen words across: lane i pairs above[i] with below[i]. */
TARGET static inline __m512i NAME(words_across)(const float *above, const float *below,
                                                __mmask16 lanes)
{
    __m512 first = _mm512_maskz_loadu_ps(lanes, above);
#if PER_WORD == 2
    const __m512i zip =
        _mm512_set_epi16(31, 15, 30, 14, 29, 13, 28, 12, 27, 11, 26, 10, 25, 9, 24, 8,
                         23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    __m512 second = below ? _mm512_maskz_loadu_ps(lanes, below) : _mm512_setzero_ps();
    return _mm512_permutexvar_epi16(zip, (__m512i)_mm512_cvtne2ps_pbh(second, first));
#else
    (void)below;
    return _mm512_castps_si512(first);
#endif
}

/* One of four steps that transpose 16 x 16 words: words of the second half go between
 * those of the first. */
TARGET static inline void NAME(interleave)(__m512i *to, const __m512i *from)
{
    const __m512i low =
        _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
#pragma GCC unroll 8
    for (int i = 0; i < 8; i++) {
        to[2 * i] = _mm512_permutex2var_epi32(from[i], low, from[i + 8]);
        to[2 * i + 1] = _mm512_permutex2var_epi32(from[i], high, from[i + 8]);
    }
}

/* Sixteen rows of x, of which the first n exist, become at most sixteen lines of half a
 * panel. x has `left` values along k. */
TARGET static void NAME(pack_square)(uint32_t *to, const float *x, int ld, int n,
                                     int left)
{
    __m512i rows[16], turned[16];
#pragma GCC unroll 16
    for (int r = 0; r < 16; r++)
        rows[r] = r < n ? NAME(words_along)(x + (size_t)r * (size_t)ld, left)
                        : _mm512_setzero_si512();
    NAME(interleave)(turned, rows);
    NAME(interleave)(rows, turned);
    NAME(interleave)(turned, rows);
    NAME(interleave)(rows, turned);
    for (int i = 0; i < 16 && i * PER_WORD < left; i++)
        _mm512_storeu_si512(to + i * COLUMNS, rows[i]);
}

/* Packs x [n, k], contiguous along k: each row becomes a column of words. */
TARGET static void NAME(pack_along)(uint32_t *to, const float *x, int ld, int n, int k)
{
    const int words = (k + PER_WORD - 1) / PER_WORD;
    const int end = (n + COLUMNS - 1) / COLUMNS * COLUMNS;
    for (int first = 0; first < end; first += 16) {
        uint32_t *half =
            to + (size_t)(first / COLUMNS) * (size_t)words * COLUMNS + first % COLUMNS;
        const float *row = first < n ? x + (size_t)first * (size_t)ld : x;
        for (int at = 0; at < k; at += 16 * PER_WORD, half += 16 * COLUMNS)
            NAME(pack_square)(half, row + at, ld, n - first, k - at);
    }
}

/* Packs x [k, n], contiguous across k: row by row, in memory order, sixteen columns at
 * a time. Leaves the rest of a panel unchanged. */
TARGET static void NAME(pack_across)(uint32_t *to, const float *x, int ld, int n, int k,
                                     int width)
{
    size_t panel = (size_t)(k + PER_WORD - 1) / PER_WORD * (size_t)width;
    for (int row = 0; row < k; row += PER_WORD, to += width) {
        const float *x_row = x + (size_t)row * (size_t)ld;
        size_t below = row + 1 < k ? (size_t)ld : 0;
        size_t ahead = row + AHEAD < k ? AHEAD * (size_t)ld : 0;
        for (int first = 0; first < n; first += 16) {
            const float *above = x_row + first;
            __builtin_prefetch(above + ahead);
            _mm512_storeu_si512(to + (size_t)(first / width) * panel + first % width,
                                NAME(words_across)(above, below ? above + below : NULL,
                                                   first_lanes(n - first)));
        }
    }
}

TARGET static void NAME(pack)(uint32_t *panels, const float *b, int ld_b, bool b_across,
                              int n, int k)
{
    const size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD;
    if (b_across) {
        NAME(pack_along)(panels, b, ld_b, n, k);
        return;
    }
    NAME(pack_across)(panels, b, ld_b, n, k, COLUMNS);
    uint32_t *right = panels + (size_t)(n - 1) / COLUMNS * COLUMNS * words + 16;
    for (size_t p = 0; (n - 1) % COLUMNS < 16 && p < words; p++, right += COLUMNS)
        memset(right, 0, 16 * sizeof *right); /* the last panel's right half */
}

/* Adds sixteen columns of sums to c, from `column` on. */
TARGET static inline void NAME(put)(const struct place *to, int row, int column,
                                    __m512 sum)
{
    const __mmask16 lanes = first_lanes(to->columns - column);
    if (row >= to->rows)
        return;
    float *c = to->c + (size_t)row * (size_t)to->ld + column;
    sum = _mm512_mul_ps(sum, _mm512_set1_ps(to->alpha));
    if (to->beta != 0.0f)
        sum = _mm512_fmadd_ps(_mm512_set1_ps(to->beta), _mm512_maskz_loadu_ps(lanes, c),
                              sum);
    _mm512_mask_storeu_ps(c, lanes, sum);
}

/* Sums have names, so that they stay in registers at any optimisation level: first is
 * row i with the first panel, second with the second. Rows are addressed from two bases
 * by multiples of one distance, so the addresses stay in registers, too. */
#define BEGIN(i)      __m512 first##i = _mm512_setzero_ps(), second##i = first##i;
#define BEGIN_MORE(i) __m512 third##i = _mm512_setzero_ps(), fourth##i = third##i;
#define WORD(i, half)                                                                  \
    _mm512_set1_epi32((int)((i) < (half) ? upper : lower)[(i) % (half)*ld])
#define ADD(i)                                                                         \
    {                                                                                  \
        __m512i x = WORD(i, ROWS / 2);                                                 \
        first##i = ADD_TO(first##i, x, b0);                                            \
        second##i = ADD_TO(second##i, x, b1);                                          \
    }
#define ADD_WIDE(i)                                                                    \
    {                                                                                  \
        __m512i x = WORD(i, WIDE_ROWS / 2);                                            \
        first##i = ADD_TO(first##i, x, b0);                                            \
        second##i = ADD_TO(second##i, x, b1);                                          \
        third##i = ADD_TO(third##i, x, b2);                                            \
        fourth##i = ADD_TO(fourth##i, x, b3);                                          \
    }
#define PUT(i)                                                                         \
    NAME(put)(to, i, 0, first##i);                                                     \
    NAME(put)(to, i, 16, second##i);
#define PUT_MORE(i)                                                                    \
    NAME(put)(to, i, 32, third##i);                                                    \
    NAME(put)(to, i, 48, fourth##i);
#define SIX(DO)   DO(0) DO(1) DO(2) DO(3) DO(4) DO(5)
#define EIGHT(DO) SIX(DO) DO(6) DO(7)

TARGET static void NAME(narrow_tile)(const struct place *to, const struct rows *a,
                                     const word *at, const uint32_t *b, size_t words)
{
    const size_t ld = a->ld, step = a->step;
    const word *upper = at, *lower = at + ROWS / 2 * ld;
    EIGHT(BEGIN)
#pragma GCC unroll 4 /* on a shared core every instruction counts */
    for (size_t p = 0; p < words; p++, upper += step, lower += step, b += COLUMNS) {
        __m512i b0 = _mm512_loadu_si512(b), b1 = _mm512_loadu_si512(b + 16);
        EIGHT(ADD)
    }
    EIGHT(PUT)
}

/* The second panel stands `next` words after the first. */
TARGET static void NAME(wide_tile)(const struct place *to, const struct rows *a,
                                   const word *at, const uint32_t *b, size_t next,
                                   size_t words)
{
    const size_t ld = a->ld, step = a->step;
    const word *upper = at, *lower = at + WIDE_ROWS / 2 * ld;
    const uint32_t *second = b + next;
    SIX(BEGIN)
    SIX(BEGIN_MORE)
#pragma GCC unroll 4 /* on a shared core every instruction counts */
    for (size_t p = 0; p < words; p++, upper += step, lower += step) {
        __m512i b0 = _mm512_loadu_si512(b), b1 = _mm512_loadu_si512(b + 16);
        __m512i b2 = _mm512_loadu_si512(second), b3 = _mm512_loadu_si512(second + 16);
        SIX(ADD_WIDE)
        b += COLUMNS;
        second += COLUMNS;
    }
    SIX(PUT)
    SIX(PUT_MORE)
}

#undef BEGIN
#undef BEGIN_MORE
#undef WORD
#undef ADD
#undef ADD_WIDE
#undef PUT
#undef PUT_MORE
#undef SIX
#undef EIGHT

/* `height` rows; at the end, copies of the first row replace missing ones. */
TARGET static void NAME(tile)(const struct place *to, const struct rows *a,
                              const word *at, const uint32_t *b, size_t panel,
                              size_t words, int height)
{
    word rows[SLICE][ROWS];
    const struct rows copied = {rows, 1, ROWS, 0};
    if (to->rows < height) {
        for (size_t p = 0; p < words; p++)
            for (int i = 0; i < height; i++)
                rows[p][i] = at[p * a->step + (i < to->rows ? (size_t)i * a->ld : 0)];
        at = rows[0];
        a = &copied;
    }
    if (height == WIDE_ROWS)
        NAME(wide_tile)(to, a, at, b, panel, words);
    else
        NAME(narrow_tile)(to, a, at, b, words);
}

#if PER_WORD == 2
/* Words of x [m, k], contiguous along k, row by row. */
TARGET static void NAME(convert)(uint32_t *to, const float *x, int ld, int m, int k)
{
    int words = (k + 1) / 2;
    for (int r = 0; r < m; r++, x += ld, to += words)
        for (int p = 0; p < words; p += 16)
            _mm512_mask_storeu_epi32(to + p, first_lanes(words - p),
                                     NAME(words_along)(x + 2 * p, k - 2 * p));
}
#endif

/* The words of a, copied to `to` if needed. A short k is read across in place. */
TARGET static struct rows NAME(slice_of_a)(const struct product *p, int from, int k,
                                           uint32_t *to)
{
    size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD, ld = (size_t)p->a.ld;
    if (p->a.transposed) {
        const float *x = p->a.at + (size_t)from * ld;
        if (PER_WORD == 1 && k <= SHORT)
            return (struct rows){x, 1, ld, GROUP};
        NAME(pack_across)(to, x, p->a.ld, p->m, k, GROUP);
        return (struct rows){to, 1, GROUP, GROUP * words};
    }
#if PER_WORD == 2
    NAME(convert)(to, p->a.at + from, p->a.ld, p->m, k);
    return (struct rows){to, words, 1, GROUP * words};
#else
    return (struct rows){p->a.at + from, ld, 1, GROUP * ld};
#endif
}

/* The panels of b in a slice, `panel` words apart; packs them into `to` if needed. */
TARGET static const uint32_t *NAME(slice_of_b)(const struct product *p, int from, int k,
                                               uint32_t *to, size_t *panel)
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

/* c += one slice of k. Only the first slice applies beta. */
TARGET static void NAME(add_slice)(const struct product *p, int from, int k,
                                   uint32_t *scratch)
{
    size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD, panel;
    const uint32_t *b = NAME(slice_of_b)(p, from, k, scratch, &panel);
    struct rows a =
        NAME(slice_of_a)(p, from, k, scratch + round_up((size_t)p->n, COLUMNS) * words);

    for (int j = 0, n; j < p->n; j += n, b += (size_t)(n / COLUMNS) * panel) {
        const bool wide = p->n - j > COLUMNS;
        const int height = wide ? WIDE_ROWS : ROWS;
        n = wide ? 2 * COLUMNS : COLUMNS;
        for (int i = 0; i < p->m; i += height) {
            struct place to = {
                .c = p->c + (size_t)i * (size_t)p->ld_c + j,
                .ld = p->ld_c,
                .rows = p->m - i,
                .columns = p->n - j,
                .alpha = p->alpha,
                .beta = from ? 1.0f : p->beta,
            };
            NAME(tile)(&to, &a, row_at(&a, i), b, panel, words, height);
        }
    }
}

TARGET static void NAME(multiply)(const struct product *p, uint32_t *scratch)
{
    const int most = SLICE * PER_WORD;
    for (int from = 0; from < p->k; from += most)
        NAME(add_slice)(p, from, p->k - from < most ? p->k - from : most, scratch);
}

#undef NAME
#undef TARGET
#undef PER_WORD
#undef ADD_TO
