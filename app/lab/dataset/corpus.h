/* Training data: pieces on the model's grid, split by piece, and windows of tokens drawn from
 * them. The pieces are scores from a folder of MIDI files, in score tokens, or four voices in
 * sixteenths from a JSON file, in grid tokens.
 *
 * DIR/<corpus>/{train,valid,test}/... is used as it is. A folder without splits is split nine
 * to one into train and valid, by a hash of each path. Where that leaves one of them empty, a
 * piece is held back, or the last bars of one (corpus_hold_back.c). Only loading is slow; the
 * rest is pure: the same corpus, seed, step and row give the same window. One thread at a
 * time. */
#ifndef APP_CORPUS_H
#define APP_CORPUS_H

#include "app/decoding/grid_fill.h"
#include "midi/tokens/tokens.h"
#include "model/weights/model.h"

#include <stdio.h>

enum corpus_split { CORPUS_TRAIN, CORPUS_VALID, CORPUS_TEST, CORPUS_SPLITS };
extern const char *const corpus_split_names[CORPUS_SPLITS]; /* "train", ... */
/* false: no such split, and *split is unchanged. */
bool corpus_split_parse(const char *text, enum corpus_split *split);

struct corpus_piece {
    struct piece piece; /* a score, with chords, guessed; */
    struct grid grid;   /* or four voices */
    int32_t *bars;      /* [n_bars + 1] first step of each bar; the last is the end */
    int64_t n_tokens; /* of the whole score, BOS to EOS, without chords; or the cells */
    int group;        /* the corpus it is of */
    bool goes_on;     /* it is an excerpt: its end is not an ending */
};

struct corpus_group {
    char name[64];
    enum style style;
    int64_t n_tokens[CORPUS_SPLITS], n_notes[CORPUS_SPLITS]; /* a cell is a note, too */
    int n_pieces[CORPUS_SPLITS];
};

enum { CORPUS_MOST_GROUPS = 1024, CORPUS_LENGTHS = 4 };

/* Rows of one length. */
struct corpus_length {
    int tokens;   /* 0: any */
    double share; /* of the steps whose rows are of this length or an earlier one */
    double *cumulative; /* [n_pieces[CORPUS_TRAIN]] chance of drawing up to it */
};

/* Shares of windows, 0 to 1: with a hole (midi/tokens/fill.h), and with chord tokens. */
struct corpus_shares {
    double holes, chords;
};

struct corpus {
    bool is_grid; /* four voices, one group; else scores */
    /* How windows are drawn, for the caller to set: of scores, and of voices. */
    struct corpus_shares shares;
    struct grid_lesson lesson;

    struct corpus_group *groups;
    int n_groups;
    struct corpus_piece *pieces[CORPUS_SPLITS]; /* in order of their paths */
    int n_pieces[CORPUS_SPLITS];
    size_t capacity[CORPUS_SPLITS];
    int n_files;        /* that were read */
    bool is_cut;        /* the time was up: there may be more */
    int n_skipped;      /* files that could not be read, or were empty */
    char skipped[4096]; /* the path of the first */
    struct corpus_length lengths[CORPUS_LENGTHS]; /* corpus_mix; longest first */
    int n_lengths;
    /* Of the training pieces: counts [TOKEN_COUNT, TOKEN_COUNT] of scores; and pitches. */
    uint32_t *bigrams;
    int low[GRID_VOICES], high[GRID_VOICES];
};

/* Scores. dir: a folder, or one MIDI file. names: corpora to load, separated by commas; NULL: all.
 * MIDI_EMPTY: no MIDI file there could be used. At the time `until` (seconds, as
 * clock_now_seconds; INFINITY: never) the files that are not read yet are left out. */
enum midi_status corpus_open(struct corpus **out, const char *dir, const char *names,
                             double until);
/* Four voices, from a JSON file in the format of Jsb16thSeparated.json, the published Bach
 * chorale benchmark:
 *
 *   {"train": [piece, ...], "valid": [...], "test": [...]}
 *   piece: [[S, A, T, B], ...]    MIDI pitches, -1 for silence, one row a sixteenth
 *
 * All voices are told, without hold. false: `fault` is one plain phrase that says what is wrong
 * with the file. */
bool corpus_open_grid(struct corpus **out, const char *path, char *fault,
                      size_t n_fault);
void corpus_close(struct corpus *c);        /* NULL is fine */
bool corpus_is_midi(const char *file_name); /* by its ending */

/* The group that window `index` is of: the *n that have pieces in the split take turns. -1:
 * none has. */
int corpus_group_in_turn(const struct corpus *c, enum corpus_split split, int index,
                         int *n);
/* Piece number k of a group, from 0. NULL: it has fewer. */
const struct corpus_piece *corpus_nth_piece(const struct corpus *c,
                                            enum corpus_split split, int group, int k);
/* Some corpora that have a share of all tokens together. */
struct mixture_part {
    double share;
    char names[512]; /* shell patterns, separated by spaces */
};

/* How often each piece is drawn, and in rows of which length. */
struct corpus_mixture {
    /* A corpus is drawn in proportion to this power of its tokens, 0 to 1, within its part, or
     * within what the parts leave. 0.5 when a corpus is opened, so that small ones are drawn
     * beside large ones. */
    double power;
    struct mixture_part parts[32]; /* the first that names a corpus counts */
    int n_parts;
    /* Tokens of the longest and shortest rows; lengths halve from one to the other. Half of a
     * piece's tokens are drawn in the shortest rows that hold sixteen of its bars, or in the
     * longest; half in the shortest. 0: rows of one length. */
    int longest, shortest;
};

