#include "app/training/critic_passages.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_TERMS = 2 * FEATURES_MOST, PATIENCE = 200 };

/* Squares never add merit. Their prior is this negative weight: among many takes there is
 * an odd one that linear terms alone would praise. Far from the mean they count much, so
 * their regularisation is this many times stronger. */
#define SQUARE_LEARNT_FROM (-0.03)
#define SQUARE_AT_MOST     (-0.01)
#define SQUARES            4

/* z, then z z, of the real one less of ours: [n, N_TERMS]. */
struct terms {
    float *rows;
    size_t n;
};

struct learning {
    double weights[N_TERMS], slope[N_TERMS], mean[N_TERMS], square[N_TERMS];
    double best[N_TERMS], best_nats;
    int step, best_step;
};

static void set_scales(struct critic *c, const struct critic_pair *pairs, size_t n)
{
    for (int i = 0; i < features_count(); i++) {
        double sum = 0, squares = 0;
        for (size_t k = 0; k < n; k++) {
            double a = (double)pairs[k].real[i], b = (double)pairs[k].ours[i];
            sum += a + b;
            squares += a * a + b * b;
        }
        double mean = sum / (2.0 * (double)n);
        double variance = fmax(0, squares / (2.0 * (double)n) - mean * mean);
        c->weights[i] = (struct critic_weight){
            .mean = (float)mean, .scale = (float)fmax(sqrt(variance), 1e-3)};
    }
}

static float standard(const struct critic_weight *w, float x)
{
    float z = (x - w->mean) / w->scale;
    return fminf(fmaxf(z, -CRITIC_FAR), CRITIC_FAR);
}

static bool make_terms(struct terms *t, const struct critic *c,
                       const struct critic_pair *pairs, size_t n)
{
    t->n = n;
    t->rows = calloc(n * N_TERMS + 1, sizeof *t->rows);
    for (size_t k = 0; t->rows && k < n; k++) {
        float *row = t->rows + k * N_TERMS;
        for (int i = 0; i < features_count(); i++) {
            float a = standard(&c->weights[i], pairs[k].real[i]);
            float b = standard(&c->weights[i], pairs[k].ours[i]);
            row[i] = a - b;
            row[FEATURES_MOST + i] = a * a - b * b;
        }
    }
    return t->rows != NULL;
}

static double dot(const double *weights, const float *row)
{
    double sum = 0;
    for (int i = 0; i < N_TERMS; i++)
        sum += weights[i] * (double)row[i];
    return sum;
}

static double nats_of(double margin)
{
    return margin > 30 ? 0 : log1p(exp(-margin));
}

static double mean_nats(const double *weights, const struct terms *t)
{
    double sum = 0;
    for (size_t k = 0; k < t->n; k++)
        sum += nats_of(dot(weights, t->rows + k * N_TERMS));
    return t->n ? sum / (double)t->n : 0;
}

static void find_slope(struct learning *l, const struct terms *t, double decay)
{
    for (int i = 0; i < FEATURES_MOST; i++) {
        const double *square = &l->weights[FEATURES_MOST + i];
        l->slope[i] = decay * l->weights[i];
        l->slope[FEATURES_MOST + i] = SQUARES * decay * (*square - SQUARE_LEARNT_FROM);
    }
    for (size_t k = 0; k < t->n; k++) {
        const float *row = t->rows + k * N_TERMS;
        double wrong = 1 / (1 + exp(dot(l->weights, row))) / (double)t->n;
        for (int i = 0; i < N_TERMS; i++)
            l->slope[i] -= wrong * (double)row[i];
    }
}

static void step(struct learning *l)
{
    const double rate = 0.01, keep = 0.9, keep_square = 0.999;
    l->step++;
    double a = 1 - pow(keep, l->step), b = 1 - pow(keep_square, l->step);
    for (int i = 0; i < N_TERMS; i++) {
        double g = l->slope[i];
        l->mean[i] = keep * l->mean[i] + (1 - keep) * g;
        l->square[i] = keep_square * l->square[i] + (1 - keep_square) * g * g;
        l->weights[i] -= rate * (l->mean[i] / a) / (sqrt(l->square[i] / b) + 1e-9);
        if (i >= FEATURES_MOST)
            l->weights[i] = fmin(l->weights[i], SQUARE_AT_MOST);
    }
}

static void learn(struct learning *l, const struct terms *learnt,
                  const struct terms *apart, const struct critic_lesson *lesson)
{
    for (int i = 0; i < features_count(); i++)
        l->weights[FEATURES_MOST + i] = SQUARE_LEARNT_FROM;
    l->best_nats = 1e9;
    while (l->step < lesson->most_steps && l->step < l->best_step + PATIENCE) {
        find_slope(l, learnt, lesson->decay);
        step(l);
        double nats = mean_nats(l->weights, apart->n ? apart : learnt);
        if (nats >= l->best_nats)
            continue;
        l->best_nats = nats;
        l->best_step = l->step;
        memcpy(l->best, l->weights, sizeof l->best);
    }
}

int critic_learn(struct critic *c, const struct critic_lesson *lesson)
{
    struct terms learnt = {0}, apart = {0};
    struct learning l = {.step = 0};
    *c = (struct critic){0};
    if (!lesson->n_learn)
        return 0;
    set_scales(c, lesson->learn, lesson->n_learn);
    if (make_terms(&learnt, c, lesson->learn, lesson->n_learn) &&
        make_terms(&apart, c, lesson->apart, lesson->n_apart))
        learn(&l, &learnt, &apart, lesson);
    for (int i = 0; i < features_count(); i++) {
        c->weights[i].linear = (float)l.best[i];
        c->weights[i].square = (float)l.best[FEATURES_MOST + i];
    }
    free(learnt.rows);
    free(apart.rows);
    return l.best_step;
}

double critic_accuracy(const struct critic *c, const struct critic_pair *pairs,
                       size_t n, double *nats)
{
    float gives[FEATURES_MOST];
    double sum = 0, n_right = 0;
    for (size_t k = 0; k < n; k++) {
        double margin = (double)(critic_merit(c, pairs[k].real, gives) -
                                 critic_merit(c, pairs[k].ours, gives));
        n_right += margin > 0 ? 1 : margin < 0 ? 0 : 0.5;
        sum += nats_of(margin);
    }
    if (nats)
        *nats = n ? sum / (double)n : 0;
    return n ? n_right / (double)n : 0;
}
