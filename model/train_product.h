/* Matrix products for training, one thread each.
 *
 * Two implementations: OpenBLAS in f32, and one of our own that rounds its
 * factors to bf16 and adds up in f32, twice as fast on processors that have
 * AVX512-BF16. Sums run in an order fixed by the sizes alone. */
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
};

/* panels: the thread's own memory, product_panels(largest m, largest n) words
 * aligned to 64 bytes. */
void product_f32(const struct product *p, uint32_t *panels);
void product_bf16(const struct product *p, uint32_t *panels);
/* Whether this processor runs product_bf16, and may: see model/level.h. */
bool product_has_bf16(void);
size_t product_panels(size_t m, size_t n);

#endif
