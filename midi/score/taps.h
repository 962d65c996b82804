/* Where the bar lines of freely played music were tapped, and where that music begins:
 * places in a score that are no part of its file, and wait to be laid on the grid
 * (midi/edit/lay.h). They belong to the score so that they are edited and undone as it is, and
 * move with time that is put in. Plain data of one thread. */
#ifndef MIDI_TAPS_H
#define MIDI_TAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tap_kind {
    TAP_BAR,   /* a bar line, or a beat, is to be here */
    TAP_BEGIN, /* free playing begins here: what is before it keeps its place */
    TAP_KINDS,
};

struct tap {
    int64_t tick;
    enum tap_kind kind;
};

enum { TAPS_MOST = 1 << 16 };

struct taps { /* by tick, then kind, each once; at most TAPS_MOST */
    struct tap *list;
    size_t n, cap;
};

void taps_fini(struct taps *t);
bool taps_copy(struct taps *to,
               const struct taps *from); /* false: no memory, to empty */
/* One that is there already stays; false: no memory, or there are too many. */
bool taps_put(struct taps *t, struct tap tap);
void taps_remove(struct taps *t, struct tap tap); /* if it is there */
bool taps_has(const struct taps *t, struct tap tap);
size_t taps_first_at(const struct taps *t, int64_t tick); /* the first >= tick; n */
/* Those from a tick on move by so much, which lets none pass another before `from`. */
void taps_shift(struct taps *t, int64_t from, int64_t by);

#endif
