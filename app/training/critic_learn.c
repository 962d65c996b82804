/* Learns what makes the original better than the takes of its passage. In a group of one
 * original and some takes, the chance that the original is chosen is its e^merit as a share of
 * all (Luce 1959). The weights make the originals' log chances as large as regularisation lets
 * them. See critic_passages.h. */
#include "app/training/critic_passages.h"

#include <math.h>
#include <stdlib.h>

enum { N_TERMS = 2 * FEATURES_MOST, STEPS = 2000 };

/* Squares never add merit. Their prior is this negative weight: among many takes there is
 * an odd one that linear terms alone would praise. */
#define SQUARE_LEARNT_FROM (-0.05)

/* z, then z z, of the real one less of ours: [n, N_TERMS]. */
struct terms {
    const struct critic_pair *pairs;
    float *rows;
    size_t n, n_groups;
};

struct learning {
    double weights[N_TERMS], slope[N_TERMS], mean[N_TERMS], square[N_TERMS];
    double decay;
    int step;
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
    *t = (struct terms){pairs, calloc(n * N_TERMS + 1, sizeof *t->rows), n, 0};
    for (size_t k = 0; t->rows && k < n; k++) {
        float *row = t->rows + k * N_TERMS;
        t->n_groups += k == 0 || pairs[k].group != pairs[k - 1].group;
        for (int i = 0; i < features_count(); i++) {
            float a = standard(&c->weights[i], pairs[k].real[i]);
            float b = standard(&c->weights[i], pairs[k].ours[i]);
            row[i] = a - b;
            row[FEATURES_MOST + i] = a * a - b * b;
        }
    }
    return t->rows != NULL;
}

/* e to the merit of ours, less that of the real one. */
static double odds_of(const struct learning *l, const float *row)
{
    double margin = 0;
    for (int i = 0; i < N_TERMS; i++)
        margin += l->weights[i] * (double)row[i];
    return exp(fmin(-margin, 50));
}

/* A group's share of the slope of the mean of log(1 + its odds). */
static void add_slope(struct learning *l, const struct terms *t, size_t from, size_t to)
{
    double sum = 1;
    for (size_t k = from; k < to; k++)
        sum += odds_of(l, t->rows + k * N_TERMS);
    for (size_t k = from; k < to; k++) {
        const float *row = t->rows + k * N_TERMS;
        const double chance = odds_of(l, row) / sum / (double)t->n_groups;
        for (int i = 0; i < N_TERMS; i++)
            l->slope[i] -= chance * (double)row[i];
    }
}

static void find_slope(struct learning *l, const struct terms *t)
{
    for (int i = 0; i < FEATURES_MOST; i++) {
        const double *square = &l->weights[FEATURES_MOST + i];
        l->slope[i] = l->decay * l->weights[i];
        l->slope[FEATURES_MOST + i] = l->decay * (*square - SQUARE_LEARNT_FROM);
    }
    for (size_t from = 0, to; from < t->n; from = to) {
        for (to = from + 1; to < t->n && t->pairs[to].group == t->pairs[from].group;)
            to++;
        add_slope(l, t, from, to);
    }
}

/* Its rate falls to 0, so that it comes to rest. */
static void step(struct learning *l)
{
    const double rate = 0.02 * (1 - (double)l->step / STEPS), keep = 0.9,
                 keep_square = 0.999;
    l->step++;
    double a = 1 - pow(keep, l->step), b = 1 - pow(keep_square, l->step);
    for (int i = 0; i < N_TERMS; i++) {
        double g = l->slope[i];
        l->mean[i] = keep * l->mean[i] + (1 - keep) * g;
        l->square[i] = keep_square * l->square[i] + (1 - keep_square) * g * g;
        l->weights[i] -= rate * (l->mean[i] / a) / (sqrt(l->square[i] / b) + 1e-9);
        if (i >= FEATURES_MOST)
            l->weights[i] = fmin(l->weights[i], 0);
    }
}

bool critic_learn(struct critic *c, const struct critic_pair *pairs, size_t n,
                  double decay)
{
    struct terms t;
    struct learning l = {.decay = decay};
    *c = (struct critic){0};
    if (!n)
        return false;
    set_scales(c, pairs, n);
    if (!make_terms(&t, c, pairs, n))
        return false;
    for (int i = 0; i < features_count(); i++)
        l.weights[FEATURES_MOST + i] = SQUARE_LEARNT_FROM;
    while (l.step < STEPS) {
        find_slope(&l, &t);
        step(&l);
    }
    for (int i = 0; i < features_count(); i++) {
        c->weights[i].linear = (float)l.weights[i];
        c->weights[i].square = (float)l.weights[FEATURES_MOST + i];
    }
    free(t.rows);
    return true;
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
        sum += log1p(exp(fmin(-margin, 50)));
    }
    if (nats)
        *nats = n ? sum / (double)n : 0;
    return n ? n_right / (double)n : 0;
}
