/* Recomputes a few rows of one head's attention in a thread's scratch; attention_probe.c
 * answers every question with it. */
#ifndef MODEL_ATTENTION_RECOMPUTE_H
#define MODEL_ATTENTION_RECOMPUTE_H

#include "model/decoder/query_cache.h"

/* One head of one layer and what its queries attend to. */
struct recompute {
    struct decoder *d;
    struct attention_head h;
    struct kv_view m; /* not with Fourier mixing */
    const struct packed *index_table, *time_table;
};

/* A query's weights over the keys it sees, [first, end); times `by` they sum to one. */
struct attention_row {
    int first, end;
    float *weights; /* from key `first` on */
    float by;
};

/* For queries of the tokens [from, from + n). MODEL_NO_HEAD, MODEL_NO_QUERIES: as
 * attention_probe.h says. */
enum model_status recompute_init(struct recompute *l, struct decoder *d,
                                 struct attention_head h, int from, int n);

/* How many queries from `query` on, before `end`, are computed together. The groups never
 * depend on what is asked, so neither do the bits. */
int recompute_group(int query, int end);
/* rows [n] = the weights of one group, which lie in the thread's scratch. */
void recompute_rows(const struct recompute *l, int query, int n, int thread,
                    struct attention_row *rows);
/* The same for Fourier mixing, where weights depend on positions alone. room: a float for
 * each position up to the query's. */
void recompute_fixed_row(const struct decoder *d, int query, float *room,
                         struct attention_row *row);
/* As attention_scores. */
void recompute_scores(const struct recompute *l, int query, float *content,
                      float *index, float *time);

#endif
