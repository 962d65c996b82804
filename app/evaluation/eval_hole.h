/* Holes to measure a model on: whole bars in the middle of held-out pieces, of all tracks or
 * of one, with the bars around them. The same corpus and draws give the same holes for every
 * model. Functions are pure, but for the meter. */
#ifndef APP_EVAL_HOLE_H
#define APP_EVAL_HOLE_H

#include "app/decoding/continuation.h"
#include "app/dataset/corpus.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/tokens.h"
#include "model/base/pool.h"
#include "model/decoder/sampler.h"
#include "model/weights/model.h"

#include <stdatomic.h>

enum { EVAL_HOLE_BESIDE = 24 }; /* bars kept on each side: more than models read */

struct eval_hole_kind {
    int n_bars;
    bool is_one_track; /* else all */
};

/* Steps count from the first bar that is kept. Each side has at least as many bars as the
 * hole, all in one meter. The request is for all pitches and has no constraints. */
struct eval_hole {
    struct eval_hole_kind kind;
    int32_t first_bar;  /* of the hole */
    struct piece music; /* its bars, and those around it */
    struct fill parts;  /* the same, split; inside are three notes at least */
};

/* Draws a hole in any piece of a corpus, number `group`. MIDI_EMPTY: none was found. */
enum midi_status eval_hole_draw(struct eval_hole *h, const struct corpus *c,
                                enum corpus_split split, int group,
                                const struct eval_hole_kind *kind, struct rng *r);
/* Cuts a hole that begins at `bar`. MIDI_EMPTY: there can be none of that kind. */
enum midi_status eval_hole_cut(struct eval_hole *h, const struct piece *p, int32_t bar,
                               const struct eval_hole_kind *kind, struct rng *r);
void eval_hole_fini(struct eval_hole *h);

/* -- as tokens -- */

/* How much of the music around a hole a model is given. The request and the notes of the
 * hole are the same in all views. */
enum eval_hole_view {
    HOLE_BOTH_SIDES, /* all notes before, after and around it */
    HOLE_BEFORE,     /* what begins before it, as for a continuation */
    HOLE_ALONE,      /* its bar lines, and nothing else */
    HOLE_VIEWS,
};

/* The hole, filled, with as many of the nearest bars as max_tokens allow. *first is the place
 * of the first token that fills it; FILL_END is the last. From there on t->note is an index
 * into parts.inside.notes, or -1. MIDI_TOO_LONG: even the fewest bars do not fit. */
enum midi_status eval_hole_encode(struct tokens *t, size_t *first,
                                  const struct eval_hole *h, enum eval_hole_view view,
                                  size_t max_tokens);

/* -- what its notes cost a model -- */

/* Measures nats, without the grammar's mask. One thread at a time. */
struct eval_hole_meter {
    struct decoder *decoder;
    size_t context, vocab;
    int32_t *times; /* [context] */
    float *logits;  /* [context, vocab] */
};

/* Borrows all; the flag cancels within a layer. Call eval_hole_meter_fini in every case. */
enum model_status eval_hole_meter_init(struct eval_hole_meter *m,
                                       const struct model *model, struct pool *pool,
                                       const atomic_bool *cancel);
void eval_hole_meter_fini(struct eval_hole_meter *m); /* also when zeroed */

struct eval_hole_cost {
    double note_nats; /* of the tokens of notes */
    double nats;      /* of all tokens: also of bars, and the end */
};

/* Of the tokens from `first` on; 0 < first < t->n, and t->n is at most the context. */
enum model_status eval_hole_measure(struct eval_hole_meter *m, const struct tokens *t,
                                    size_t first, struct eval_hole_cost *cost);

/* The similarity of two fillings of one hole, and whether a model follows constraints. Pure
 * functions, but for eval_hole_steer.
 *
 * Groove similarity is that of Wu & Yang 2020, "The Jazz Transformer on the Front
 * Line", of each bar with the same bar of the other. Histograms of pitch classes are
 * compared as Yang & Lerch 2020 do ("On the evaluation of generative models in music"),
 * whose overlapping area is one less the total variation. */

