/* What a run trains on: a folder of MIDI files in score tokens, or a JSON file of four voices
 * in grid tokens. Only this file knows the difference. One thread. */
#ifndef APP_TRAIN_MUSIC_H
#define APP_TRAIN_MUSIC_H

#include "app/lab/dataset/grid_corpus.h"
#include "app/lab/training/train_run.h"
#include "model/train/train.h"

/* One of them, the other is NULL; owned. */
struct train_music {
    struct corpus *folder;
    struct grid_corpus *grid;
    struct grid_lesson lesson;   /* of a grid */
    struct corpus_shares shares; /* of a folder */
    struct corpus *rehearsal;    /* in addition to a folder; owned. NULL: none */
    double rehearse;             /* share of rows that are drawn from it */
    double until;                /* reading ends then; seconds, monotonic */
};

/* Whether data is a file of four voices, not a MIDI file. */
bool train_music_is_grid(const char *data);
/* data: a folder or a file. corpora: of a folder, NULL: all. report: may be NULL. At that time (seconds, as
 * clock_now_seconds; INFINITY: never) the files that are not read yet are left out. Prints
 * what it found and returns the exit status. Close it in every case. */
int train_music_open(struct train_music *m, const char *data, const char *corpora,
                     double until, struct train_report *report);
/* Adds a rehearsal to a folder: `share` of the rows of a step are drawn from that file of
 * excerpts. NULL: the program's own. Returns the exit status. */
int train_music_rehearse(struct train_music *m, const char *file, double share,
                         struct train_report *report);
/* Gives each piece of a folder without a style the style that the model guesses; those that
 * are left at that time keep none. */
enum model_status train_music_guess_styles(struct train_music *m,
                                           const struct model *from, struct pool *pool,
                                           double until);
/* Sets how often each piece of a folder is drawn, and the length of its rows; does nothing for
 * four voices. parts: a file, or NULL. Prints errors and returns the exit status. */
int train_music_mix(struct train_music *m, struct corpus_mixture mixture,
                    const char *parts);
void train_music_close(struct train_music *m);

int train_music_vocab(const struct train_music *m);
/* The tokenizer of a model of `vocab` tokens: JSON, malloc'd. */
char *train_music_tokenizer(const struct train_music *m, int vocab);
/* The length of the encoder's input for `length` decoder tokens; 0: no encoder. */
int train_music_source_length(const struct train_music *m, int length);

/* Sequences for training or validation; owned. */
struct train_rows {
    int n, length, source_length;
    int32_t *tokens, *targets, *times; /* [n, length] */
    int32_t *sources, *source_times;   /* [n, source_length]; NULL: none */
};

/* Makes n rows without targets. Call train_rows_fini in every case. */
enum midi_status train_rows_init(struct train_rows *rows, const struct train_music *m,
                                 int n, int length);
void train_rows_fini(struct train_rows *rows);
struct grid_row train_rows_at(const struct train_rows *rows, int i);
/* From row `first` on, borrowed. */
struct train_batch train_rows_batch(const struct train_rows *rows, int first);

/* Draws the rows of one training step, from the seed and the step's number alone. Sets their
 * length to the step's, if the music has several (corpus_mix). */
enum midi_status train_music_draw(const struct train_music *m, uint64_t seed,
                                  uint64_t step, struct train_rows *rows);

/* The windows of a split that are measured: of four voices as many of `length` tokens as count
 * every cell once; of a folder `wanted`, spread over its corpora. 0: no music of that split. */
int train_music_n_windows(const struct train_music *m, enum corpus_split split,
                          int wanted, int length);
/* Window `index` of `count`. kind: of a folder. */
enum midi_status train_music_window(const struct train_music *m,
                                    enum corpus_split split,
                                    enum corpus_window_kind kind, int index, int count,
                                    const struct grid_row *row);

/* The windows that measure a training run. They are fixed when it begins, and the same for
 * every run of the same music, batch and length. A folder gives some windows, spread over
 * its corpora, and fewer in a rehearsal, which measures often; a grid corpus gives all, so
 * that every cell counts once. */

struct validation {
    struct train_rows rows; /* a multiple of the batch; 0: nothing held out */
    int batch;
    struct baseline baseline; /* what counting alone predicts of them */
    struct train_rows holes;  /* the same bars with holes; none where none are learnt */
    int64_t n_hole_tokens;    /* filled by the caller */
    struct train_rows chords; /* the same bars over given chords, if any are learnt */
    int64_t n_chord_notes;    /* in them */
};

/* length is at least 8. Call validation_fini in every case. */
enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 int batch, int length);
/* Of the rehearsal, in place of the folder; none where there is none. */
enum midi_status validation_init_rehearsal(struct validation *v,
                                           const struct train_music *m, int batch,
                                           int length);
void validation_fini(struct validation *v);

/* Sums of nats over all windows, the holes, and the bars with chords. */
struct validation_nats {
    double plain, holes, chords;
};
enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     struct validation_nats *nats);

#endif
