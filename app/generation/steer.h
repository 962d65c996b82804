/* The user's settings of a request, without its place: how boldly the model draws, and
 * controls. One table has a row for every value. The panel
 * (app/editor/takes/steering_panel.c), the lines typed after `:` and what is saved beside
 * the music (app/document/store_session.h) use it; a new value is a field here and a row
 * there.
 *
 * Every value has a text that is read back exactly. Pure functions. */
#ifndef APP_STEER_H
#define APP_STEER_H

#include "app/decoding/continuation.h"
#include "midi/score/scale.h"

/* 0 is "any" unless stated otherwise. */
struct steering {
    float temperature, top_p, min_p;
    uint64_t seed;        /* of the next request's first take */
    int n_takes, n_draws; /* number of drawn takes */
    int style;            /* as in struct continuation_options */
    int max_polyphony;    /* on each track */

    struct scale scale; /* letter 0: any */
    int keep;           /* enum hole_plan_kind: of the notes of a hole, */
    float stays;        /* and the share of them that stays */

    /* Guidance, and controls. */
    float guidance;
    float density;     /* notes in a quarter on each track */
    int voices;        /* notes at once, on the mean */
    float note_length; /* quarters */
    int register_pitch;
    bool close; /* the piece ends with it */
    int min_notes;
};

extern const struct steering STEERING_DEFAULT;

enum {
    STEER_MAX_ROWS = 24,
    STEER_TEXT_BYTES = 32,
    STEER_WANTS_BYTES = 128,
};

/* A value. */
struct steer_row {
    const char *name; /* it is typed and kept under */
    const struct steer_kind *kind;
    size_t offset;    /* into struct steering */
    const char *help; /* half a line */
    double low, high, step;
    const char *none; /* the name of 0, below `low`; NULL: 0 is not a value */
    double start;     /* where the first step up from that leads */
    const char *(*choice)(int value); /* of STEER_CHOICE: its names */
};

/* A row is identified by its index, 0 to steer_n_rows() - 1, which is below STEER_MAX_ROWS. */
int steer_n_rows(void);
const struct steer_row *steer_row(int i);
const struct steer_row *steer_find(const char *name); /* NULL: there is none */
/* Which of its values a model knows, is the model's (app/decoding/learnt_styles.h). */
bool steer_is_style(const struct steer_row *r);
bool steer_is_flag(const struct steer_row *r); /* "on" or "off" */
/* Its text is a number, as JSON writes them. */
bool steer_is_number(const struct steer_row *r, const struct steering *s);

/* The value as it is typed; buf is returned. */
const char *steer_get(const struct steer_row *r, const struct steering *s,
                      char buf[STEER_TEXT_BYTES]);
/* false, and nothing set: not a valid value; steer_wants describes the valid ones. */
bool steer_set(const struct steer_row *r, struct steering *s, const char *text);
/* "a number from 0 to 5"; buf is returned. */
const char *steer_wants(const struct steer_row *r, char buf[STEER_WANTS_BYTES]);

/* As learnt: the row's value of STEERING_DEFAULT. */
bool steer_is_default(const struct steer_row *r, const struct steering *s);
void steer_reset(const struct steer_row *r, struct steering *s);
/* Moves by so many steps, within the range. Up from "any" goes to a middle value. */
void steer_step(const struct steer_row *r, struct steering *s, int by);
/* The value's position in its range, 0..1; negative: none. */
double steer_share(const struct steer_row *r, const struct steering *s);

/* What is other `than` that: "density 2, style folk"; cut at n_buf bytes. */
void steer_tell(const struct steering *s, const struct steering *than, char *buf,
                size_t n_buf);

/* For a request: all but where it is. */
void steer_apply(const struct steering *s, struct continuation_options *o);

#endif
