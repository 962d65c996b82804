/* JSON for standard output, which may be a terminal. Names and texts of files stay what
 * they are: what a terminal would act on is written as an escape of JSON's (RFC 8259, 7),
 * and bytes that are no UTF-8 as U+FFFD. */
#ifndef APP_SAY_JSON_H
#define APP_SAY_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stdio.h>

/* Laid out as cJSON_Print does, and a line end. Nothing else can go wrong but memory:
 * false. */
bool say_json(FILE *to, const cJSON *j);

#endif
