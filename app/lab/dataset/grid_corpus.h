/* Four-voice pieces in sixteenths as training data: a JSON file in the format of
 * Jsb16thSeparated.json, the published Bach chorale benchmark.
 *
 *   {"train": [piece, ...], "valid": [...], "test": [...]}
 *   piece: [[S, A, T, B], ...]    MIDI pitches, -1 for silence, one row a sixteenth
 *
 * Sequences are those of midi/tokens/grid.h. Only loading is slow; the rest is pure: the same
 * corpus, lesson, seed, step and row give the same window. One thread at a time. */
#ifndef APP_GRID_CORPUS_H
#define APP_GRID_CORPUS_H

#include "app/decoding/grid_fill.h"
#include "app/lab/dataset/corpus.h"

struct grid_corpus {
    char name[64]; /* the file's, without its ending */
    struct grid *pieces[CORPUS_SPLITS];
    int n_pieces[CORPUS_SPLITS];
    int64_t n_cells[CORPUS_SPLITS];
    int low[GRID_VOICES], high[GRID_VOICES]; /* pitches of the training pieces */
    double *cumulative; /* [n_pieces[CORPUS_TRAIN]] chance of drawing up to it */
};

/* false: `fault` is one plain phrase that says what is wrong with the file. */
bool grid_corpus_open(struct grid_corpus **out, const char *path, char *fault,
                      size_t n_fault);
void grid_corpus_close(struct grid_corpus *c); /* NULL is fine */

/* One sequence of a batch; the arrays are the caller's. */
struct grid_row {
    int length;
    int32_t *tokens, *targets, *times; /* [length]; a target below 0 does not count */
    int32_t *sources, *source_times; /* [grid_lesson_source_length]; -1 past the end */
};

/* Draws a window of one piece of the training split, padded (target -1) if the piece is
 * shorter. Pieces are drawn by their length. A window begins whole bars of common time after
 * its piece does; first and last bars are drawn as often as middle ones. It is transposed by
 * -5 to 6 semitones, as far as each voice stays within its range in the training pieces.
 * length is at least 1. */
enum midi_status grid_corpus_draw(const struct grid_corpus *c,
                                  const struct grid_lesson *lesson, uint64_t seed,
                                  uint64_t step, int index, const struct grid_row *row);

/* Windows in which every target cell of a split counts exactly once. Before it the window has
 * length / 2 target cells of its piece, or all of them. length is at least 8. Stores number
 * `index`, if there is one, and returns how many there are. */
int grid_corpus_find_window(const struct grid_corpus *c,
                            const struct grid_lesson *lesson, enum corpus_split split,
                            int length, int index, struct grid_window *out);
enum midi_status grid_corpus_window(const struct grid_corpus *c,
                                    const struct grid_lesson *lesson,
                                    enum corpus_split split,
                                    const struct grid_window *w,
                                    const struct grid_row *row);

/* The nats of all target cells of a split by counts in the training pieces. */
struct grid_baseline {
    double unigram, bigram; /* sums of nats: alone, after the token before */
    double voice;           /* after its own voice's a step before */
    int64_t n_cells;
};
enum midi_status grid_corpus_baseline(const struct grid_corpus *c,
                                      struct grid_form told, enum corpus_split split,
                                      struct grid_baseline *b);

#endif
