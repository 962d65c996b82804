/* A filter of notes by their properties, as the user types it:
 *
 *   velocity>90  velocity<=40  velocity=64  velocity 20-60
 *   length<1/16  length>=1/8.  length=1/4t      in note values
 *   pitch C3-G4  pitch>C5      pitch 60
 *   bar 3-5      bar 3         where they begin, from 1
 *
 * Any number of them, with or without spaces around the signs; a note must meet all.
 * Pure functions. */
#ifndef APP_NOTE_FILTER_H
#define APP_NOTE_FILTER_H

#include "midi/score/score.h"

/* A whole note in parts; every length that can be typed is a whole number of them. */
enum { NOTE_FILTER_WHOLE = 384 };

struct note_range { /* inclusive */
    int64_t low, high;
};

struct note_filter {
    struct note_range velocity, pitch;
    struct note_range length; /* parts of NOTE_FILTER_WHOLE */
    struct note_range bar;    /* from 1 */
};

/* false: the text is no filter, and *out is unchanged. The text may be anything. */
bool note_filter_parse(const char *text, struct note_filter *out);
bool note_filter_has(const struct note_filter *f, const struct score *s,
                     const struct note *n);

#endif
