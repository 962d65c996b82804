/* A request to fill a hole, as score tokens: first the music around, then the
 * request, then the hole's notes (fill in the middle, Bavarian et al. 2022;
 * infilling of tracks and bars, Ens & Pasquier 2020).
 *
 *   BOS STYLE [RESUME] {TRACK FAMILY} {BAR ... HOLE ... RESUME ...}
 *   FILL request  {[BAR] chords, notes}  FILL_END
 *   request: [POSX] POS  [POSX] POS  PITCH PITCH  TRACK {TRACK}
 *            [DENSITY] [POLYPHONY] [LENGTH] [REGISTER] [CLOSE]
 *
 * The music around is written as in midi/tokens/tokens.h: all bars and the notes
 * that stay. HOLE and RESUME come at the positions where the hole begins and ends,
 * before the notes there; a position at or past the end of the bars comes after the
 * last bar. The request has from and to, in steps from the first bar; the lowest and
 * the highest pitch; the tracks, all of them declared; and the controls that are
 * set. The notes of the hole follow, in order. They begin in the bar of `from`,
 * which is not repeated; BAR goes to the next one, also past the last bar, in the
 * last meter. TRACK and VEL are written anew. The pitch range does not apply to hits.
 *
 * Chords in the hole's time stand in one of two places. Given ones are written around it,
 * in bars that may hold nothing else: the hole is filled over them. Others are part of
 * what fills it: each comes before the notes from its position on, so that harmony is
 * decided first.
 *
 * Encode and decode are exact inverses. Pure functions, any thread. */
#ifndef MIDI_FILL_H
#define MIDI_FILL_H

#include "midi/tokens/tokens.h"

enum { FILL_ANY = -1, FILL_MAX_STEP = 64 * TOKEN_RADIX - 1 };

/* No wish of any kind, for an initialiser. */
#define FILL_ANYTHING                                                                  \
    .density = FILL_ANY, .polyphony = FILL_ANY, .length = FILL_ANY, .height = FILL_ANY

/* A rectangle of time, pitch and tracks, and controls for its notes. */
struct fill_request {
    int32_t from, to; /* steps; 0 <= from < to <= FILL_MAX_STEP */
    uint8_t pitch_lo, pitch_hi;
    uint64_t tracks; /* bit t: token track t; at least one */
    /* Levels, or FILL_ANY. */
    int density;   /* notes a quarter on a track: half octaves up from 1/8 */
    int polyphony; /* mean number of notes sounding at an onset, from 1 */
    int length;    /* geometric mean of the lengths: half octaves up from 3 steps */
    int height;    /* REGISTER, the mean pitch: steps of six semitones from 24 */
    bool close;    /* the piece ends with the hole */
};

bool fill_request_valid(const struct fill_request *r);
/* Whether all of the note's length lies in the hole; for a hit, any key. families:
 * of the piece's tracks. */
bool fill_contains(const struct fill_request *r,
                   const uint8_t families[TOKEN_MAX_TRACKS], const struct grid_note *n);
/* Each returns the nearest level: to notes a quarter on each track, to a length in
 * steps, to a pitch. Arguments are positive. */
int fill_density_level(double notes);
int fill_length_level(double steps);
int fill_height_level(double pitch);
/* The values behind the levels, in the request's span and tracks. Hits count for
 * density only; without other notes the rest is NaN. */
struct fill_figures {
    double density;   /* notes a quarter on each track */
    double polyphony; /* mean number of notes sounding at an onset */
    double length;    /* steps, geometric mean */
    double height;    /* mean pitch */
};
struct fill_figures fill_count(const struct fill_request *r,
                               const uint8_t families[TOKEN_MAX_TRACKS],
                               const struct grid_note *notes, size_t n);
/* Returns the plain token nearest in meaning to a level of a control: the DUR of
 * such lengths or distances, the PITCH, the number. -1: no control. A model starts
 * learning controls from these. */
int32_t fill_token_like(int32_t token);
/* Sets the levels to those of these notes. */
void fill_measure(struct fill_request *r, const uint8_t families[TOKEN_MAX_TRACKS],
                  const struct grid_note *notes, size_t n);

struct fill {
    struct piece around; /* bars, and the notes that stay */
    struct fill_request request;
    struct piece
        inside; /* the hole's notes, and chords that are not given; bars, meters and
                            tracks as `around` */
};
void fill_fini(struct fill *f);

/* Splits a piece: a note inside the request goes into the hole if `keep` is NULL or
 * keep[i] is false. f->request is the request. */
enum midi_status fill_split(struct fill *f, const struct piece *p,
                            const struct fill_request *request, const bool *keep);
/* Moves the chords in the hole's time into it. A chord after it that is then like the last
 * one before it is left out. */
void fill_take_chords(struct fill *f);

/* with_inside false stops before the first note of the hole. tokens.note indexes
 * around.notes, then inside.notes. MIDI_BAD_TOKEN: the request is invalid or has an
 * undeclared track, or a note is not inside it. MIDI_TOO_LONG: more than
 * BAR_TABLE_SIZE bars around. */
enum midi_status fill_encode(struct tokens *t, const struct fill *f, bool with_inside);
/* Reads a whole sequence. MIDI_BAD_TOKEN: encode could not have made it. */
enum midi_status fill_decode(struct fill *f, const int32_t *ids, size_t n);

#endif
