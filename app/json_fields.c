/* See json_fields.h. */
#include "app/json_fields.h"

#include "app/values.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define EXACT ((int64_t)1 << 53)

cJSON *json_tick(int64_t tick)
{
    char text[24];
    if (tick >= -EXACT && tick <= EXACT)
        return cJSON_CreateNumber((double)tick);
    snprintf(text, sizeof text, "%" PRId64, tick);
    return cJSON_CreateString(text);
}

static bool whole_of(const cJSON *item, int64_t *x)
{
    double v = cJSON_IsNumber(item) ? item->valuedouble : NAN;
    if (!(fabs(v) <= (double)EXACT) || v != floor(v))
        return false;
    *x = (int64_t)v;
    return true;
}

/* As json_tick writes it. */
static bool whole_of_text(const cJSON *item, int64_t *x)
{
    const char *text = cJSON_GetStringValue(item);
    uint64_t word, most = INT64_MAX;
    bool is_negative = text && *text == '-';
    if (!text || !value_seed(text + is_negative, &word) || word > most + is_negative)
        return false;
    *x = is_negative ? (int64_t)-word : (int64_t)word;
    return true;
}

bool json_is_tick(const cJSON *item, int64_t low, int64_t high, int64_t *tick)
{
    int64_t x;
    if ((!whole_of(item, &x) && !whole_of_text(item, &x)) || x < low || x > high)
        return false;
    *tick = x;
    return true;
}

bool json_is_whole(const cJSON *item, int low, int high, int *x)
{
    int64_t found;
    if (!whole_of(item, &found) || found < low || found > high)
        return false;
    *x = (int)found;
    return true;
}

/* -- writing -- */

static int64_t whole_at(const struct json_field *f, const void *at)
{
    switch (f->kind) {
    case JSON_INT:
        return *(const int *)at;
    case JSON_U8:
        return *(const uint8_t *)at;
    case JSON_U16:
        return *(const uint16_t *)at;
    case JSON_SIZE:
        return (int64_t) * (const size_t *)at;
    default:
        assert(f->kind == JSON_TICK);
        return *(const int64_t *)at;
    }
}

/* fmax passes over what is no number. */
static cJSON *real(const struct json_field *f, double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, fmin(f->high, fmax(f->low, x)));
    return cJSON_CreateRaw(text);
}

static cJSON *word(uint64_t x)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, x);
    return cJSON_CreateString(text);
}

static cJSON *item_of(const struct json_field *f, const void *at)
{
    switch (f->kind) {
    case JSON_WORD:
        return word(*(const uint64_t *)at);
    case JSON_REAL:
        return real(f, (double)*(const float *)at, 9); /* digits that are enough */
    case JSON_LONG_REAL:
        return real(f, *(const double *)at, 17);
    case JSON_YES:
        return cJSON_CreateBool(*(const bool *)at);
    default:
        return json_tick(whole_at(f, at));
    }
}

bool json_fields_write(cJSON *to, const struct json_table *t, const void *from)
{
    for (const struct json_field *f = t->fields; f < t->fields + t->n; f++) {
        cJSON *item = item_of(f, (const char *)from + f->offset);
        if (!item || !cJSON_AddItemToObject(to, f->name, item)) {
            cJSON_Delete(item);
            return false;
        }
    }
    return true;
}

/* -- reading -- */

static void set_whole(const struct json_field *f, void *at, int64_t x)
{
    switch (f->kind) {
    case JSON_INT:
        *(int *)at = (int)x;
        break;
    case JSON_U8:
        *(uint8_t *)at = (uint8_t)x;
        break;
    case JSON_U16:
        *(uint16_t *)at = (uint16_t)x;
        break;
    case JSON_SIZE:
        *(size_t *)at = (size_t)x;
        break;
    default:
        assert(f->kind == JSON_TICK);
        *(int64_t *)at = x;
    }
}

static bool read_whole(const struct json_field *f, void *at, const cJSON *item)
{
    int64_t x;
    bool is_it =
        f->kind == JSON_TICK
            ? json_is_tick(item, (int64_t)f->low, (int64_t)f->high, &x)
            : whole_of(item, &x) && (double)x >= f->low && (double)x <= f->high;
    if (is_it)
        set_whole(f, at, x);
    return is_it;
}

static bool read_real(const struct json_field *f, void *at, const cJSON *item)
{
    if (!cJSON_IsNumber(item) || !(item->valuedouble >= f->low) ||
        !(item->valuedouble <= f->high))
        return false;
    if (f->kind == JSON_REAL)
        *(float *)at = (float)item->valuedouble;
    else
        *(double *)at = item->valuedouble;
    return true;
}

static bool read_item(const struct json_field *f, void *at, const cJSON *item)
{
    switch (f->kind) {
    case JSON_WORD:
        return cJSON_IsString(item) && value_seed(item->valuestring, at);
    case JSON_REAL:
    case JSON_LONG_REAL:
        return read_real(f, at, item);
    case JSON_YES:
        *(bool *)at = cJSON_IsTrue(item);
        return cJSON_IsBool(item);
    default:
        return read_whole(f, at, item);
    }
}

const char *json_fields_read(void *to, const struct json_table *t, const cJSON *from)
{
    for (const struct json_field *f = t->fields; f < t->fields + t->n; f++) {
        const cJSON *item = cJSON_GetObjectItemCaseSensitive(from, f->name);
        if (item && !read_item(f, (char *)to + f->offset, item))
            return f->name;
    }
    return NULL;
}
