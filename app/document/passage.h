/* Copied music. It has lost its time and its tracks, but not how far apart things are, so
 * it can be put anywhere, in another file, and by another continuo. Plain data, one
 * owner; pure functions. */
#ifndef APP_PASSAGE_H
#define APP_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct passage_note {
    int64_t offset,
        length; /* offset: from the passage's first grid line; may be less */
    int track;  /* how many after its first */
    int pitch, velocity, off_velocity;
};

/* A controller, a bend or pressure: what kind of, and which (midi/edit/controllers.h). */
struct passage_point {
    int64_t offset; /* from 0, and before the span is over */
    int track, kind, number, value;
};

struct passage {
    int ticks_per_quarter;      /* that all ticks of it count */
    int64_t span;               /* to where the next one would follow */
    struct passage_note *notes; /* by track, then by offset; the passage's own */
    size_t n;                   /* 0: it is empty */
    /* Of whole bars that were copied. By track, kind and number, then by offset. */
    struct passage_point *points;
    size_t n_points;
    int at_track; /* how many after its first the active one was */
};

/* Ticks, the furthest of anything in a passage: no sum or scaling of such overflows. */
#define PASSAGE_FURTHEST ((int64_t)1 << 44)
/* How many tracks it may be spread over. */
#define PASSAGE_TRACKS   256

/* Whether nothing of it is further off, and all of it is what MIDI has. */
bool passage_is_sane(const struct passage *p);
bool passage_points_are_sane(const struct passage *p); /* passage_controls.c */
bool passage_copy(struct passage *to,
                  const struct passage *from); /* false: no memory */
void passage_fini(struct passage *p);
int passage_n_tracks(const struct passage *p); /* from its first to its last */
/* A time of it in another division, to the nearest tick. What is further off than
 * anything in a passage is as if it were there. */
int64_t passage_ticks(const struct passage *p, int64_t ticks, int ticks_per_quarter);
/* Puts a copy of `more` after it, in its own division. false: no memory, or it would be
 * too long, and nothing changed. */
bool passage_append(struct passage *p, const struct passage *more);

#endif
