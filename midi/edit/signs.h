/* What a piece says along its time: meters, tempos, key signatures, markers, cue points
 * and lyrics (SMF 1.0: FF 58, 51, 59, 06, 07, 05), of all chunks as one list. And
 * changes that put, move and remove them.
 *
 * Signs name events of the score they were collected from, and hold until it changes.
 * Pure functions, any thread. */
#ifndef MIDI_SIGNS_H
#define MIDI_SIGNS_H

#include "midi/edit/edit.h"

enum sign_kind {
    SIGN_METER,
    SIGN_TEMPO,
    SIGN_KEY,
    SIGN_MARKER,
    SIGN_CUE,
    SIGN_LYRIC,
    SIGN_KINDS,
};

#define SIGN(kind) (1u << (kind))

struct sign {
    enum sign_kind kind;
    int64_t tick;
    int chunk; /* where it is: indices into the score's chunks and that one's events */
    size_t event;
    double bpm;                 /* TEMPO: quarters a minute */
    int numerator, denominator; /* METER */
    int sharps;                 /* KEY: -7..7, flats negative */
    bool minor;
};

struct signs { /* by tick, then in the order of the kinds, then of the file */
    struct sign *list;
    size_t n;
};

/* Of those kinds, SIGN bits or'ed; others, and what no score can mean, are left out. To
 * be finished with signs_fini, also on failure: out of memory. */
enum midi_status signs_collect(struct signs *out, const struct score *s,
                               unsigned kinds);
void signs_fini(struct signs *g);
size_t signs_first_at(const struct signs *g, int64_t tick); /* the first >= tick; n */

/* What a marker, cue point or lyric says, as it is in the file: any bytes. For others it
 * is empty. */
const uint8_t *sign_text(const struct score *s, const struct sign *g, size_t *n);
/* The same as a string cut to n - 1 bytes, and where a zero byte is; buf is returned. */
const char *sign_copy(const struct score *s, const struct sign *g, char *buf, size_t n);

/* -- changes -- */

/* What the last marker, cue point or lyric at `tick` says, or a new one in the first
 * chunk. "" removes all of that kind at that tick; where there are none, c is left as it
 * was. */
enum midi_status change_set_text(struct change *c, const struct score *s,
                                 enum sign_kind kind, int64_t tick, const char *text);
enum midi_status change_remove_sign(struct change *c, const struct score *s,
                                    const struct sign *g);
enum midi_status change_move_sign(struct change *c, const struct score *s,
                                  const struct sign *g, int64_t tick);
/* Tempos rise or fall evenly from one to the other, in a step at each beat of [from, to).
 * What tempos were there go; at `to` the last holds, unless a tempo is there already.
 * MIDI_BAD_EDIT: no span, too long a one, or tempos that no file can hold. */
enum midi_status change_ramp_tempo(struct change *c, const struct score *s,
                                   int64_t from, int64_t to, double bpm_from,
                                   double bpm_to);

#endif
