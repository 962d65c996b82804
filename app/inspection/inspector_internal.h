/* What the files of the inspector share: inspector.c is the thread and what both sides
 * touch, inspector_work.c answers a request, inspector_surprise.c goes through the
 * whole piece. */
#ifndef APP_INSPECTOR_INTERNAL_H
#define APP_INSPECTOR_INTERNAL_H

#include "app/inspection/inspector.h"

/* A request that owns its data. */
struct asked {
    uint64_t number;
    struct inspector_request r;
    struct inspected_take take;
    struct continuation_options options;
};

/* How much of a piece was read. */
struct surprise_so_far {
    uint64_t piece, version; /* version 0: of nothing */
    enum style style;        /* that it was read in */
    struct note_surprise *notes;
    size_t n, cap;
    bool *is_read; /* [n_windows] */
    int n_windows, n_read;
    double told_at; /* seconds, monotonic */
};

/* The thread's own. */
struct inspector_work {
    struct inspector *in; /* for inspector_publish */
    const struct model *model;
    struct pool *pool;
    const atomic_bool *cancel;
    struct inspection *near; /* of the inspected music */
    struct inspection *far;  /* of the rest of the piece; created when first needed */
    struct score *score;     /* the newest snapshot */
    uint64_t piece;          /* of the request before */
    struct surprise_so_far surprise;
};

/* Swaps the parts of `found` with those that the ui collects, then frees the old ones. */
void inspector_publish(struct inspector *in, struct inspector_report *found);

void inspector_work(struct inspector_work *w, const struct asked *a);
void inspector_work_surprise(struct inspector_work *w, const struct asked *a);

#endif
