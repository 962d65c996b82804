/* The decoder against the same model written out plainly in double precision,
 * then its promises: a step continues what prefill began, forgetting is exact,
 * a cancelled call changes nothing, threads change no bit. */
#include "model/decoder.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Odd sizes: tails of vectors, tiles and chunks all occur. */
static const struct model_config SMALL = {
    .vocab = 37,
    .context = 300,
    .d_model = 42,
    .n_heads = 3,
    .n_layers = 2,
    .d_ff = 90,
    .activation = ACTIVATION_RELU,
    .position = POSITION_LEARNED,
    .tied = true,
};
enum { N = 290, STEPS = 20 }; /* more than a chunk, and more than four tiles */

/* Large enough that a step is shared out over the pool. */
static const struct model_config MEDIUM = {
    .vocab = 300,
    .context = 200,
    .d_model = 192,
    .n_heads = 4,
    .n_layers = 2,
    .d_ff = 400,
    .activation = ACTIVATION_GELU,
    .position = POSITION_NONE,
    .tied = false,
};

/* The weights of a random model are too alike for a test: every one is moved a
 * lot. The decoder only ever reads them. */
static struct model *make_model(const struct model_config *c)
{
    struct model *m = NULL;
    assert_int_equal(model_random(&m, c, 7), MODEL_OK);
    float *w = (float *)(uintptr_t)model_weights(m)->token;
    uint32_t x = 12345;
    for (size_t i = 0; i < model_n_parameters(m); i++) {
        x = x * 1664525u + 1013904223u;
        w[i] += ((float)(x >> 8) / 0x1p24f - 0.5f) * 0.5f;
    }
    return m;
}

static void fill(int32_t *tokens, int n, int vocab)
{
    for (int i = 0; i < n; i++)
        tokens[i] = (i * i * 7 + i * 13 + 5) % vocab;
}

/* --- the reference --- */

static void ref_norm(double *y, const double *x, const float *w, const float *b, int n)
{
    double mean = 0, variance = 0;
    for (int i = 0; i < n; i++)
        mean += x[i] / n;
    for (int i = 0; i < n; i++)
        variance += (x[i] - mean) * (x[i] - mean) / n;
    for (int i = 0; i < n; i++)
        y[i] = (x[i] - mean) / sqrt(variance + 1e-5) * w[i] + b[i];
}

static void ref_linear(double *y, const double *x, const float *w, const float *b,
                       int n_out, int n_in)
{
    for (int o = 0; o < n_out; o++) {
        y[o] = b ? b[o] : 0;
        for (int i = 0; i < n_in; i++)
            y[o] += w[o * n_in + i] * x[i];
    }
}

static double ref_activation(const struct model_config *c, double x)
{
    if (c->activation == ACTIVATION_GELU)
        return 0.5 * x * (1 + erf(x / sqrt(2)));
    return x > 0 ? x : 0;
}

/* qkv [n][3d]; y [d] of query t and all heads. */
static void ref_attend(const struct model_config *c, double *y, const double *qkv,
                       int t)
{
    int d = c->d_model, width = d / c->n_heads;
    double *p = calloc((size_t)t + 1, sizeof *p);
    for (int head = 0; head < c->n_heads; head++) {
        double sum = 0;
        const double *q = qkv + (size_t)t * 3 * d + head * width;
        for (int s = 0; s <= t; s++) {
            double dot = 0;
            for (int i = 0; i < width; i++)
                dot += q[i] * qkv[(size_t)s * 3 * d + d + head * width + i];
            p[s] = exp(dot / sqrt(width));
            sum += p[s];
        }
        for (int i = 0; i < width; i++) {
            y[head * width + i] = 0;
            for (int s = 0; s <= t; s++)
                y[head * width + i] +=
                    p[s] / sum * qkv[(size_t)s * 3 * d + 2 * d + head * width + i];
        }
    }
    free(p);
}

static void ref_layer(const struct model_config *c, const struct layer_weights *l,
                      double *x, int n)
{
    int d = c->d_model, ff = c->d_ff;
    double *qkv = calloc((size_t)n * 3 * d, sizeof *qkv);
    double *h = calloc(d, sizeof *h), *wide = calloc(ff, sizeof *wide),
           *out = calloc(d, sizeof *out);
    for (int t = 0; t < n; t++) {
        ref_norm(h, x + t * d, l->norm1_w, l->norm1_b, d);
        ref_linear(qkv + (size_t)t * 3 * d, h, l->qkv_w, l->qkv_b, 3 * d, d);
    }
    for (int t = 0; t < n; t++) {
        ref_attend(c, h, qkv, t);
        ref_linear(out, h, l->out_w, l->out_b, d, d);
        for (int i = 0; i < d; i++)
            x[t * d + i] += out[i];
        ref_norm(h, x + t * d, l->norm2_w, l->norm2_b, d);
        ref_linear(wide, h, l->ff1_w, l->ff1_b, ff, d);
        for (int i = 0; i < ff; i++)
            wide[i] = ref_activation(c, wide[i]);
        ref_linear(out, wide, l->ff2_w, l->ff2_b, d, ff);
        for (int i = 0; i < d; i++)
            x[t * d + i] += out[i];
    }
    free(qkv);
    free(h);
    free(wide);
    free(out);
}

