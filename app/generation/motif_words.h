/* The motif (app/decoding/motif.h) as text. Pure functions. */
#ifndef APP_MOTIF_WORDS_H
#define APP_MOTIF_WORDS_H

#include "app/decoding/continuation.h"
#include "midi/score/score.h"

enum { MOTIF_TEXT = 64 };

/* "exact", "transposed", "varied", then NULL; "off" is MOTIF_NONE. */
extern const char *const MOTIF_KINDS[];

/* Bars and how they return: "5", "1-2", "1-2:varied"; exact by default. */
struct motif_bars {
    int first, last; /* from 1; 0: none */
    enum motif_kind kind;
};
/* false: invalid text, and nothing is stored. */
bool motif_read(const char *text, struct motif_bars *out);
/* The notes of those bars, on that track (from 0) or, if -1, on the highest audible one. */
struct continuation_motif motif_of_bars(const struct motif_bars *b,
                                        const struct score *s, int track);

/* "motif in bar 11, a fourth up"; "" if it is nowhere. Returns buf. */
const char *motif_say(const struct motif_place *at, const struct timeline *t,
                      char buf[MOTIF_TEXT]);

#endif
