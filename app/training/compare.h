/* Training every variant with one budget, and measuring each the same way. */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "app/training/compare_record.h"
#include "app/dataset/grid_corpus.h"
#include "app/training/variants.h"
#include "model/base/pool.h"

struct compare_row {
    const struct variant *variant;
    struct compare_record record;
    double tokens_per_second; /* decoding, beside the others in this run */
};

struct compare {
    const struct train_settings *settings;
    struct grid_corpus *corpus;
    struct pool *pool; /* for measuring; training makes its own */
    struct compare_row rows[N_VARIANTS];
    int n_rows;
};

/* Reads the music, trains and measures what DIR does not hold yet, and lets all
 * decode in turns. Says what goes wrong; the exit status: 1 also when it was
 * stopped on the way. Fini it whatever that is. */
int compare_run(struct compare *c, const struct train_settings *s);
void compare_fini(struct compare *c);

#endif
