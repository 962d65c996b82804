/* Matrix products for training and prefill. Each runs in one thread.
 *
 * There are four implementations. Ours for AVX2, AVX-512 and NEON computes in f32. Ours
 * for AVX512-BF16 rounds the factors to bf16 and sums in f32; it is twice as fast on
 * AMD's processors and half as fast on Intel's. Ours for AMX rounds likewise and is eight
 * times as fast for large sizes. OpenBLAS serves all other processors. The order of
 * summation depends on the sizes and the set alone. */
#ifndef MODEL_PRODUCT_H
#define MODEL_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A factor of a product: row-major, with rows ld floats apart. If transposed, the product
 * takes its columns as rows. */
struct matrix {
    const float *at;
    int ld;
    bool transposed;
};

/* A product: c [m, n] = alpha a b + beta c. After any transposition a is [m, k] and b is
 * [k, n]. With beta 0, c need not be initialised. */
struct product {
    int m, n, k;
    struct matrix a, b;
    float *c;
    int ld_c;
    float alpha, beta;
    /* a is mostly zeros, as after ReLU, and the set may skip them. The result has the
     * same bits if b is finite and, in bf16, no sum is denormal. */
    bool sparse;
    /* [n] added to every row of c, or NULL. Needs a set with adds_bias, and beta 0. */
    const float *bias;
    /* b as the set packed it, for use in many products, or NULL. `panel` is the number of
     * words from one panel to the next; 0 if a panel holds k values and no more. */
    const uint32_t *packed;
    size_t panel;
};

/* c = a b. The caller sets what differs. */
static inline struct product product_of(int m, int n, int k, struct matrix a,
                                        struct matrix b, float *c, int ld_c)
{
    return (struct product){
        .m = m, .n = n, .k = k, .a = a, .b = b, .c = c, .ld_c = ld_c, .alpha = 1.0f};
}

static inline struct matrix row_major(const float *at, int ld)
{
    return (struct matrix){at, ld, false};
}

static inline struct matrix transposed(const float *at, int ld)
{
    return (struct matrix){at, ld, true};
}

enum {
    PRODUCT_COLUMNS = 32, /* columns of b in a panel */
    PRODUCT_BLOCK = 512,  /* rows and columns of c in one task, if k is long */
};

struct product_set {
    /* scratch is the thread's own: product_scratch(largest m, largest n) words, aligned
     * to 64 bytes. */
    void (*multiply)(const struct product *p, uint32_t *scratch);
    /* Packs n columns of b, each k long, into panels of PRODUCT_COLUMNS. A panel has
     * PRODUCT_COLUMNS * product_words(set, k) words; missing columns of the last panel
     * are zero. NULL: the set reads b unpacked. */
    void (*pack)(uint32_t *panels, const float *b, int ld_b, bool transposed, int n,
                 int k);
    int per_word; /* values in a word of a panel; they follow one another along k */
    bool adds_bias;
    bool leaves_out_zeros; /* of a sparse a */
};

/* The kinds of sets. OpenBLAS runs on every processor; the others are ours. F32 has a set
 * for each SIMD level (model/base/cpu_level.h). AMX uses the panels of BF16, and
 * multiplies a by alpha before it rounds a. */
enum product_kind { PRODUCT_BLAS, PRODUCT_F32, PRODUCT_BF16, PRODUCT_AMX };
/* The set of a kind. NULL: the processor lacks it or model/base/cpu_level.h forbids it. */
const struct product_set *product_of_kind(enum product_kind kind);
/* The fastest set for this processor, which is the same in every run; one in bf16 only if
 * bf16 is asked for. Any thread. */
const struct product_set *product_best(bool bf16);

/* The words of scratch that a product of m rows and n columns needs. */
size_t product_scratch(size_t m, size_t n);
/* The words of one column of b, k long; and of n such columns in whole panels. */
size_t product_words(const struct product_set *set, int k);
size_t product_packed(const struct product_set *set, int n, int k);

#endif
