/* The trainer against an independent decoder in double precision: the loss, and gradients by
 * finite differences of that decoder: every element, or some of each row and column. */

#include "tests/check.h"
#include "tests/model/reference.h"
#include "tests/model/train/training.h"

/* Which elements of a matrix. All rows have more than SOME, and no length is a multiple of it.
 * TSan, which asks about threads, makes the reference a hundred times as slow. */
#ifdef __SANITIZE_THREAD__
enum { ALL = 16, SOME = 16 };
#else
enum { ALL = 1, SOME = 3 };
#endif

static struct ref_sequence source_of(const struct train_batch *b, int row)
{
    struct ref_sequence s = {b->sources + row * SHORT_SOURCE,
                             b->source_times + row * SHORT_SOURCE, 0};
    while (s.n < SHORT_SOURCE && s.tokens[s.n] >= 0)
        s.n++;
    return s;
}

static double reference_loss(const struct model_config *c, const double *block,
                             const struct train_batch *b)
{
    double sum = 0;
    int count = 0;
    for (int from = 0; from < SHORT_N; from += SHORT_LENGTH) {
        struct ref_sequence s = {b->tokens + from, b->times + from, SHORT_LENGTH};
        struct ref_sequence source = source_of(b, from / SHORT_LENGTH);
        auto_free double *logits =
            reference(c, block, &s, c->n_encoder_layers ? &source : NULL);
        for (int t = 0; t < SHORT_LENGTH; t++) {
            const double *row = logits + t * c->vocab;
            double total = 0;
            if (b->targets[from + t] < 0)
                continue;
            for (int i = 0; i < c->vocab; i++)
                total += exp(row[i]);
            sum += log(total) - row[b->targets[from + t]];
            count++;
        }
    }
    return sum / count;
}

static double slope(const struct model_config *c, double *block, size_t at,
                    const struct train_batch *b)
{
    const double step = 1e-5, was = block[at];
    block[at] = was + step;
    double up = reference_loss(c, block, b);
    block[at] = was - step;
    double down = reference_loss(c, block, b);
    block[at] = was;
    return (up - down) / (2 * step);
}

static void check_tensor(const struct model_config *c,
                         const struct model_tensor *tensor, double *block,
                         const float *gradients, const struct train_batch *b,
                         size_t every)
{
    size_t n = model_tensor_size(tensor);
    size_t step = tensor->n_dims > 1 ? every : 1;
    double worst = 0, largest = 0;
    for (size_t i = tensor->offset; i < tensor->offset + n; i += step) {
        double want = slope(c, block, i, b);
        worst = fmax(worst, fabs(want - (double)gradients[i]));
        largest = fmax(largest, fabs(want));
    }
    if (worst > 1e-5 + 1e-4 * largest)
        fail_msg("%s: off by %g, of slopes up to %g", tensor->name, worst, largest);
    if (largest < 1e-6)
        fail_msg("%s: its slopes are all zero, so nothing was tested", tensor->name);
}

static void check_gradients(const struct model_config *c, size_t every)
{
    struct train_options o = options_for(SHORT_BATCH, SHORT_LENGTH);
    struct lesson l;
    auto_school s = school_begin(c, &o, 2);
    auto_free float *gradients = calloc(s.n_floats, sizeof *gradients);
    double *block = calloc(s.n_floats, sizeof *block), loss;
    lesson_fill(&l, SHORT_BATCH, SHORT_LENGTH, c->vocab, 1);
    fill_times(l.times, SHORT_N);
    for (int i = SHORT_N - SHORT_LENGTH + 1; i < SHORT_N;
         i++) /* of one sequence they never go back */
        l.times[i] = l.times[i] < l.times[i - 1] ? l.times[i - 1] : l.times[i];
    l.batch.times = l.times;
    stir(s.block, s.n_floats, 0.5f);
    for (size_t i = 0; i < s.n_floats; i++)
        block[i] = (double)s.block[i];
    assert_ok(trainer_gradients(s.trainer, &l.batch, &loss, gradients));
    assert_true(fabs(loss - reference_loss(c, block, &l.batch)) < 1e-5);
    for (size_t i = 0; i < s.n_tensors; i++)
        check_tensor(c, &s.tensors[i], block, gradients, &l.batch, every);
    free(block);
}

TEST(gradients_match_finite_differences)
{
    struct model_config c = tiny();
    check_gradients(&c, ALL);
}

TEST(gradients_of_every_variant)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        struct model_config sizes = tiny(), c;
        sizes.d_model = 8; /* a head's four pairs turn both ways */
        print_message("%s\n", VARIANTS[i].name);
        c = sized_as(VARIANTS[i].config, sizes);
        c.max_distance = c.max_distance ? 2 + i % 3 * 3 : 0;
        c.block = c.mixing == MIXING_FOURIER ? 5 : c.block;
        check_gradients(&c, SOME);
    }
}

