/* continuo bench: speeds, always beside something measured in the same run, since
 * this machine's own speed comes and goes. */
#include "app/commands.h"

#include "app/bench.h"
#include "app/options.h"
#include "app/say.h"

#include <stdlib.h>
#include <string.h>

static const struct verb VERB = {
    .name = "bench",
    .arguments = "relative|takes",
    .about = "relative: relative attention in the two published forms, memory and "
             "time.\ntakes: several takes of one request, decoded together, beside one "
             "alone.",
    .n_files = 1,
    .takes = OPTION_MODEL | OPTION_THREADS | OPTION_JSON,
};

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return x[n / 2];
}

int cmd_bench(int argc, char **argv)
{
    struct options o;
    int status = options_parse(&o, &VERB, argc, argv);
    if (status >= 0)
        return status;
    if (!strcmp(o.file, "relative"))
        return bench_relative(o.json);
    if (!strcmp(o.file, "takes"))
        return bench_takes(o.model, o.threads, o.json);
    say_error(o.file, "is nothing to measure: relative or takes");
    return 2;
}
