/* Two ways to the same relative logits, for measuring one against the other:
 *
 *   S[h, i, j] = q[h, i] . E[h, L - 1 - (i - j)]       for j <= i < L
 *
 * Shaw et al. 2018 (section 3.3) first build the tensor R[i, j] = E[L - 1 - (i - j)]
 * of L x L x D floats; Huang et al. 2018 (section 3.4) multiply q with E itself and
 * skew the product, and keep only E, L x D. The engine does the latter, a tile at a
 * time (relative_scores.c, train_relative.c). D is the width of all heads. */
#ifndef MODEL_RELATIVE_FORMS_H
#define MODEL_RELATIVE_FORMS_H

#include <stddef.h>

struct relative_shape {
    int length, n_heads, width; /* L, H, D; a head has D / H */
};

/* Bytes of R, and of E. */
size_t relative_direct_bytes(const struct relative_shape *s);
size_t relative_skewed_bytes(const struct relative_shape *s);

/* q [H, L, D/H] and e [H, L, D/H] give logits [H, L, L]; what is not j <= i is left
 * unspecified. On the calling thread alone. r holds relative_direct_bytes. */
void relative_direct(const struct relative_shape *s, const float *q, const float *e,
                     float *r, float *logits);
void relative_skewed(const struct relative_shape *s, const float *q, const float *e,
                     float *logits);

#endif
