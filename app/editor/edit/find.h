/* Queries for things in a piece, as the user types them after `/`, and the conditions among
 * them also after `:select`:
 *
 *   12  12.3          a bar, or a beat of it, from 1
 *   C4  F#  Eb        a pitch, or all of that name; C4 is 60
 *   >100  <30  =64    velocities; also >= and <=
 *   anything else     the text of markers, cue points and lyrics, and names of tracks
 *
 * Conditions, any number of them, with or without spaces around the signs; a note must meet
 * all:
 *
 *   velocity>90  velocity<=40  velocity=64  velocity 20-60
 *   length<1/16  length>=1/8.  length=1/4t      in note values
 *   len>2        len<=3/8                       in whole notes
 *   pitch C3-G4  pitch>C5      pitch 60
 *   bar 3-5      bar 3         where they begin, from 1
 *
 * Pure functions. */
#ifndef APP_FIND_H
#define APP_FIND_H

#include "midi/score/score.h"

struct note_range { /* inclusive */
    double low, high;
};

struct note_filter {
    struct note_range velocity, pitch;
    struct note_range length; /* whole notes */
    struct note_range bar;    /* from 1 */
    int pitch_class;          /* 0..11; -1: any */
};

/* false: the text is no filter, and *out is unchanged. The text may be anything. */
bool note_filter_parse(const char *text, struct note_filter *out);
bool note_filter_has(const struct note_filter *f, const struct score *s,
                     const struct note *n);

enum find_kind { FIND_NOTHING, FIND_BAR, FIND_NOTES, FIND_TEXT };

enum { FIND_TEXT_BYTES = 96 };

struct find_query {
    enum find_kind kind;
    int64_t bar, beat; /* BAR: from 0 */
    struct note_filter notes;
    char text[FIND_TEXT_BYTES]; /* as it was typed */
};

/* Returns the query of a text. Any text is one; a text that is too long is cut. */
struct find_query find_parse(const char *text);
bool find_fits_note(const struct find_query *q, const struct score *s,
                    const struct note *n);
/* Whether some bytes contain the text; the case of A to Z does not matter. */
bool find_fits_text(const struct find_query *q, const void *bytes, size_t n);

#endif