/* Reads a table of parts: a share of all tokens, 0 to 1, and names on each line; '#' begins a
 * remark. Returns 0; -1: the file cannot be read, errno says why; else the number of the line
 * that is wrong, which may be one that makes the shares more than 1. */
int mixture_read_parts(struct corpus_mixture *m, const char *path);
/* MIDI_NO_MEMORY: nothing changed. */
enum midi_status corpus_mix(struct corpus *c, const struct corpus_mixture *m);
/* The tokens of the rows of a step; 0: any. */
int corpus_row_length(const struct corpus *c, uint64_t seed, uint64_t step);

/* -- sequences of tokens -- */

/* One sequence of a batch; the arrays are the caller's. */
struct corpus_sequence {
    int length;
    int32_t *tokens, *targets, *times; /* [length]; a target below 0 does not count */
    int32_t *sources, *source_times;   /* [corpus_source_length]; -1 past the end */
};

/* Sequences; owned. */
struct corpus_batch {
    int n, length, source_length;
    int32_t *tokens, *targets, *times; /* [n, length] */
    int32_t *sources, *source_times;   /* [n, source_length]; NULL: none */
};

/* Makes n sequences without targets. Call corpus_batch_fini in every case. */
enum midi_status corpus_batch_init(struct corpus_batch *b, const struct corpus *c,
                                   int n, int length);
void corpus_batch_fini(struct corpus_batch *b);
struct corpus_sequence corpus_batch_at(const struct corpus_batch *b, int i);

/* As a NumPy file (.npy) of int16 [rows, n, length]: tokens, targets and times, and, if there are
 * sources, these and their times, padded to the same length. Numbers above INT16_MAX are clamped
 * to it: a time so late is far from all others. false: errno says why. */
bool corpus_batch_write(const struct corpus_batch *b, FILE *to);
/* The state of the tokens, so that a trainer need not know what they mean: int16 [n, length,
 * MODEL_STATE_MOST], the rows of the state table that each token's bag has, and -1 where it has no
 * more. */
bool corpus_batch_write_state(const struct corpus_batch *b,
                              const struct model_state_kind *kind, FILE *to);

/* The model's vocabulary; and the most tokens of the melody that an encoder reads beside `length`
 * tokens of the lower voices, 0: there is none. */
int corpus_vocab(const struct corpus *c);
int corpus_source_length(const struct corpus *c, int length);

/* Draws one sequence of a training batch.
 *
 * Of scores, it is filled with one window after another. A target is -1 if the next token does
 * not count: the beginning of another window, a hole's request, the chords around a hole.
 * Sequences of one of the mixture's lengths hold the pieces that it has for that length.
 *
 * Of four voices, it is one window, padded (target -1) if the piece is shorter. It begins whole
 * bars of common time after its piece does; first and last bars are drawn as often as middle ones.
 * It is transposed by -5 to 6 semitones, as far as each voice stays within its range in the
 * training pieces. */
enum midi_status corpus_sample(const struct corpus *c, uint64_t seed, uint64_t step,
                               int index, const struct corpus_sequence *to);

/* The windows of a split that are measured. Of scores `wanted`, spread over the groups; of four
 * voices as many of `length` tokens (at least 8) as count every target cell once, each after
 * length / 2 of its piece or all of them. 0: no music of that split. */
int corpus_n_windows(const struct corpus *c, enum corpus_split split, int wanted,
                     int length);
/* Window `index` of `count`, of one piece, padded, without augmentation. Of scores, the bars are
 * the same in each kind: plain; with a hole, whose notes and end are the only targets (all padding
 * if there is no room for one); eight of them with one track missing, likewise; and with chord
 * tokens, which are no targets, so that a window over given chords can be compared, note for note,
 * with a plain one. */
enum corpus_window_kind { CORPUS_PLAIN, CORPUS_HOLE, CORPUS_MISSING, CORPUS_CHORDS };
enum { CORPUS_KINDS = CORPUS_CHORDS + 1 };
enum midi_status corpus_window(const struct corpus *c, enum corpus_split split,
                               enum corpus_window_kind kind, int index, int count,
                               const struct corpus_sequence *to);

/* -- a file of excerpts: bars of many pieces as score tokens, deflated. It is small enough to come
 * with the program, so that a model that learns a user's music can be reminded of all other.
 * models/FORMAT.md describes it -- */

/* Writes `count` excerpts of some `length` tokens each, the corpora of the split in turn.
 * MIDI_CANNOT_WRITE: errno says why. */
enum midi_status corpus_excerpts_write(const struct corpus *c, enum corpus_split split,
                                       int count, int length, FILE *to);
/* Reads them: of each corpus one in eight is for CORPUS_VALID. MIDI_BAD_TOKEN: not such a
 * file, or damaged. */
enum midi_status corpus_excerpts_open(struct corpus **out, const char *path);

/* -- what counting predicts -- */

/* Nats by the token frequencies of the training pieces: of single tokens (unigram), and after a
 * token before (bigram). */
struct baseline {
    double unigram, bigram; /* sums of nats */
    int64_t n_tokens, n_notes;
};
/* Adds the targets of a score's window; the bigram is after the token before. */
void corpus_baseline(const struct corpus *c, const int32_t *tokens,
                     const int32_t *targets, size_t n, struct baseline *sum);
/* Of all cells of a split in a form; the bigram is after the cell `apart` before: 1 the one before,
 * as many as there are voices the same voice's a step before. */
enum midi_status corpus_grid_baseline(const struct corpus *c, struct grid_form form,
                                      int apart, enum corpus_split split,
                                      struct baseline *sum);

#endif
