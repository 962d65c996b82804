/* The table of a comparison, with published figures, and how fast models decode. */
#ifndef APP_COMPARE_TABLE_H
#define APP_COMPARE_TABLE_H

#include "app/training/compare.h"
#include "model/decoder/decoder.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* Prints Markdown. The only error is MIDI_NO_MEMORY. */
enum midi_status compare_table_print(const struct compare *c, FILE *to);
/* The same as JSON; NULL: out of memory. */
cJSON *compare_table_json(const struct compare *c);

/* -- speed -- */

struct compare_speed {
    const struct model *model;
    double tokens_per_second; /* of decoder_step, from half the context on */
};

/* Times models of one vocabulary and context in turns. They decode tokens and times
 * [context]. */
enum model_status compare_speed_measure(struct compare_speed *list, int n,
                                        struct pool *pool, const int32_t *tokens,
                                        const int32_t *times);

#endif
