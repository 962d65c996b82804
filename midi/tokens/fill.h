/* Asking for a hole in the music to be filled, as score tokens: what stands around
 * it first, then what is asked, then its notes (fill in the middle, Bavarian et al.
 * 2022; infilling of tracks and bars, Ens & Pasquier 2020).
 *
 *   BOS STYLE {TRACK FAMILY} {BAR ... HOLE ... RESUME ...}  FILL ask  {[BAR] notes}  FILL_END
 *   ask: [POSX] POS  [POSX] POS  PITCH PITCH  TRACK {TRACK}
 *        [DENSITY] [POLYPHONY] [LENGTH] [REGISTER] [CLOSE]
 *
 * Around the hole the tokens are those of midi/tokens/tokens.h, all bars and the notes that
 * stay; HOLE and RESUME come at the position where it begins and ends, before the
 * notes there, and after the last bar where that is at its end or past it. What is
 * asked: from and to, in steps from the first bar; the lowest and the highest pitch;
 * the tracks; and as many of the controls as there is a wish about. Then the notes of
 * the hole, in order. They begin in the bar that `from` lies in, which is not said
 * again, and BAR goes on to the next, also past the last bar, in the last meter.
 * TRACK and VEL are said anew. Every track asked for is declared. Chords are said around
 * the hole alone, those within it too, in bars that may hold nothing else: so a hole is
 * filled over given chords. The pitches asked for are of notes; hits are free of them.
 *
 * Encode and decode are exact inverses. Pure functions, any thread. */
#ifndef MIDI_FILL_H
#define MIDI_FILL_H

#include "midi/tokens/tokens.h"

enum { FILL_ANY = -1, FILL_MAX_STEP = 64 * TOKEN_RADIX - 1 };

/* A rectangle of time, pitch and tracks, and wishes about what comes in it. */
struct fill_request {
    int32_t from, to; /* steps; 0 <= from < to <= FILL_MAX_STEP */
    uint8_t pitch_lo, pitch_hi;
    uint64_t tracks; /* bit t: the token track t; at least one */
    /* Levels, or FILL_ANY */
    int density;   /* notes on a track in a quarter: half octaves up from an eighth */
    int polyphony; /* notes sounding at an onset, on the mean: 1 and up */
    int length;    /* of the notes, geometric mean: half octaves up from 3 steps */
    int height;    /* mean pitch (REGISTER): sixes of semitones up from 24 */
    bool close;    /* the piece ends with it */
};

bool fill_request_valid(const struct fill_request *r);
/* The note lies in it with all its length, a hit whatever its key. families: of the
 * piece's tracks. */
bool fill_contains(const struct fill_request *r,
                   const uint8_t families[TOKEN_MAX_TRACKS], const struct grid_note *n);
/* The nearest level to notes in a quarter on each track, to a length in steps, to a
 * pitch; all positive. */
int fill_density_level(double notes);
int fill_length_level(double steps);
int fill_height_level(double pitch);
/* What the levels are of, in the request's span and tracks. Hits count for the density
 * alone; without notes besides all others are NaN. */
struct fill_figures {
    double density;   /* notes in a quarter on each track */
    double polyphony; /* notes sounding at an onset, on the mean */
    double length;    /* steps, geometric mean */
    double height;    /* mean pitch */
};
struct fill_figures fill_count(const struct fill_request *r,
                               const uint8_t families[TOKEN_MAX_TRACKS],
                               const struct grid_note *notes, size_t n);
/* The token of a plain sequence that means most nearly what a level of a control does:
 * the DUR of notes so long or so far apart, the PITCH, the number; -1: `token` is no
 * control. What a model begins to learn controls from. */
int32_t fill_token_like(int32_t token);
/* Sets the levels to what these notes of it have. */
void fill_measure(struct fill_request *r, const uint8_t families[TOKEN_MAX_TRACKS],
                  const struct grid_note *notes, size_t n);

struct fill {
    struct piece around; /* the bars, and the notes that stay */
    struct fill_request request;
    struct piece inside; /* its notes; bars, meters and tracks as in `around` */
};
void fill_fini(struct fill *f);

/* Splits a piece: each note that the request contains goes inside if `keep` is NULL,
 * or keep[i] is false of it. f->request is the request. */
enum midi_status fill_split(struct fill *f, const struct piece *p,
                            const struct fill_request *request, const bool *keep);

/* with_inside false leaves off before the first note, for filling. tokens.note is an
 * index into around.notes, and past those into inside.notes. MIDI_BAD_TOKEN: a
 * request that is not valid or of a track that is not declared, or a note that is not
 * inside it; MIDI_TOO_LONG: more
 * than BAR_TABLE_SIZE bars around. */
enum midi_status fill_encode(struct tokens *t, const struct fill *f, bool with_inside);
/* A whole sequence. MIDI_BAD_TOKEN: not one that encode could have made. */
enum midi_status fill_decode(struct fill *f, const int32_t *ids, size_t n);

#endif
