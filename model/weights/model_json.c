/* The configuration as JSON, in a file's metadata. Reading refuses, by its name, every
 * field that this program would compute differently or not at all. It also refuses
 * unknown fields, because they might change the mathematics. */
#include "model/weights/model.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

enum kind { NUMBER, CHOICE, TRUTH };

const char *const model_activations[] = {"relu", "gelu", NULL};
const char *const model_norms[] = {"pre", "post", NULL};
const char *const model_positions[] = {"none", "learned", "sinusoidal", NULL};
const char *const model_relatives[] = {"none", "shaw", "music", "rotary", NULL};
const char *const model_times[] = {"none", "buckets", "rotary", NULL};
const char *const model_mixings[] = {"attention", "fourier", NULL};

enum { NEEDED = -1 };

/* Every field with its offset in the struct and its default. */
static const struct field {
    const char *name;
    enum kind kind;
    const char *const *words; /* of a CHOICE */
    size_t place;
    int absent;
    bool is_late; /* written only if not the default: older files lack it */
} FIELDS[] = {
#define AT(field) offsetof(struct model_config, field)
    {"vocab", NUMBER, NULL, AT(vocab), NEEDED, false},
    {"context", NUMBER, NULL, AT(context), NEEDED, false},
    {"d_model", NUMBER, NULL, AT(d_model), NEEDED, false},
    {"n_heads", NUMBER, NULL, AT(n_heads), NEEDED, false},
    {"n_layers", NUMBER, NULL, AT(n_layers), NEEDED, false},
    {"d_ff", NUMBER, NULL, AT(d_ff), NEEDED, false},
    {"activation", CHOICE, model_activations, AT(activation), NEEDED, false},
    {"norm", CHOICE, model_norms, AT(norm), NORM_PRE, false},
    {"position", CHOICE, model_positions, AT(position), NEEDED, false},
    {"relative", CHOICE, model_relatives, AT(relative), RELATIVE_NONE, false},
    {"reach", NUMBER, NULL, AT(max_distance), 0, false},
    {"time", CHOICE, model_times, AT(time), TIME_NONE, false},
    {"mixing", CHOICE, model_mixings, AT(mixing), MIXING_ATTENTION, false},
    {"block", NUMBER, NULL, AT(block), 0, false},
    {"n_encoder_layers", NUMBER, NULL, AT(n_encoder_layers), 0, false},
    {"state", NUMBER, NULL, AT(state), 0, true},
    {"values", TRUTH, NULL, AT(values), 0, true},
    {"tied", TRUTH, NULL, AT(tied), NEEDED, false},
};
enum { N_FIELDS = sizeof FIELDS / sizeof FIELDS[0] };

static const char ARCHITECTURE[] = "continuo-decoder";

/* The values as read, or -1 for a field that has not occurred; and how often the other
 * two fields have occurred. */
struct values {
    int at[N_FIELDS];
    int architecture, version;
};

/* The number if it is an int, else -1. */
static int whole(const cJSON *item)
{
    bool fine = cJSON_IsNumber(item) && item->valuedouble == item->valueint;
    return fine ? item->valueint : -1;
}

/* The value of a field, or -1 if it is of the wrong kind or not one of the choices. */
static int value_of(const struct field *f, const cJSON *item)
{
    const char *text = cJSON_GetStringValue(item);
    if (f->kind == TRUTH)
        return cJSON_IsBool(item) ? cJSON_IsTrue(item) : -1;
    if (f->kind == NUMBER)
        return whole(item);
    for (int i = 0; text && f->words[i]; i++)
        if (!strcmp(f->words[i], text))
            return i;
    return -1;
}

