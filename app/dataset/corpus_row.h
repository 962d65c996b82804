/* A row of tokens being filled with windows of pieces, one after another: where each
 * begins and how it is changed has been drawn. One owner; pure functions. */
#ifndef APP_CORPUS_ROW_H
#define APP_CORPUS_ROW_H

#include "app/dataset/corpus.h"
#include "model/decoder/sampler.h"

/* Ids, and whether each is to be learnt. */
struct corpus_row {
    int32_t *ids;
    bool *counts;
    int n, capacity;
};

/* Bars of a piece from one on, as they are to be told. */
struct corpus_view {
    const struct corpus_piece *from;
    int32_t first_bar;
    int transpose, louder;
    enum style style;
    bool has_hole, has_chords;
};

/* Room for `length` tokens and what follows the last. Fini it whatever comes back. */
enum midi_status corpus_row_init(struct corpus_row *row, int length);
void corpus_row_fini(struct corpus_row *row);

/* With its hole where one fits, else plain, as far as the row goes. */
enum midi_status corpus_row_add(struct corpus_row *row, const struct corpus_view *w,
                                struct rng *r);
enum midi_status corpus_row_add_plain(struct corpus_row *row,
                                      const struct corpus_view *w);
/* The same, its chords given (corpus_chord_counts). */
enum midi_status corpus_row_add_chords(struct corpus_row *row,
                                       const struct corpus_view *w);
/* MIDI_EMPTY, MIDI_TOO_LONG: there is none that fits. */
enum midi_status corpus_row_add_hole(struct corpus_row *row,
                                     const struct corpus_view *w, struct rng *r);

/* The row becomes tokens and what follows each; nothing follows the end of a window,
 * or padding. */
void corpus_row_split(const struct corpus_row *row, int32_t *tokens, int32_t *targets);

#endif
