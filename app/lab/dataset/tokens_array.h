/* Windows of numbers as a NumPy file: .npy, int16 [rows, windows, length]. Plain data, one
 * owner. */
#ifndef APP_TOKENS_ARRAY_H
#define APP_TOKENS_ARRAY_H

#include "app/base/paths.h"
#include "model/weights/model.h"

struct tokens_array {
    int rows, windows, length;
    int16_t *all; /* [rows, windows, length], little-endian; owned */
};

/* All zero at first. false: out of memory. Call tokens_array_fini in every case. */
bool tokens_array_init(struct tokens_array *a, int rows, int windows, int length);
void tokens_array_fini(struct tokens_array *a);

/* Stores one row of one window: n numbers, at most `length`, then padding. Numbers above
 * INT16_MAX are clamped to it: a time so late is far from all others. */
void tokens_array_put(struct tokens_array *a, int row, int window, const int32_t *x,
                      int n, int32_t padding);

/* Writes the whole file. false: errno says why. */
bool tokens_array_write(const struct tokens_array *a, FILE *f);

/* The state of tokens, so that a trainer need not know what they mean: int16 [windows,
 * length, MODEL_STATE_MOST], the rows of the state table that each token's bag has, and -1
 * where it has no more. Written in pieces. */
struct state_rows {
    const struct model_state_kind *kind; /* NULL: there is none, and no file */
    void *state;
    struct output_file out;
    bool has_failed;
};

/* false: a failed write, or out of memory; errno says why, as for all functions here. Close
 * it in every case. */
bool state_rows_open(struct state_rows *s, const struct model_state_kind *kind,
                     const char *path, int windows, int length);
/* The next window, from its first token on. */
void state_rows_put(struct state_rows *s, const int32_t *tokens, int length);
bool state_rows_close(struct state_rows *s); /* false: some of it was not written */

#endif
