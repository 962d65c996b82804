/* A query for things in a piece, as the user types it:
 *
 *   12  12.3          a bar, or a beat of it, from 1
 *   C4  F#  Eb        a pitch, or all of that name; C4 is 60
 *   >100  <30  =64    velocities; also >= and <=
 *   len>1/2           lengths, in whole notes: > < = >= <=
 *   anything else     the text of markers, cue points and lyrics, and names of tracks
 *
 * Pure functions. */
#ifndef APP_FIND_H
#define APP_FIND_H

#include "midi/score/score.h"

enum find_kind {
    FIND_NOTHING,
    FIND_BAR,
    FIND_PITCH,
    FIND_VELOCITY,
    FIND_LENGTH,
    FIND_TEXT
};

enum { FIND_TEXT_BYTES = 96 };

enum { FIND_LESS = 1, FIND_EQUAL = 2, FIND_MORE = 4 };

struct find_query {
    enum find_kind kind;
    int64_t bar, beat; /* BAR: from 0 */
    int pitch;         /* PITCH: 0..11 when any_octave */
    bool any_octave;
    unsigned relation;          /* FIND_LESS and so on, as bits */
    int velocity;               /* VELOCITY */
    int numerator, denominator; /* LENGTH: of a whole note */
    char text[FIND_TEXT_BYTES]; /* as it was typed */
};

/* Never fails: any text is a query. Text that is too long is cut. */
struct find_query find_parse(const char *text);
/* Whether it finds notes: PITCH, VELOCITY and LENGTH do. */
bool find_is_of_notes(const struct find_query *q);
bool find_fits_note(const struct find_query *q, const struct score *s,
                    const struct note *n);
/* Whether some bytes contain the text; the case of A to Z does not matter. */
bool find_fits_text(const struct find_query *q, const void *bytes, size_t n);

/* find.c: stops showing the hits. UI thread only. */
struct session;
void find_hide(struct session *s);

#endif