/* How the loss changes as a tensor moves by so many times its gradient. */
static double loss_moved_by(struct school *s, const struct train_batch *b,
                            const struct model_tensor *tensor, const float *gradients,
                            float step)
{
    const size_t n = model_tensor_size(tensor), n_bytes = n * sizeof(float);
    float *w = s->block + tensor->offset, *was = malloc(n_bytes);
    double sums[2];
    int64_t count;
    memcpy(was, w, n_bytes);
    for (int i = 0; i < 2; i++, step = -step) {
        for (size_t k = 0; k < n; k++)
            w[k] = was[k] + step * gradients[tensor->offset + k];
        trainer_evaluate(s->trainer, b, &sums[i], &count, NULL);
    }
    memcpy(w, was, n_bytes);
    free(was);
    return (sums[0] - sums[1]) / (double)count;
}

/* Of one sequence, against the reference. */
static void check_loss(const struct model_config *c, const struct school *s,
                       const struct train_batch *b, int n, double loss)
{
    const struct ref_sequence all = {b->tokens, b->times, n};
    auto_free double *block = calloc(s->n_floats, sizeof *block);
    for (size_t i = 0; i < s->n_floats; i++)
        block[i] = (double)s->block[i];
    auto_free double *logits = reference(c, block, &all, NULL);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < n; i++) {
        const double *row = logits + (size_t)i * c->vocab;
        double total = 0;
        for (int j = 0; j < c->vocab; j++)
            total += exp(row[j]);
        if (b->targets[i] < 0)
            continue;
        sum += log(total) - row[b->targets[i]];
        count++;
    }
    assert_true(fabs(loss - sum / count) < 1e-5);
}

/* The gradient predicts how the loss changes along itself, tensor by tensor;
 * that is only one number each, but through every block and tile. */
static void check_along_gradients(const struct model_config *c, int batch, int length)
{
    struct train_options o = options_for(batch, length);
    struct lesson l;
    double loss;
    auto_school s = school_begin(c, &o, 2);
    auto_free float *gradients = calloc(s.n_floats, sizeof *gradients);
    lesson_fill(&l, batch, length, c->vocab, 2);
    variant_times(l.times, LONG_N);
    l.batch.times = l.times;
    for (size_t i = 0; i < s.n_floats; i++)
        s.block[i] *= 4.0f;
    assert_ok(trainer_gradients(s.trainer, &l.batch, &loss, gradients));
    if (length == LONG_N)
        check_loss(c, &s, &l.batch, length, loss);
    for (size_t k = 0; k < s.n_tensors; k++) {
        const struct model_tensor *tensor = &s.tensors[k];
        const float *g = gradients + tensor->offset;
        double square = 0;
        for (size_t i = 0; i < model_tensor_size(tensor); i++)
            square += (double)g[i] * (double)g[i];
        assert_true(square > 0);
        float step = (float)fmin(4e-3 / sqrt(square), 4e-3 / square);
        double found = loss_moved_by(&s, &l.batch, tensor, gradients, step),
               want = 2 * (double)step * square;
        if (fabs(found - want) > 0.02 * want + 1e-6)
            fail_msg("%s: the loss moved by %g, not %g", tensor->name, found, want);
    }
}

TEST(gradients_hold_across_blocks_and_tiles)
{
    struct model_config c = medium();
    check_along_gradients(&c, LONG_BATCH, LONG_LENGTH);
    for (int i = 0; i < N_VARIANTS; i++) {
        print_message("%s\n", VARIANTS[i].name);
        c = sized_as(VARIANTS[i].config, medium());
        check_along_gradients(&c, 2, LONG_LENGTH);
    }
}

/* A sequence whose last tiles see more keys than one part of them has. */
TEST(gradients_hold_across_parts_of_the_keys)
{
    struct model_config c = medium();
    c.position = POSITION_NONE;
    c.relative = RELATIVE_ROTARY;
    c.time = TIME_BUCKETS;
    c.context = LONG_N;
    check_along_gradients(&c, 1, LONG_N);
}

/* Rounded products bend the gradient a little, and never turn it. */
static void check_bf16_gradients(struct model_config c)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct school s[2];
    struct lesson l;
    float *gradients[2];
    double loss[2], error = 0, square = 0;
    lesson_fill(&l, LONG_BATCH, LONG_LENGTH, c.vocab, 2);
    variant_times(l.times, LONG_N);
    l.batch.times = l.times;
    for (int i = 0; i < 2; i++) {
        o.bf16 = i == 1;
        s[i] = school_begin(&c, &o, 2);
        gradients[i] = calloc(s[i].n_floats, sizeof(float));
        trainer_gradients(s[i].trainer, &l.batch, &loss[i], gradients[i]);
    }
    for (size_t i = 0; i < s[0].n_floats; i++) {
        double exact = (double)gradients[0][i], off = (double)gradients[1][i] - exact;
        error += off * off;
        square += exact * exact;
    }
    assert_true(fabs(loss[0] - loss[1]) < 1e-3);
    assert_true(error < 0.02 * 0.02 * square);
    for (int i = 0; i < 2; i++) {
        free(gradients[i]);
        school_end(&s[i]);
    }
}

TEST(bf16_gradients_point_the_same_way)
{
    struct model_config c = medium();
    check_bf16_gradients(c);
    c.position = POSITION_NONE;
    c.relative = RELATIVE_ROTARY;
    c.time = TIME_BUCKETS;
    c.activation = ACTIVATION_GELU;
    check_bf16_gradients(c);
}
