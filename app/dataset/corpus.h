/* A folder of MIDI files as training data: pieces on the model's grid, split
 * by piece, and token windows drawn from them.
 *
 * DIR/<corpus>/{train,valid,test}/... is taken as it is; files of a folder
 * that is not split go nine to one into train and valid, by a hash of their
 * path. Loading is the only slow part; the rest is pure: the same corpus, seed, step and row give the same
 * window. Any one thread at a time. */
#ifndef APP_CORPUS_H
#define APP_CORPUS_H

#include "midi/tokens/tokens.h"

enum corpus_split { CORPUS_TRAIN, CORPUS_VALID, CORPUS_TEST, CORPUS_SPLITS };
/* "train", "valid" or "test"; false, and nothing set: another word. */
bool corpus_split_parse(const char *text, enum corpus_split *split);

struct corpus_piece {
    struct piece piece; /* with chords, guessed */
    int32_t *bars;      /* [n_bars + 1] first step of each bar; the last is the end */
    int64_t n_tokens;   /* of the whole piece, BOS to EOS, without chords */
    int group;          /* the corpus it is of */
    char *path;         /* of its file */
};

struct corpus_group {
    char name[64];
    enum style style;
    int64_t n_tokens[CORPUS_SPLITS], n_notes[CORPUS_SPLITS];
    int n_pieces[CORPUS_SPLITS];
};

struct corpus {
    struct corpus_group *groups;
    int n_groups;
    struct corpus_piece *pieces[CORPUS_SPLITS]; /* in order of their paths */
    int n_pieces[CORPUS_SPLITS];
    int n_skipped;      /* files that could not be read, or were empty */
    char skipped[4096]; /* the path of the first */
    double *cumulative; /* [n_pieces[CORPUS_TRAIN]] chance of drawing up to it */
    uint32_t *bigrams; /* [TOKEN_COUNT, TOKEN_COUNT] of the training pieces, likewise */
};

/* names: corpora to take, separated by commas; NULL: all. MIDI_EMPTY: no MIDI
 * file there could be used. progress, if not NULL, is told how many files
 * have been read. */
enum midi_status corpus_open(struct corpus **out, const char *dir, const char *names,
                             void (*progress)(int n_files));
void corpus_close(struct corpus *c); /* NULL is fine */
/* Corpora are drawn by this power of their size, 0 to 1: by the root (0.5) when opened,
 * so that the small are heard beside the large. */
void corpus_weigh(struct corpus *c, double power);

/* Of windows, 0 to 1: those with a hole (midi/tokens/fill.h), those with their chords said. */
struct corpus_shares {
    double holes, chords;
};

/* One row of a training batch: tokens [length] and targets [length], -1 where
 * the next token is not to be learnt (the beginning of another window, what is asked
 * of a hole, chords around one). */
enum midi_status corpus_draw(const struct corpus *c, struct corpus_shares shares,
                             uint64_t seed, uint64_t step, int row, int length,
                             int32_t *tokens, int32_t *targets);

/* Row `index` of `count` fixed windows that spread over the corpora of a
 * split; no augmentation, no chords, one window of one piece to a row, padded. */
enum midi_status corpus_window(const struct corpus *c, enum corpus_split split,
                               int index, int count, int length, int32_t *tokens,
                               int32_t *targets);

/* The same bars with a hole in them and no chords, of which alone the targets are: notes to be filled
 * in, and where they end. Padding, where the bars have no room for one. */
enum midi_status corpus_hole_window(const struct corpus *c, enum corpus_split split,
                                    int index, int count, int length, int32_t *tokens,
                                    int32_t *targets);

/* The same bars with their chords said, which are no targets: so a window over given
 * chords compares, note for note, with one that has none. */
enum midi_status corpus_chord_window(const struct corpus *c, enum corpus_split split,
                                     int index, int count, int length, int32_t *tokens,
                                     int32_t *targets);

/* Nats of the targets under the training pieces' token frequencies, alone and
 * after the token before. */
struct baseline {
    double unigram, bigram; /* sums of nats */
    int64_t n_tokens, n_notes;
};
void corpus_baseline(const struct corpus *c, const int32_t *tokens,
                     const int32_t *targets, size_t n, struct baseline *sum);

#endif
