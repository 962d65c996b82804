/* The *grid* tokenizer: four voices in sixteenths, with one token for each voice at
 * each step: soprano, alto, tenor, bass, then the next step.
 *
 *   BOS | INSIDE  { cell cell cell cell }     cell: REST, HOLD or PITCH
 *
 * BOS begins a piece, and INSIDE a window that begins later, so the token at index i
 * belongs to voice (i - 1) mod 4. Without *hold*, a sounding cell is its pitch, struck
 * or held. Then sequences are those of the published Bach chorale benchmark, token for
 * token (Boulanger-Lewandowski et al. 2012, quantised and separated as by Huang et al.
 * 2017), and repeated notes cannot be told from held ones. With *hold*, PITCH strikes a
 * note and HOLD continues it.
 *
 * A sequence may have only n neighbouring voices: the same tokens without the other
 * cells. The token at index i then belongs to voice first + (i - 1) mod n. So an
 * encoder reads the melody, and the decoder writes the voices below it.
 *
 * A grid is canonical if every sounding cell that is not struck continues the one
 * before; without hold, only changes of pitch are struck. No two canonical grids have
 * the same sequence (tests/midi/grid_decode.h reads it back). Only grid_from_score
 * loses something: starts and ends go to the nearest sixteenth, and a track is one
 * voice.
 *
 * Plain data, one owner; pure functions, any thread. models/FORMAT.md describes this,
 * too. */
#ifndef MIDI_GRID_H
#define MIDI_GRID_H

#include "midi/tokens/piece.h"

enum {
    GRID_VOICES = 4,
    GRID_STEP =
        STEPS_PER_QUARTER / 4, /* a sixteenth, in steps of midi/tokens/piece.h */
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
    GRID_PITCH = 5, /* 128 pitches */
    GRID_COUNT = GRID_PITCH + 128,
};

struct grid_cell {
    int16_t pitch;  /* 0..127 or GRID_SILENT */
    bool is_struck; /* a note begins; only of sounding cells */
};

struct grid {
    struct grid_cell *cells; /* [n_steps, GRID_VOICES] */
    int n_steps;
};

/* The form of a sequence: voices [first, first + n), with hold or without. */
struct grid_form {
    int first, n;
    bool hold;
};
#define GRID_ALL    ((struct grid_form){0, GRID_VOICES, false})
#define GRID_MELODY ((struct grid_form){0, 1, false})
#define GRID_LOWER  ((struct grid_form){1, GRID_VOICES - 1, false})

extern const char *const grid_voice_names[GRID_VOICES]; /* "soprano" and so on */

/* Makes a silent grid. MIDI_TOO_LONG: n_steps is negative or past GRID_MAX_STEPS. */
enum midi_status grid_init(struct grid *g, int n_steps);
void grid_fini(struct grid *g);
struct grid_cell *grid_at(const struct grid *g, int step, int voice);

/* Strikes exactly the sounding cells whose pitch changes. A grid without hold keeps no
 * more. */
void grid_join_repeats(struct grid *g);

/* The number of tokens of n steps, BOS or INSIDE included; and the number of steps that
 * the first n tokens begin. */
size_t grid_n_tokens(struct grid_form form, int n_steps);
int grid_n_steps(struct grid_form form, int n_tokens);
/* Writes grid_n_tokens(form, n_steps) tokens to `ids`. A window that begins later
 * strikes what sounds at its first step. */
void grid_encode(const struct grid *g, struct grid_form form, int first_step,
                 int n_steps, int32_t *ids);

/* Returns the musical time of token i, 24 to a quarter: the same for all voices of a
 * step. The first token is one step earlier. */
int32_t grid_time(struct grid_form form, size_t i);
void grid_times(struct grid_form form, size_t n, int32_t *times); /* [n] */

/* Reads the score's four tracks, high to low; if it has more or fewer, the first four
 * with notes. A voice has one note at a time: the one that began last, and of those the
 * highest. MIDI_TOO_LONG: past GRID_MAX_STEPS. */
enum midi_status grid_from_score(struct grid *g, const struct score *s);
/* Reads one track as one voice; the other voices are silent. */
enum midi_status grid_from_track(struct grid *g, int voice, const struct score *s,
                                 int track);
/* Adds the notes of a voice to a track, in the score's ticks. false: out of memory. */
bool grid_voice_to_track(const struct grid *g, int voice, struct score *s, int track,
                         uint8_t velocity);

/* Returns "PITCH 60" or "HOLD", as token_name does (midi/tokens/tokens.h). */
const char *grid_token_name(int32_t id, char *buf, size_t n_buf);

#endif
