/* What the notes of a hole cost a model that is told them: nats, without a grammar's
 * mask. One thread at a time. */
#ifndef APP_EVAL_HOLE_COST_H
#define APP_EVAL_HOLE_COST_H

#include "midi/tokens/tokens.h"
#include "model/weights/model.h"
#include "model/base/pool.h"

#include <stdatomic.h>

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
