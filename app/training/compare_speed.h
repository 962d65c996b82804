/* How fast models of one vocabulary and context decode, all in one run: this
 * machine's own speed comes and goes, so they take turns. */
#ifndef APP_COMPARE_SPEED_H
#define APP_COMPARE_SPEED_H

#include "model/decoder/decoder.h"

struct compare_speed {
    const struct model *model;
    double tokens_per_second; /* of decoder_step, from half the context on */
};

/* tokens and times: [context], what is decoded. */
enum model_status compare_speed_measure(struct compare_speed *list, int n,
                                        struct pool *pool, const int32_t *tokens,
                                        const int32_t *times);

#endif
