/* One sequence under inspection: music as the model reads it, read once by a decoder that
 * keeps its queries, and every question that may be asked of it: where a note looked, how
 * surprising it was, what else there could have been, and what becomes of it when
 * something else is not there. The inspector's thread, the command line and the survey
 * use the same.
 *
 * Notes of a piece are read from left to right, in the window of it that has as many bars
 * before them as the model's context holds (app/inspection/inspection_read.h). Notes of a take
 * that waits are read in the very layout they were generated with (app/decoding/strand.h): the
 * music around the hole, what was asked, the notes. Grid models (midi/tokens/grid.h) read a score
 * of four voices, and with an encoder its melody as their source.
 *
 * A token is foretold by the row before it: the query at place t - 1 is where the token at
 * t comes from. So what a note *looked at*, unless its own rows are asked for, are the rows
 * from which its tokens were chosen. Each of them sums to one.
 *
 * Made of a borrowed model and pool; one thread at a time; blocks while it works, and comes
 * back INSPECTION_CANCELLED within one layer of the model once the flag is up. Arrays
 * that are lent stand until the next read. */
#ifndef APP_INSPECTION_H
#define APP_INSPECTION_H

#include "app/decoding/continuation.h"
#include "model/decoder/attention.h"

struct inspection;

enum inspection_state {
    INSPECTION_DONE,
    INSPECTION_CANCELLED,
    INSPECTION_FAILED, /* inspection_error says why */
};

/* What a token says. Those of a note first, in this order: */
enum inspected_part {
    INSPECTED_POSITION,
    INSPECTED_TRACK,
    INSPECTED_PITCH,
    INSPECTED_DURATION, /* on a grid: the note held */
    INSPECTED_VELOCITY,
    INSPECTED_NOTE_PARTS,
    /* and of no note: */
    INSPECTED_START = INSPECTED_NOTE_PARTS, /* BOS */
    INSPECTED_STYLE,
    INSPECTED_TRACKS, /* there are, and what plays them */
    INSPECTED_BAR,
    INSPECTED_METER,
    INSPECTED_CHORD,
    INSPECTED_PLACE, /* a position at which no note begins */
    INSPECTED_HOLE,  /* where it begins and ends */
    INSPECTED_ASKED, /* what is asked of it */
    INSPECTED_WISH,  /* its density, length, ... */
    INSPECTED_REST,  /* on a grid */
    INSPECTED_END,
    INSPECTED_PARTS,
};
enum { INSPECTED_KINDS = INSPECTED_PARTS - INSPECTED_NOTE_PARTS };
const char *inspected_part_name(enum inspected_part part); /* "pitch", "bar line" */

struct inspected_token {
    int32_t token,
        time; /* time: in steps of midi/tokens/piece.h from the first bar line read */
    int note; /* of the notes below; -1: of none */
    enum inspected_part part;
    float
        surprise; /* nats, -log p(token | those before); 0 of the first, and of a source */
};

struct inspected_note {
    int track;            /* of the score */
    uint64_t id;          /* of the score's note or the take's; 0: it has none */
    int64_t tick, length; /* as the model hears it: on the grid, in the score's ticks */
    int pitch, velocity;
    int first_token,
        n_tokens;   /* in a row, but for a grid's, which are told by `note` */
    bool is_take;   /* of the take that is inspected */
    bool is_source; /* heard by the encoder: its tokens are those of the source */
    float surprise; /* nats, summed over its tokens: what the model itself says */
    float surprise_of[INSPECTED_NOTE_PARTS];
};

/* -- reading -- */

/* MODEL_OTHER_TOKENS: neither score tokens nor a grid's. */
enum model_status inspection_create(struct inspection **out, const struct model *model,
                                    struct pool *pool);
void inspection_destroy(struct inspection *i); /* NULL is fine */
void inspection_set_cancel(struct inspection *i, const atomic_bool *flag);

/* A take, as it was asked for and as it came. It is read without the heads that gave
 * nothing to it, too (options->muted). */
struct inspected_take {
    const struct continuation_options *options; /* also where its seed is another's */
    enum style style;                           /* that was used */
    const struct continued_note *notes; /* in the order they came in, with ids */
    size_t n_notes;
};

struct inspection_request {
    uint64_t note; /* whose surroundings are read, by its id; 0: those of `tick` */
    int64_t tick;
    uint64_t version; /* of the score: what has the same is the same; 0: not known */
    int style; /* of the piece: an enum style, or CONTINUATION_STYLE_GUESS: as it was
                  guessed when first asked for, until inspection_forget */
    /* NULL: the note is the score's. Else the score is what the machine was given, without
     * what the take replaces. */
    const struct inspected_take *take;
};

/* Of what it read last, only what comes after the first token that differs is read again.
 * When it fails nothing is inspected. */
enum inspection_state inspection_read(struct inspection *i, const struct score *s,
                                      const struct inspection_request *r);
/* Window `index` of the piece, from 0, for all of it to be read in turn; *own: the first
 * of inspection_notes that no earlier window had. FAILED: there is none. */
enum inspection_state inspection_read_window(struct inspection *i,
                                             const struct score *s,
                                             const struct inspection_request *r,
                                             int index, int *own);
