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
#ifndef MIDI_TOKEN_TIME_H
#define MIDI_TOKEN_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where the first bars of a token sequence begin, for what comes back to them: the
 * notes of a hole, told after all that is around it. Plain data. */

enum { BAR_TABLE_SIZE = 256 };

struct bar_table {
    int32_t starts[BAR_TABLE_SIZE]; /* of the first bars, ascending */
    int n;                          /* bars in all; past the size none is kept */
    int32_t end, length; /* where the last ends, and what any after it takes */
};

/* A bar begins where the last one ended, or before, when that was cut. */
void bar_table_add(struct bar_table *t, int32_t start);
/* The last bar, and those to come, are as long as this. */
void bar_table_set_length(struct bar_table *t, int32_t length);

/* There is a bar, and all are kept. */
bool bar_table_is_whole(const struct bar_table *t);
/* Of a whole table, also of bars past its last; step and index are not negative. */
int32_t bar_table_start(const struct bar_table *t, int index);
int bar_table_at(const struct bar_table *t, int32_t step); /* the bar it lies in */

/* What a POS says. */
enum token_time_stage {
    TIME_IN_BARS,
    TIME_ASKS_FROM,
    TIME_ASKS_TO,
    TIME_ASKED, /* both were said; the next token is back at `from` */
    TIME_IN_HOLE,
};

struct token_time {
    int64_t bar, at; /* where the bar begins, and where we are */
    int numerator;
    int64_t far;      /* what POSX has said */
    bool after_place; /* the last token was a POS: a BAR now ends the bar there */

    struct bar_table bars; /* since BOS; starts count from `origin` */
    int64_t origin;        /* where the first of those begins */
    enum token_time_stage stage;
    int32_t from; /* of the hole, from `origin` */
    int index;    /* the hole's bar; those past the last do not count further */
};

void token_time_init(struct token_time *c);
/* The time of the next token. Any sequence is taken; ids of no kind stand still. */
int32_t token_time_next(struct token_time *c, int32_t token);
void token_times(const int32_t *tokens, size_t n, int32_t *times);

#endif
