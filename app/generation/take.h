/* A continuation from start to end, for the verbs: opening the model, adding its notes to a
 * score, and its report. Errors are printed here; each function that can fail returns false
 * after printing why. */
#ifndef APP_TAKE_H
#define APP_TAKE_H

#include "app/generation/draws.h"
#include "app/generation/options.h"
#include "app/generation/surroundings.h"

struct engine {
    char path[4096]; /* of the model */
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
};

/* Finds and opens the model. */
bool engine_open(struct engine *e, const char *wanted_model,
                 struct model_precision precision, int n_threads);
void engine_close(struct engine *e);

/* Adds the notes to the score, and the track that an empty one lacks. */
bool take_apply(const struct take *t, struct score *s);

/* The verbs that write takes: --takes K files, each the score with one take, by
 * o->continuation; `s` is not changed. Prints what was written, or the error, and returns
 * the exit status. */
int takes_write(struct options *o, struct score *s);
/* Prints a warning if the notes do not lie on their grid. */
void takes_warn_off_grid(const char *file, const struct score *s);
/* The file of a take, from 0: "out.mid" for a single take, else "out-K.mid". false: too
 * long. */
bool takes_path(char *path, size_t n_path, const struct options *o, int take);

#endif
