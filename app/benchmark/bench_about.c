/* See bench_about.h. */
#include "app/benchmark/bench_about.h"

#include "app/benchmark/bench_peak.h"
#include "app/base/say.h"
#include "model/kernels/kernels.h"

#include <cblas.h>
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { NAME_BYTES = 96 };

/* What Linux on x86 calls it; elsewhere it has no name. */
static void read_processor(char *name)
{
    char line[512];
    FILE *f = fopen("/proc/cpuinfo", "r");
    strcpy(name, "unknown");
    while (f && fgets(line, sizeof line, f)) {
        const char *value = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !value)
            continue;
        value += 1 + strspn(value + 1, " ");
        snprintf(name, NAME_BYTES, "%.*s", (int)strcspn(value, "\n"), value);
        break;
    }
    if (f)
        fclose(f);
}

bool about_core_is_slow(const char *core, bool has_avx512)
{
    static const char *const WIDE[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
    for (size_t i = 0; i < sizeof WIDE / sizeof *WIDE; i++)
        if (!strcasecmp(core, WIDE[i]))
            return false;
    return has_avx512;
}

/* The variables that make OpenBLAS, and us, choose other kernels than we would. */
static const char *const MEDDLERS[] = {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE",
                                       "CONTINUO_KERNELS"};
enum { N_MEDDLERS = sizeof MEDDLERS / sizeof *MEDDLERS };

static void print_warnings(bool slow)
{
    if (slow)
        puts("  warning: OpenBLAS runs kernels without AVX-512 on a processor that has "
             "it");
    for (int i = 0; i < N_MEDDLERS; i++)
        if (getenv(MEDDLERS[i])) {
            printf("  warning: %s is set in the environment: ", MEDDLERS[i]);
            say_safe(stdout, getenv(MEDDLERS[i]));
            puts("");
        }
}

static void print(const struct bench *b, const char *processor, const char *core,
                  bool slow)
{
    fputs("This machine: ", stdout);
    say_safe(stdout, processor);
    printf(", %d threads\n  our kernels: %s; OpenBLAS: %s", pool_n_threads(b->pool),
           kernels_best()->name, core);
#ifdef CONTINUO_COMMIT
    printf("; commit %s", CONTINUO_COMMIT);
#endif
    puts("");
    print_warnings(slow);
    puts("Medians of runs that take turns. A limit is what this machine allows, "
         "measured "
         "between them:\nmemory: reading the weights, keys and values that are needed, "
         "once; arithmetic: their\nmultiply-adds at the peak. The slower of the two "
         "binds.");
}

static void add(cJSON *to, const struct bench *b, const char *processor,
                const char *core, bool slow)
{
    char safe[4 * NAME_BYTES];
    cJSON *meddlers = cJSON_CreateArray();
    for (int i = 0; i < N_MEDDLERS; i++)
        if (getenv(MEDDLERS[i]))
            cJSON_AddItemToArray(meddlers, cJSON_CreateString(MEDDLERS[i]));
    cJSON_AddStringToObject(to, "processor", say_copy(safe, sizeof safe, processor));
    cJSON_AddNumberToObject(to, "threads", pool_n_threads(b->pool));
    cJSON_AddStringToObject(to, "kernels", kernels_best()->name);
    cJSON_AddStringToObject(to, "openblas_core", core);
    cJSON_AddBoolToObject(to, "openblas_is_slow", slow);
    cJSON_AddItemToObject(to, "environment", meddlers);
#ifdef CONTINUO_COMMIT
    cJSON_AddStringToObject(to, "commit", CONTINUO_COMMIT);
#endif
}

void bench_about(const struct bench *b)
{
    char processor[NAME_BYTES];
    read_processor(processor);
    const char *core = openblas_get_corename();
    bool slow = about_core_is_slow(core, peak_present(PEAK_AVX512));
    if (b->json)
        add(cJSON_AddObjectToObject(b->json, "machine"), b, processor, core, slow);
    else
        print(b, processor, core, slow);
    fflush(stdout);
}
