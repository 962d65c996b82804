/* Two ways to the same relative logits. See relative_forms.h. */
#include "model/decoder/relative_forms.h"

#include <cblas.h>
#include <string.h>

size_t relative_skewed_bytes(const struct relative_shape *s)
{
    return (size_t)s->length * s->width * sizeof(float);
}

size_t relative_direct_bytes(const struct relative_shape *s)
{
    return (size_t)s->length * relative_skewed_bytes(s);
}

/* R of one head [L, L, D/H]: the rows of e in the order of their distances. Keys after
 * the query get the row of distance 0, as clipping gives them. */
static void build(float *r, const float *e, int length, size_t width)
{
    for (int i = 0; i < length; i++)
        for (int j = 0; j < length; j++, r += width) {
            int distance = i > j ? i - j : 0;
            memcpy(r, e + (size_t)(length - 1 - distance) * width, width * sizeof *r);
        }
}

void relative_direct(const struct relative_shape *s, const float *q, const float *e,
                     float *r, float *logits)
{
    const int n = s->length, width = s->width / s->n_heads;
    const size_t head = (size_t)n * width, square = (size_t)n * n;
    openblas_set_num_threads(1);
    for (int h = 0; h < s->n_heads; h++)
        build(r + (size_t)h * square * width, e + (size_t)h * head, n, (size_t)width);
    for (int h = 0; h < s->n_heads; h++)
        for (int i = 0; i < n; i++)
            cblas_sgemv(CblasRowMajor, CblasNoTrans, n, width, 1.0f,
                        r + ((size_t)h * square + (size_t)i * n) * (size_t)width, width,
                        q + (size_t)h * head + (size_t)i * width, 1, 0.0f,
                        logits + (size_t)h * square + (size_t)i * n, 1);
}

/* Row i of the product holds distance n - 1 - c in column c; the logits want key j in
 * column j. So row i moves left by n - 1 - i, in place. */
void relative_skewed(const struct relative_shape *s, const float *q, const float *e,
                     float *logits)
{
    const int n = s->length, width = s->width / s->n_heads;
    const size_t head = (size_t)n * width, square = (size_t)n * n;
    openblas_set_num_threads(1);
    for (int h = 0; h < s->n_heads; h++) {
        float *to = logits + (size_t)h * square;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, width, 1.0f,
                    q + (size_t)h * head, width, e + (size_t)h * head, width, 0.0f, to,
                    n);
        for (int i = 0; i < n; i++, to += n)
            memmove(to, to + (n - 1 - i), (i + 1) * sizeof *to);
    }
}
