/* Musical time along a sequence of score tokens: for each token the step (24 to a
 * quarter) that it speaks of, as far as the tokens up to it tell. What a model that
 * relates tokens by time is given. Times count from the first token; only their
 * differences mean anything.
 *
 * Of a hole (midi/tokens/fill.h), HOLE and RESUME stand where it begins and ends, or at the
 * end of the bars. What is asked stands at `from` once that is said, but for the POS
 * that says `to`, which stands there. The hole's tokens then stand where its notes are,
 * beside what was told before. Sequences may follow one another, each from its BOS on.
 * Pure functions, any thread. */
#ifndef MIDI_CLOCK_H
#define MIDI_CLOCK_H

#include "midi/score/bar_table.h"

#include <stddef.h>

/* What a POS says. */
enum clock_stage {
    CLOCK_IN_BARS,
    CLOCK_ASKS_FROM,
    CLOCK_ASKS_TO,
    CLOCK_ASKED, /* both were said; the next token is back at `from` */
    CLOCK_IN_HOLE,
};

struct clock {
    int64_t bar, at; /* where the bar begins, and where we are */
    int numerator;
    int64_t far;      /* what POSX has said */
    bool after_place; /* the last token was a POS: a BAR now ends the bar there */

    struct bar_table bars; /* since BOS; starts count from `origin` */
    int64_t origin;        /* where the first of those begins */
    enum clock_stage stage;
    int32_t from; /* of the hole, from `origin` */
    int index;    /* the hole's bar; those past the last do not count further */
};

void clock_init(struct clock *c);
/* The time of the next token. Any sequence is taken; ids of no kind stand still. */
int32_t clock_next(struct clock *c, int32_t token);
void clock_times(const int32_t *tokens, size_t n, int32_t *times);

#endif
