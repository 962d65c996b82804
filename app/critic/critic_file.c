/* The critic's file, which models/FORMAT.md describes. See critic.h. */
#include "app/critic/critic.h"

#include "app/base/paths.h"
#include "app/base/json_fields.h"

#include <stdio.h>
#include <stdlib.h>

static const char FORMAT[] = "continuo-critic-2";

#define MOST_VALUE  1e6
#define LEAST_SCALE 1e-6

static bool read_real(const cJSON *from, const char *name, double low, double high,
                      float *x)
{
    double found;
    bool ok = json_real(from, name, low, high, &found);
    if (ok)
        *x = (float)found;
    return ok;
}

static const char *read_weight(struct critic *c, const cJSON *from)
{
    const char *name = json_text(from, "name");
    int i = name ? feature_find(name) : -1;
    if (i < 0)
        return "has a feature that this program does not know";
    struct critic_weight *w = &c->features[i];
    if (w->scale > 0)
        return "has a feature twice";
    if (!read_real(from, "mean", -MOST_VALUE, MOST_VALUE, &w->mean) ||
        !read_real(from, "scale", LEAST_SCALE, MOST_VALUE, &w->scale) ||
        !read_real(from, "continue", -1e3, 1e3, &w->weights[CRITIC_CONTINUE]) ||
        !read_real(from, "hole", -1e3, 1e3, &w->weights[CRITIC_HOLE]) ||
        !read_real(from, "close", -1e3, 1e3, &w->weights[CRITIC_CLOSE]))
        return "has a number that is missing or out of range";
    return NULL;
}

const char *critic_parse(struct critic *c, const char *text, size_t n)
{
    *c = (struct critic){0};
    if (n > CRITIC_FILE_BYTES)
        return "is too large for a critic";
    cJSON *json = cJSON_ParseWithLength(text, n);
    const cJSON *features = json_get(json, "features"), *one;
    const char *why =
        !json ? "is not JSON"
        : !json_is_text(json, "format", FORMAT) || !cJSON_IsArray(features)
            ? "is not a critic of this program"
        : !features->child ? "has no features"
                           : NULL;
    cJSON_ArrayForEach(one, features)
    {
        why = why ? why : read_weight(c, one);
    }
    cJSON_Delete(json);
    if (why)
        *c = (struct critic){0};
    return why;
}

/* Reads one byte more than allowed, to detect a file that is too large. */
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
    return paths_find(path, sizeof path, PATHS_CRITIC) && !critic_read(c, path);
}