/* logits [n][vocab], malloc'd. */
static double *reference(const struct model *m, const int32_t *tokens, int n)
{
    const struct model_config *c = model_config(m);
    const struct model_weights *w = model_weights(m);
    int d = c->d_model;
    double *x = calloc((size_t)n * d, sizeof *x), *h = calloc(d, sizeof *h);
    double *logits = calloc((size_t)n * c->vocab, sizeof *logits);
    for (int t = 0; t < n; t++)
        for (int i = 0; i < d; i++)
            x[t * d + i] = (double)w->token[tokens[t] * d + i] +
                           (w->position ? (double)w->position[t * d + i] : 0);
    for (int i = 0; i < c->n_layers; i++)
        ref_layer(c, &w->layers[i], x, n);
    for (int t = 0; t < n; t++) {
        ref_norm(h, x + t * d, w->norm_w, w->norm_b, d);
        ref_linear(logits + (size_t)t * c->vocab, h, w->head, NULL, c->vocab, d);
    }
    free(x);
    free(h);
    return logits;
}

/* --- the tests --- */

/* A decoder with all it stands on. */
struct bench {
    struct model *model;
    struct pool *pool;
    struct decoder *decoder;
    int32_t tokens[N];
    int vocab;
};

static void set_up(struct bench *b, const struct model_config *c, int n_threads)
{
    *b = (struct bench){.model = make_model(c), .vocab = c->vocab};
    b->pool = pool_create(n_threads);
    assert_non_null(b->pool);
    assert_int_equal(decoder_create(&b->decoder, b->model, b->pool), MODEL_OK);
    fill(b->tokens, N, c->vocab);
}

static void tear_down(struct bench *b)
{
    decoder_destroy(b->decoder);
    pool_destroy(b->pool);
    model_close(b->model);
}

static float *make_logits(const struct bench *b, int n)
{
    float *logits = calloc((size_t)n * (size_t)b->vocab, sizeof *logits);
    assert_non_null(logits);
    return logits;
}

static void assert_near(const float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++)
        assert_float_equal(a[i], b[i], 1e-4);
}

static void compare_with_reference(const struct model_config *c, int n)
{
    struct bench b;
    set_up(&b, c, 2);
    float *logits = make_logits(&b, n);
    double *wanted = reference(b.model, b.tokens, n), spread = 0;
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, n, true, logits), MODEL_OK);
    assert_int_equal(decoder_length(b.decoder), n);
    for (int i = 0; i < n * c->vocab; i++) {
        assert_true(fabs(logits[i] - wanted[i]) < 1e-4);
        spread = fmax(spread, fabs(wanted[i]));
    }
    assert_true(spread > 1); /* logits that say something */
    free(wanted);
    free(logits);
    tear_down(&b);
}

static void prefill_gives_the_reference(void **state)
{
    (void)state;
    compare_with_reference(&SMALL, N);
    compare_with_reference(&MEDIUM, 100);
}

/* Steps from the very first token, and after a prefill, give what prefill does. */
static void steps_give_what_prefill_does(void **state)
{
    (void)state;
    const struct model_config *configs[] = {&SMALL, &MEDIUM};
    for (int which = 0; which < 2; which++) {
        struct bench b;
        set_up(&b, configs[which], 2);
        enum { PREFIX = 70, END = PREFIX + STEPS };
        float *all = make_logits(&b, END), *one = make_logits(&b, 1);
        decoder_prefill(b.decoder, b.tokens, END, true, all);
        for (int from = 0; from <= PREFIX; from += PREFIX) {
            decoder_truncate(b.decoder, from);
            for (int t = from; t < from + STEPS; t++) {
                assert_int_equal(decoder_step(b.decoder, b.tokens[t], one), MODEL_OK);
                assert_near(one, all + (size_t)t * (size_t)b.vocab, b.vocab);
            }
            decoder_truncate(b.decoder, 0);
            decoder_prefill(b.decoder, b.tokens, PREFIX, false, one);
            assert_near(one, all + (size_t)(PREFIX - 1) * (size_t)b.vocab, b.vocab);
        }
        free(all);
        free(one);
        tear_down(&b);
    }
}

