/* A folder of MIDI files as training data: pieces on the model's grid, split by piece, and
 * windows of tokens drawn from them.
 *
 * DIR/<corpus>/{train,valid,test}/... is used as it is. A folder without splits is split nine
 * to one into train and valid, by a hash of each path. Where that leaves one of them empty, a
 * piece is held back, or the last bars of one (corpus_hold_back.c). Only loading is slow; the
 * rest is pure: the same corpus, seed, step and row give the same window. One thread at a
 * time. */
#ifndef APP_CORPUS_H
#define APP_CORPUS_H

#include "midi/tokens/tokens.h"

enum corpus_split { CORPUS_TRAIN, CORPUS_VALID, CORPUS_TEST, CORPUS_SPLITS };
extern const char *const corpus_split_names[CORPUS_SPLITS]; /* "train", ... */
/* false: no such split, and *split is unchanged. */
bool corpus_split_parse(const char *text, enum corpus_split *split);

struct corpus_piece {
    struct piece piece; /* with chords, guessed */
    int32_t *bars;      /* [n_bars + 1] first step of each bar; the last is the end */
    int64_t n_tokens;   /* of the whole piece, BOS to EOS, without chords */
    int group;          /* the corpus it is of */
    char *path;         /* of its file */
    bool goes_on;       /* it is an excerpt: its end is not an ending */
};

struct corpus_group {
    char name[64];
    enum style style;
    int64_t n_tokens[CORPUS_SPLITS], n_notes[CORPUS_SPLITS];
    int n_pieces[CORPUS_SPLITS];
};

enum { CORPUS_MOST_GROUPS = 1024, CORPUS_LENGTHS = 4 };

/* Rows of one length. */
struct corpus_length {
    int tokens;   /* 0: any */
    double share; /* of the steps whose rows are of this length or an earlier one */
    double *cumulative; /* [n_pieces[CORPUS_TRAIN]] chance of drawing up to it */
};

struct corpus {
    struct corpus_group *groups;
    int n_groups;
    struct corpus_piece *pieces[CORPUS_SPLITS]; /* in order of their paths */
    int n_pieces[CORPUS_SPLITS];
    size_t capacity[CORPUS_SPLITS];
    int n_skipped;      /* files that could not be read, or were empty */
    char skipped[4096]; /* the path of the first */
    struct corpus_length lengths[CORPUS_LENGTHS]; /* corpus_mix; longest first */
    int n_lengths;
    uint32_t *bigrams; /* [TOKEN_COUNT, TOKEN_COUNT] counts in the training pieces */
};

/* dir: a folder, or one MIDI file. names: corpora to load, separated by commas; NULL: all.
 * MIDI_EMPTY: no MIDI file there could
 * be used. goes_on, if not NULL, is called with the number of files read so far; false: the
 * others are not read. */
enum midi_status corpus_open(struct corpus **out, const char *dir, const char *names,
                             bool (*goes_on)(int n_files));
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

/* Shares of windows, 0 to 1: with a hole (midi/tokens/fill.h), and with chord tokens. */
struct corpus_shares {
    double holes, chords;
};

/* Draws one row of a training batch: tokens [length] and targets [length]. A target is -1
 * if the next token does not count: the beginning of another window, a hole's request, the
 * chords around a hole. Rows of one of the mixture's lengths hold the pieces that it has for
 * that length. */
enum midi_status corpus_draw(const struct corpus *c, struct corpus_shares shares,
                             uint64_t seed, uint64_t step, int row, int length,
                             int32_t *tokens, int32_t *targets);

/* Row `index` of `count` fixed windows, spread over the corpora of a split. A row is one
 * window of one piece, padded, without augmentation. The bars are the same in each kind:
 * plain; with a hole, whose notes and end are the only targets (all padding if there is no
 * room for one); eight of them with one track missing, likewise; and with chord tokens, which are no targets, so that a window over given
 * chords can be compared, note for note, with a plain one. */
enum corpus_window_kind { CORPUS_PLAIN, CORPUS_HOLE, CORPUS_MISSING, CORPUS_CHORDS };
enum midi_status corpus_window(const struct corpus *c, enum corpus_split split,
                               enum corpus_window_kind kind, int index, int count,
                               int length, int32_t *tokens, int32_t *targets);

/* The targets' nats by the training pieces' token frequencies: of single tokens (unigram), and
 * after the token before (bigram). */
struct baseline {
    double unigram, bigram; /* sums of nats */
    int64_t n_tokens, n_notes;
};
void corpus_baseline(const struct corpus *c, const int32_t *tokens,
                     const int32_t *targets, size_t n, struct baseline *sum);

#endif
