/* The table of a comparison, beside what has been published. */
#ifndef APP_COMPARE_TABLE_H
#define APP_COMPARE_TABLE_H

#include "app/training/compare.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* In Markdown. MIDI_NO_MEMORY is all that can go wrong. */
enum midi_status compare_table_print(const struct compare *c, FILE *to);
/* The same as JSON; NULL: out of memory. */
cJSON *compare_table_json(const struct compare *c);

#endif
