#include "app/benchmark/bench_race.h"

#include "app/base/say.h"
#include "model/kernels/kernels.h"
#include "app/base/json_fields.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void report_heading(const struct bench *b, const char *title, const char *n)
{
    if (b->json)
        return;
    printf("\n%s\n\n%-8s %-7s %7s %6s %11s %19s %11s %6s  %s\n", title, "model",
           "numbers", "context", n, "tokens/s", "quartiles", "limit", "share",
           "bound by");
    fflush(stdout);
}

cJSON *report_list(cJSON *json, const char *part)
{
    cJSON *list = cJSON_GetObjectItem(json, part);
    return list ? list : cJSON_AddArrayToObject(json, part);
}

void report_figure(const struct bench *b, const char *part, const char *n,
                   const struct figure *f)
{
    const struct turn_spread *s = &f->seconds;
    /* The slowest quarter of the times is the low one of the speeds. */
    const double slow = f->n / s->high, fast = f->n / s->low;
    const double share = f->limit.seconds / s->median;
    char low[REPORT_NUMBER_BYTES], high[REPORT_NUMBER_BYTES];
    char quartiles[2 * REPORT_NUMBER_BYTES + 3];
    snprintf(quartiles, sizeof quartiles, "%s - %s", report_number(low, slow),
             report_number(high, fast));
    report_row(report_list(b->json, part),
               "model %-8s numbers %-7s context %7d %s %6d tokens_per_second %'11.0f "
               "-quartiles %19s .lower_quartile %g .upper_quartile %g .runs %d "
               "limit %'11.0f -percent %4.0f_%%_ .share %g bound_by %s",
               f->subject, f->precision->name, f->context, n, f->n, f->n / s->median,
               quartiles, slow, fast, s->n, f->n / f->limit.seconds, 100 * share, share,
               f->limit.by_memory ? "memory" : "arithmetic");
    fflush(stdout);
}

int report_status(const char *subject, enum model_status st)
{
    return st ? say_error(subject, model_strerror(st)) : 0;
}

/* -- the machine -- */

enum { NAME_BYTES = 96 };

/* Its name by Linux on x86; elsewhere none. */
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
        puts("  warning: OpenBLAS does not use this processor's AVX-512");
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
    puts("Medians of runs that take turns. The limit of this machine is measured "
         "between them. Memory:\n"
         "reading the needed weights, keys and values once. Arithmetic: their "
         "multiply-adds at the peak.\n"
         "The slower of the two is the limit.");
}

void bench_about(const struct bench *b)
{
    char processor[NAME_BYTES];
    read_processor(processor);
    const char *core = openblas_get_corename();
    bool slow = about_core_is_slow(core, peak_present(PEAK_AVX512));
    if (!b->json) {
        print(b, processor, core, slow);
        fflush(stdout);
        return;
    }
    cJSON *to = cJSON_AddObjectToObject(b->json, "machine");
    cJSON *meddlers = cJSON_CreateArray();
    for (int i = 0; i < N_MEDDLERS; i++)
        if (getenv(MEDDLERS[i]))
            json_append_text(meddlers, MEDDLERS[i]);
    json_add(
        to, "processor %s threads %d kernels %s openblas_core %s openblas_is_slow %hhd",
        processor, pool_n_threads(b->pool), kernels_best()->name, core, slow);
    cJSON_AddItemToObject(to, "environment", meddlers);
#ifdef CONTINUO_COMMIT
    cJSON_AddStringToObject(to, "commit", CONTINUO_COMMIT);
#endif
}
