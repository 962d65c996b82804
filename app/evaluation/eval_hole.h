/* Holes to measure a model on: some whole bars in the middle of held-out pieces, of all
 * their tracks or of one, with the bars around them. The same corpus and draws give the
 * same holes, whatever the model is. Pure functions. */
#ifndef APP_EVAL_HOLE_H
#define APP_EVAL_HOLE_H

#include "app/dataset/corpus.h"
#include "midi/tokens/fill.h"
#include "midi/tokens/tokens.h"
#include "model/base/pool.h"
#include "model/decoder/sampler.h"
#include "model/weights/model.h"

#include <stdatomic.h>

enum { EVAL_HOLE_BESIDE = 24 }; /* bars on each side at most, more than models hear */

struct eval_hole_kind {
    int n_bars;
    bool is_one_track; /* else all */
};

/* Steps count from the first of the bars kept. As many bars as the hole has stand
 * before it and after it, all in one meter; it asks for all pitches and has no wishes. */
struct eval_hole {
    struct eval_hole_kind kind;
    int32_t first_bar;  /* of the hole */
    struct piece music; /* its bars, and those beside it */
    struct fill parts;  /* the same, split; inside are three notes at least */
};

/* Of any piece of the corpus number `group`. MIDI_EMPTY: none was found. */
enum midi_status eval_hole_draw(struct eval_hole *h, const struct corpus *c,
                                enum corpus_split split, int group,
                                const struct eval_hole_kind *kind, struct rng *r);
/* In bars that a caller names: MIDI_EMPTY where a hole of that kind cannot be. */
enum midi_status eval_hole_cut(struct eval_hole *h, const struct piece *p, int32_t bar,
                               const struct eval_hole_kind *kind, struct rng *r);
void eval_hole_fini(struct eval_hole *h);

/* -- eval_hole_view -- */

/* The same hole with more or less of the music around it, as tokens for a model that is
 * told the notes: what it asks, and the notes themselves, are alike in all views. Pure
 * functions. */

enum eval_hole_view {
    HOLE_BOTH_SIDES, /* all that stands: before it, after it and beside it */
    HOLE_BEFORE,     /* what begins before it, as where music is gone on with */
    HOLE_ALONE,      /* the lines of its bars, and nothing else */
    HOLE_VIEWS,
};

/* As many of the nearest bars as max_tokens hold with all of the hole. first: of the
 * tokens that fill it, up to FILL_END, which is the last; t->note of these is the index
 * in parts.inside.notes, or -1. MIDI_TOO_LONG: even the fewest bars do not fit. */
enum midi_status eval_hole_encode(struct tokens *t, size_t *first,
                                  const struct eval_hole *h, enum eval_hole_view view,
                                  size_t max_tokens);

/* -- eval_hole_cost -- */

/* What the notes of a hole cost a model that is told them: nats, without a grammar's
 * mask. One thread at a time. */

struct eval_hole_meter;

/* model and pool are borrowed, and the flag, which stops it within a layer. */
enum model_status eval_hole_meter_create(struct eval_hole_meter **out,
                                         const struct model *model, struct pool *pool,
                                         const atomic_bool *cancel);
void eval_hole_meter_destroy(struct eval_hole_meter *m); /* NULL is fine */

struct eval_hole_cost {
    double note_nats; /* of the tokens that speak of notes */
    double nats;      /* of all: bars, and the end, too */
};

/* Of the tokens from `first` on, 0 < first < t->n, which is at most the context. */
enum model_status eval_hole_measure(struct eval_hole_meter *m, const struct tokens *t,
                                    size_t first, struct eval_hole_cost *cost);

#endif
