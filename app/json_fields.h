/* A plain struct as members of a JSON object: a table tells the name, the place and the
 * range of each field, and is both what is written and what is read.
 *
 * A JSON number holds 53 bits. Words of 64 bits are text; ticks are where they have to
 * be. Pure functions. */
#ifndef APP_JSON_FIELDS_H
#define APP_JSON_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum json_kind {
    JSON_INT,       /* int, or an enum */
    JSON_U8,        /* uint8_t */
    JSON_U16,       /* uint16_t */
    JSON_SIZE,      /* size_t */
    JSON_TICK,      /* int64_t */
    JSON_WORD,      /* uint64_t; its range is all of it */
    JSON_REAL,      /* float */
    JSON_LONG_REAL, /* double */
    JSON_YES,       /* bool */
};

struct json_field {
    const char *name;
    enum json_kind kind;
    size_t offset;
    double low, high;
};

struct json_table {
    const struct json_field *fields;
    size_t n;
};

/* false: out of memory. Reals outside their range, or that are no numbers, are written
 * as its nearest end. */
bool json_fields_write(cJSON *to, const struct json_table *t, const void *from);
/* What is missing stays as it was. NULL: all is well, else the name of the first that is
 * not of its kind or in its range. */
const char *json_fields_read(void *to, const struct json_table *t, const cJSON *from);

/* NULL: out of memory. */
cJSON *json_tick(int64_t tick);
/* A whole number in that range, said as a number or as text. */
bool json_is_tick(const cJSON *item, int64_t low, int64_t high, int64_t *tick);
bool json_is_whole(const cJSON *item, int low, int high, int *x); /* a number */

#endif