struct eval_hole_figures {
    double note_f1;       /* of notes equal in track, onset and pitch; 0 to 1 */
    double pitch_classes; /* total variation: 0 equal, 1 disjoint or nothing filled */
    double groove;        /* 0 to 1 for the same onsets, on any tracks */
};

/* Compares notes, in canonical order and inside the hole, with those that were there. */
struct eval_hole_figures eval_hole_compare(const struct eval_hole *h,
                                           const struct grid_note *notes, size_t n);

/* Spearman's rank correlation of n pairs; equals share the mean of their ranks. NaN if
 * either has no two different values, or out of memory. */
double eval_hole_rank_correlation(const double *x, const double *y, size_t n);

/* -- constraints: each control is requested at some levels in the same holes; the result is
 * measured as midi/tokens/fill.h defines the control -- */

enum eval_hole_control {
    CONTROL_DENSITY,
    CONTROL_POLYPHONY,
    CONTROL_LENGTH,
    CONTROL_REGISTER,
    EVAL_HOLE_CONTROLS,
};
enum { EVAL_HOLE_LEVELS = 4 };

struct eval_hole_control_info {
    const char *label, *name;     /* with its unit; in JSON */
    int levels[EVAL_HOLE_LEVELS]; /* requested, ascending */
};
extern const struct eval_hole_control_info eval_hole_controls[EVAL_HOLE_CONTROLS];

/* The value that a level requests, in the control's unit. */
double eval_hole_asked(enum eval_hole_control control, int level);
/* The value of the filled notes, in the same unit. NaN: no notes (density is then 0). */
double eval_hole_got(enum eval_hole_control control, const struct fill_request *q,
                     const struct piece *filled);

struct eval_hole_answer {
    double got[EVAL_HOLE_CONTROLS][EVAL_HOLE_LEVELS];
};

/* Fills one hole for each level of each control alone, all with the same seed. Returns what
 * eval_hole_fill does. */
enum continuation_state eval_hole_steer(struct eval_hole_answer *a, const char **fault,
                                        struct continuation *c,
                                        const struct eval_hole *h,
                                        const struct continuation_options *how);

/* The mean of the answers that have a value at that level; *n is their number. */
double eval_hole_mean_got(const struct eval_hole_answer *answers, size_t n_answers,
                          enum eval_hole_control control, int level_index, size_t *n);
/* Spearman's correlation of requested and resulting values, over all levels. NaN: too few. */
double eval_hole_obedience(const struct eval_hole_answer *answers, size_t n_answers,
                           enum eval_hole_control control);

/* Ways to fill a hole: by the model, and three without a model to compare it with. Each makes
 * notes only, in canonical order, in the hole's steps; the caller frees them with
 * piece_fini. */

/* By the model, as `continuo inpaint` fills a hole without notes: they are taken out of a
 * score, and of how->n_draws fillings the best is taken (app/generation/draws.h). Of
 * `constraints` the levels count; the rest is the hole's. Returns DONE, CANCELLED or ERROR;
 * for ERROR *fault is a plain phrase, valid until the next call. Finish `out` in every
 * case. */
enum continuation_state eval_hole_fill(struct piece *out, const char **fault,
                                       struct continuation *c,
                                       const struct eval_hole *h,
                                       const struct fill_request *constraints,
                                       const struct continuation_options *how);

/* Copies the notes of as many bars before the hole, or after it, on its tracks, cut at its
 * end. Pure, as are the next two. */
enum midi_status eval_hole_copy(struct piece *out, const struct eval_hole *h,
                                bool is_after);

/* Random notes, as many as the original ones, on the same tracks. Each begins at a
 * sixteenth and has the length of a note around it on its track. Its pitch lies between the
 * lowest and the highest of its track there, and in the scale that fits the music around
 * best. */
enum midi_status eval_hole_guess(struct piece *out, const struct eval_hole *h,
                                 struct rng *r);

/* The pitch classes of that scale as bits, C first: the major, natural minor or harmonic
 * minor scale with most of the notes; of equals the first major one. */
unsigned eval_hole_scale(const struct piece *p);

#endif
