/* The usual value of what changes over time, such as a controller or the tempo: one that holds for
 * long, and the range in which most of the time lies. Pure functions, any thread. */
#ifndef MIDI_USUAL_H
#define MIDI_USUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values and the time for which they hold. Zero-initialise; the caller frees `list`. */
struct weights {
    struct weighted {
        double value;
        int64_t ticks;
        int64_t from, to; /* in force from `from` to before `to` */
    } * list;
    size_t n, cap;
};

struct usual {
    bool is_known;    /* if false, any value is usual */
    double value;     /* the one that new music takes up */
    double low, high; /* a fifth of the time lies below, and above */
};

/* Which of several usual values new music takes up. */
enum usual_choice { THE_LONGEST, THE_FIRST, THE_LAST };

/* Adds a value that holds from tick `from` to before `to`. false: out of memory. */
bool weights_add(struct weights *w, double value, int64_t from, int64_t to);
/* Returns the chosen one of the values that hold for `least` of the time. If there is
 * none, returns `otherwise`, or if that is not a number, the median. Sorts the
 * weights. */
struct usual usual_of(struct weights *w, double least, double otherwise,
                      enum usual_choice choice);
/* Whether the value is the usual one or in its range. */
bool is_usual(const struct usual *u, double value);

#endif
