/* From sums to figures, and how far apart two histograms are. */
#include "app/evaluation/statistics.h"

#include <math.h>

static double ratio(double sum, int64_t n)
{
    return n ? sum / (double)n : NAN;
}

double statistics_density(const struct statistics *s)
{
    return ratio((double)s->n_notes * STEPS_PER_QUARTER, s->n_steps);
}

double statistics_polyphony(const struct statistics *s)
{
    return ratio((double)s->n_sounding, s->n_onsets);
}

double statistics_entropy(const struct statistics *s)
{
    return ratio(s->entropy, s->n_bars);
}

double statistics_groove(const struct statistics *s)
{
    return ratio(s->groove, s->n_grooves);
}

static int64_t sum_of(const int64_t *counts, int n)
{
    int64_t sum = 0;
    for (int i = 0; i < n; i++)
        sum += counts[i];
    return sum;
}

double statistics_total_variation(const int64_t *a, const int64_t *b, int n)
{
    double apart = 0;
    int64_t n_a = sum_of(a, n), n_b = sum_of(b, n);
    for (int i = 0; i < n; i++)
        apart += fabs(ratio((double)a[i], n_a) - ratio((double)b[i], n_b));
    return apart / 2;
}

/* A bin's part of the divergence of p from the mean of p and q. */
static double part(double p, double q)
{
    return p > 0 ? p * log(2 * p / (p + q)) : p; /* NaN stays NaN */
}

double statistics_divergence(const int64_t *a, const int64_t *b, int n)
{
    double nats = 0;
    int64_t n_a = sum_of(a, n), n_b = sum_of(b, n);
    for (int i = 0; i < n; i++) {
        double p = ratio((double)a[i], n_a), q = ratio((double)b[i], n_b);
        nats += part(p, q) + part(q, p);
    }
    return nats / 2;
}
