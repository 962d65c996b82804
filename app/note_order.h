/* The notes of a score in the order that they are numbered in where people name one by
 * its number: by start, then track, then pitch. Pure. */
#ifndef APP_NOTE_ORDER_H
#define APP_NOTE_ORDER_H

#include "midi/score.h"

struct ordered_note {
    const struct note *note; /* the score's */
    int track;
};

/* [score_n_notes], malloc'd; NULL: no memory. Number 1 is the first. */
struct ordered_note *note_order(const struct score *s);
/* From 0; -1: there is no note of that id. */
int64_t note_order_find(const struct ordered_note *list, size_t n, uint64_t id);

#endif
