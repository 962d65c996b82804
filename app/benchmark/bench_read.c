/* See bench_race.h. Eight vectors are read and mixed into eight registers: more loads in flight
 * than any processor has room for. On some processors main memory is faster with prefetching,
 * and cache without; the limit is the faster of the two. */
#include "midi/base/clock.h"
#include "app/benchmark/bench_race.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    STRIDE = 512,          /* bytes of one turn of the loop */
    ENOUGH = 200 << 20,    /* bytes that take some milliseconds */
    MOST_PASSES = 1 << 20, /* over a tiny part */
    ROUNDING = 1 << 20,    /* bytes past the end that whole turns may reach */
    LINE = 64,             /* bytes */
    AHEAD = 8192,          /* distance of prefetches, in bytes */
};

typedef uint64_t words __attribute__((vector_size(64), may_alias));

static _Thread_local volatile uint64_t
    kept; /* so that a compiler cannot leave the work out */

#define READ_BODY                                                                      \
    words x0 = {0}, x1 = x0, x2 = x0, x3 = x0, x4 = x0, x5 = x0, x6 = x0, x7 = x0;     \
    for (size_t at = 0; at < n; at += STRIDE) {                                        \
        for (size_t i = 0; ahead && i < STRIDE; i += LINE)                             \
            __builtin_prefetch(from + at + ahead + i);                                 \
        const words *v = (const words *)(const void *)(from + at);                     \
        x0 ^= v[0];                                                                    \
        x1 ^= v[1];                                                                    \
        x2 ^= v[2];                                                                    \
        x3 ^= v[3];                                                                    \
        x4 ^= v[4];                                                                    \
        x5 ^= v[5];                                                                    \
        x6 ^= v[6];                                                                    \
        x7 ^= v[7];                                                                    \
    }                                                                                  \
    x0 ^= x1 ^ x2 ^ x3 ^ x4 ^ x5 ^ x6 ^ x7;                                            \
    kept = x0[0];

static void read_plain(const char *from, size_t n, size_t ahead)
{
    READ_BODY
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void read_avx2(const char *from, size_t n,
                                                      size_t ahead)
{
    READ_BODY
}

__attribute__((target("avx512f"))) static void read_avx512(const char *from, size_t n,
                                                           size_t ahead)
{
    READ_BODY
}
#endif

static void read_once(const char *from, size_t n, size_t ahead)
{
#if defined(__x86_64__)
    if (peak_present(PEAK_AVX512)) {
        read_avx512(from, n, ahead);
        return;
    }
    if (peak_present(PEAK_AVX2)) {
        read_avx2(from, n, ahead);
        return;
    }
#endif
    read_plain(from, n, ahead);
}

bool bench_memory_init(struct bench_memory *m, size_t n_bytes)
{
    *m = (struct bench_memory){0};
    if (n_bytes > SIZE_MAX - ROUNDING)
        return false;
    void *at = mmap(NULL, n_bytes + ROUNDING, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
        return false;
    madvise(at, n_bytes + ROUNDING, MADV_HUGEPAGE); /* as weights have at best */
    memset(at, 1, n_bytes + ROUNDING);
    *m = (struct bench_memory){at, n_bytes};
    return true;
}

void bench_memory_fini(struct bench_memory *m)
{
    if (m->at)
        munmap(m->at, m->n_bytes + ROUNDING);
    *m = (struct bench_memory){0};
}

float *bench_numbers(size_t n)
{
    float *x = malloc(n * sizeof *x);
    for (size_t i = 0; x && i < n; i++)
        x[i] = (float)((i * 2654435761u) % 1000) / 1000.0f - 0.5f;
    return x;
}

struct reading {
    const char *at;
    size_t part; /* bytes of one thread, a multiple of STRIDE */
    size_t ahead;
    int passes;
};

static void read_part(void *arg, int i, int thread)
{
    const struct reading *r = arg;
    (void)thread;
    for (int pass = 0; pass < r->passes; pass++)
        read_once(r->at + (size_t)i * r->part, r->part, r->ahead);
}

static double seconds_of(struct reading *r, struct pool *pool)
{
    double start = clock_now_seconds();
    pool_run(pool, read_part, r, pool_n_threads(pool));
    return (clock_now_seconds() - start) / r->passes;
}

double bench_memory_read(const struct bench_memory *m, struct pool *pool,
                         size_t n_bytes)
{
    const size_t turns = STRIDE * (size_t)pool_n_threads(pool);
    struct reading r = {
        .at = m->at, .part = (n_bytes + turns - 1) / turns * STRIDE, .passes = 1};
    assert(n_bytes <= m->n_bytes && turns <= ROUNDING);
    size_t wanted = ENOUGH / (n_bytes + 1) + 1;
    seconds_of(&r, pool); /* into the caches, and the threads awake */
    r.passes = wanted < MOST_PASSES ? (int)wanted : MOST_PASSES;
    const double plain = seconds_of(&r, pool);
    r.ahead = AHEAD;
    const double asked = seconds_of(&r, pool);
    return asked < plain ? asked : plain;
}
