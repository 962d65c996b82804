/* See bench_machine.h. */
#include "app/benchmark/bench_machine.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static void print_side(const struct bench_spread *s)
{
    char quartiles[48];
    snprintf(quartiles, sizeof quartiles, "%.0f - %.0f", s->low, s->high);
    printf(" %9.0f %17s", s->median, quartiles);
}

void machine_report_heading(const struct bench *b)
{
    const int n = pool_n_threads(b->pool);
    char all[32];
    if (b->json)
        return;
    snprintf(all, sizeof all, "%d threads", n);
    printf("\n%-26s %5s %9s %17s", "", "", "1 thread", "quartiles");
    if (n > 1)
        printf(" %9s %17s", all, "quartiles");
    puts("");
}

static void print_line(const struct machine_line *l, bool all)
{
    printf("%-26s %5s", l->title, l->unit);
    if (l->all_only)
        printf(" %9s %17s", "-", "");
    else
        print_side(&l->one);
    if (all)
        print_side(&l->all);
    puts("");
    fflush(stdout);
}

static void add_side(cJSON *to, const char *name, const struct bench_spread *s)
{
    cJSON *item = cJSON_AddObjectToObject(to, name);
    cJSON_AddNumberToObject(item, "median", s->median);
    cJSON_AddNumberToObject(item, "lower_quartile", s->low);
    cJSON_AddNumberToObject(item, "upper_quartile", s->high);
}

static void add_line(cJSON *list, const struct machine_line *l, bool all)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "what", l->title);
    cJSON_AddStringToObject(item, "unit", l->unit);
    if (!l->all_only)
        add_side(item, "one_thread", &l->one);
    if (all)
        add_side(item, "all_threads", &l->all);
    cJSON_AddItemToArray(list, item);
}

void machine_report_line(const struct bench *b, const struct machine_line *l)
{
    const bool all = pool_n_threads(b->pool) > 1;
    if (!b->json) {
        print_line(l, all);
        return;
    }
    cJSON *machine = cJSON_GetObjectItem(b->json, "machine");
    cJSON *list = cJSON_GetObjectItem(machine, "limits");
    add_line(list ? list : cJSON_AddArrayToObject(machine, "limits"), l, all);
}
