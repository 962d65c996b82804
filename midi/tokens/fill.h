/* A request to fill a hole, as score tokens: first the music around the hole, then the
 * request, then the notes of the hole (fill in the middle, Bavarian et al. 2022;
 * infilling of tracks and bars, Ens & Pasquier 2020).
 *
 *   BOS STYLE [RESUME] {TRACK FAMILY} {BAR ... HOLE ... RESUME ...}
 *   FILL request  {[BAR] chords, notes}  FILL_END
 *   request: [POSX] POS  [POSX] POS  PITCH PITCH  TRACK {TRACK}
 *            [DENSITY] [POLYPHONY] [LENGTH] [REGISTER] [CLOSE]
 *
 * The music around is written as in midi/tokens/tokens.h: all bars, and the notes that
 * stay. HOLE and RESUME stand at the positions where the hole begins and ends, before
 * the notes there. A position at or past the end of the bars is written after the last
 * bar.
 *
 * The request has from and to, in steps from the first bar; the lowest and the highest
 * pitch; the tracks, which must all be declared; and the controls that are set. The
 * pitch range does not apply to hits. Then come the notes of the hole, in order. The
 * first ones belong to the bar of `from`, which is not announced again; each BAR goes
 * to the next bar, also past the last one, where the last meter goes on. TRACK and VEL
 * are written anew.
 *
 * Chords in the time of the hole stand in one of two places. Given chords are written
 * in the music around, in bars that may hold nothing else, and the hole is filled over
 * them. Other chords are part of the filling: each comes before the notes at its
 * position and later, so the harmony is decided first.
 *
 * Encode and decode are exact inverses. Pure functions, any thread. */
#ifndef MIDI_FILL_H
#define MIDI_FILL_H

#include "midi/tokens/tokens.h"

enum { FILL_ANY = -1, FILL_MAX_STEP = 64 * TOKEN_RADIX - 1 };

/* For an initialiser: no control is set. */
#define FILL_ANYTHING                                                                  \
    .density = FILL_ANY, .polyphony = FILL_ANY, .length = FILL_ANY, .height = FILL_ANY

/* A rectangle of time, pitch and tracks, and controls for its notes. */
struct fill_request {
    int32_t from, to; /* steps; 0 <= from < to <= FILL_MAX_STEP */
    uint8_t pitch_lo, pitch_hi;
    uint64_t tracks; /* bit t: token track t; not empty */
    /* Controls: a level, or FILL_ANY. */
    int density;   /* notes a quarter on a track: half octaves from 1/8 up */
    int polyphony; /* mean number of notes that sound at an onset, from 1 */
    int length;    /* geometric mean of the lengths: half octaves from 3 steps up */
    int height;    /* REGISTER, the mean pitch: every six semitones from 24 */
    bool close;    /* the piece ends with the hole */
};

bool fill_request_valid(const struct fill_request *r);
/* Whether the whole length of the note lies in the hole; a hit may have any key.
 * `families` are those of the piece's tracks. */
bool fill_contains(const struct fill_request *r,
                   const uint8_t families[TOKEN_MAX_TRACKS], const struct grid_note *n);
/* Return the level nearest to a number of notes a quarter on each track, to a length in
 * steps, and to a pitch. Arguments are positive. */
int fill_density_level(double notes);
int fill_length_level(double steps);
int fill_height_level(double pitch);
/* Returns the plain token nearest in meaning to a level of a control: a DUR of the same
 * length or distance, a PITCH, a number. Returns -1 if the token is no control. A model
 * starts to learn controls from these. */
int32_t fill_token_like(int32_t token);
/* Sets the levels to those of these notes, which lie in the request's span and tracks.
 * Hits count only for density; without other notes the other levels are FILL_ANY. */
void fill_measure(struct fill_request *r, const uint8_t families[TOKEN_MAX_TRACKS],
                  const struct grid_note *notes, size_t n);

struct fill {
    struct piece around; /* all bars, and the notes that stay */
    struct fill_request request;
    struct piece inside; /* the hole's notes, and chords that are not given */
};
void fill_fini(struct fill *f);

/* Splits a piece. A note inside the request goes into the hole if `keep` is NULL or
 * keep[i] is false. f->request becomes `request`. */
enum midi_status fill_split(struct fill *f, const struct piece *p,
                            const struct fill_request *request, const bool *keep);
/* Moves the chords in the hole's time into it. A chord after the hole is dropped if it
 * then equals the last one before the hole. */
void fill_take_chords(struct fill *f);

/* With with_inside false, stops before the first note of the hole. tokens.note indexes
 * around.notes, then inside.notes. MIDI_BAD_TOKEN: the request is invalid, one of its
 * tracks is not declared, or a note is not inside it. MIDI_TOO_LONG: there are more
 * than BAR_TABLE_SIZE bars around the hole. */
enum midi_status fill_encode(struct tokens *t, const struct fill *f, bool with_inside);
/* Reads a whole sequence. MIDI_BAD_TOKEN: encode could not have made it. */
enum midi_status fill_decode(struct fill *f, const int32_t *ids, size_t n);

#endif
