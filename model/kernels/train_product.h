/* Matrix products for training and prefill, one thread each.
 *
 * Four implementations: one of our own for AVX-512 in f32, one for AVX512-BF16 that
 * rounds its factors to bf16 and adds up in f32, twice as fast, one for AMX that rounds
 * the same and is eight times faster again where sizes are large, and OpenBLAS for other
 * processors. Sums run in an order fixed by the sizes alone. */
#ifndef MODEL_TRAIN_PRODUCT_H
#define MODEL_TRAIN_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* c [m, n] = alpha a b + beta c. Row-major; a is [m, k], or [k, m] when
 * a_across; b is [k, n], or [n, k] when b_across. With beta 0, c may hold
 * anything before. */
struct product {
    int m, n, k;
    float alpha;
    const float *a;
    int ld_a;
    bool a_across;
    const float *b;
    int ld_b;
    bool b_across;
    float beta;
    float *c;
    int ld_c;
    /* [n], added to every row of c, or NULL; only for a set that adds_bias, beta 0. */
    const float *bias;
    /* b as its set packed it, so that many products need not, or NULL; and the words
     * from one panel to the next. */
    const uint32_t *packed;
    size_t panel;
};

enum { PRODUCT_COLUMNS = 32 }; /* of b in a panel */

struct product_set {
    /* scratch: the thread's own memory, product_scratch(largest m, largest n) words
     * aligned to 64 bytes. */
    void (*multiply)(const struct product *p, uint32_t *scratch);
    /* Packs n columns of b, k long, into panels of PRODUCT_COLUMNS, each of
     * product_words(set, k) times that many words; columns that are missing in the last
     * are zero. NULL: this set takes b as it is. */
    void (*pack)(uint32_t *panels, const float *b, int ld_b, bool b_across, int n,
                 int k);
    int per_word; /* values that follow each other along k in a word of a panel */
    bool adds_bias;
    int block; /* rows and columns of c, both many, in one product for a long k */
};

/* OpenBLAS, which every processor runs. */
const struct product_set *product_blas(void);
/* Our own; NULL where the processor cannot, or may not (model/base/level.h). */
const struct product_set *product_f32(void);
const struct product_set *product_bf16(void);
/* Its panels are those of product_bf16. alpha is on a before a is rounded. */
const struct product_set *product_amx(void);
/* The fastest that this processor runs, bf16 only if wanted. */
const struct product_set *product_best(bool bf16);

size_t product_scratch(size_t m, size_t n);
/* Words along k, and of whole panels. */
size_t product_words(const struct product_set *set, int k);
size_t product_packed(const struct product_set *set, int n, int k);

#endif
