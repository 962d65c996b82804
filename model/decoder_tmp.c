#include "model/decoder_internal.h"
#include <string.h>
enum model_status decoder_step_many(struct decoder *const *d, int n,
                                    const int32_t *tokens, const int32_t *times,
                                    float *const *logits)
{
    for (int i = 0; i < n; i++) {
        enum model_status st = decoder_step(d[i], tokens[i], times[i], logits[i]);
        if (st) {
            for (int k = 0; k < i; k++) decoder_truncate(d[k], decoder_length(d[k]) - 1);
            return st;
        }
    }
    return MODEL_OK;
}
enum model_status decoder_copy(struct decoder *to, const struct decoder *from, int n)
{
    (void)n;
    memcpy(to->arena, from->arena, from->n_arena);
    to->length = n;
    return MODEL_OK;
}
