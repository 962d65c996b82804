/* Holes to measure a model on: some whole bars in the middle of held-out pieces, of all
 * their tracks or of one, with the bars around them. The same corpus and draws give the
 * same holes, whatever the model is. Pure functions. */
#ifndef APP_EVAL_HOLE_H
#define APP_EVAL_HOLE_H

#include "app/dataset/corpus.h"
#include "midi/tokens/fill.h"
#include "model/decoder/sampler.h"

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

#endif
