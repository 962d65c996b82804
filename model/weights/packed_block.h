/* The product of a packed matrix with a few vectors, for one kind of weights and one
 * instruction set. Included once for each (no guard), with
 *     KIND              the prefix of the names made here
 *     TARGET            the attribute of the instruction set
 *     MOST_SUMS         how many panels times vectors its registers hold
 *     LINE, GROUP, SUM  types: sixteen rows' weights, values and sums
 *     AHEAD             the prefetch distance, in bytes; see below
 * and with the arithmetic of a line:
 *     SUM KIND_zero(void)
 *     LINE KIND_load(at)                        the line at `at`
 *     GROUP KIND_spread(values, g)              group g of a vector, to every row
 *     SUM KIND_add(sum, line, group)
 *     void KIND_store(sum, rows, panel, vector) to the results, counted from rows
 * It undefines all of them but TARGET.
 *
 * A block is some panels times some vectors, its sums in registers. A line is loaded
 * once for all its vectors, a group once for all its panels. A row's sum is one chain,
 * column after column, so it does not depend on the other panels and vectors.
 *
 * From four vectors on, arithmetic takes the time and the processor's own prefetch does
 * not reach far enough. With AHEAD 0, the next block's lines are then prefetched into
 * the second-level cache. On a Zen 4 with weights in the third level this measured up
 * to a fifth faster; with fewer vectors it measured slower. Kinds that only older
 * processors run need more instructions a line, so fewer loads are in flight. There any
 * number of vectors gains from lines prefetched AHEAD into the first level: up to two
 * fifths on a Skylake with weights beyond the second level. */

#define PASTE(a, b)  a##_##b
#define PASTED(a, b) PASTE(a, b)
#define NAME(of)     PASTED(KIND, of)

SET_INLINE TARGET void NAME(block)(const struct packed_product *p, int at, int v,
                                   int n_panels, int n_x)
{
    SUM sum[4][BLOCK_MOST];
    LINE line[BLOCK_MOST];
    const struct packed_rows rows = packed_rows(p, at, v);
    const size_t ldx = p->ldx, n_groups = rows.n_groups, apart = rows.apart,
                 ahead = AHEAD > 0 ? AHEAD
                         : v       ? 0
                                   : apart * n_groups;
    const uint8_t *w = rows.w;
    FOR_UNROLLED (j, n_x)
        FOR_UNROLLED (i, n_panels)
            sum[j][i] = NAME(zero)();
    for (size_t g = 0; g < n_groups; g++, w += apart) {
        FOR_UNROLLED (i, n_panels)
            line[i] = NAME(load)(w + i * PACKED_LINE);
        if (AHEAD > 0 || n_x >= 4)
            FOR_UNROLLED (i, n_panels)
                __builtin_prefetch(w + ahead + i * PACKED_LINE, 0, AHEAD > 0 ? 3 : 2);
        FOR_UNROLLED (j, n_x) {
            GROUP group = NAME(spread)(rows.x + (size_t)j * ldx, g);
            FOR_UNROLLED (i, n_panels)
                sum[j][i] = NAME(add)(sum[j][i], line[i], group);
        }
    }
    FOR_UNROLLED (j, n_x)
        FOR_UNROLLED (i, n_panels)
            NAME(store)(sum[j][i], &rows, i, j);
}

/* One function for each size of block, so that its loops can be unrolled. */
#define BLOCK_CASE(n)                                                                  \
    case n:                                                                            \
        if ((n)*n_x <= MOST_SUMS)                                                      \
            NAME(block)(p, at, v, n, n_x);                                             \
        break
SET_INLINE TARGET void NAME(panels)(const struct packed_product *p, int at, int v,
                                    int n_panels, int n_x)
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

/* Some panels with all vectors. After the first block the panels are in the cache. */
TARGET static void NAME(share)(const struct packed_product *p, int at, int n_panels)
{
    int v = 0;
    for (; v + 4 <= p->n_x; v += 4)
        NAME(panels)(p, at, v, n_panels, 4);
    for (; v + 2 <= p->n_x; v += 2)
        NAME(panels)(p, at, v, n_panels, 2);
    for (; v < p->n_x; v++)
        NAME(panels)(p, at, v, n_panels, 1);
}

TARGET static void NAME(multiply)(const struct packed_product *p)
{
    const int most = packed_most_panels(p->n_x, MOST_SUMS);
    for (int at = 0, n; at < p->n_panels; at += n) {
        n = packed_share(p, at, most);
        NAME(share)(p, at, n);
    }
}

#undef NAME
#undef PASTED
#undef PASTE
#undef KIND
#undef MOST_SUMS
#undef LINE
#undef GROUP
#undef SUM
#undef AHEAD
