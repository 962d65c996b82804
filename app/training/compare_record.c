#include "app/training/compare_record.h"
#include "app/base/json_fields.h"

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
    cJSON *j = json_add(cJSON_CreateObject(), "data %s", data_name);
    cJSON_AddItemToObject(j, "config", cJSON_Parse(config ? config : ""));
    json_add(j,
             "minutes %g steps %lld batch %d optimiser %s schedule %s cooldown %g "
             "adam_share %g learning_rate %g warmup %lld dropout %g weight_decay %g "
             "seed %g bf16_products %hhd bf16_weights %hhd",
             q->minutes, (long long)o->max_steps, o->batch,
             train_optimisers[o->optimiser], train_schedules[o->schedule], q->cooldown,
             (double)o->adam_share, (double)o->lr, (long long)o->warmup_steps,
             (double)o->dropout, (double)o->weight_decay, (double)o->seed, o->bf16,
             q->bf16);
    char *text = config ? cJSON_PrintUnformatted(j) : NULL;
    free(config);
    cJSON_Delete(j);
    return text;
}

static bool read_fields(struct compare_record *r, const cJSON *j)
{
    for (int i = 0; i < N_FIELDS; i++) {
        double x = json_number(j, FIELDS[i].name);
        if (!isfinite(x) &&
            !(FIELDS[i].may_miss && cJSON_IsNull(json_get(j, FIELDS[i].name))))
            return false;
        memcpy((char *)r + FIELDS[i].place, &x, sizeof x);
    }
    return true;
}

static bool same_settings(const cJSON *j, const char *settings)
{
    const cJSON *item = json_get(j, "settings");
    char *text = item ? cJSON_PrintUnformatted(item) : NULL;
    bool same = text && !strcmp(text, settings);
    free(text);
    return same;
}

enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings)
{
    cJSON *j = json_read_file(path, MAX_BYTES, NULL);
    enum record_status st = RECORD_FINE;
    if (!j && errno == ENOENT)
        st = RECORD_NONE;
    else if (!j || !read_fields(r, j))
        st = RECORD_BROKEN;
    else if (!same_settings(j, settings))
        st = RECORD_OTHER;
    cJSON_Delete(j);
    return st;
}

static cJSON *record_json(const struct compare_record *r, const char *settings)
{
    cJSON *j = cJSON_CreateObject();
    for (int i = 0; i < N_FIELDS; i++) {
        double x;
        memcpy(&x, (const char *)r + FIELDS[i].place, sizeof x);
        cJSON_AddNumberToObject(j, FIELDS[i].name, x); /* null when not finite */
    }
    cJSON_AddItemToObject(j, "settings", cJSON_Parse(settings));
    return j;
}

bool compare_record_write(const struct compare_record *r, const char *path,
                          const char *settings)
{
    char beside[MAX_PATH];
    int n = snprintf(beside, sizeof beside, "%s.new", path);
    cJSON *j = record_json(r, settings);
    errno = ENAMETOOLONG;
    bool ok = n > 0 && n < MAX_PATH && json_write_file(j, beside);
    cJSON_Delete(j);
    return ok && rename(beside, path) == 0;
}
