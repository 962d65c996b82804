/* Four-voice pieces in sixteenths as training data: a JSON file of the form of
 * Jsb16thSeparated.json, the published Bach chorale benchmark.
 *
 *   {"train": [piece, ...], "valid": [...], "test": [...]}
 *   piece: [[S, A, T, B], ...]    MIDI pitches, -1 for silence, one row a sixteenth
 *
 * Sequences are midi/tokens/grid.h's. Loading is the only slow part; the rest is pure: the
 * same corpus, lesson, seed, step and row give the same window. Any one thread at a
 * time. */
#ifndef APP_GRID_CORPUS_H
#define APP_GRID_CORPUS_H

#include "app/dataset/corpus.h"
#include "midi/tokens/grid.h"

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

/* The voices that are to be told, and those that an encoder hears before, of the same
 * steps; heard.n 0: none. */
struct grid_lesson {
    struct grid_form told, heard;
};
/* All voices; with an encoder the lower ones, below a melody that is heard. */
struct grid_lesson grid_lesson_for(bool has_encoder, bool hold);
/* Tokens heard, at most, where so many are told. */
int grid_lesson_source_length(const struct grid_lesson *lesson, int length);

/* One sequence of a batch; the arrays are the caller's. */
struct grid_row {
    int length;
    int32_t *tokens, *targets, *times; /* [length]; a target below 0 does not count */
    int32_t *sources, *source_times; /* [grid_lesson_source_length]; -1 past the end */
};

/* A window of one piece of the training split to learn from, padded (target -1)
 * where the piece is shorter. Pieces are drawn by their length; a window begins a
 * whole bar of common time after its piece does, and beginnings and ends are drawn
 * as often as middles are. It is transposed by anything from -5 to 6 that leaves
 * each voice of the piece within its range in the training pieces. length is at
 * least 1. */
enum midi_status grid_corpus_draw(const struct grid_corpus *c,
                                  const struct grid_lesson *lesson, uint64_t seed,
                                  uint64_t step, int index, const struct grid_row *row);

/* A window to measure on, of which the told cells [from, to) of its piece count. */
struct grid_window {
    int piece, first_step;
    int from, to;
};

/* The window whose first cell to count is `from`, of a piece of so many steps: as late
 * as leaves half the length before it, at a bar of common time where that advances. */
struct grid_window grid_window_from(int n_steps, struct grid_form told, int from,
                                    int length);

/* Windows in which every told cell of a split counts exactly once, with length / 2
 * of its piece's told cells before it in the window, or all there are; length is at
 * least 8. *out is malloc'd; the number, -1: out of memory. */
int grid_corpus_windows(const struct grid_corpus *c, const struct grid_lesson *lesson,
                        enum corpus_split split, int length, struct grid_window **out);
enum midi_status grid_corpus_window(const struct grid_corpus *c,
                                    const struct grid_lesson *lesson,
                                    enum corpus_split split,
                                    const struct grid_window *w,
                                    const struct grid_row *row);

/* What counting the training pieces predicts of all told cells of a split. */
struct grid_baseline {
    double unigram, bigram; /* sums of nats: alone, after the token before */
    double voice;           /* after its own voice's a step before */
    int64_t n_cells;
};
enum midi_status grid_corpus_baseline(const struct grid_corpus *c,
                                      struct grid_form told, enum corpus_split split,
                                      struct grid_baseline *b);

#endif
