/* Chooses among the products; product_sets.h says where our own are. */
#include "model/kernels/product_sets.h"

#include "model/base/cpu_level.h"

#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SPARE_ROWS = 16 /* two AMX tiles may reach past the end of a group */ };

static void blas_multiply(const struct product *p, uint32_t *scratch)
{
    (void)scratch;
    cblas_sgemm(CblasRowMajor, p->a.transposed ? CblasTrans : CblasNoTrans,
                p->b.transposed ? CblasTrans : CblasNoTrans, p->m, p->n, p->k, p->alpha,
                p->a.at, p->a.ld, p->b.at, p->b.ld, p->beta, p->c, p->ld_c);
}

static inline size_t round_up(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

size_t product_scratch(size_t m, size_t n)
{
    return PRODUCT_SLICE *
           (round_up(m, PRODUCT_GROUP) + SPARE_ROWS + round_up(n, PRODUCT_COLUMNS));
}

size_t product_words(const struct product_set *set, int k)
{
    return ((size_t)k + (size_t)set->per_word - 1) / (size_t)set->per_word;
}

size_t product_packed(const struct product_set *set, int n, int k)
{
    return round_up((size_t)n, PRODUCT_COLUMNS) * product_words(set, k);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

static bool has_amx;

/* Linux lets a process use tiles only on request; one request serves all threads. */
static void ask_for_amx(void)
{
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    enum { AMX_BF16 = 1 << 22, AMX_TILES = 1 << 24 };
    unsigned a, b, c, d;
    if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(d & AMX_BF16) || !(d & AMX_TILES))
        return;
#ifdef SYS_arch_prctl
    has_amx = !syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA);
#endif
}

#endif

/* Whether this processor has it, and model/base/cpu_level.h allows it. */
static bool is_usable(enum product_kind kind)
{
#if defined(__x86_64__)
    static pthread_once_t asked = PTHREAD_ONCE_INIT;
    const enum cpu_level level = cpu_level_to_use();
    if (kind == PRODUCT_F32)
        return level >= CPU_LEVEL_AVX2;
    if (kind != PRODUCT_BLAS && level < CPU_LEVEL_AVX512)
        return false;
    if (kind >= PRODUCT_BF16 && !__builtin_cpu_supports("avx512bf16"))
        return false;
    if (kind < PRODUCT_AMX)
        return true;
    if (cpu_level_is_free())
        pthread_once(&asked, ask_for_amx);
    return cpu_level_is_free() && has_amx;
#else
    return kind == PRODUCT_BLAS;
#endif
}

const struct product_set *product_of_kind(enum product_kind kind)
{
    static const struct product_set blas = {blas_multiply, NULL, 1, false,
                                            PRODUCT_BLOCK};
    if (!is_usable(kind))
        return NULL;
    switch (kind) {
#if defined(__x86_64__)
    case PRODUCT_F32:
        return cpu_level_to_use() < CPU_LEVEL_AVX512 ? &product_avx2 : &product_avx512;
    case PRODUCT_BF16:
        return &product_avx512bf16;
    case PRODUCT_AMX:
        return &product_amx;
#endif
    default:
        return &blas;
    }
}

static bool bf16_is_faster;

/* The trial product. It fits the caches, so it measures the multiplication alone. */
enum { TRIAL_M = 48, TRIAL_N = 64, TRIAL_K = 256, TRIALS = 8 };
struct trial {
    float a[TRIAL_M * TRIAL_K], b[TRIAL_K * TRIAL_N], c[TRIAL_M * TRIAL_N];
    uint32_t panels[TRIAL_K * TRIAL_N], scratch[];
};

/* Seconds of this thread's processor time for one product. */
static double time_trial(const struct product_set *set, struct trial *t)
{
    struct timespec from, to;
    struct product p = product_of(TRIAL_M, TRIAL_N, TRIAL_K, row_major(t->a, TRIAL_K),
                                  row_major(t->b, TRIAL_N), t->c, TRIAL_N);
    set->pack(t->panels, t->b, TRIAL_N, false, TRIAL_N, TRIAL_K);
    p.packed = t->panels;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    set->multiply(&p, t->scratch);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    return (double)(to.tv_sec - from.tv_sec) +
           1e-9 * (double)(to.tv_nsec - from.tv_nsec);
}

/* The shortest of several times each, by turns. Processors differ by two either way, so
 * a clear margin gives the same answer in every run. */
static void measure_bf16(void)
{
    static const double MARGIN = 0.8;
    const struct product_set *sets[] = {product_of_kind(PRODUCT_F32),
                                        product_of_kind(PRODUCT_BF16)};
    double least[] = {1.0, 1.0};
    const size_t n =
        sizeof(struct trial) + product_scratch(TRIAL_M, TRIAL_N) * sizeof(uint32_t);
    struct trial *t = aligned_alloc(64, (n + 63) / 64 * 64);
    if (!t || !sets[0] || !sets[1]) {
        free(t);
        return;
    }
    memset(t, 0, n);
    for (int i = 0; i < 2 * TRIALS; i++) {
        const double seconds = time_trial(sets[i % 2], t);
        least[i % 2] = seconds < least[i % 2] ? seconds : least[i % 2];
    }
    bf16_is_faster = least[1] < MARGIN * least[0];
    free(t);
}

const struct product_set *product_best(bool bf16)
{
    static pthread_once_t measured = PTHREAD_ONCE_INIT;
    if (bf16 && is_usable(PRODUCT_AMX))
        return product_of_kind(PRODUCT_AMX);
    if (bf16 && is_usable(PRODUCT_BF16)) {
        pthread_once(&measured, measure_bf16);
        if (bf16_is_faster)
            return product_of_kind(PRODUCT_BF16);
    }
    return product_of_kind(is_usable(PRODUCT_F32) ? PRODUCT_F32 : PRODUCT_BLAS);
}
