/* The notes of a score in the order that they are numbered in where people name one by
 * its number: by start, then track, then pitch. Pure. */
#ifndef APP_NOTE_ORDER_H
#define APP_NOTE_ORDER_H

#include "midi/score/score.h"

struct ordered_note {
    const struct note *note; /* the score's */
    int track;
};

/* [score_n_notes], malloc'd; NULL: no memory. Number 1 is the first. */
struct ordered_note *note_order(const struct score *s);
/* The same by their ids, for looking up: [n] sorted, malloc'd; NULL: no memory. */
struct note_number {
    uint64_t id;
    size_t at; /* in the list */
};
struct note_number *note_order_index(const struct ordered_note *list, size_t n);
/* From 0; -1: there is no note of that id. */
int64_t note_order_find(const struct note_number *index, size_t n, uint64_t id);

#endif
