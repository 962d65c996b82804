/* Positions of tokens: the mathematics that decoder and trainer share. Pure functions, any
 * thread. */
#ifndef MODEL_POSITION_H
#define MODEL_POSITION_H

#include "model/kernels/kernels.h"
#include "model/weights/model.h"

#include <stdint.h>

/* x[d] += the sinusoids of Vaswani et al. 2017, section 3.5: sine at even places,
 * cosine at odd ones, of position / 10000^(i / d), i the even place of the pair. */
void position_add_sinusoid(float *x, int position, int d);

/* The row of a time table for a query `delta` after a key (before it, if negative).
 * Differences up to 48 have a row each; beyond, rows widen with the logarithm, up to 12288;
 * the last row is for all larger ones (the bucketing of Raffel et al. 2020 with its sign
 * kept). */
int position_time_bucket(int64_t delta);
/* The same from a table: rows[clamped delta + POSITION_FAR]. */
enum { POSITION_FAR = 12288 };
const uint8_t *position_time_rows(void);
static inline int position_time_row(const uint8_t *rows, int64_t delta)
{
    int64_t clamped = delta > POSITION_FAR    ? POSITION_FAR
                      : delta < -POSITION_FAR ? -POSITION_FAR
                                              : delta;
    return rows[clamped + POSITION_FAR];
}

/* n keys from `key` on, as a query reads them from a table of n_columns distances, of which
 * `zero` is distance 0: keys too far back use the first column, keys too far ahead the
 * last, and those between use the columns from `column` on. */
struct distances {
    int n_before, n_own, n_after, column, last;
};

static inline struct distances position_distances(int n_columns, int zero, int query,
                                                  int key, int n)
{
    int column = zero + key - query;
    struct distances at = {.column = column > 0 ? column : 0, .last = n_columns - 1};
    at.n_before = column >= 0 ? 0 : -column < n ? -column : n;
    int room = n_columns - at.column, left = n - at.n_before;
    at.n_own = left < room ? left : room > 0 ? room : 0;
    at.n_after = left - at.n_own;
    return at;
}

/* to[n] += what each key reads from columns[n_columns]; and columns += what each key has in
 * from[n]. */
void distances_read(struct distances at, const struct kernels *k, float *to,
                    const float *columns);
void distances_sum(struct distances at, const struct kernels *k, float *columns,
                   const float *from);

/* A token's rotations: for each pair of a head's e dimensions the cosine and sine of its
 * angle (Su et al. 2021, section 3.2.2), rotations[e]. Pairs are neighbours; pair i of
 * the n that turn by a place turns by place / 10000^(i / n). With both rotations, the
 * first half of the pairs turns by the index, the second by the time. */
bool position_is_rotary(const struct model_config *c);
void position_set_rotation(float *rotations, const struct model_config *c, int index,
                           int32_t time);

#endif
