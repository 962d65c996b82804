/* Training every variant with one budget, and measuring each the same way. */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "app/dataset/grid_corpus.h"
#include "app/training/train_options.h"
#include "app/training/variants.h"
#include "model/base/pool.h"

/* What is known of a variant that has been trained and measured: DIR/NAME.json. A variant
 * without that file is not finished. */
struct compare_record {
    double parameters, steps, tokens_seen, minutes;
    double valid, test; /* nats a cell; NAN: no such pieces */
};

enum record_status { RECORD_FINE, RECORD_NONE, RECORD_OTHER, RECORD_BROKEN };
/* `settings` is JSON text that says how the variant is trained. RECORD_OTHER: of other
 * settings; RECORD_BROKEN: no such record. */
enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings);
/* Writes beside and renames. false: errno says why. */
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

/* Reads the music, trains and measures what DIR does not hold yet, and lets all
 * decode in turns. Says what goes wrong; the exit status: 1 also when it was
 * stopped on the way. Fini it whatever that is. */
int compare_run(struct compare *c, const struct train_settings *s);
void compare_fini(struct compare *c);

#endif
