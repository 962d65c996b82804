/* Heads as pictures: tiles of a size that somebody can draw, each the largest weight in
 * it. See inspection.h. */
#include "app/inspection/inspection_internal.h"

#include <stdlib.h>

/* edges [n + 1]: [from, to) in n parts that differ by one at most. */
static void divide(int *edges, int from, int to, int n)
{
    for (int k = 0; k <= n; k++)
        edges[k] = from + (int)((int64_t)(to - from) * k / n);
}

struct tiles {
    int *rows, *columns; /* edges */
    int n_rows, n_columns;
};

/* Row k is of token k, as the look that chose it has it. */
static bool lay_out(struct tiles *t, const struct inspection *i, enum attention_kind of,
                    int from, int to)
{
    t->rows = calloc((size_t)t->n_rows + 1, sizeof *t->rows);
    t->columns = calloc((size_t)t->n_columns + 1, sizeof *t->columns);
    if (!t->rows || !t->columns)
        return false;
    divide(t->rows, from, to, t->n_rows);
    if (of == ATTENTION_CROSS)
        divide(t->columns, 0, i->now.n_source, t->n_columns);
    else
        divide(t->columns, from, to, t->n_columns);
    return true;
}

static void release(struct tiles *t)
{
    free(t->rows);
    free(t->columns);
}

static enum model_status pool(struct inspection *i, struct attention_head h,
                              const struct tiles *t, float *cells)
{
    if (inspection_is_cancelled(i))
        return MODEL_CANCELLED;
    return attention_pool(i->main.decoder, h, t->rows, t->n_rows, t->columns,
                          t->n_columns, cells);
}

enum inspection_state inspection_matrix(struct inspection *i, struct attention_head h,
                                        int from, int to, int n_rows, int n_columns,
                                        float *cells)
{
    struct tiles t = {.n_rows = n_rows, .n_columns = n_columns};
    if (from < 0 || to > i->now.n_tokens || from >= to || n_rows < 1 || n_columns < 1)
        return inspection_end(i, MODEL_NO_HEAD);
    enum model_status st =
        lay_out(&t, i, h.kind, from, to) ? pool(i, h, &t, cells) : MODEL_NO_MEMORY;
    release(&t);
    return inspection_end(i, st);
}

enum inspection_state inspection_thumbnails(struct inspection *i,
                                            enum attention_kind of, int n_rows,
                                            int n_columns, float *cells)
{
    struct tiles t = {.n_rows = n_rows, .n_columns = n_columns};
    const size_t size = (size_t)n_rows * (size_t)n_columns;
    if (n_rows < 1 || n_columns < 1 || !i->now.n_tokens)
        return inspection_end(i, MODEL_NO_HEAD);
    enum model_status st =
        lay_out(&t, i, of, 0, i->now.n_tokens) ? MODEL_OK : MODEL_NO_MEMORY;
    for (int k = 0; !st && k < i->c.n_layers * i->c.n_heads; k++) {
        struct attention_head h = {of, k / i->c.n_heads, k % i->c.n_heads};
        st = pool(i, h, &t, cells + (size_t)k * size);
    }
    release(&t);
    return inspection_end(i, st);
}
