/* What continuo bench vast found, and its table. */
#ifndef APP_BENCH_VAST_H
#define APP_BENCH_VAST_H

#include "app/benchmark/bench.h"
#include "app/benchmark/bench_delay.h"

/* Something done again and again: each frame is of one key. */
struct vast_scene {
    const char *name, *about;
    struct delay_figures key; /* from its being pressed to the end of the frame */
};

enum { VAST_MOST_SCENES = 12 };

struct vast {
    size_t n_notes;
    double open_ms; /* from asking for the file to the end of its first frame */
    int n_scenes;
    struct vast_scene scenes[VAST_MOST_SCENES];
};

/* The table, or an object in the array "vast" of the JSON. */
void vast_report(const struct bench *b, const struct vast *v);

#endif
