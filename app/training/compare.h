/* Trains every variant with one budget and measures each the same way. */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "app/dataset/grid_corpus.h"
#include "app/training/train_options.h"
#include "app/training/variants.h"
#include "model/base/pool.h"

/* The results of a variant that was trained and measured: DIR/NAME.json. A variant without
 * that file is not finished. */
struct compare_record {
    double parameters, steps, tokens_seen, minutes;
    double valid, test; /* nats a cell; NAN: no such pieces */
};

enum record_status { RECORD_FINE, RECORD_NONE, RECORD_OTHER, RECORD_BROKEN };
/* `settings` is JSON text that says how the variant is trained. RECORD_OTHER: the record has
 * other settings. RECORD_BROKEN: the file is no record. */
enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings);
/* Writes a temporary file and renames it. false: errno says why. */
bool compare_record_write(const struct compare_record *r, const char *path,
                          const char *settings);

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

/* Reads the music, trains and measures the variants that DIR does not have, and times the
 * decoding of all in turns. Says what goes wrong and returns the exit status; 1 also if it was
 * stopped. Call compare_fini in every case. */
int compare_run(struct compare *c, const struct train_settings *s);
void compare_fini(struct compare *c);

#endif
