/* JSON objects, written and read field by field.
 * Pure but for the files that are named. Any thread. */
#ifndef APP_JSON_FIELDS_H
#define APP_JSON_FIELDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* -- writing -- */

/* Adds fields to an object (NULL: to none) and returns it. `fields` has a name before each conversion:
 *
 *   json_add(j, "notes %zu nats %g mean %.4f drums %hhd name %s", ...);
 *
 * The conversions are those of printf: %d %lld %zu for whole numbers, %g for a real number, %.4f for
 * a number rounded to four decimals, %hhd for true or false, %s for a text. %llu and %llx write texts,
 * since JSON's doubles do not hold 64 bits. A text is made safe for a terminal; NULL leaves its field
 * out. A number that is not finite becomes null. A name that is not constant is given as %s: "%s %g".
 * Without memory some fields are missing, as with cJSON. */
__attribute__((format(printf, 2, 3))) cJSON *json_add(cJSON *to, const char *fields,
                                                      ...);
/* Appends an empty object to a list and returns the object. NULL: the list is NULL, or out of memory. */
cJSON *json_item(cJSON *list);
/* Appends a text, which is made safe for a terminal. */
void json_append_text(cJSON *list, const char *text);

/* Prints JSON as cJSON_Print lays it out, and a line end. Control characters are written as
 * JSON escapes (RFC 8259, 7), invalid UTF-8 as U+FFFD. false: out of memory, or `to`
 * failed. */
bool say_json(FILE *to, const cJSON *j);
/* Deletes it afterwards; NULL is out of memory, too. */
bool say_json_once(FILE *to, cJSON *j);
/* Writes a file in the same layout, with texts unchanged. false: errno says why. */
bool json_write_file(const cJSON *j, const char *path);

/* -- reading -- */

/* A regular file of at most that many bytes, parsed. NULL: *why, if not NULL, is a plain
 * phrase, and `errno` is ENOENT if there is no such file. */
cJSON *json_read_file(const char *path, size_t most_bytes, const char **why);

/* A field by its name, whose case counts. NULL: it is missing, or `from` is no object. */
const cJSON *json_get(const cJSON *from, const char *name);
const char *json_text(const cJSON *from, const char *name); /* NULL: not a text */
bool json_is_text(const cJSON *from, const char *name, const char *text);
double json_number(const cJSON *from, const char *name); /* NAN: not a number */
/* false: it is missing, no number, no whole one for json_count, or out of range; then *x is
 * left alone. */
bool json_real(const cJSON *from, const char *name, double low, double high, double *x);
bool json_count(const cJSON *from, const char *name, int low, int high, int *n);

#endif
