/* See bench_vast.h. */
#include "app/benchmark/bench_vast.h"

#include "app/benchmark/bench_report.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static void print(const struct vast *v)
{
    char number[REPORT_NUMBER_BYTES];
    printf(
        "\n%s notes, 200x50: opened and drawn in %.0f ms\n"
        "Milliseconds from a key to the end of its frame, which is to be done in 16\n\n"
        "%-8s %-38s %6s %8s %8s %8s\n",
        report_number(number, (double)v->n_notes), v->open_ms, "", "", "keys", "median",
        "99 %", "worst");
    for (int i = 0; i < v->n_scenes; i++) {
        const struct vast_scene *s = &v->scenes[i];
        printf("%-8s %-38s %6zu %8.2f %8.2f %8.2f\n", s->name, s->about, s->key.n,
               s->key.median, s->key.percentile_99, s->key.worst);
    }
    fflush(stdout);
}

static void add_scene(cJSON *list, const struct vast_scene *s)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", s->name);
    cJSON_AddNumberToObject(item, "median_ms", s->key.median);
    cJSON_AddNumberToObject(item, "percentile_99_ms", s->key.percentile_99);
    cJSON_AddNumberToObject(item, "worst_ms", s->key.worst);
    cJSON_AddNumberToObject(item, "n", (double)s->key.n);
    cJSON_AddItemToArray(list, item);
}

static void add(const struct bench *b, const struct vast *v)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddNumberToObject(item, "notes", (double)v->n_notes);
    cJSON_AddNumberToObject(item, "open_ms", v->open_ms);
    cJSON *list = cJSON_AddArrayToObject(item, "scenes");
    for (int i = 0; i < v->n_scenes; i++)
        add_scene(list, &v->scenes[i]);
    cJSON_AddItemToArray(report_list(b, "vast"), item);
}

void vast_report(const struct bench *b, const struct vast *v)
{
    if (b->json)
        add(b, v);
    else
        print(v);
}
