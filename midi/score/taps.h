/* Taps mark bar lines of freely played music, and where free playing begins.
 *
 * They are no part of the file: they wait for a tempo fit (midi/edit/tempo_fit.h). They
 * belong to the score, so edits and undo include them, and inserted time moves them.
 * Plain data of one thread. */
#ifndef MIDI_TAPS_H
#define MIDI_TAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tap_kind {
    TAP_BAR,   /* a bar line or a beat belongs here */
    TAP_BEGIN, /* free playing begins here; earlier music stays in place */
    TAP_KINDS,
};

struct tap {
    int64_t tick;
    enum tap_kind kind;
};

enum { TAPS_MOST = 1 << 16 };

struct taps { /* sorted by tick, then kind, without duplicates */
    struct tap *list;
    size_t n, cap;
};

void taps_fini(struct taps *t);
/* Returns false if memory is out; then `to` is empty. */
bool taps_copy(struct taps *to, const struct taps *from);
/* Adds a tap unless it is there. Returns false if memory is out or there are
 * TAPS_MOST. */
bool taps_put(struct taps *t, struct tap tap);
void taps_remove(struct taps *t, struct tap tap); /* does nothing if it is not there */
bool taps_has(const struct taps *t, struct tap tap);
/* Returns the index of the first tap at or after `tick`, or n if there is none. */
size_t taps_first_at(const struct taps *t, int64_t tick);
/* Moves all taps from tick `from` on. If they move back, the taps that they would pass
 * are removed. */
void taps_shift(struct taps *t, int64_t from, int64_t by);

#endif
