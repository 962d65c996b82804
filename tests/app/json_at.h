/* Parts of JSON by their path. Include cmocka.h before it. */
#ifndef TESTS_APP_JSON_AT_H
#define TESTS_APP_JSON_AT_H

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

/* "rows.0.notes": fields by name, items of a list by index. NULL: there is no such part. */
static inline const cJSON *json_at(const cJSON *j, const char *path)
{
    char name[64];
    for (size_t n; j && *path; path += n + (path[n] == '.')) {
        n = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)n, path);
        j = cJSON_IsArray(j) ? cJSON_GetArrayItem(j, atoi(name))
                             : cJSON_GetObjectItemCaseSensitive(j, name);
    }
    return j;
}

static inline double number(const cJSON *j, const char *path)
{
    const cJSON *item = json_at(j, path);
    if (!cJSON_IsNumber(item))
        fail_msg("%s is no number", path);
    return item->valuedouble;
}

static inline const char *string_at(const cJSON *j, const char *path)
{
    const char *found = cJSON_GetStringValue(json_at(j, path));
    if (!found)
        fail_msg("%s is no text", path);
    return found;
}

#endif
