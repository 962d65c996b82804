/* See bench_race.h. Twelve accumulators cover the latency of every processor we know
 * (two units, four or five cycles). The factors keep all values ordinary numbers, as
 * denormals and infinities have another speed on some. */
#include "app/benchmark/bench_race.h"

#include "midi/base/clock.h"

#if defined(__x86_64__)
#include <immintrin.h>
#define ON_X86 1
#else
#define ON_X86 0
#endif

enum { PASSES = 1 << 21, ACCUMULATORS = 12 };

/* What a RUN needs besides a, b and sum: the vectors' type, an accumulator's first value,
 * step(x, a, b) and add(sum, x). */
#define EACH(X, ...)                                                                   \
    X(0, __VA_ARGS__)                                                                  \
    X(1, __VA_ARGS__)                                                                  \
    X(2, __VA_ARGS__)                                                                  \
    X(3, __VA_ARGS__)                                                                  \
    X(4, __VA_ARGS__)                                                                  \
    X(5, __VA_ARGS__)                                                                  \
    X(6, __VA_ARGS__)                                                                  \
    X(7, __VA_ARGS__)                                                                  \
    X(8, __VA_ARGS__)                                                                  \
    X(9, __VA_ARGS__)                                                                  \
    X(10, __VA_ARGS__)                                                                 \
    X(11, __VA_ARGS__)
#define START(i, type, first, step, add) type x##i = first(i);
#define STEP(i, type, first, step, add)  x##i = step(x##i, a, b);
#define ADD(i, type, first, step, add)   sum = add(sum, x##i);
#define RUN(...)                                                                       \
    EACH(START, __VA_ARGS__)                                                           \
    for (int n = 0; n < PASSES; n++) {                                                 \
        EACH(STEP, __VA_ARGS__)                                                        \
    }                                                                                  \
    EACH(ADD, __VA_ARGS__)

/* Where the results go, so that a compiler cannot leave the work out. */
static _Thread_local volatile float kept;

typedef float quad __attribute__((vector_size(16)));
#define QUAD_FIRST(i)      (b * (float)(i))
#define QUAD_STEP(x, a, b) ((x) * (a) + (b))
#define QUAD_ADD(sum, x)   ((sum) + (x))

static void run_plain(void)
{
    const quad a = {0.5f, 0.5f, 0.5f, 0.5f}, b = {1, 1, 1, 1};
    quad sum = {0};
    RUN(quad, QUAD_FIRST, QUAD_STEP, QUAD_ADD)
    kept = sum[0];
}

#if ON_X86
__attribute__((target("avx2,fma"))) static void run_avx2(void)
{
    const __m256 a = _mm256_set1_ps(0.5f), b = _mm256_set1_ps(1);
    __m256 sum = b;
    RUN(__m256, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_add_ps)
    kept = _mm256_cvtss_f32(sum);
}

__attribute__((target("avx512f"))) static void run_avx512(void)
{
    const __m512 a = _mm512_set1_ps(0.5f), b = _mm512_set1_ps(1);
    __m512 sum = b;
    RUN(__m512, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_add_ps)
    kept = _mm512_cvtss_f32(sum);
}

__attribute__((target("avx512f,avx512bf16"))) static void run_bf16(void)
{
    /* 1 and 1 times 1 and -1: the sums stay where they are. */
    const __m512bh a = (__m512bh)_mm512_set1_epi32(0x3f803f80);
    const __m512bh b = (__m512bh)_mm512_set1_epi32((int)0xbf803f80);
    __m512 sum = _mm512_set1_ps(1);
    RUN(__m512, _mm512_set1_ps, _mm512_dpbf16_ps, _mm512_add_ps)
    kept = _mm512_cvtss_f32(sum);
}

__attribute__((target("avx512f,avx512vnni"))) static void run_int8(void)
{
    const __m512i a = _mm512_set1_epi32(0x7b2d5f11);
    const __m512i b = _mm512_set1_epi32(0x1985473d);
    __m512i sum = a;
    RUN(__m512i, _mm512_set1_epi32, _mm512_dpbusd_epi32, _mm512_add_epi32)
    kept = (float)_mm512_cvtsi512_si32(sum);
}
#endif

static const struct {
    const char *name;
    int multiply_adds; /* of one instruction */
    void (*run)(void);
} PEAKS[N_PEAKS] = {
    [PEAK_PLAIN] = {"f32 plain C", 4, run_plain},
#if ON_X86
    [PEAK_AVX2] = {"f32 AVX2 + FMA", 8, run_avx2},
    [PEAK_AVX512] = {"f32 AVX-512", 16, run_avx512},
    [PEAK_BF16] = {"bf16 vdpbf16ps", 32, run_bf16},
    [PEAK_INT8] = {"int8 vpdpbusd", 64, run_int8},
#endif
};

const char *peak_name(enum peak p)
{
    return PEAKS[p].name;
}

bool peak_present(enum peak p)
{
#if ON_X86
    switch (p) {
    case PEAK_AVX2:
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    case PEAK_AVX512:
        return __builtin_cpu_supports("avx512f");
    case PEAK_BF16:
        return __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512bf16");
    case PEAK_INT8:
        return __builtin_cpu_supports("avx512f") &&
               __builtin_cpu_supports("avx512vnni");
    default:
        break;
    }
#endif
    return p == PEAK_PLAIN;
}

enum peak peak_or_f32(enum peak p)
{
    if (peak_present(p))
        return p;
    if (peak_present(PEAK_AVX512))
        return PEAK_AVX512;
    return peak_present(PEAK_AVX2) ? PEAK_AVX2 : PEAK_PLAIN;
}

static void run_task(void *arg, int i, int thread)
{
    const enum peak *p = arg;
    (void)i;
    (void)thread;
    PEAKS[*p].run();
}

double peak_seconds(enum peak p, struct pool *pool)
{
    const int n = pool_n_threads(pool);
    double start = clock_now_seconds();
    pool_run(pool, run_task, &p, n);
    double seconds = clock_now_seconds() - start;
    return seconds / (2.0 * PASSES * ACCUMULATORS * PEAKS[p].multiply_adds * n);
}
