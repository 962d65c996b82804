/* The configuration as JSON, from and to a file's metadata. What this program
 * would compute differently, or not at all, is refused by name; a field it does
 * not know might change the mathematics, so that is refused too. */
#include "model/model.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    size_t place;
} SIZES[] = {
    {"vocab", offsetof(struct model_config, vocab)},
    {"context", offsetof(struct model_config, context)},
    {"d_model", offsetof(struct model_config, d_model)},
    {"n_heads", offsetof(struct model_config, n_heads)},
    {"n_layers", offsetof(struct model_config, n_layers)},
    {"d_ff", offsetof(struct model_config, d_ff)},
};
enum { N_SIZES = sizeof SIZES / sizeof SIZES[0] };

/* NULL-ended, in the order of their enums. */
static const char *const ARCHITECTURES[] = {"continuo-decoder", NULL};
static const char *const NORMS[] = {"pre", NULL};
static const char *const ACTIVATIONS[] = {"relu", "gelu", NULL};
static const char *const POSITIONS[] = {"none", "learned", NULL};

/* Fields as read, -1 while not seen. */
struct fields {
    int sizes[N_SIZES];
    int version, architecture, norm, activation, position, tied;
};

/* A field takes one value, once. */
static bool put(int *field, int value)
{
    bool first = *field < 0;
    *field = value;
    return first && value >= 0;
}

static int whole(const cJSON *item)
{
    bool fine = cJSON_IsNumber(item) && item->valuedouble == item->valueint;
    return fine ? item->valueint : -1;
}

static int choice(const cJSON *item, const char *const *words)
{
    const char *text = cJSON_GetStringValue(item);
    for (int i = 0; text && words[i]; i++)
        if (!strcmp(words[i], text))
            return i;
    return -1;
}

static bool read_field(struct fields *f, const cJSON *item)
{
    const char *name = item->string;
    for (int i = 0; i < N_SIZES; i++)
        if (!strcmp(name, SIZES[i].name))
            return put(&f->sizes[i], whole(item));
    if (!strcmp(name, "architecture"))
        return put(&f->architecture, choice(item, ARCHITECTURES));
    if (!strcmp(name, "version"))
        return put(&f->version, whole(item) == 1 ? 1 : -1);
    if (!strcmp(name, "norm"))
        return put(&f->norm, choice(item, NORMS));
    if (!strcmp(name, "activation"))
        return put(&f->activation, choice(item, ACTIVATIONS));
    if (!strcmp(name, "position"))
        return put(&f->position, choice(item, POSITIONS));
    if (!strcmp(name, "tied"))
        return put(&f->tied, cJSON_IsBool(item) ? cJSON_IsTrue(item) : -1);
    return false;
}

/* The first field without a value, NULL when all are there. The names of the
 * architecture, its version and the norm have only one value each. */
static const char *missing(const struct fields *f)
{
    for (int i = 0; i < N_SIZES; i++)
        if (f->sizes[i] < 0)
            return SIZES[i].name;
    if (f->activation < 0)
        return "activation";
    if (f->position < 0)
        return "position";
    return f->tied < 0 ? "tied" : NULL;
}

/* Text from a file, made safe for a terminal. */
static void say(char *detail, size_t n_detail, const char *text)
{
    if (!detail || !n_detail)
        return;
    snprintf(detail, n_detail, "%s", text);
    for (char *c = detail; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
}

/* The name of the field at fault, or NULL. Lives as long as the JSON. */
static const char *read_fields(struct fields *f, const cJSON *json)
{
    const cJSON *item;
    if (!cJSON_IsObject(json))
        return "config";
    memset(f, -1, sizeof *f);
    cJSON_ArrayForEach(item, json)
    {
        if (!read_field(f, item))
            return item->string;
    }
    return missing(f);
}

static void set_config(struct model_config *c, const struct fields *f)
{
    for (int i = 0; i < N_SIZES; i++)
        memcpy((char *)c + SIZES[i].place, &f->sizes[i], sizeof f->sizes[i]);
    c->activation = (enum model_activation)f->activation;
    c->position = (enum model_position)f->position;
    c->tied = f->tied;
}

enum model_status model_config_parse(struct model_config *c, const char *text,
                                     char *detail, size_t n_detail)
{
    struct fields f;
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    const char *fault = read_fields(&f, json);
    if (!fault) {
        set_config(c, &f);
        fault = model_config_valid(c) ? NULL : "sizes out of range";
    }
    if (fault)
        say(detail, n_detail, fault);
    cJSON_Delete(json);
    return fault ? MODEL_BAD_CONFIG : MODEL_OK;
}

static bool write_fields(cJSON *json, const struct model_config *c)
{
    bool ok = cJSON_AddStringToObject(json, "architecture", ARCHITECTURES[0]) &&
              cJSON_AddNumberToObject(json, "version", 1);
    for (int i = 0; ok && i < N_SIZES; i++) {
        int value;
        memcpy(&value, (const char *)c + SIZES[i].place, sizeof value);
        ok = cJSON_AddNumberToObject(json, SIZES[i].name, value);
    }
    return ok &&
           cJSON_AddStringToObject(json, "activation", ACTIVATIONS[c->activation]) &&
           cJSON_AddStringToObject(json, "position", POSITIONS[c->position]) &&
           cJSON_AddStringToObject(json, "norm", NORMS[0]) &&
           cJSON_AddBoolToObject(json, "tied", c->tied);
}

char *model_config_json(const struct model_config *c)
{
    cJSON *json = cJSON_CreateObject();
    char *text = json && write_fields(json, c) ? cJSON_PrintUnformatted(json) : NULL;
    cJSON_Delete(json);
    return text;
}
