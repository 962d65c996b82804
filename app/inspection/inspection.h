/* Inspects one token sequence. A decoder reads it once and keeps its queries. From these come
 * what a note attended to, how surprising it was, which alternatives it had, and what
 * muting something changes. The inspector's thread uses it, and the verbs attention and score.
 *
 * Notes of a piece are read in a window with as many bars before them as the context
 * holds (struct inspection_windows), notes of a waiting take in the layout they were
 * generated in (app/decoding/take_decoder.h). Grid models (midi/tokens/grid.h) read a
 * score of four voices, and with an encoder its melody as their source.
 *
 * The row at place t - 1 predicts the token at t. So the rows of a note are those that
 * chose its tokens, unless its own are requested. Each row sums to one.
 *
 * Model, pool and flag are borrowed. One thread at a time. Calls block while they compute,
 * and return INSPECTION_CANCELLED within one layer once *cancel is true (NULL: they do not).
 * Returned arrays stay valid until the next read. */
#ifndef APP_INSPECTION_H
#define APP_INSPECTION_H

#include "app/inspection/reading.h"

enum inspection_state {
    INSPECTION_DONE,
    INSPECTION_CANCELLED,
    INSPECTION_FAILED, /* the error says why */
};

/* Others only read it. */
struct inspection {
    /* constant after create */
    const struct model *model;
    struct model_config c;
    struct pool *pool;
    bool is_grid;
    struct grid_lesson lesson;
    const atomic_bool *cancel;

    struct model_reader *main;
    struct model_reader *other; /* for muted music; created when first needed */

    uint64_t piece; /* read last; of it: */
    bool style_is_known;
    enum style guessed, style; /* style: used, or guessed */
    struct inspection_windows windows;
    uint64_t windows_of;                  /* the version that they are of; 0: none */
    struct inspection_window last_window; /* read last, of the inspected music */

    struct reading now; /* what was read; no tokens: nothing */
    float *row;         /* [2 context] scratch */
    const char *error;  /* a plain phrase, where it failed */
};

/* -- reading -- */

/* MODEL_OTHER_TOKENS: neither score tokens nor a grid's. */
enum model_status inspection_create(struct inspection **out, const struct model *model,
                                    struct pool *pool, const atomic_bool *cancel);
void inspection_destroy(struct inspection *i); /* NULL is fine */

/* Tokens equal to those of the last read are not read again. On failure nothing is
 * inspected. */
enum inspection_state inspection_read(struct inspection *i, const struct score *s,
                                      const struct inspection_request *r);
/* Reads window `index` of the piece, from 0. *own: the first note that no earlier window
 * had. FAILED: no such window. */
enum inspection_state inspection_read_window(struct inspection *i,
                                             const struct score *s,
                                             const struct inspection_request *r,
                                             int index, int *own);
int inspection_find(const struct inspection *i, uint64_t id); /* -1: it was not read */
/* "F#4" of 66; buf of 8 bytes, returned. */
const char *inspected_pitch_name(char *buf, size_t n, int pitch);
const char *inspection_token_name(const struct inspection *i, int32_t token, char *buf,
                                  size_t n_buf); /* as token_name */

/* -- where it looked -- */

struct inspected_look {
    int layer, head; /* -1: all */
    enum attention_kind of;
    enum { LOOK_MEAN, LOOK_STRONGEST } many; /* of several heads */
    enum { LOOKS_AT, IS_LOOKED_AT_BY } way;
    enum { LOOK_CHOOSING, LOOK_OWN } row; /* rows that chose its tokens, or theirs */
    unsigned parts; /* bits 1 << enum inspected_part of its tokens that count; 0: all */
    /* The weight; or, for LOOKS_AT by one head, what a score before the softmax owes to
     * content, distance by index, and distance in time (model/decoder/attention_probe.h). */
    enum { LOOK_WEIGHT, LOOK_CONTENT, LOOK_INDEX, LOOK_TIME } amount;
};

/* How many heads it looks at, and the k-th of them, layer by layer. */
int inspected_n_heads(const struct inspection *i, const struct inspected_look *l);
struct attention_head inspected_head(const struct inspection *i,
                                     const struct inspected_look *l, int k);

