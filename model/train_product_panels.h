/* Products of our own, for one kind of word; train_product.c includes this once for
 * each, with
 *   NAME(what)  the function's name        TARGET    what the processor must have
 *   PER_WORD    values along k in a word   ADD_TO    sum + x y, sixteen words each
 *
 * The usual plan (Goto & van de Geijn 2008), a slice of k at a time: b is copied into
 * panels COLUMNS wide that a tile reads straight through, and a tile of c stays in
 * registers for the slice. A word holds values that follow each other along k; word
 * (i, column) of a panel stands at i * COLUMNS + column. Of a only single words are
 * read, each for a whole row of the tile, so it stays where it is when its values are
 * words already and neither far apart; a panel of it is ROWS wide. */

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

/* Sixteen words across: lane i has above[i], and below[i] beside it. */
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

/* Packs x [n, k], contiguous along k: each row becomes a column of words. */
TARGET static void NAME(pack_along)(uint32_t *to, const float *x, int ld, int n, int k,
                                    int width)
{
    int words = (k + PER_WORD - 1) / PER_WORD;
    for (int first = 0; first < n; first += width, to += (size_t)words * (size_t)width)
        for (int p = 0; p < words; p += 16)
            for (int r = 0; r < width; r++) {
                uint32_t row[16] = {0};
                int end = words - p < 16 ? words - p : 16;
                if (first + r < n)
                    _mm512_storeu_si512(
                        row, NAME(words_along)(x + (size_t)(first + r) * (size_t)ld +
                                                   PER_WORD * p,
                                               k - PER_WORD * p));
                for (int i = 0; i < end; i++)
                    to[(size_t)(p + i) * (size_t)width + (size_t)r] = row[i];
            }
}

/* Packs x [k, n], contiguous across k: row by row, as memory likes it, sixteen columns
 * at a time, which are two panels of ROWS or half a panel of COLUMNS. */
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
            __m512i line = NAME(words_across)(above, below ? above + below : NULL,
                                              first_lanes(n - first));
            uint32_t *left = to + (size_t)(first / width) * panel + first % width;
            uint32_t *right = width < 16 ? left + panel : left + 8;
            _mm256_storeu_si256((__m256i *)left, _mm512_castsi512_si256(line));
            if (width >= 16 || n - first > 8)
                _mm256_storeu_si256((__m256i *)right,
                                    _mm512_extracti64x4_epi64(line, 1));
        }
    }
    if (width > 16 && (n - 1) % width < 16) /* the last panel's right half */
        clear_half(to - panel + (size_t)(n / width) * panel + 16, panel / (size_t)width,
                   (size_t)width);
}

TARGET static void NAME(pack)(uint32_t *panels, const float *b, int ld_b, bool b_across,
                              int n, int k)
{
    (b_across ? NAME(pack_along) : NAME(pack_across))(panels, b, ld_b, n, k, COLUMNS);
}

TARGET static inline void NAME(put)(const struct place *to, int row, __m512 left,
                                    __m512 right)
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

/* Sixteen named sums, so that they are registers at any optimisation. Rows are reached
 * from two places by multiples of one distance, so that their addresses are registers,
 * too. */
#define EACH_ROW(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define BEGIN(i)     __m512 left##i = _mm512_setzero_ps(), right##i = _mm512_setzero_ps();
#define ADD(i)                                                                         \
    {                                                                                  \
        const word *row = (i) < 4 ? upper : lower;                                     \
        __m512i x = _mm512_set1_epi32((int)row[(i) % 4 * ld]);                         \
        left##i = ADD_TO(left##i, x, b_left);                                          \
        right##i = ADD_TO(right##i, x, b_right);                                       \
    }
#define PUT(i) NAME(put)(to, i, left##i, right##i);

TARGET static void NAME(whole_tile)(const struct place *to, const struct rows *a,
                                    const word *at, const uint32_t *b, size_t words)
{
    const word *upper = at, *lower = at + 4 * a->ld;
    const size_t ld = a->ld, step = a->step;
    EACH_ROW(BEGIN)
    for (size_t p = 0; p < words; p++, upper += step, lower += step, b += COLUMNS) {
        __m512i b_left = _mm512_loadu_si512(b), b_right = _mm512_loadu_si512(b + 16);
        EACH_ROW(ADD)
    }
    EACH_ROW(PUT)
}

/* Rows that are missing are copies of the first. */
TARGET static void NAME(tile)(const struct place *to, const struct rows *a,
                              const word *at, const uint32_t *b, size_t words)
{
    word rows[SLICE][ROWS];
    const struct rows copied = {rows, 1, ROWS, 0};
    if (to->rows >= ROWS) {
        NAME(whole_tile)(to, a, at, b, words);
        return;
    }
    for (size_t p = 0; p < words; p++)
        for (int i = 0; i < ROWS; i++)
            rows[p][i] = at[p * a->step + (i < to->rows ? (size_t)i * a->ld : 0)];
    NAME(whole_tile)(to, &copied, rows[0], b, words);
}

#undef EACH_ROW
#undef BEGIN
#undef ADD
#undef PUT

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

/* The words of a, copied to `to` if need be. A short k is read across where it is. */
TARGET static struct rows NAME(slice_of_a)(const struct product *p, int from, int k,
                                           uint32_t *to)
{
    size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD, ld = (size_t)p->ld_a;
    if (p->a_across) {
        const float *x = p->a + (size_t)from * ld;
        if (PER_WORD == 1 && k <= SHORT)
            return (struct rows){x, 1, ld, ROWS};
        NAME(pack_across)(to, x, p->ld_a, p->m, k, ROWS);
        return (struct rows){to, 1, ROWS, ROWS * words};
    }
#if PER_WORD == 2
    NAME(convert)(to, p->a + from, p->ld_a, p->m, k);
    return (struct rows){to, words, 1, ROWS * words};
#else
    return (struct rows){p->a + from, ld, 1, ROWS * ld};
#endif
}

/* Panels of b in a slice, `panel` words apart; packed now into `to` if they were not. */
TARGET static const uint32_t *NAME(slice_of_b)(const struct product *p, int from, int k,
                                               uint32_t *to, size_t *panel)
{
    *panel = p->packed ? p->panel : ((size_t)k + PER_WORD - 1) / PER_WORD * COLUMNS;
    if (p->packed)
        return p->packed + (size_t)from / PER_WORD * COLUMNS;
    NAME(pack)
    (to, p->b + (p->b_across ? (size_t)from : (size_t)from * (size_t)p->ld_b), p->ld_b,
     p->b_across, p->n, k);
    return to;
}

/* c += one slice of k; the first slice sees beta. */
TARGET static void NAME(add_slice)(const struct product *p, int from, int k,
                                   uint32_t *scratch)
{
    size_t words = ((size_t)k + PER_WORD - 1) / PER_WORD, panel;
    const uint32_t *b = NAME(slice_of_b)(p, from, k, scratch, &panel);
    struct rows a =
        NAME(slice_of_a)(p, from, k, scratch + round_up((size_t)p->n, COLUMNS) * words);

    for (int j = 0; j < p->n; j += COLUMNS, b += panel) {
        const word *at = a.at;
        for (int i = 0; i < p->m; i += ROWS, at += a.tile) {
            struct place to = {
                .c = p->c + (size_t)i * (size_t)p->ld_c + j,
                .ld = p->ld_c,
                .rows = p->m - i,
                .columns = p->n - j,
                .alpha = p->alpha,
                .beta = from ? 1.0f : p->beta,
            };
            NAME(tile)(&to, &a, at, b, words);
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
