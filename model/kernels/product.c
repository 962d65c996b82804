/* Chooses among the products; product_sets.h says where our own are. */
#include "model/kernels/product_sets.h"

#include "model/base/cpu_level.h"

#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

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
    if (kind >= PRODUCT_BF16 && !cpu_level_has_bf16(level))
        return false;
    if (kind < PRODUCT_AMX)
        return true;
    if (cpu_level_is_free())
        pthread_once(&asked, ask_for_amx);
    return cpu_level_is_free() && has_amx;
#elif defined(__aarch64__)
    return kind == PRODUCT_BLAS ||
           (kind == PRODUCT_F32 && cpu_level_to_use() >= CPU_LEVEL_NEON);
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
#elif defined(__aarch64__)
    case PRODUCT_F32:
        return &product_neon;
#endif
    default:
        return &blas;
    }
}

/* AMD's processors multiply bf16 twice as fast as f32, Intel's half as fast. To be the same in each
 * run it is not measured: on a busy machine the same seed had given other notes. */
static bool bf16_is_faster(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

const struct product_set *product_best(bool bf16)
{
    if (bf16 && is_usable(PRODUCT_AMX))
        return product_of_kind(PRODUCT_AMX);
    if (bf16 && is_usable(PRODUCT_BF16) && bf16_is_faster())
        return product_of_kind(PRODUCT_BF16);
    return product_of_kind(is_usable(PRODUCT_F32) ? PRODUCT_F32 : PRODUCT_BLAS);
}
