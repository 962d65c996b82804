/* Musical time along score tokens: the step, 24 to a quarter, to which each token
 * belongs, as far as the tokens up to it tell. For models that relate tokens by time.
 * Times count from the first token; only differences have a meaning.
 *
 * With a hole (midi/tokens/fill.h), HOLE and RESUME lie at its start and end, or at the
 * end of the bars. The request lies at `from`, once that is known; only the POS of `to`
 * lies at `to`. The tokens of the hole lie at the times of its notes. Sequences may
 * follow one another, each from its BOS on. Pure functions, any thread. */
#ifndef MIDI_TOKEN_TIME_H
#define MIDI_TOKEN_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The starts of a sequence's first bars. The notes of a hole, which come after
 * everything around it, need them. Plain data. */

enum { BAR_TABLE_SIZE = 256 };

struct bar_table {
    int32_t starts[BAR_TABLE_SIZE]; /* ascending */
    int n;                          /* all bars; not all may be stored */
    int32_t end, length; /* end of the last bar; length of the last and later bars */
};

/* Adds a bar. It begins at the end of the last one, or sooner if that one is cut. */
void bar_table_add(struct bar_table *t, int32_t start);
/* Sets the length of the last bar and later ones. */
void bar_table_set_length(struct bar_table *t, int32_t length);

/* Whether there is a bar, and all bars are stored. */
bool bar_table_is_whole(const struct bar_table *t);
/* For a whole table, also for bars past its last one. Step and index are not
 * negative. */
int32_t bar_table_start(const struct bar_table *t, int index);
int bar_table_at(const struct bar_table *t, int32_t step); /* the bar of a step */

/* What the next POS means. */
enum token_time_stage {
    TIME_IN_BARS,
    TIME_ASKS_FROM,
    TIME_ASKS_TO,
    TIME_ASKED, /* both are known; the next token is at `from` */
    TIME_IN_HOLE,
};

struct token_time {
    int64_t bar, at; /* start of the bar, and the present time */
    int numerator;
    int64_t far;      /* steps from POSX */
    bool after_place; /* the last token was POS; a BAR would cut the bar there */

    struct bar_table bars; /* bars since BOS; starts count from `origin` */
    int64_t origin;        /* where the first of these bars begins */
    enum token_time_stage stage;
    int32_t from; /* start of the hole, counted from `origin` */
    int index;    /* present bar of the hole; stops past the last bar */
};

void token_time_init(struct token_time *c);
/* Returns the time of the next token. Accepts any sequence; invalid ids take no
 * time. */
int32_t token_time_next(struct token_time *c, int32_t token);
void token_times(const int32_t *tokens, size_t n, int32_t *times);

#endif
