/* Kinds of steering values: a kind reads, writes and steps the field that its row
 * names. Internal to app/generation/steer.c, which has the table of rows. */
#ifndef APP_STEER_KINDS_H
#define APP_STEER_KINDS_H

#include "app/generation/steer.h"

/* `at` is where the value is in a struct steering. */
struct steer_kind {
    bool (*read)(const struct steer_row *r, void *at, const char *text);
    void (*write)(const struct steer_row *r, const void *at,
                  char buf[STEER_TEXT_BYTES]);
    void (*step)(const struct steer_row *r, void *at, int by);
    double (*share)(const struct steer_row *r, const void *at); /* NULL: none */
    const char *wants; /* "a number", in a range if it has a share; NULL: a choice */
    bool is_number;
};

extern const struct steer_kind STEER_REAL; /* a float */
/* A float; each step is `step` times the one below, from `low`. */
extern const struct steer_kind STEER_RATIO;
extern const struct steer_kind STEER_COUNT;  /* an int */
extern const struct steer_kind STEER_PITCH;  /* an int, written as a note's name */
extern const struct steer_kind STEER_CHOICE; /* an int, a name from `low` to `high` */
extern const struct steer_kind STEER_FLAG;   /* a bool, "on" or "off" */
extern const struct steer_kind STEER_SEED;   /* a uint64_t */
extern const struct steer_kind STEER_SCALE;  /* a struct scale */

#endif
