/* The state of tokens in a file, so that a trainer need not know what they mean: int16
 * [windows, length, MODEL_STATE_MOST], the rows of the state table that each token's bag
 * has, and -1 where it has no more. Plain data, one owner. */
#ifndef APP_STATE_ROWS_H
#define APP_STATE_ROWS_H

#include "model/weights/model.h"

#include <stdio.h>

struct state_rows {
    const struct model_state_kind *kind; /* NULL: there is none, and no file */
    void *state;
    FILE *file;
    bool has_failed;
};

/* false: could not be written, or no memory; errno says why, as for all here. Close it
 * whatever comes back. */
bool state_rows_open(struct state_rows *s, const struct model_state_kind *kind,
                     const char *path, int windows, int length);
/* The next window, from its first token on. */
void state_rows_put(struct state_rows *s, const int32_t *tokens, int length);
bool state_rows_close(struct state_rows *s); /* false: some of it was not written */

#endif
