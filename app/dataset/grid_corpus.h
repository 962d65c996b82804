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

#include "app/dataset/corpus.h"
#include "midi/tokens/grid.h"
#include "model/decoder/decoder.h"
#include "model/decoder/sampler.h"

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

/* The voices that the decoder predicts (told), and those that the encoder reads (heard), of
 * the same steps. heard.n 0: no encoder. */
struct grid_lesson {
    struct grid_form told, heard;
};
/* Predicts all voices; with an encoder the lower ones, given the melody. */
struct grid_lesson grid_lesson_for(bool has_encoder, bool hold);
/* The most encoder tokens for `length` decoder tokens. */
int grid_lesson_source_length(const struct grid_lesson *lesson, int length);

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

/* A window for validation; of its piece's target cells, [from, to) count. */
struct grid_window {
    int piece, first_step;
    int from, to;
};

/* The window of a piece of n_steps steps whose first counted cell is `from`. It begins as late
 * as leaves half the length before that cell, at a bar of common time where that advances. */
struct grid_window grid_window_from(int n_steps, struct grid_form told, int from,
                                    int length);

/* Windows in which every target cell of a split counts exactly once. Before it the window
 * has length / 2 target cells of its piece, or all of them. length is at least 8. *out is
 * malloc'd. Returns the number of windows; -1: out of memory. */
int grid_corpus_windows(const struct grid_corpus *c, const struct grid_lesson *lesson,
                        enum corpus_split split, int length, struct grid_window **out);
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

/* The published measure of a model on four-voice music: note-wise negative log likelihood. It
 * is the mean nats of a cell (one voice at one sixteenth, rests too) given the cells before
 * it. Every cell of a split counts once. One thread. */

struct grid_score {
    double nats[GRID_VOICES]; /* sums over the cells of each target voice */
    int64_t n_cells[GRID_VOICES];
};

struct grid_score_request {
    const struct model *model;
    struct pool *pool;
    const struct grid_corpus *corpus;
    struct grid_lesson lesson; /* the model's lesson: its target and source voices */
    enum corpus_split split;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

/* Measures in windows of the model's context (grid_corpus_windows). MODEL_BAD_CONFIG: the
 * model has other tokens or another lesson, or its context is below 8. */
enum model_status grid_score_measure(struct grid_score *score,
                                     const struct grid_score_request *request);

/* The sum over all voices. */
double grid_score_sum(const struct grid_score *score, int64_t *n_cells);

/* Generates the cells of a grid with a model of grid tokens: all voices, or, if the model has
 * an encoder that reads the melody, the voices below it.
 *
 * It works in windows of the model's context; each keeps half of the one before. In a
 * window the encoder reads the melody, the decoder reads the known cells, and the rest is
 * drawn. A cell is a rest, a pitch, or (if the model has hold tokens) the note before,
 * held. Nothing else can be drawn, so it ends after one token for each cell. Pitches that make
 * parallel fifths or octaves with a voice above are seldom drawn. The same grid, model and
 * seed give the same cells. Blocks while it works; any one thread. */

struct grid_fill_request {
    const struct model *model;
    struct pool *pool;
    struct grid_lesson lesson; /* the model's */
    int from_step;             /* cells are generated from here on */
    struct sampling sampling;
    const atomic_bool *cancel; /* as decoder_set_cancel, or NULL */
};

struct grid_fill_result {
    int n_tokens;
    double log_prob; /* summed, in nats, under the mask, parallels rarer */
    double masked;   /* probability the mask took away, mean */
};

/* Writes the target voices of g from from_step on; nothing else changes. MODEL_BAD_CONFIG:
 * the model has other tokens or another lesson, or its context is too short. */
enum model_status grid_fill(struct grid *g, const struct grid_fill_request *request,
                            struct grid_fill_result *result);

#endif
