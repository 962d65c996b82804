/* The table of a comparison, beside what has been published. */
#ifndef APP_COMPARE_TABLE_H
#define APP_COMPARE_TABLE_H

#include "app/training/compare.h"
#include "model/decoder/decoder.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* In Markdown. MIDI_NO_MEMORY is all that can go wrong. */
enum midi_status compare_table_print(const struct compare *c, FILE *to);
/* The same as JSON; NULL: out of memory. */
cJSON *compare_table_json(const struct compare *c);

/* -- compare_speed -- */

/* How fast models of one vocabulary and context decode, all in one run: this
 * machine's own speed comes and goes, so they take turns. */

struct compare_speed {
    const struct model *model;
    double tokens_per_second; /* of decoder_step, from half the context on */
};

/* tokens and times: [context], what is decoded. */
enum model_status compare_speed_measure(struct compare_speed *list, int n,
                                        struct pool *pool, const int32_t *tokens,
                                        const int32_t *times);

#endif
