/* See position.h. */
#include "model/decoder/position.h"

#include <math.h>
#include <pthread.h>

static const double BASE = 10000.0;

void position_add_sinusoid(float *x, int position, int d)
{
    for (int i = 0; i < d; i++) {
        double angle = position / pow(BASE, (double)(i - i % 2) / d);
        x[i] += (float)(i % 2 ? cos(angle) : sin(angle));
    }
}

/* The rows for each sign; those of them that have a single difference; and the difference
 * from which on the last row is used. */
enum { SIDE = MODEL_TIME_BUCKETS / 2, EXACT = SIDE / 2, FAR = POSITION_FAR };

int position_time_bucket(int64_t delta)
{
    int64_t far = delta < 0 ? -delta : delta;
    int row = (int)far;
    if (far >= FAR)
        row = SIDE;
    else if (far > EXACT)
        row = EXACT + 1 +
              (int)((SIDE - EXACT - 1) * log((double)far / EXACT) /
                    log((double)FAR / EXACT));
    return SIDE + (delta < 0 ? -row : row);
}

static uint8_t time_rows[2 * FAR + 1];

static void fill_time_rows(void)
{
    for (int i = 0; i < 2 * FAR + 1; i++)
        time_rows[i] = (uint8_t)position_time_bucket(i - FAR);
}

const uint8_t *position_time_rows(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill_time_rows);
    return time_rows;
}

void distances_read(struct distances at, const struct kernels *k, float *to,
                    const float *columns)
{
    float *own = to + at.n_before, *after = own + at.n_own;
    for (int i = 0; i < at.n_before; i++)
        to[i] += columns[0];
    k->add(own, columns + at.column, at.n_own);
    for (int i = 0; i < at.n_after; i++)
        after[i] += columns[at.last];
}

void distances_sum(struct distances at, const struct kernels *k, float *columns,
                   const float *from)
{
    const float *own = from + at.n_before, *after = own + at.n_own;
    for (int i = 0; i < at.n_before; i++)
        columns[0] += from[i];
    k->add(columns + at.column, own, at.n_own);
    for (int i = 0; i < at.n_after; i++)
        columns[at.last] += after[i];
}

bool position_is_rotary(const struct model_config *c)
{
    return c->relative == RELATIVE_ROTARY || c->time == TIME_ROTARY;
}

static void set_pairs(float *rotations, int n, double place)
{
    for (int i = 0; i < n; i++) {
        double angle = place / pow(BASE, (double)i / n);
        rotations[2 * i] = (float)cos(angle);
        rotations[2 * i + 1] = (float)sin(angle);
    }
}

void position_set_rotation(float *rotations, const struct model_config *c, int index,
                           int32_t time)
{
    int pairs = c->d_model / c->n_heads / 2;
    bool by_index = c->relative == RELATIVE_ROTARY, by_time = c->time == TIME_ROTARY;
    int first = by_index && by_time ? pairs / 2 : by_index ? pairs : 0;
    set_pairs(rotations, first, index);
    set_pairs(rotations + 2 * first, by_time ? pairs - first : 0, time);
}
