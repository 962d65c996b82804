#include "midi/sound/double_rate.h"

#include <math.h>
#include <string.h>

enum { RING = 2 * DOUBLE_RATE_HALF };

static const double KAISER_BETA = 8; /* 80 dB in the stop band */

/* Returns the modified Bessel function of order 0, by its series. */
static double bessel(double x)
{
    double sum = 1, term = 1;
    for (int k = 1; k < 40; k++) {
        term *= x / 2 / k * (x / 2 / k);
        sum += term;
    }
    return sum;
}

/* The neighbours of a new frame lie 0.5, 1.5, ... frames away. The weights sum to one,
 * so a constant stays constant. */
void double_rate_init(struct double_rate *d)
{
    double weight[DOUBLE_RATE_HALF], sum = 0;
    memset(d, 0, sizeof *d);
    for (int k = 0; k < DOUBLE_RATE_HALF; k++) {
        double x = k + 0.5, share = x / DOUBLE_RATE_HALF;
        double window = bessel(KAISER_BETA * sqrt(1 - share * share));
        weight[k] = sin(M_PI * x) / (M_PI * x) * window;
        sum += 2 * weight[k];
    }
    for (int k = 0; k < DOUBLE_RATE_HALF; k++)
        d->weight[k] = (float)(weight[k] / sum);
}

void double_rate_next(struct double_rate *d, const float frame[2], float out[2][2])
{
    memcpy(d->before[d->n++ % RING], frame, sizeof d->before[0]);
    /* The oldest stored frame is n, the newest n - 1. The new frame lies in the middle
     * of them all. */
    size_t left = d->n + DOUBLE_RATE_HALF - 1, right = d->n + DOUBLE_RATE_HALF;
    for (int side = 0; side < 2; side++) {
        float sum = 0;
        for (size_t k = 0; k < DOUBLE_RATE_HALF; k++)
            sum += d->weight[k] * (d->before[(left - k) % RING][side] +
                                   d->before[(right + k) % RING][side]);
        out[0][side] = d->before[left % RING][side];
        out[1][side] = sum;
    }
}
