/* Positions of tokens: the mathematics that the decoder and the trainer share. Pure
 * functions, any thread. */
#ifndef MODEL_POSITION_H
#define MODEL_POSITION_H

#include "model/kernels/kernels.h"
#include "model/weights/model.h"

#include <stdint.h>

/* x[d] += the sinusoids of Vaswani et al. 2017, section 3.5: for a pair of dimensions (i,
 * i + 1) with even i, the sine and the cosine of position / 10000^(i / d). */
void position_add_sinusoid(float *x, int position, int d);

/* The row of a time table for a query whose time is `delta` after the key's, or before it
 * if delta is negative. Differences up to 48 have a row each. Beyond them the rows widen
 * with the logarithm of the difference, up to 12288, and the last row of each sign serves
 * all larger ones. This is the bucketing of Raffel et al. 2020 with the sign kept. */
int position_time_bucket(int64_t delta);
/* The same from a table: rows[delta + POSITION_FAR], with delta clamped to POSITION_FAR. */
enum { POSITION_FAR = 12288 };
const uint8_t *position_time_rows(void);
static inline int position_time_row(const uint8_t *rows, int64_t delta)
{
    int64_t clamped = delta > POSITION_FAR    ? POSITION_FAR
                      : delta < -POSITION_FAR ? -POSITION_FAR
                                              : delta;
    return rows[clamped + POSITION_FAR];
}

/* How a query reads n keys from `key` on in a row of n_columns distances, of which column
 * `zero` is distance 0. The first n_before keys, which lie too far back, use column 0.
 * The next n_own keys use the columns from `column` on. The last n_after keys, which lie
 * too far ahead, use the last column. */
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

/* distances_read: to[n] += for each key the number in its column. distances_sum: columns
 * += for each key its number in from[n]. */
void distances_read(struct distances at, const struct kernels *k, float *to,
                    const float *columns);
void distances_sum(struct distances at, const struct kernels *k, float *columns,
                   const float *from);

/* The first key that a query of causal attention sees. Local attention sees the query's block
 * and the one before; other attention, block 0, sees all. */
static inline int position_first_key(int block, int query)
{
    return block && query >= block ? (query / block - 1) * block : 0;
}

/* The rotations of a token (Su et al. 2021, section 3.2.2): rotations[e] holds the cosine
 * and the sine of an angle for each pair of a head's e dimensions. Pairs are neighbouring
 * dimensions. Of n pairs that rotate by a position p, pair i rotates by p / 10000^(i /
 * n). If the configuration has both rotations, the first half of the pairs rotates by the
 * index and the second by the time. */
bool position_is_rotary(const struct model_config *c);
void position_set_rotation(float *rotations, const struct model_config *c, int index,
                           int32_t time);

#endif
