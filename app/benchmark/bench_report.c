/* See bench_report.h. */
#include "app/benchmark/bench_report.h"

#include "app/base/say.h"

#include <cjson/cJSON.h>
#include <string.h>

const char *report_number(char *text, double x)
{
    char digits[REPORT_NUMBER_BYTES];
    snprintf(digits, sizeof digits, "%.0f", x < 1e15 ? x : 1e15);
    int n = (int)strlen(digits), at = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            text[at++] = ' ';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

void report_heading(const struct bench *b, const char *title, const char *n)
{
    if (b->json)
        return;
    printf("\n%s\n\n%-8s %-7s %7s %6s %11s %19s %11s %6s  %s\n", title, "model",
           "numbers", "context", n, "tokens/s", "quartiles", "limit", "share",
           "bound by");
    fflush(stdout);
}

static void print_figure(const struct figure *f)
{
    char median[REPORT_NUMBER_BYTES], low[REPORT_NUMBER_BYTES];
    char high[REPORT_NUMBER_BYTES], limit[REPORT_NUMBER_BYTES];
    char quartiles[2 * REPORT_NUMBER_BYTES + 3];
    const struct bench_spread *s = &f->seconds;
    /* The slowest quarter of the times is the low one of the speeds. */
    snprintf(quartiles, sizeof quartiles, "%s - %s",
             report_number(low, f->tokens / s->high),
             report_number(high, f->tokens / s->low));
    printf("%-8s %-7s %7d %6d %11s %19s %11s %4.0f %%  %s\n", f->subject, f->precision,
           f->context, f->n, report_number(median, f->tokens / s->median), quartiles,
           report_number(limit, f->tokens / f->limit.seconds),
           100 * f->limit.seconds / s->median,
           f->limit.by_memory ? "memory" : "arithmetic");
    fflush(stdout);
}

struct cJSON *report_list(const struct bench *b, const char *part)
{
    cJSON *list = cJSON_GetObjectItem(b->json, part);
    return list ? list : cJSON_AddArrayToObject(b->json, part);
}

static void add_figure(cJSON *list, const char *n, const struct figure *f)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "model", f->subject);
    cJSON_AddStringToObject(item, "numbers", f->precision);
    cJSON_AddNumberToObject(item, "context", f->context);
    cJSON_AddNumberToObject(item, n, f->n);
    cJSON_AddNumberToObject(item, "tokens_per_second", f->tokens / f->seconds.median);
    cJSON_AddNumberToObject(item, "lower_quartile", f->tokens / f->seconds.high);
    cJSON_AddNumberToObject(item, "upper_quartile", f->tokens / f->seconds.low);
    cJSON_AddNumberToObject(item, "runs", f->seconds.n);
    cJSON_AddNumberToObject(item, "limit", f->tokens / f->limit.seconds);
    cJSON_AddNumberToObject(item, "share", f->limit.seconds / f->seconds.median);
    cJSON_AddStringToObject(item, "bound_by",
                            f->limit.by_memory ? "memory" : "arithmetic");
    cJSON_AddItemToArray(list, item);
}

void report_figure(const struct bench *b, const char *part, const char *n,
                   const struct figure *f)
{
    if (b->json)
        add_figure(report_list(b, part), n, f);
    else
        print_figure(f);
}

int report_status(const char *subject, enum model_status st)
{
    return st ? say_error(subject, model_strerror(st)) : 0;
}
