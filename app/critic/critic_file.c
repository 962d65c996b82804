/* The critic's file: {"format": "continuo-critic-1", "card": {...}, "features": [{"name",
 * "mean", "scale", "linear", "square"}, ...]}. See critic.h. */
#include "app/critic/critic.h"

#include "app/base/paths.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char FORMAT[] = "continuo-critic-1";

#define MOST_VALUE  1e6
#define LEAST_SCALE 1e-6

static bool read_real(const cJSON *from, const char *name, double low, double high,
                      float *x)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, name);
    if (!cJSON_IsNumber(item) || !isfinite(item->valuedouble) ||
        item->valuedouble < low || item->valuedouble > high)
        return false;
    *x = (float)item->valuedouble;
    return true;
}

static const char *read_weight(struct critic *c, const cJSON *from)
{
    const cJSON *name = cJSON_GetObjectItemCaseSensitive(from, "name");
    int i = cJSON_IsString(name) ? feature_find(name->valuestring) : -1;
    if (i < 0)
        return "has a feature that this program does not know";
    struct critic_weight *w = &c->weights[i];
    if (w->scale > 0)
        return "has a feature twice";
    if (!read_real(from, "mean", -MOST_VALUE, MOST_VALUE, &w->mean) ||
        !read_real(from, "scale", LEAST_SCALE, MOST_VALUE, &w->scale) ||
        !read_real(from, "linear", -1e3, 1e3, &w->linear) ||
        !read_real(from, "square", -1e3, 1e3, &w->square))
        return "has a number that is missing or out of range";
    return NULL;
}

static const char *read_all(struct critic *c, const cJSON *json)
{
    const cJSON *format = cJSON_GetObjectItemCaseSensitive(json, "format");
    const cJSON *features = cJSON_GetObjectItemCaseSensitive(json, "features"), *one;
    const char *why = NULL;
    if (!cJSON_IsString(format) || strcmp(format->valuestring, FORMAT) != 0 ||
        !cJSON_IsArray(features))
        return "is not a critic of this program";
    cJSON_ArrayForEach(one, features)
    {
        why = why ? why : read_weight(c, one);
    }
    return why ? why : features->child ? NULL : "has no features";
}

const char *critic_parse(struct critic *c, const char *text, size_t n)
{
    *c = (struct critic){0};
    if (n > CRITIC_FILE_BYTES)
        return "is too large for a critic";
    cJSON *json = cJSON_ParseWithLength(text, n);
    const char *why = json ? read_all(c, json) : "is not JSON";
    cJSON_Delete(json);
    if (why)
        *c = (struct critic){0};
    return why;
}

/* One byte more than a critic may have tells that there are too many. */
const char *critic_read(struct critic *c, const char *path)
{
    *c = (struct critic){0};
    FILE *f = regular_file_open(path);
    char *text = f ? malloc(CRITIC_FILE_BYTES + 1) : NULL;
    size_t n = f && text ? fread(text, 1, CRITIC_FILE_BYTES + 1, f) : 0;
    const char *fault =
        f && text && !ferror(f) ? critic_parse(c, text, n) : "cannot be read";
    free(text);
    if (f)
        fclose(f);
    return fault;
}

bool critic_find(struct critic *c)
{
    char path[4096];
    *c = (struct critic){0};
    return paths_critic(path, sizeof path) && !critic_read(c, path);
}

static void write_weight(cJSON *to, const struct critic *c, int i)
{
    const struct critic_weight *w = &c->weights[i];
    char text[320];
    if (w->scale <= 0)
        return;
    snprintf(text, sizeof text,
             "{\"name\": \"%s\", \"mean\": %.6g, \"scale\": %.6g, \"linear\": %.6g, "
             "\"square\": %.6g}",
             feature_name(i), (double)w->mean, (double)w->scale, (double)w->linear,
             (double)w->square);
    cJSON_AddItemToArray(to, cJSON_CreateRaw(text));
}

static bool write_text(const char *text, const char *path)
{
    FILE *f = fopen(path, "w");
    bool ok = f && fputs(text, f) >= 0;
    return f && !fclose(f) && ok;
}

bool critic_write(const struct critic *c, const cJSON *card, const char *path)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "format", FORMAT);
    cJSON_AddItemToObject(json, "card", cJSON_Duplicate(card, true));
    cJSON *features = cJSON_AddArrayToObject(json, "features");
    for (int i = 0; i < features_count(); i++)
        write_weight(features, c, i);
    char *text = cJSON_Print(json);
    bool ok = text && write_text(text, path);
    cJSON_free(text);
    cJSON_Delete(json);
    return ok;
}
