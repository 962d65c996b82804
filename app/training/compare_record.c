#include "app/training/compare_record.h"
#include "app/base/paths.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 1 << 16, MAX_PATH = 4096 };

static const struct field {
    const char *name;
    size_t place;
    bool may_miss; /* written as null */
} FIELDS[] = {
#define AT(field) offsetof(struct compare_record, field)
    {"parameters", AT(parameters), false},   {"steps", AT(steps), false},
    {"tokens_seen", AT(tokens_seen), false}, {"minutes", AT(minutes), false},
    {"valid_nats", AT(valid), false},        {"test_nats", AT(test), true},
};
enum { N_FIELDS = sizeof FIELDS / sizeof FIELDS[0] };

char *compare_settings_json(const struct train_request *q, const char *data_name)
{
    const struct train_options *o = &q->options;
    char *config = model_config_json(&q->config);
    cJSON *j = cJSON_CreateObject();
    cJSON_AddStringToObject(j, "data", data_name);
    cJSON_AddItemToObject(j, "config", cJSON_Parse(config ? config : ""));
    cJSON_AddNumberToObject(j, "minutes", q->minutes);
    cJSON_AddNumberToObject(j, "steps", (double)o->max_steps);
    cJSON_AddNumberToObject(j, "batch", o->batch);
    cJSON_AddStringToObject(j, "optimiser", train_optimisers[o->optimiser]);
    cJSON_AddStringToObject(j, "schedule", train_schedules[o->schedule]);
    cJSON_AddNumberToObject(j, "cooldown", q->cooldown);
    cJSON_AddNumberToObject(j, "adam_share", (double)o->adam_share);
    cJSON_AddNumberToObject(j, "learning_rate", (double)o->lr);
    cJSON_AddNumberToObject(j, "warmup", (double)o->warmup_steps);
    cJSON_AddNumberToObject(j, "dropout", (double)o->dropout);
    cJSON_AddNumberToObject(j, "weight_decay", (double)o->weight_decay);
    cJSON_AddNumberToObject(j, "seed", (double)o->seed);
    cJSON_AddBoolToObject(j, "bf16_products", o->bf16);
    cJSON_AddBoolToObject(j, "bf16_weights", q->bf16);
    char *text = config ? cJSON_PrintUnformatted(j) : NULL;
    free(config);
    cJSON_Delete(j);
    return text;
}

/* NULL: none, or out of memory. */
static cJSON *read_json(const char *path, bool *is_there)
{
    FILE *f = regular_file_open(path);
    char *text = f ? malloc(MAX_BYTES) : NULL;
    size_t n = text ? fread(text, 1, MAX_BYTES, f) : 0;
    cJSON *j = n ? cJSON_ParseWithLength(text, n) : NULL;
    *is_there = f != NULL;
    free(text);
    if (f)
        fclose(f);
    return j;
}

static bool read_fields(struct compare_record *r, const cJSON *j)
{
    for (int i = 0; i < N_FIELDS; i++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(j, FIELDS[i].name);
        double x = cJSON_IsNumber(item) ? item->valuedouble : NAN;
        if (!isfinite(x) && !(FIELDS[i].may_miss && cJSON_IsNull(item)))
            return false;
        memcpy((char *)r + FIELDS[i].place, &x, sizeof x);
    }
    return true;
}

static bool same_settings(const cJSON *j, const char *settings)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(j, "settings");
    char *text = item ? cJSON_PrintUnformatted(item) : NULL;
    bool same = text && !strcmp(text, settings);
    free(text);
    return same;
}

enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings)
{
    bool is_there;
    cJSON *j = read_json(path, &is_there);
    enum record_status st = RECORD_FINE;
    if (!is_there)
        st = RECORD_NONE;
    else if (!j || !read_fields(r, j))
        st = RECORD_BROKEN;
    else if (!same_settings(j, settings))
        st = RECORD_OTHER;
    cJSON_Delete(j);
    return st;
}

static char *print_record(const struct compare_record *r, const char *settings)
{
    cJSON *j = cJSON_CreateObject();
    for (int i = 0; i < N_FIELDS; i++) {
        double x;
        memcpy(&x, (const char *)r + FIELDS[i].place, sizeof x);
        cJSON_AddNumberToObject(j, FIELDS[i].name, x); /* null when not finite */
    }
    cJSON_AddItemToObject(j, "settings", cJSON_Parse(settings));
    char *text = cJSON_Print(j);
    cJSON_Delete(j);
    return text;
}

bool compare_record_write(const struct compare_record *r, const char *path,
                          const char *settings)
{
    char beside[MAX_PATH];
    int n = snprintf(beside, sizeof beside, "%s.new", path);
    char *text = print_record(r, settings);
    errno = text ? ENAMETOOLONG : ENOMEM;
    FILE *f = text && n > 0 && n < MAX_PATH ? fopen(beside, "w") : NULL;
    bool ok = f && fprintf(f, "%s\n", text) > 0;
    if (f && fclose(f))
        ok = false;
    free(text);
    return ok && rename(beside, path) == 0;
}