/* Reads one field. False if it is unknown, occurs twice or has an invalid value. */
static bool read_field(struct values *v, const cJSON *item)
{
    const char *text = cJSON_GetStringValue(item);
    if (!strcmp(item->string, "architecture"))
        return !v->architecture++ && text && !strcmp(text, ARCHITECTURE);
    if (!strcmp(item->string, "version"))
        return !v->version++ && whole(item) == 1;
    for (int i = 0; i < N_FIELDS; i++)
        if (!strcmp(item->string, FIELDS[i].name)) {
            bool first = v->at[i] < 0;
            v->at[i] = value_of(&FIELDS[i], item);
            return first && v->at[i] >= 0;
        }
    return false;
}

/* Reads every field, or sets its default. Returns NULL, or the name of the field at
 * fault, which lives as long as the JSON. */
static const char *read_fields(struct values *v, const cJSON *json)
{
    const cJSON *item;
    if (!cJSON_IsObject(json))
        return "config";
    *v = (struct values){0};
    for (int i = 0; i < N_FIELDS; i++)
        v->at[i] = -1;
    cJSON_ArrayForEach(item, json)
    {
        if (!read_field(v, item))
            return item->string;
    }
    for (int i = 0; i < N_FIELDS; i++) {
        if (v->at[i] < 0 && FIELDS[i].absent == NEEDED)
            return FIELDS[i].name;
        v->at[i] = v->at[i] < 0 ? FIELDS[i].absent : v->at[i];
    }
    return NULL;
}

/* Stores the values in the struct, where a field is an int, an enum of the same size, or
 * a bool. */
static void set_config(struct model_config *c, const struct values *v)
{
    _Static_assert(sizeof(enum model_time) == sizeof(int), "enums are ints here");
    *c = (struct model_config){0};
    for (int i = 0; i < N_FIELDS; i++) {
        char *at = (char *)c + FIELDS[i].place;
        if (FIELDS[i].kind == TRUTH)
            *(bool *)at = v->at[i];
        else
            memcpy(at, &v->at[i], sizeof v->at[i]);
    }
}

enum model_status model_config_parse(struct model_config *c, const char *text,
                                     char *detail, size_t n_detail)
{
    struct values v;
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    const char *fault = read_fields(&v, json);
    if (!fault) {
        set_config(c, &v);
        fault = model_config_valid(c) ? NULL : "sizes out of range";
    }
    if (fault && detail && n_detail) {
        snprintf(detail, n_detail, "%s", fault);
        for (char *at = detail; *at; at++)
            if (*at < ' ' || *at > '~')
                *at = '?'; /* may be shown on a terminal */
    }
    cJSON_Delete(json);
    return fault ? MODEL_BAD_CONFIG : MODEL_OK;
}

static int value_in(const struct model_config *c, const struct field *f)
{
    int value = 0;
    memcpy(&value, (const char *)c + f->place,
           f->kind == TRUTH ? sizeof(bool) : sizeof value);
    return value;
}

bool model_config_equal(const struct model_config *a, const struct model_config *b)
{
    for (int i = 0; i < N_FIELDS; i++)
        if (value_in(a, &FIELDS[i]) != value_in(b, &FIELDS[i]))
            return false;
    return true;
}

static bool write_field(cJSON *json, const struct model_config *c,
                        const struct field *f)
{
    const int value = value_in(c, f);
    if (f->is_late && value == f->absent)
        return true;
    if (f->kind == TRUTH)
        return cJSON_AddBoolToObject(json, f->name, value);
    return f->kind == CHOICE
               ? cJSON_AddStringToObject(json, f->name, f->words[value]) != NULL
               : cJSON_AddNumberToObject(json, f->name, value) != NULL;
}

char *model_config_json(const struct model_config *c)
{
    cJSON *json = cJSON_CreateObject();
    bool ok = cJSON_AddStringToObject(json, "architecture", ARCHITECTURE) &&
              cJSON_AddNumberToObject(json, "version", 1);
    for (int i = 0; ok && i < N_FIELDS; i++)
        ok = write_field(json, c, &FIELDS[i]);
    char *text = ok ? cJSON_PrintUnformatted(json) : NULL;
    cJSON_Delete(json);
    return text;
}
