/* Holes to measure a model on: whole bars in the middle of held-out pieces, of all tracks or
 * of one, with the bars around them. The same corpus and draws give the same holes for every
 * model. Functions are pure, but for the meter. */
#ifndef APP_EVAL_HOLE_H
#define APP_EVAL_HOLE_H

#include "app/dataset/corpus.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/tokens.h"
#include "model/base/pool.h"
#include "model/decoder/sampler.h"
#include "model/weights/model.h"

#include <stdatomic.h>

enum { EVAL_HOLE_BESIDE = 24 }; /* bars kept on each side: more than models hear */

struct eval_hole_kind {
    int n_bars;
    bool is_one_track; /* else all */
};

/* Steps count from the first bar that is kept. At least as many bars as the hole has stand on
 * each side, all in one meter. The request is for all pitches and has no wishes. */
struct eval_hole {
    struct eval_hole_kind kind;
    int32_t first_bar;  /* of the hole */
    struct piece music; /* its bars, and those beside it */
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
    HOLE_BOTH_SIDES, /* everything before, after and beside it */
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
struct eval_hole_meter;

/* Borrows all; the flag cancels within a layer. */
enum model_status eval_hole_meter_create(struct eval_hole_meter **out,
                                         const struct model *model, struct pool *pool,
                                         const atomic_bool *cancel);
void eval_hole_meter_destroy(struct eval_hole_meter *m); /* NULL is fine */

struct eval_hole_cost {
    double note_nats; /* of the tokens of notes */
    double nats;      /* of all tokens: also of bars, and the end */
};

/* Of the tokens from `first` on; 0 < first < t->n, and t->n is at most the context. */
enum model_status eval_hole_measure(struct eval_hole_meter *m, const struct tokens *t,
                                    size_t first, struct eval_hole_cost *cost);

#endif