/* Windows of the piece read last, and the one that serves a tick best. */
int inspection_n_windows(const struct inspection *i);
int inspection_window_at(const struct inspection *i, int64_t tick);
/* Another piece is to be read: its style is not known. */
void inspection_forget(struct inspection *i);
const char *inspection_error(const struct inspection *i); /* a plain phrase */
enum style inspection_style(const struct inspection *i);  /* used, or guessed */
struct decoder *inspection_decoder(struct inspection *i); /* that has read it */

/* Tokens in order; of a source those after the others. */
const struct inspected_token *inspection_tokens(const struct inspection *i, int *n);
const struct inspected_token *inspection_source(const struct inspection *i, int *n);
/* In the order of their tokens; those of the source last. */
const struct inspected_note *inspection_notes(const struct inspection *i, int *n);
int inspection_find(const struct inspection *i, uint64_t id); /* -1: it was not read */
const char *inspection_token_name(const struct inspection *i, int32_t token, char *buf,
                                  size_t n_buf); /* as token_name */
/* Tokens from here on were drawn, of a take; of a piece: their number. */
int inspection_first_drawn(const struct inspection *i);
/* What was read, in the score's ticks. */
void inspection_span(const struct inspection *i, int64_t *from, int64_t *to);

/* -- where it looked -- */

struct inspected_look {
    int layer, head; /* -1: all */
    enum attention_of of;
    enum { LOOK_MEAN, LOOK_STRONGEST } many; /* of several heads */
    enum { LOOKS_AT, IS_LOOKED_AT_BY } way;
    enum { LOOK_CHOOSING, LOOK_OWN } row; /* rows that chose its tokens, or theirs */
    unsigned parts; /* bits 1 << enum inspected_part of its tokens that count; 0: all */
};

/* LOOKS_AT: the mean of the rows of its tokens, summed by note: per_note [n notes], and
 * other [INSPECTED_KINDS] of what is of no note, which together sum to one. Of several
 * heads their mean; or the largest of them at each token, which then are scaled to that
 * sum. IS_LOOKED_AT_BY: the mean mass that the rows of each note, and of each kind of
 * other token, give to its tokens. All zero: none of its tokens counts. */
enum inspection_state inspection_weights(struct inspection *i, int note,
                                         const struct inspected_look *look,
                                         float *per_note, float other[INSPECTED_KINDS]);
/* The same before it is summed: weights [n tokens, or of the source]. LOOKS_AT only. */
enum inspection_state inspection_token_weights(struct inspection *i, int note,
                                               const struct inspected_look *look,
                                               float *weights);

/* Of the tokens [from, to), in equal parts, the largest weight of each:
 * cells [n_rows][n_columns]. Of a source, columns are all of it. */
enum inspection_state inspection_matrix(struct inspection *i, struct attention_head h,
                                        int from, int to, int n_rows, int n_columns,
                                        float *cells);
/* All heads: [layer][head][n_rows][n_columns], of all tokens. */
enum inspection_state inspection_thumbnails(struct inspection *i, enum attention_of of,
                                            int n_rows, int n_columns, float *cells);

/* Of two notes, one of whose tokens looked at one of the other's. */
struct inspected_pair {
    float weight;               /* as inspection_weights has it */
    struct attention_head head; /* the largest single weight: whose, */
    int query, key;             /* between which places, */
    float largest;              /* how large, */
    float content, index, time; /* its score before the softmax, by part, */
    float entropy;              /* of its row, in bits */
};
enum inspection_state inspection_pair(struct inspection *i, int note, int other,
                                      const struct inspected_look *look,
                                      struct inspected_pair *out);

/* -- what else there could have been -- */

struct inspected_alternative {
    int32_t token;
    float probability; /* the model's own */
    bool is_chosen;    /* it is what stands there */
    bool is_allowed;   /* of a take: it may come there, and so be given; else true */
};
/* The likeliest tokens where the note says that part, the likeliest first; and the chosen
 * one last where it is not among them. How many: at most `most`, which is 1 at least; 0:
 * the note does not say it. */
int inspection_alternatives(const struct inspection *i, int note,
                            enum inspected_part part, struct inspected_alternative *out,
                            int most);
/* Of a take: the tokens that were drawn of it, up to where the note says that part, and
 * `instead` in its place: for continuation_options.given, so that it goes on from there.
 * ids is malloc'd. false: no memory; or not of a take, or not said. */
bool inspection_given(const struct inspection *i, int note, enum inspected_part part,
                      int32_t instead, int32_t **ids, size_t *n);

/* -- cause -- */

struct inspected_mute {
    enum { MUTE_NOTE, MUTE_SPAN, MUTE_TRACK, MUTE_HEAD } what;
    int note;                   /* MUTE_NOTE */
    int64_t from, to;           /* MUTE_SPAN: what begins there, such as a bar; ticks */
    int track;                  /* MUTE_TRACK: of the score */
    struct attention_head head; /* MUTE_HEAD */
};
/* In nats: the note's log probability, all its tokens'. */
struct inspected_effect {
    float before, after;
};
/* Notes are taken out of the music, but for the one that is asked about, and the sequence
 * is read again from there up to it; a head gives nothing. What was read stands. */
enum inspection_state inspection_mute(struct inspection *i, int note,
                                      const struct inspected_mute *m,
                                      struct inspected_effect *out);

#endif
