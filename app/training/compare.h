/* Trains every variant with one budget and measures each the same way. */
#ifndef APP_COMPARE_H
#define APP_COMPARE_H

#include "app/dataset/grid_corpus.h"
#include "app/training/train_run.h"
#include "model/base/pool.h"
#include "model/weights/model.h"

#include <cjson/cJSON.h>
#include <stdio.h>

/* The decoder variants that are compared: the published ones and a few combinations. All have
 * one size; they differ in position encoding, token mixing and the place of the norms. Pure. */

struct variant {
    const char *name;  /* of its file, too */
    const char *about; /* a few words with their source */
    enum model_position position;
    enum model_relative relative;
    enum model_time time;
    enum model_mixing mixing;
    enum model_norm norm;
    int max_distance_part; /* the context over this is the max distance; 0: none */
    int block;             /* tokens mixed by Fourier; 0: the context */
    bool is_local;         /* attention in blocks of about a quarter of the context */
};

enum { N_VARIANTS = 13 };
extern const struct variant VARIANTS[N_VARIANTS];

/* Stores the named variants, in the order of the list, and returns how many. names: separated
 * by commas, NULL: all. 0: a name is unknown. */
int variants_choose(const char *names, const struct variant *chosen[N_VARIANTS]);

/* The variant in the sizes of another configuration. */
struct model_config variant_config(const struct variant *v,
                                   const struct model_config *sizes);

/* The results of a variant that was trained and measured: DIR/NAME.json. A variant without
 * that file is not finished. */
struct compare_record {
    double parameters, steps, tokens_seen, minutes;
    double valid, test; /* nats per cell; NAN: no such pieces */
};

enum record_status { RECORD_FINE, RECORD_NONE, RECORD_OTHER, RECORD_BROKEN };
/* `settings` is JSON text with the training settings of the variant. RECORD_OTHER: the
 * record has other settings. RECORD_BROKEN: the file is not a record. */
enum record_status compare_record_read(struct compare_record *r, const char *path,
                                       const char *settings);
/* false: errno says why. */
bool compare_record_write(const struct compare_record *r, const char *path,
                          const char *settings);

struct compare_row {
    const struct variant *variant;
    struct compare_record record;
    double tokens_per_second; /* decoding, compared with the others in this run */
};

struct compare {
    const struct train_settings *settings;
    struct grid_corpus *corpus;
    struct pool *pool; /* for measuring; training makes its own */
    struct compare_row rows[N_VARIANTS];
    int n_rows;
};

/* Reads the music, trains and measures the variants that DIR does not have, and times the
 * decoding of all in turns. Prints errors and returns the exit status; 1 also if it was
 * stopped. Call compare_fini in every case. */
int compare_run(struct compare *c, const struct train_settings *s);
void compare_fini(struct compare *c);

/* The table of a comparison, with published figures, and how fast models decode. */

/* Prints Markdown. The only error is MIDI_NO_MEMORY. */
enum midi_status compare_table_print(const struct compare *c, FILE *to);
/* The same as JSON; NULL: out of memory. */
cJSON *compare_table_json(const struct compare *c);

/* Inner parts of compare_run. DIR/NAME.ENDING; false: it is too long. */
enum { COMPARE_PATH_BYTES = 4096 };
bool compare_path(char path[COMPARE_PATH_BYTES], const struct train_settings *s,
                  const char *name, const char *ending);
/* Times the decoding of all trained models; the exit status. */
int compare_speeds(struct compare *c);

#endif
