/* Chooses among the sets of products; product_sets.h says where they are. */
#include "model/kernels/product_sets.h"

#include "model/base/cpu_level.h"
#include "model/base/parts.h"

#include <cblas.h>
#include <pthread.h>
#include <stdlib.h>

enum { SPARE_ROWS = 16 /* two tiles of AMX may reach past the end of a group */ };

static void blas_multiply(const struct product *p, uint32_t *scratch)
{
    (void)scratch;
    cblas_sgemm(CblasRowMajor, p->a.transposed ? CblasTrans : CblasNoTrans,
                p->b.transposed ? CblasTrans : CblasNoTrans, p->m, p->n, p->k, p->alpha,
                p->a.at, p->a.ld, p->b.at, p->b.ld, p->beta, p->c, p->ld_c);
}

size_t product_scratch(size_t m, size_t n)
{
    return PRODUCT_SLICE * (whole_parts(m, PRODUCT_GROUP) + SPARE_ROWS +
                            whole_parts(n, PRODUCT_COLUMNS));
}

size_t product_words(const struct product_set *set, int k)
{
    return (size_t)n_parts(k, set->per_word);
}

size_t product_packed(const struct product_set *set, int n, int k)
{
    return whole_parts((size_t)n, PRODUCT_COLUMNS) * product_words(set, k);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

static bool has_tiles;

/* Linux lets a process use AMX's tiles only on request. One request serves all threads. */
static void ask_for_tiles(void)
{
#if defined(__x86_64__) && defined(SYS_arch_prctl)
    enum { REQUEST_PERMISSION = 0x1023, TILE_DATA = 18 };
    enum { AMX_BF16 = 1 << 22, AMX_TILES = 1 << 24 };
    unsigned a, b, c, d;
    has_tiles = __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & AMX_BF16) &&
                (d & AMX_TILES) &&
                !syscall(SYS_arch_prctl, REQUEST_PERMISSION, TILE_DATA);
#endif
}

static bool has_amx(void)
{
    static pthread_once_t asked = PTHREAD_ONCE_INIT;
    if (cpu_level_is_free())
        pthread_once(&asked, ask_for_tiles);
    return cpu_level_is_free() && has_tiles;
}

/* AMD's processors multiply bf16 twice as fast as f32, Intel's half as fast. This is not
 * measured, so that every run chooses the same: measured on a busy machine, the same seed
 * gave other notes. */
static bool bf16_is_faster(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_is("amd");
#else
    return false;
#endif
}

static const struct product_set blas = {blas_multiply, NULL, 1, false, false};

/* The sets with their kinds and the SIMD levels that they need; of a kind the plainest first. */
static const struct {
    const struct product_set *set;
    enum product_kind kind;
    enum cpu_level level;
} SETS[] = {
    {&blas, PRODUCT_BLAS, CPU_LEVEL_PLAIN},
#if defined(__x86_64__)
    {&product_avx2, PRODUCT_F32, CPU_LEVEL_AVX2},
    {&product_avx512, PRODUCT_F32, CPU_LEVEL_AVX512},
    {&product_avx512bf16, PRODUCT_BF16, CPU_LEVEL_AVX512},
    {&product_amx, PRODUCT_AMX, CPU_LEVEL_AVX512},
#elif defined(__aarch64__)
    {&product_neon, PRODUCT_F32, CPU_LEVEL_NEON},
#endif
};

const struct product_set *product_of_kind(enum product_kind kind)
{
    const enum cpu_level level = cpu_level_to_use();
    const struct product_set *found = NULL;
    if ((kind >= PRODUCT_BF16 && !cpu_level_has_bf16(level)) ||
        (kind == PRODUCT_AMX && !has_amx()))
        return NULL;
    for (size_t i = 0; i < sizeof SETS / sizeof *SETS; i++)
        if (SETS[i].kind == kind && SETS[i].level <= level)
            found = SETS[i].set;
    return found;
}

const struct product_set *product_best(bool bf16)
{
    const struct product_set *best = bf16 ? product_of_kind(PRODUCT_AMX) : NULL;
    if (!best && bf16 && bf16_is_faster())
        best = product_of_kind(PRODUCT_BF16);
    best = best ? best : product_of_kind(PRODUCT_F32);
    return best ? best : &blas;
}