static void what_was_forgotten_leaves_no_trace(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, &SMALL, 1);
    float *fresh = make_logits(&b, 1), *again = make_logits(&b, 1);
    decoder_prefill(b.decoder, b.tokens, 100, false, NULL);
    decoder_prefill(b.decoder, b.tokens, 30, false, NULL);
    decoder_step(b.decoder, 3, fresh);

    decoder_prefill(b.decoder, b.tokens + 40, 50, false, NULL);
    decoder_truncate(b.decoder, 100);
    assert_int_equal(decoder_length(b.decoder), 100);
    decoder_truncate(b.decoder, 200); /* not shorter: nothing */
    assert_int_equal(decoder_length(b.decoder), 100);
    decoder_prefill(b.decoder, b.tokens, 30, false, NULL);
    decoder_step(b.decoder, 3, again);
    assert_memory_equal(fresh, again, (size_t)b.vocab * sizeof *fresh);
    free(fresh);
    free(again);
    tear_down(&b);
}

static void a_cancelled_call_changes_nothing(void **state)
{
    (void)state;
    struct bench b;
    atomic_bool stop = true;
    set_up(&b, &SMALL, 2);
    float *wanted = make_logits(&b, 1), *got = make_logits(&b, 1);
    decoder_prefill(b.decoder, b.tokens, 50, false, NULL);
    decoder_step(b.decoder, 9, wanted);
    decoder_truncate(b.decoder, 50);

    decoder_set_cancel(b.decoder, &stop);
    assert_int_equal(decoder_step(b.decoder, 8, got), MODEL_CANCELLED);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, 20, false, got),
                     MODEL_CANCELLED);
    assert_int_equal(decoder_length(b.decoder), 50);
    stop = false;
    assert_int_equal(decoder_step(b.decoder, 9, got), MODEL_OK);
    assert_memory_equal(wanted, got, (size_t)b.vocab * sizeof *got);
    free(wanted);
    free(got);
    tear_down(&b);
}

static float *run_with(const struct model_config *c, int n_threads)
{
    struct bench b;
    set_up(&b, c, n_threads);
    enum { PREFIX = 150 };
    float *logits = make_logits(&b, PREFIX + STEPS);
    decoder_prefill(b.decoder, b.tokens, PREFIX, true, logits);
    for (int t = PREFIX; t < PREFIX + STEPS; t++)
        decoder_step(b.decoder, b.tokens[t], logits + (size_t)t * (size_t)b.vocab);
    tear_down(&b);
    return logits;
}

static void threads_change_no_bit(void **state)
{
    (void)state;
    size_t n = (size_t)(150 + STEPS) * (size_t)MEDIUM.vocab * sizeof(float);
    float *one = run_with(&MEDIUM, 1);
    for (int n_threads = 2; n_threads <= 3; n_threads++) {
        float *more = run_with(&MEDIUM, n_threads);
        assert_memory_equal(one, more, n);
        free(more);
    }
    free(one);
}

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    struct bench b;
    set_up(&b, &SMALL, 1);
    float *logits = make_logits(&b, 1);
    int32_t bad[2] = {1, SMALL.vocab};
    assert_int_equal(decoder_prefill(b.decoder, bad, 2, false, NULL), MODEL_BAD_TOKEN);
    assert_int_equal(decoder_step(b.decoder, -1, logits), MODEL_BAD_TOKEN);
    assert_int_equal(decoder_prefill(b.decoder, b.tokens, -1, false, NULL),
                     MODEL_TOO_LONG);
    assert_int_equal(decoder_length(b.decoder), 0);

    assert_int_equal(decoder_prefill(b.decoder, b.tokens, N, false, NULL), MODEL_OK);
    assert_int_equal(
        decoder_prefill(b.decoder, b.tokens, SMALL.context - N + 1, false, NULL),
        MODEL_TOO_LONG);
    while (decoder_length(b.decoder) < SMALL.context)
        assert_int_equal(decoder_step(b.decoder, 1, logits), MODEL_OK);
    assert_int_equal(decoder_step(b.decoder, 1, logits), MODEL_TOO_LONG);
    free(logits);
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prefill_gives_the_reference),
        cmocka_unit_test(steps_give_what_prefill_does),
        cmocka_unit_test(what_was_forgotten_leaves_no_trace),
        cmocka_unit_test(a_cancelled_call_changes_nothing),
        cmocka_unit_test(threads_change_no_bit),
        cmocka_unit_test(what_does_not_fit_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
