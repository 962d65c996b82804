/* What a run trains on: a folder of MIDI files in score tokens, or a JSON file of four voices
 * in grid tokens (app/lab/dataset/corpus.h). One thread. */
#ifndef APP_TRAIN_MUSIC_H
#define APP_TRAIN_MUSIC_H

#include "app/lab/dataset/corpus.h"
#include "app/lab/training/train_run.h"
#include "model/train/train.h"

struct train_music {
    struct corpus *corpus;    /* owned */
    struct corpus *rehearsal; /* in addition to scores; owned. NULL: none */
    double rehearse;          /* share of rows that are drawn from it */
};

/* Whether data is a file of four voices, not a MIDI file. */
bool train_music_is_grid(const char *data);
/* data: a folder or a file. corpora: of a folder, NULL: all. report: may be NULL. At that time
 * (seconds, as clock_now_seconds; INFINITY: never) the files that are not read yet are left out.
 * Prints what it found and returns the exit status. Close it in every case. */
int train_music_open(struct train_music *m, const char *data, const char *corpora,
                     double until, struct train_report *report);
/* Adds a rehearsal to a folder: `share` of the rows of a step are drawn from that file of
 * excerpts. NULL: the program's own. Returns the exit status. */
int train_music_rehearse(struct train_music *m, const char *file, double share,
                         struct train_report *report);
/* Gives each piece of a folder without a style one that is guessed, of those that the model
 * has learnt. */
enum midi_status train_music_guess_styles(struct train_music *m,
                                          const struct model *from);
/* Sets how often each piece of a folder is drawn, and the length of its rows; does nothing for
 * four voices. parts: a file, or NULL. Prints errors and returns the exit status. */
int train_music_mix(struct train_music *m, struct corpus_mixture mixture,
                    const char *parts);
void train_music_close(struct train_music *m);

/* Returns the tokenizer of a model of this music: JSON, malloc'd. NULL: out of memory. */
char *train_music_tokenizer(const struct train_music *m);

/* From sequence `first` on, borrowed. */
struct train_batch train_batch_from(const struct corpus_batch *b, int first);
/* Draws the sequences of one training step, from the seed and the step's number alone. Sets their
 * length to the step's, if the music has several (corpus_mix). */
enum midi_status train_music_sample(const struct train_music *m, uint64_t seed,
                                    uint64_t step, struct corpus_batch *to);

/* The windows that measure a training run. They are fixed when it begins, and the same for
 * every run of the same music, batch and length. Scores give some windows, spread over
 * their groups, and fewer in a rehearsal, which measures often; four voices give all, so
 * that every cell counts once. */

struct validation {
    int batch;
    struct baseline baseline; /* what counting alone predicts of the plain ones */
    /* By kind: plain; the same bars with holes, and over given chords, if these are learnt. Each
     * is a multiple of the batch; 0: none. And the targets of holes, the notes over chords. */
    struct corpus_batch rows[CORPUS_KINDS];
    int64_t n_counted[CORPUS_KINDS];
};

/* Of a corpus of m, the own one or the rehearsal, which may be NULL: then of none. length is at
 * least 8. Call validation_fini in every case. */
enum midi_status validation_init(struct validation *v, const struct train_music *m,
                                 const struct corpus *c, int batch, int length);
void validation_fini(struct validation *v);

/* Sums of nats over the windows of each kind. */
enum model_status validation_measure(const struct validation *v, struct trainer *t,
                                     double nats[CORPUS_KINDS]);

#endif
