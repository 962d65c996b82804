/* Chooses among the products; product_panels.h and product_amx.h have our own. */
#include "model/kernels/product.h"

#include "model/base/cpu_level.h"

#include <cblas.h>
#include <pthread.h>
#include <string.h>

/* In a group of rows, tiles begin at multiples of either height. */
enum {
    ROWS = 8,
    WIDE_ROWS = 6,
    GROUP = 48,
    COLUMNS = PRODUCT_COLUMNS,
    SLICE = 256,
    SHORT = 64,
    AHEAD = 8,
    BLOCK = 256,
    SPARE_ROWS = 16 /* two AMX tiles may reach past the end of a group */
};

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
    return SLICE * (round_up(m, GROUP) + SPARE_ROWS + round_up(n, COLUMNS));
}

size_t product_words(const struct product_set *set, int k)
{
    return ((size_t)k + (size_t)set->per_word - 1) / (size_t)set->per_word;
}

size_t product_packed(const struct product_set *set, int n, int k)
{
    return round_up((size_t)n, COLUMNS) * product_words(set, k);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A word of memory, whatever type was stored there. */
typedef uint32_t word __attribute__((may_alias));

/* The mask of the first n of sixteen lanes. */
static inline __mmask16 first_lanes(int n)
{
    return (__mmask16)(n >= 16 ? 0xffffu : n <= 0 ? 0u : (1u << n) - 1u);
}

/* Where a tile of c goes; it may have fewer rows and columns than a full tile. */
struct place {
    float *c;
    int ld, rows, columns;
    float alpha, beta;
    const float *bias;
};

/* The words of a in a slice: (row, i) is at row * ld + i * step within a GROUP of rows;
 * groups are `group` words apart. */
struct rows {
    const void *at;
    size_t ld, step, group;
};

static inline const word *row_at(const struct rows *a, int i)
{
    return (const word *)a->at + (size_t)(i / GROUP) * a->group +
           (size_t)(i % GROUP) * a->ld;
}

#define NAME(what) f32_##what
#define TARGET     __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define PER_WORD   1
#define ADD_TO(sum, x, y)                                                              \
    _mm512_fmadd_ps(_mm512_castsi512_ps(x), _mm512_castsi512_ps(y), sum)
#include "model/kernels/product_panels.h"

#define NAME(what)        bf16_##what
#define TARGET            __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))
#define PER_WORD          2
#define ADD_TO(sum, x, y) _mm512_dpbf16_ps(sum, (__m512bh)(x), (__m512bh)(y))
#include "model/kernels/product_panels.h"

#include "model/kernels/product_amx.h"

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
    if (kind != PRODUCT_BLAS && cpu_level_to_use() < CPU_LEVEL_AVX512)
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
    static const struct product_set sets[] = {
        [PRODUCT_BLAS] = {blas_multiply, NULL, 1, false, BLOCK},
#if defined(__x86_64__)
        [PRODUCT_F32] = {f32_multiply, f32_pack, 1, false, BLOCK},
        [PRODUCT_BF16] = {bf16_multiply, bf16_pack, 2, false, BLOCK},
        [PRODUCT_AMX] = {amx_multiply, bf16_pack, 2, true, 2 * BLOCK},
#endif
    };
    return is_usable(kind) ? &sets[kind] : NULL;
}

const struct product_set *product_best(bool bf16)
{
    enum product_kind kind = bf16 ? PRODUCT_AMX : PRODUCT_F32;
    while (!is_usable(kind))
        kind--;
    return product_of_kind(kind);
}
