/* Muon (Jordan 2024): the step of a weight matrix is its momentum made orthogonal, so
 * that all directions learn equally. Steps are scaled to the size of AdamW's and decay
 * as they do (Liu et al. 2025, "Muon is scalable for LLM training").
 *
 * It updates the matrices within layers. Queries, keys and values share a tensor but
 * are separate matrices. A matrix is one task of the pool, so its sums run in a fixed
 * order; train_arena.c plans the thread's memory. */
#include "model/train/train_internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const float AS_ADAM = 0.2f; /* root mean square of an AdamW step, at rate 1 */

int muon_parts(const struct trainer *t, const struct model_tensor *tensor)
{
    if (t->options.optimiser != OPTIMISER_MUON || !tensor->is_linear)
        return 0;
    return strstr(tensor->name, ".qkv.") ? 3 : strstr(tensor->name, ".kv.") ? 2 : 1;
}

static size_t matrix_size(const struct muon_matrix *m)
{
    return (size_t)m->m * m->n;
}

/* The largest first, so that the pool ends with small tasks. */
static int by_size(const void *a, const void *b)
{
    const struct muon_matrix *x = a, *y = b;
    if (matrix_size(x) != matrix_size(y))
        return matrix_size(x) < matrix_size(y) ? 1 : -1;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

enum model_status muon_plan(struct trainer *t)
{
    int n = 0;
    for (size_t i = 0; i < t->n_tensors; i++)
        n += muon_parts(t, &t->tensors[i]);
    t->matrices = calloc((size_t)n + 1, sizeof *t->matrices);
    if (!t->matrices)
        return MODEL_NO_MEMORY;
    for (size_t i = 0; i < t->n_tensors; i++) {
        const struct model_tensor *tensor = &t->tensors[i];
        const int parts = muon_parts(t, tensor);
        for (int p = 0; p < parts; p++) {
            struct muon_matrix *m = &t->matrices[t->n_matrices++];
            const int rows = (int)tensor->shape[0] / parts,
                      columns = (int)tensor->shape[1];
            m->is_tall = rows > columns;
            m->m = m->is_tall ? columns : rows;
            m->n = m->is_tall ? rows : columns;
            m->offset = tensor->offset + (size_t)p * matrix_size(m);
        }
    }
    if (t->n_matrices)
        qsort(t->matrices, (size_t)t->n_matrices, sizeof *t->matrices, by_size);
    return MODEL_OK;
}

/* to [m, n] = from, which is transposed if `turn`. */
static void copy_matrix(float *to, int ld_to, const float *from, int ld_from, int m,
                        int n, bool turn)
{
    if (turn)
        transpose(to, ld_to, from, ld_from, n, m);
    for (int r = 0; !turn && r < m; r++, to += ld_to, from += ld_from)
        memcpy(to, from, n * sizeof *to);
}

/* Makes a step orthogonal; tall matrices are transposed for it. */
static void make_orthogonal(const struct trainer *t, const struct muon_matrix *m,
                            float *step, const struct newton_schulz *at)
{
    const int ld = newton_schulz_ld(m->n), columns = m->is_tall ? m->m : m->n;
    const double squares = t->k->sum_squares(step, matrix_size(m));
    copy_matrix(at->x, ld, step, columns, m->m, m->n, m->is_tall);
    newton_schulz(t->products, at, m->m, m->n, squares);
    copy_matrix(step, columns, at->x, ld, m->is_tall ? m->n : m->m, columns,
                m->is_tall);
}

/* The step overwrites the gradient, which nothing reads afterwards. */
void muon_update(const struct trainer *t, const struct muon_matrix *m, float rate,
                 int thread)
{
    const struct train_options *o = &t->options;
    const size_t n = matrix_size(m);
    float *step = t->gradients + m->offset;
    t->k->nesterov(step, t->moment1 + m->offset, n, o->momentum);
    make_orthogonal(t, m, step, &t->scratch[thread].muon);
    t->k->descend(t->weights + m->offset, step, n, 1.0f - rate * o->weight_decay,
                  rate * AS_ADAM * sqrtf((float)m->n));
}
