/* What `continuo attention` and `continuo score` work on: a score, a model that has read
 * some of it, and what of its attention is asked for. One thread. */
#ifndef APP_ATTENTION_WORK_H
#define APP_ATTENTION_WORK_H

#include "app/inspection/head_names.h"
#include "app/picture/heat.h"
#include "app/inspection/inspection.h"
#include "app/inspection/note_order.h"
#include "app/generation/options.h"

enum attention_part { PART_WEIGHT, PART_CONTENT, PART_INDEX, PART_TIME };
extern const char *const attention_parts[]; /* "weight" ...; NULL at the end */

struct attention_work {
    const struct options *o;
    char model_path[4096];

    struct score *score;
    struct ordered_note *order;  /* [n_order] all notes of the score, by number, */
    struct note_number *numbers; /* and by id */
    size_t n_order;
    struct model *model;
    struct pool *pool;
    struct inspection *inspection;
    struct head_names names;

    struct inspected_look look;
    enum attention_part part;
    enum heat_kind shade;

    /* once it has read: */
    const struct inspected_note *notes;
    const struct inspected_token *tokens, *keys; /* keys: those that can be looked at */
    int n_notes, n_tokens, n_keys;
    bool is_fixed; /* Fourier mixing: no heads */
    int *asked;    /* indices of the notes whose rows are wanted */
    int n_asked;
};

/* Loads the score and the model. 0, or the exit status: it has said why. Close it all the
 * same. */
int attention_open(struct attention_work *w, const struct options *o);
void attention_close(struct attention_work *w); /* also when zeroed */

/* Takes layer, head, part and so on from the options, and reads the music around what is
 * named. Of it the notes that were told and are named; all, where none is. */
int attention_read(struct attention_work *w);
/* Says why, for an inspection that failed. */
int attention_failed(const struct attention_work *w);

/* The row of a note: per_note [n_notes] and other [INSPECTED_KINDS]. Of PART_WEIGHT as
 * inspection_weights has it; else the mean score before the softmax over pairs of tokens
 * that see each other, NAN where none do. 0, or the exit status. */
int attention_row(struct attention_work *w, int note, float *per_note, float *other);
/* What the query at that place gives to each key, [n_keys]: of PART_WEIGHT the mean of the
 * heads that are looked at; else scores, NAN of what is not seen. */
int attention_token_row(struct attention_work *w, int query, float *row);
/* The mean of the rows asked for. */
int attention_mean_row(struct attention_work *w, float *per_note, float *other);

/* How a note is named: its number from 1 (0: not of the score), bar and beat from 1. */
struct note_name {
    int64_t number, bar;
    double beat;
    char pitch[8];
};
struct note_name attention_name(const struct attention_work *w, int note);
/* "F#4" of 66; buf of 8 bytes, returned. */
const char *attention_pitch_name(char *buf, size_t n, int pitch);
bool attention_is_told(const struct attention_work *w, int note);

/* The style that the music was read in; "" for a model of four voices, which has none. */
const char *attention_style(const struct attention_work *w);
/* "layer 2 head 5, previous bar", "the mean of all heads". buf returned. */
const char *attention_title(const struct attention_work *w, char *buf, size_t n);
/* Lines about the model and what of the music it read. */
const char *attention_about(const struct attention_work *w, char *buf, size_t n);

#endif
