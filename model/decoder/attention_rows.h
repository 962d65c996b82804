/* A few rows of one head's attention, made again in a thread's scratch: what
 * attention_rows.c does for all that attention.c answers. */
#ifndef MODEL_ATTENTION_ROWS_H
#define MODEL_ATTENTION_ROWS_H

#include "model/decoder/decoder_watch.h"

/* One head of one layer, as it is now. */
struct looking {
    struct decoder *d;
    struct attention_head h;
    struct memory m; /* not with Fourier mixing */
    const struct packed *index_table, *time_table;
};

/* A query's weights over the keys it sees, [first, end), all times `by` of their sum. */
struct weighed {
    int first, end;
    float *weights; /* of key `first` on */
    float by;
};

/* MODEL_NO_HEAD, MODEL_NOT_WATCHED: as attention.h says, of the tokens [from, from + n). */
enum model_status looking_init(struct looking *l, struct decoder *d,
                               struct attention_head h, int from, int n);

/* How many of the queries from one on, `end` at most, are weighed together: those that
 * see keys from the same one on, whatever is asked, so that bits do not depend on it. */
int looking_group(int query, int end);
/* The weights of n such queries, in the scratch of a thread of the pool; rows [n]. */
void looking_weigh(const struct looking *l, int query, int n, int thread,
                   struct weighed *rows);
/* Of Fourier mixing, whose weights are of places alone; room: a float for each place up to
 * the query's. */
void looking_weigh_fixed(const struct decoder *d, int query, float *room,
                         struct weighed *row);
/* As attention_scores. */
void looking_scores(const struct looking *l, int query, float *content, float *index,
                    float *time);

#endif
