/* The user's settings of a request, without its place: how boldly the model draws, and
 * controls. One table has a row for every value. The panel
 * (app/editor/takes/steering_panel.c), the lines typed after `:` and what is saved beside
 * the music (app/document/store_session.h) use it; a new value is a field here and a row
 * there.
 *
 * Every value has a text that is read back exactly. Pure functions. */
#ifndef APP_STEER_H
#define APP_STEER_H

#include "app/base/field.h"
#include "app/decoding/continuation.h"
#include "midi/score/scale.h"
#include "midi/score/score.h"

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
    STEER_TEXT_BYTES = 32, /* of a value */
};

/* Fields of struct steering (app/base/field.h), from 0 to steer_n_rows() - 1, which is below
 * STEER_MAX_ROWS. */
int steer_n_rows(void);
const struct field *steer_row(int i);
const struct field *steer_find(const char *name); /* NULL: there is none */
/* Whether the field is the style; the model says which of its values it knows
 * (app/decoding/styles.h). */
bool steer_is_style(const struct field *f);
bool steer_is_flag(const struct field *f); /* "on" or "off" */

/* Writes the values that differ from `than`: "density 2, style folk"; cut at n_buf bytes. */
void steer_tell(const struct steering *s, const struct steering *than, char *buf,
                size_t n_buf);

/* For a request: all but where it is. */
void steer_apply(const struct steering *s, struct continuation_options *o);

/* -- the motif (app/decoding/motif.h) as text -- */

enum { MOTIF_TEXT = 64 };

/* "exact", "transposed", "varied", then NULL; "off" is MOTIF_NONE. */
extern const char *const MOTIF_KINDS[];

/* Bars and how they return: "5", "1-2", "1-2:varied"; exact by default. */
struct motif_bars {
    int first, last; /* from 1; 0: none */
    enum motif_kind kind;
};
/* false: invalid text, and nothing is stored. */
bool motif_read(const char *text, struct motif_bars *out);
/* The notes of those bars, on that track (from 0) or, if -1, on the highest audible one. */
struct continuation_motif motif_of_bars(const struct motif_bars *b,
                                        const struct score *s, int track);

/* "motif in bar 11, a fourth up"; "" if it is nowhere. Returns buf. */
const char *motif_say(const struct motif_place *at, const struct timeline *t,
                      char buf[MOTIF_TEXT]);

#endif
