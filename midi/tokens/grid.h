/* The *grid* tokenizer: four voices in sixteenths, one token for each voice at
 * each step, soprano alto tenor bass and then the next step.
 *
 *   BOS | INSIDE  { cell cell cell cell }     cell: REST, HOLD or PITCH
 *
 * BOS begins a piece, INSIDE a window that begins further on; so the token at
 * index i is always of voice (i - 1) mod 4. Without *hold* a sounding cell is its
 * pitch, struck or held alike, and sequences are the published Bach chorale
 * benchmark token for token (Boulanger-Lewandowski et al. 2012, quantised and
 * separated as by Huang et al. 2017): what was struck again is then told from
 * what was held no more. With *hold* PITCH strikes and HOLD goes on.
 *
 * A sequence may speak of some of the voices only, of n neighbours: the same
 * tokens less the cells of the others, of voice first + (i - 1) mod n. So an
 * encoder reads the melody, and the decoder tells the voices below it.
 *
 * A grid is canonical when a cell that is not struck continues the one before;
 * without hold only those count that strike where the pitch changes. Between
 * canonical grids and sequences encode and decode are exact inverses. The loss is
 * all in grid_from_score: onsets and ends to the nearest sixteenth, one voice a
 * track.
 *
 * Plain data, one owner; pure functions, any thread. models/FORMAT.md repeats
 * this for strangers. */
#ifndef MIDI_GRID_H
#define MIDI_GRID_H

#include "midi/tokens/piece.h"

enum {
    GRID_VOICES = 4,
    GRID_STEP = STEPS_PER_QUARTER / 4, /* a sixteenth, on the clock of the tokens */
    GRID_SILENT = -1,
    GRID_MAX_STEPS = 1 << 20,
};

/* The vocabulary, in order. */
enum grid_token {
    GRID_PAD = 0,
    GRID_BOS = 1,
    GRID_INSIDE = 2,
    GRID_REST = 3,
    GRID_HOLD = 4,
    GRID_PITCH = 5, /* 128 */
    GRID_COUNT = GRID_PITCH + 128,
};

struct grid_cell {
    int16_t pitch;  /* 0..127 or GRID_SILENT */
    bool is_struck; /* a note begins here; of a sounding cell only */
};

struct grid {
    struct grid_cell *cells; /* [n_steps, GRID_VOICES] */
    int n_steps;
};

/* What a sequence speaks of: the voices [first, first + n), told with hold or not. */
struct grid_form {
    int first, n;
    bool hold;
};
#define GRID_ALL    ((struct grid_form){0, GRID_VOICES, false})
#define GRID_MELODY ((struct grid_form){0, 1, false})
#define GRID_LOWER  ((struct grid_form){1, GRID_VOICES - 1, false})

extern const char *const grid_voice_names[GRID_VOICES]; /* "soprano" and so on */

/* All silent. MIDI_TOO_LONG: n_steps is below 0 or past GRID_MAX_STEPS. */
enum midi_status grid_init(struct grid *g, int n_steps);
void grid_fini(struct grid *g);
struct grid_cell *grid_at(const struct grid *g, int step, int voice);
bool grid_equal(const struct grid *a, const struct grid *b);

/* Strikes every sounding cell that does not repeat the one before it, and no
 * other: what is left of a grid without hold. */
void grid_join_repeats(struct grid *g);

/* Tokens of so many steps, the first one included; and the steps that the first n
 * tokens begin to speak of. */
size_t grid_n_tokens(struct grid_form form, int n_steps);
int grid_n_steps(struct grid_form form, int n_tokens);
/* ids has room for grid_n_tokens(form, n_steps). A window that begins after the
 * first step strikes what it finds sounding. */
void grid_encode(const struct grid *g, struct grid_form form, int first_step,
                 int n_steps, int32_t *ids);
/* The voices that are not of the form are silent. MIDI_BAD_TOKEN: not a sequence
 * that encode could have made, of that form. */
enum midi_status grid_decode(struct grid *g, struct grid_form form, const int32_t *ids,
                             size_t n);

/* The musical time of the token at index i, for a model that relates tokens by
 * it: 24 to a quarter, the same for all voices of a step, the first token a step
 * before them. */
int32_t grid_time(struct grid_form form, size_t i);
void grid_times(struct grid_form form, size_t n, int32_t *times); /* [n] */

/* The score's four tracks, high to low; of more or fewer, the first four that
 * have notes, the rest silent. A voice has one note at a time: the last begun,
 * and of those begun together the highest. MIDI_TOO_LONG: past GRID_MAX_STEPS. */
enum midi_status grid_from_score(struct grid *g, const struct score *s);
/* The one track's notes as a voice, the other voices silent. */
enum midi_status grid_from_track(struct grid *g, int voice, const struct score *s,
                                 int track);
/* Adds the notes of a voice to a track, in the score's own ticks. false: out of
 * memory. */
bool grid_voice_to_track(const struct grid *g, int voice, struct score *s, int track,
                         uint8_t velocity);
/* Four tracks at 480 ticks a quarter; grid_from_score gives the grid back, less
 * the silence at its end. NULL: out of memory. */
struct score *grid_to_score(const struct grid *g);

/* "PITCH 60", "HOLD", as token_name (midi/tokens/tokens.h). */
const char *grid_token_name(int32_t id, char *buf, size_t n_buf);

#endif
