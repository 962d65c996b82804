/* Writing and reading score tokens: the part that plain sequences (midi/tokens/tokens.h)
 * and those with a hole (midi/tokens/fill.h) share. */
#ifndef MIDI_TOKEN_CODEC_H
#define MIDI_TOKEN_CODEC_H

#include "midi/tokens/tokens.h"
#include "midi/tokens/parser.h"

/* Tokens in the largest sequence, which takes 256 MB. */
#define TOKEN_WRITER_MOST ((size_t)1 << 25)

struct token_writer {
    const struct piece *piece;
    struct tokens *out;                  /* has enough room */
    size_t note, chord, meter;           /* indices of what is written next */
    int32_t first;                       /* number of the piece's first note in `out` */
    int track;                           /* last one that was written; -1: none */
    int8_t velocities[TOKEN_MAX_TRACKS]; /* of each track's last note; -1: none */
    int64_t marks[2];                    /* steps of HOLE and RESUME */
    int mark;                            /* index of the next mark; 2: none is left */
};

/* Returns the most tokens that a piece can take, with both ends. A result past
 * TOKEN_WRITER_MOST may be too small. */
size_t token_writer_most(const struct piece *p);
/* MIDI_TOO_LONG: n is past TOKEN_WRITER_MOST. */
enum midi_status token_writer_alloc(struct tokens *t, size_t n);

/* Writes BOS, STYLE and the tracks. The writer has no marks. */
struct token_writer token_writer_begin(struct tokens *t, const struct piece *p);
/* Forgets the track and the velocities, as at the beginning of a hole. */
void token_writer_forget(struct token_writer *w);
/* Writes all bars with their marks; marks past the last bar come after it. */
void token_writer_bars(struct token_writer *w);

void token_writer_put(struct token_writer *w, int32_t id, int32_t note);
void token_writer_position(struct token_writer *w, int32_t position, int32_t note);
/* Writes the marks, chords and notes before the step `end`, which lie in the bar that
 * starts at bar_start. */
void token_writer_notes(struct token_writer *w, int32_t bar_start, int64_t end);

/* Makes an empty piece with room for what n tokens can hold. */
enum midi_status token_reader_init(struct piece *p, size_t n);
/* Reads a whole sequence, or one that stops between notes. `inside` receives the notes
 * of a hole; if it is NULL, no hole is allowed. *at tells where the sequence ends. */
enum midi_status token_reader_read(struct parser *at, struct piece *p,
                                   struct piece *inside, const int32_t *ids, size_t n);

#endif
