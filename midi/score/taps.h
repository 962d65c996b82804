/* Where the user tapped bar lines of freely played music, and where free playing
 * begins. Taps are no part of the file; they wait for a tempo fit
 * (midi/edit/tempo_fit.h). They belong to the score: edits and undo include them,
 * and inserted time moves them. Plain data of one thread. */
#ifndef MIDI_TAPS_H
#define MIDI_TAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tap_kind {
    TAP_BAR,   /* a bar line, or a beat, belongs here */
    TAP_BEGIN, /* free playing begins; earlier music stays in place */
    TAP_KINDS,
};

struct tap {
    int64_t tick;
    enum tap_kind kind;
};

enum { TAPS_MOST = 1 << 16 };

struct taps { /* sorted by tick, then kind, without doubles; at most TAPS_MOST */
    struct tap *list;
    size_t n, cap;
};

void taps_fini(struct taps *t);
/* false: out of memory; `to` is empty. */
bool taps_copy(struct taps *to, const struct taps *from);
/* Adds a tap unless it is there. false: out of memory, or too many. */
bool taps_put(struct taps *t, struct tap tap);
void taps_remove(struct taps *t, struct tap tap); /* if it is there */
bool taps_has(const struct taps *t, struct tap tap);
/* Index of the first >= tick; n: none. */
size_t taps_first_at(const struct taps *t, int64_t tick);
/* Moves all taps from tick `from` on. A move back takes out the taps that it would pass. */
void taps_shift(struct taps *t, int64_t from, int64_t by);

#endif
