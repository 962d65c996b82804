/* The same hole with more or less of the music around it, as tokens for a model that is
 * told the notes: what it asks, and the notes themselves, are alike in all views. Pure
 * functions. */
#ifndef APP_EVAL_HOLE_VIEW_H
#define APP_EVAL_HOLE_VIEW_H

#include "app/evaluation/eval_hole.h"

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

#endif
