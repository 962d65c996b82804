/* Numbers of windows as NumPy keeps them: a .npy file, int16 [rows, windows, length], or
 * whatever else is written after a header. Plain data, one owner. */
#ifndef APP_TOKENS_ARRAY_H
#define APP_TOKENS_ARRAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tokens_array {
    int rows, windows, length;
    int16_t *all; /* [rows, windows, length], little-endian; owned */
};

/* All zero. false: out of memory. Fini it whatever comes back. */
bool tokens_array_init(struct tokens_array *a, int rows, int windows, int length);
void tokens_array_fini(struct tokens_array *a);

/* One row of one window: n numbers, at most `length`, and then the padding. What
 * is past INT16_MAX is written as that: a time so late is far from all others. */
void tokens_array_put(struct tokens_array *a, int row, int window, const int32_t *x,
                      int n, int32_t padding);

/* What begins a file of int16 [shape], row-major and little-endian. false: could not be
 * written; errno says why. */
bool tokens_array_write_header(FILE *f, const int shape[3]);
/* Likewise. */
bool tokens_array_write(const struct tokens_array *a, FILE *f);

#endif
