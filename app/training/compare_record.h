/* What is known of a variant that has been trained and measured: DIR/NAME.json.
 * While it is not there the variant is not finished. */
#ifndef APP_COMPARE_RECORD_H
#define APP_COMPARE_RECORD_H

#include "app/training/train_options.h"

struct compare_record {
    double parameters, steps, tokens_seen, minutes;
    double valid, test; /* nats a cell; NAN: no such pieces */
};

/* How a variant is trained, as JSON text: what makes two records comparable.
 * malloc'd; NULL: out of memory. */
char *compare_settings_json(const struct train_request *q, const char *data_name);

enum record_status { RECORD_FINE, RECORD_NONE, RECORD_OTHER, RECORD_BROKEN };

/* RECORD_OTHER: of other settings; RECORD_BROKEN: no such record. */
enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings);
/* Writes beside and renames; false: errno says why. */
bool compare_record_write(const struct compare_record *r, const char *path,
                          const char *settings);

#endif