/* The row of the query at a place, [n keys]: the mean of the heads; scores are NAN for keys
 * that it does not see. */
enum inspection_state inspection_row(struct inspection *i, int place,
                                     const struct inspected_look *look, float *row);
/* LOOKS_AT: the mean of the rows of its tokens, summed by note into per_note [n notes]
 * and by kind of other token into `other`; together they sum to one. Several heads give
 * their mean, or their largest weight at each token, scaled to sum to one.
 * IS_LOOKED_AT_BY: the mean mass that the rows of each note, and of each kind of other
 * token, give to its tokens. All zero: none of its tokens counts.
 * Scores are means over pairs of tokens that see each other, NAN where none do. */
enum inspection_state inspection_weights(struct inspection *i, int note,
                                         const struct inspected_look *look,
                                         float *per_note, float other[INSPECTED_KINDS]);
/* The largest weight in each cell, of all tokens in equal parts: cells
 * [n_heads][n_rows][n_columns], for heads from `first` on, layer by layer. A cell is -1 where no
 * query of its row sees a key of its column. */
enum inspection_state inspection_pool(struct inspection *i, struct attention_head first,
                                      int n_heads, int n_rows, int n_columns,
                                      float *cells);

/* Makes the marks of the tokens or of the source: where bars begin, and, if `notes`, notes, which are
 * numbered in the order of their first tokens. In a hole's sequence bars come out of order. The marks
 * are malloc'd; false: out of memory. */
bool inspection_marks(const struct inspection *i, const struct timeline *t,
                      const struct inspected_token *tokens, int n_tokens, bool notes,
                      struct inspect_axis *out);

/* The largest single weight by which one note looked at another, whatever way the look has. */
struct inspected_pair {
    struct attention_head head; /* whose, */
    int query, key;             /* between which places, */
    float largest;              /* how large; 0: there is none */
    float content, index, time; /* its score before the softmax, by part, */
    float entropy;              /* of its row, in bits */
};
enum inspection_state inspection_pair(struct inspection *i, int note, int other,
                                      const struct inspected_look *look,
                                      struct inspected_pair *out);

/* -- what else there could have been -- */

/* Finds the likeliest tokens for that part of a note, descending; the chosen one is last if not among
 * them. Returns how many: at most `most` (1 or more); 0: no such part. A guess is allowed if it is
 * legal in the take; outside a take all are. They have no names yet. */
int inspection_alternatives(const struct inspection *i, int note,
                            enum inspected_part part, struct inspect_guess *out,
                            int most);
/* How many tokens of a take were drawn before that part of the note that was asked for: with
 * as many in continuation_options.given, and another, the take goes on from there. -1: it is
 * not such a note, or there is no such part. */
int inspection_n_given(const struct inspection *i, int note, enum inspected_part part);

/* -- cause -- */

struct inspected_mute {
    enum { MUTE_NOTE, MUTE_SPAN, MUTE_TRACK, MUTE_HEAD } what;
    uint64_t note;    /* MUTE_NOTE: its id */
    int64_t from, to; /* MUTE_SPAN: the notes that begin there, such as a bar; ticks */
    int track;        /* MUTE_TRACK: of the score */
    struct attention_head head; /* MUTE_HEAD */
};
/* Whether it mutes that note. */
bool inspection_mutes(const struct inspection *i, const struct inspected_mute *m,
                      int note);
/* The log probability of the note's tokens, in nats. */
struct inspected_effect {
    float before, after;
};
/* Reads the sequence again up to the note, without the muted notes (never without the
 * note itself) or with the head muted. The inspected sequence does not change. */
enum inspection_state inspection_mute(struct inspection *i, int note,
                                      const struct inspected_mute *m,
                                      struct inspected_effect *out);

/* -- for inspection_look.c -- */

enum inspection_state inspection_fail(struct inspection *i, const char *why);
enum inspection_state inspection_end(struct inspection *i, enum model_status st);
enum inspection_state inspection_end_midi(struct inspection *i, enum midi_status st);
bool inspection_is_cancelled(const struct inspection *i);

/* Nats that the reader's model gave to token `at`, read and not the first. */
double inspection_nats(const struct inspection *i, const struct model_reader *read,
                       const struct reading *what, int at);

#endif
