/* Musical time along a sequence of score tokens: for each token the step (24 to a
 * quarter) that it speaks of, as far as the tokens up to it tell. What a model that
 * relates tokens by time is given. Times count from the first token; only their
 * differences mean anything. Pure functions, any thread. */
#ifndef MIDI_CLOCK_H
#define MIDI_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct clock {
    int64_t bar, at;    /* where the bar begins, and where we are */
    int64_t bar_length; /* 0: no bar yet */
    int numerator;
    int64_t far;      /* what POSX has said */
    bool after_place; /* the last token was a POS: a BAR now ends the bar there */
};

void clock_init(struct clock *c);
/* The time of the next token. Any sequence is taken; ids of no kind stand still. */
int32_t clock_next(struct clock *c, int32_t token);
void clock_times(const int32_t *tokens, size_t n, int32_t *times);

#endif
