/* See bench_frames.h. */
#include "app/benchmark/bench_frames.h"

#include "app/benchmark/bench_report.h"

#include <cjson/cJSON.h>
#include <stdio.h>

struct row {
    const char *title, *name;
    double value, wanted; /* at most */
    const char *unit;
};
enum { N_ROWS = 6 };

static void make_rows(struct row rows[N_ROWS], const struct frames *f)
{
    const struct row made[N_ROWS] = {
        {"screen opened to first frame", "first_frame_ms", f->first_frame, 100, "ms"},
        {"and to the model being ready", "ready_ms", f->ready, 300, "ms"},
        {"C to a ghost, 16 bars opened just now", "ghost_at_once_ms", f->ghost_at_once,
         50, "ms"},
        {"C to a ghost, opened 0.7 s before", "ghost_read_ahead_ms",
         f->ghost_read_ahead, 50, "ms"},
        {"C to a ghost, once more", "ghost_again_ms", f->ghost_again, 50, "ms"},
        {"processor used when nothing happens", "idle_percent", 100 * f->idle_share, 1,
         "%"},
    };
    for (int i = 0; i < N_ROWS; i++)
        rows[i] = made[i];
}

static void print_delays(const char *scene, const char *what,
                         const struct delay_figures *d, double seconds)
{
    printf("%-10s %-28s %9.2f %9.2f %9.2f %11.1f\n", scene, what, d->median,
           d->percentile_99, d->worst, (double)d->n / seconds);
}

static void print_scene(const struct frames_scene *s)
{
    print_delays(s->name, "woken to drawn", &s->frame, s->seconds);
    print_delays("", "key to drawn", &s->key, s->seconds);
    print_delays("", "late, of a sleep of 5 ms", &s->late, s->seconds);
    printf("%-10s the ui thread used %.1f %% of a core", "", 100 * s->drawing);
    if (s->decodes)
        printf("; %.0f tokens/s were decoded", s->tokens / s->seconds);
    puts("");
}

static void print(const struct frames *f)
{
    struct row rows[N_ROWS];
    make_rows(rows, f);
    printf("\nThe workstation, 200x50, medians of %d\n\n%-38s %9s %9s\n", f->rounds, "",
           "is", "wanted");
    for (int i = 0; i < N_ROWS; i++)
        printf("%-38s %9.1f %6.0f %s\n", rows[i].title, rows[i].value, rows[i].wanted,
               rows[i].unit);
    printf(
        "\nMilliseconds; a frame is to be done in 16\n\n%-10s %-28s %9s %9s %9s %11s\n",
        "", "", "median", "99 %", "worst", "a second");
    for (int i = 0; i < FRAMES_SCENES; i++)
        print_scene(&f->scenes[i]);
    fflush(stdout);
}

static void add_delays(cJSON *scene, const char *name, const struct delay_figures *d)
{
    cJSON *item = cJSON_AddObjectToObject(scene, name);
    cJSON_AddNumberToObject(item, "median", d->median);
    cJSON_AddNumberToObject(item, "percentile_99", d->percentile_99);
    cJSON_AddNumberToObject(item, "worst", d->worst);
    cJSON_AddNumberToObject(item, "n", (double)d->n);
}

static void add_scene(cJSON *list, const struct frames_scene *s)
{
    cJSON *item = cJSON_CreateObject();
    cJSON_AddStringToObject(item, "name", s->name);
    cJSON_AddNumberToObject(item, "seconds", s->seconds);
    add_delays(item, "frame_ms", &s->frame);
    add_delays(item, "key_ms", &s->key);
    add_delays(item, "late_ms", &s->late);
    cJSON_AddNumberToObject(item, "ui_percent", 100 * s->drawing);
    if (s->decodes)
        cJSON_AddNumberToObject(item, "tokens_per_second", s->tokens / s->seconds);
    cJSON_AddItemToArray(list, item);
}

static void add(cJSON *json, const struct frames *f)
{
    struct row rows[N_ROWS];
    make_rows(rows, f);
    cJSON *item = cJSON_AddObjectToObject(json, "frames");
    cJSON_AddNumberToObject(item, "rounds", f->rounds);
    for (int i = 0; i < N_ROWS; i++)
        cJSON_AddNumberToObject(item, rows[i].name, rows[i].value);
    cJSON *list = cJSON_AddArrayToObject(item, "scenes");
    for (int i = 0; i < FRAMES_SCENES; i++)
        add_scene(list, &f->scenes[i]);
}

void frames_report(const struct bench *b, const struct frames *f)
{
    if (b->json)
        add(b->json, f);
    else
        print(f);
}
