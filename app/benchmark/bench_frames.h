/* What continuo bench frames found, and its table. */
#ifndef APP_BENCH_FRAMES_H
#define APP_BENCH_FRAMES_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_sample.h"

enum { FRAMES_SCENES = 2 };

/* Some seconds of somebody typing. */
struct frames_scene {
    const char *name;
    bool decodes; /* and four takes are being made all the time */
    double seconds;
    double tokens;              /* decoded in them */
    double drawing;             /* share of a core that the ui thread used */
    struct delay_figures frame; /* from waking to the end of drawing */
    struct delay_figures key;   /* from its being pressed to the same */
    struct delay_figures late;  /* of a thread that sleeps 5 ms */
};

struct frames {
    int rounds;                /* medians of which these are, milliseconds: */
    double first_frame, ready; /* from the opening of the screen */
    /* From C to a ghost on the screen, 16 bars being open: at once after they were
     * opened; after a moment; and when C was pressed before. */
    double ghost_at_once, ghost_read_ahead, ghost_again;
    double idle_share; /* of a core, while nothing happens */
    struct frames_scene scenes[FRAMES_SCENES];
};

/* The table, or the object "frames" of the JSON. */
void frames_report(const struct bench *b, const struct frames *f);

#endif
