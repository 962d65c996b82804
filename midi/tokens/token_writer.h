/* Writing pieces as score tokens: the part that plain sequences and those with a hole
 * have in common. Used by midi/tokens/tokens.c and midi/tokens/fill.c only. */
#ifndef MIDI_TOKEN_WRITER_H
#define MIDI_TOKEN_WRITER_H

#include "midi/tokens/tokens.h"

/* Tokens a caller may be handed at most; 256 MB of them. */
#define TOKEN_WRITER_MOST ((size_t)1 << 25)

struct token_writer {
    const struct piece *piece;
    struct tokens *out;                  /* room for all of it is there beforehand */
    size_t note, chord, meter;           /* next to be written */
    int track;                           /* last spoken; -1: none */
    int8_t velocities[TOKEN_MAX_TRACKS]; /* of each track's last note; -1: none */
    int64_t marks[2];                    /* steps at which HOLE and RESUME are said */
    int mark;                            /* next of them; 2: none is left */
};

/* Tokens that a piece takes at most, with both its ends; SIZE_MAX when it is past
 * TOKEN_WRITER_MOST. */
size_t token_writer_most(const struct piece *p);
/* MIDI_TOO_LONG: n is past TOKEN_WRITER_MOST. */
enum midi_status token_writer_alloc(struct tokens *t, size_t n);

/* Writes BOS, STYLE and the tracks; no marks. */
struct token_writer token_writer_begin(struct tokens *t, const struct piece *p);
/* Nothing of the tracks has been said, as at the beginning of a hole. */
void token_writer_forget(struct token_writer *w);
/* All bars, with marks where they fall; those past the last bar after it. */
void token_writer_bars(struct token_writer *w);

void token_writer_put(struct token_writer *w, int32_t id, int32_t note);
void token_writer_position(struct token_writer *w, int32_t position, int32_t note);
/* From TRACK on, which is said when it is another. */
void token_writer_note(struct token_writer *w, const struct grid_note *n, int32_t note);

#endif
