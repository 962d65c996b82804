/* The work of `continuo attention` and `continuo score`: a score, a model that has read it, and the
 * options. One thread. Functions that return int return the exit status, after saying what went wrong. */
#ifndef APP_ATTENTION_WORK_H
#define APP_ATTENTION_WORK_H

#include "app/inspection/head_names.h"
#include "app/inspection/inspection.h"
#include "app/generation/options.h"
#include "midi/score/score.h"

/* The notes of a score in the order that they are numbered in where people name one by
 * its number: by start, then track, then pitch. Number 1 is the first. */
struct ordered_note {
    const struct note *note; /* the score's */
    int track;
};

struct attention_work {
    const struct options *o;
    char model_path[4096];

    struct score *score;
    struct ordered_note *order; /* [n_order] all notes of the score, by number */
    size_t n_order;
    size_t *number_of; /* [score->next_id] their numbers by id, from 1; 0: none */
    struct model *model;
    struct pool *pool;
    struct inspection *inspection;
    struct head_names names;

    struct inspected_look look;

    /* once it has read: */
    const struct reading *now;          /* the inspection's */
    const struct inspected_token *keys; /* [n_keys] those that can be looked at */
    int n_keys;
    bool is_fixed; /* Fourier mixing: no heads */
    /* [now->n_notes] the notes; n_chosen of them are chosen, from `first` on: their rows are wanted */
    struct inspect_note *notes;
    int n_chosen, first;
};

/* Loads the score and the model. Returns 0, or the exit status after printing why. Close it
 * in every case. */
int attention_open(struct attention_work *w, const struct options *o);
void attention_close(struct attention_work *w); /* also when zeroed */

/* Takes layer, head, part and so on from the options, and reads the music around the named
 * place. Lists the named notes, or all if none is named. */
int attention_read(struct attention_work *w);
/* Says why, for an inspection that failed. */
int attention_failed(const struct attention_work *w);

/* How a note is named: its number from 1 (0: not of the score), bar and beat from 1. */
struct note_name {
    int64_t number, bar;
    double beat;
    char pitch[8];
};
struct note_name note_name_of(const struct timeline *t, int64_t tick, int pitch);
struct note_name attention_name(const struct attention_work *w, int note);

/* The style that the music was read in; "" for a model of four voices: it has none. */
const char *attention_style(const struct attention_work *w);
/* "previous bar", counted from 0; "": the head has no name. */
const char *attention_head_name(const struct attention_work *w, int layer, int head);

/* Writes a picture (app/picture/picture.h): of one note or bar the roll; else of one head,
 * or of the mean of some, a matrix; else all heads. Returns the exit status; on failure it
 * printed why, and no file is left at path. */
int attention_draw(struct attention_work *w, const char *path);

/* Writes rows of attention as text. Returns the exit status; on failure it printed why, and
 * no file is left at path.
 *
 * CSV: a line for each note and each note or kind of token that it gives anything to:
 *   query, its bar, beat, track and pitch; the same of the key, or "(bar line)"; weight
 * JSON: the notes that were read, and a row for each requested one, of weights to each note
 * and to each kind of token that is of none; the weights of a row sum to one, where a row
 * is what a note looked at.
 *
 * With options->by_token by single tokens instead, each told by its place, from 0:
 * CSV: place, name, what it says, number of its note; the same of the key; weight
 * JSON: the tokens, and what is heard as "keys"; a row for each token that was asked
 * for but the first: what the query before it, which chose it, gave to each key.
 * Each sums to one. */
int attention_write(struct attention_work *w, const char *path, bool is_csv);

/* Prints how surprising each note of the score is, and the sums by track and bar, as text or,
 * with options->json, as JSON. Returns the exit status, after saying why it failed. */
int score_report(struct attention_work *w);

#endif
