/* Where the first bars of a token sequence begin, for what comes back to them: the
 * notes of a hole, told after all that is around it. Plain data. */
#ifndef MIDI_BAR_TABLE_H
#define MIDI_BAR_TABLE_H

#include <stdbool.h>
#include <stdint.h>

enum { BAR_TABLE_SIZE = 256 };

struct bar_table {
    int32_t starts[BAR_TABLE_SIZE]; /* of the first bars, ascending */
    int n;                          /* bars in all; past the size none is kept */
    int32_t end, length; /* where the last ends, and what any after it takes */
};

/* A bar begins where the last one ended, or before, when that was cut. */
void bar_table_add(struct bar_table *t, int32_t start);
/* The last bar, and those to come, are as long as this. */
void bar_table_set_length(struct bar_table *t, int32_t length);

/* There is a bar, and all are kept. */
bool bar_table_is_whole(const struct bar_table *t);
/* Of a whole table, also of bars past its last; step and index are not negative. */
int32_t bar_table_start(const struct bar_table *t, int index);
int bar_table_at(const struct bar_table *t, int32_t step); /* the bar it lies in */

#endif
