/* Attention made again against the same model in double precision, in every variant and
 * in whatever way its tokens were read. */
#include "tests/check.h"
#include "tests/model/decoder/attention_fixture.h"
#include "tests/model/reference.h"

enum { KINDS = 2 };
static const struct model_precision NARROW = {WEIGHTS_BF16, CACHE_INT8};

/* What a model in double precision looked at. */
struct truth {
    struct ref_look look[KINDS]; /* by enum attention_kind */
};

static void make_look(struct ref_look *look, int n_keys)
{
    size_t n = (size_t)LAYERS * HEADS * READ * (size_t)n_keys;
    *look = (struct ref_look){READ, n_keys, calloc(n, sizeof *look->parts),
                              calloc(n, sizeof *look->weights)};
}

static void free_look(struct ref_look *look)
{
    free(look->parts);
    free(look->weights);
}

/* Fourier mixing has no heads; its weights are in model/decoder/attention_probe.h. */
static void look_at_waves(struct ref_look *look, int w)
{
    for (int i = 0; i < LAYERS * HEADS * READ; i++) {
        int t = i % READ;
        double sum = 0, *row = look->weights + (size_t)i * READ;
        for (int j = t < w ? 0 : t - w + 1; j <= t; j++) {
            double angle = 2 * acos(-1) * ((t % w) * (j % w) % w) / w;
            look->parts[(size_t)i * READ + j].content = cos(angle);
            look->parts[(size_t)i * READ + j].index = -sin(angle);
            sum += row[j] = fabs(cos(angle));
        }
        for (int j = 0; j <= t; j++)
            row[j] /= sum;
    }
}

static void find_truth(struct truth *t, const struct fixture *b)
{
    const struct model_config *c = &b->model->config;
    const bool has_source = c->n_encoder_layers > 0;
    struct ref_sequence s = {b->tokens, b->times, READ};
    struct ref_sequence source = {b->source, b->source_times, SOURCE};
    auto_free double *block = ref_block(b->model);
    make_look(&t->look[ATTENTION_SELF], READ);
    make_look(&t->look[ATTENTION_CROSS], SOURCE);
    free(reference_attention(c, block, &s, has_source ? &source : NULL, &t->look[0],
                             &t->look[1]));
    if (c->mixing == MIXING_FOURIER)
        look_at_waves(&t->look[ATTENTION_SELF], c->block);
}

static void free_truth(struct truth *t)
{
    free_look(&t->look[0]);
    free_look(&t->look[1]);
}

static const double *true_row(const struct truth *t, struct attention_head h, int query)
{
    const struct ref_look *look = &t->look[h.kind];
    size_t row = ((size_t)h.layer * HEADS + (size_t)h.head) * READ + (size_t)query;
    return look->weights + row * (size_t)look->n_keys;
}

static void compare_rows(const struct truth *t, const struct fixture *b,
                         struct decoder *d, double tolerance)
{
    struct attention_head h;
    auto_free float *weights = calloc((size_t)READ * LD, sizeof *weights);
    for (int i = 0; nth_head(b, i, &h); i++) {
        int n_keys = attention_n_keys(d, h);
        assert_int_equal(n_keys, h.kind == ATTENTION_SELF ? READ : SOURCE);
        memset(weights, 1, (size_t)READ * LD * sizeof *weights);
        assert_ok(attention_rows(d, h, 0, READ, weights, LD));
        for (int query = 0; query < READ; query++) {
            const float *row = weights + (size_t)query * LD;
            const double *wanted = true_row(t, h, query);
            double sum = 0;
            for (int k = 0; k < n_keys; k++) {
                assert_true(fabs(row[k] - wanted[k]) < tolerance);
                assert_true((row[k] == 0) == (wanted[k] == 0) || wanted[k] < 1e-6);
                sum += (double)row[k];
            }
            assert_true(fabs(sum - 1) < 1e-5);
        }
    }
}

/* A softmax of the parts' sum is the row; each part is what it is called. */
static void compare_parts(const struct truth *t, struct decoder *d,
                          struct attention_head h, int query)
{
    enum { MOST = SOURCE };
    float content[MOST], index[MOST], time[MOST];
    const struct ref_look *look = &t->look[h.kind];
    const double *wanted = true_row(t, h, query);
    const struct ref_parts *parts = look->parts + (wanted - look->weights);
    const bool is_fixed = attention_is_fixed(d);
    int first, end;
    double sum = 0;
    assert_ok(attention_scores(d, h, query, content, index, time));
    attention_visible(d, h, query, &first, &end);
    for (int k = first; k < end; k++)
        sum += exp((double)content[k] + (double)index[k] + (double)time[k]);
    for (int k = 0; k < look->n_keys; k++) {
        bool is_seen = k >= first && k < end;
        double score = (double)content[k] + (double)index[k] + (double)time[k];
        if (!is_seen) {
            assert_true(content[k] == (is_fixed ? 0.0f : -INFINITY));
            assert_true(index[k] == 0 && time[k] == 0 && wanted[k] == 0);
            continue;
        }
        assert_true(fabs((double)content[k] - parts[k].content) < 2e-4);
        assert_true(fabs((double)index[k] - parts[k].index) < 2e-4);
        assert_true(fabs((double)time[k] - parts[k].time) < 2e-4);
        if (!is_fixed)
            assert_true(fabs(exp(score) / sum - wanted[k]) < 1e-5);
    }
    assert_ok(attention_scores(d, h, query, NULL, NULL, NULL));
    assert_ok(attention_scores(d, h, query, NULL, index, NULL));
}

static void compare_variant(const struct model_config *c, int n_threads)
{
    struct truth t;
    struct attention_head h;
    auto_fixture b = set_up_at(c, n_threads, F32);
    find_truth(&t, &b);
    assert_ok(decoder_keep_queries(b.decoder, true));
    /* Read at once; */
    read_at_once(&b, b.decoder, 0, READ, false, NULL);
    compare_rows(&t, &b, b.decoder, 1e-5);
    for (int i = 0; nth_head(&b, i, &h); i++)
        for (int query = 0; query < READ; query += 37)
            compare_parts(&t, b.decoder, h, query);
    /* forgotten in part, and read in steps; */
    decoder_truncate(b.decoder, 101);
    decoder_prefill(b.decoder, b.tokens + 5, NULL, 30, false, NULL);
    decoder_truncate(b.decoder, 101);
    read_in_steps(&b, b.decoder, 101, READ, NULL);
    compare_rows(&t, &b, b.decoder, 1e-5);
    /* by a copy, which goes on itself. */
    struct decoder *copy = make_decoder(&b);
    assert_ok(decoder_keep_queries(copy, true));
    assert_ok(decoder_copy(copy, b.decoder, 90));
    read_in_steps(&b, copy, 90, 120, NULL);
    decoder_prefill(copy, b.tokens + 120, b.times + 120, READ - 120, false, NULL);
    compare_rows(&t, &b, copy, 1e-5);
    free_truth(&t);
}

/* Also with heads so wide that prepared queries take more than a line each, of any kind. */
TEST(weights_are_the_reference)
{
    for (int i = 0; i < 2 * N_VARIANTS; i++) {
        struct model_config c = VARIANTS[i / 2].config;
        c.d_model = i % 2 ? HEADS * 32 : c.d_model;
        compare_variant(&c, 1 + i / 2 % 2);
    }
}

/* Keys that were rounded to eight bits of precision give weights that are near. */
TEST(narrow_caches_give_nearly_the_reference)
{
    FOR_VARIANTS(v, b, 2, NARROW)
    {
        struct truth t;
        find_truth(&t, &b);
        decoder_keep_queries(b.decoder, true);
        read_at_once(&b, b.decoder, 0, 80, false, NULL);
        read_in_steps(&b, b.decoder, 80, READ, NULL);
        compare_rows(&t, &b, b.decoder, 0.08);
        free_truth(&t);
    }
}

/* Steps that several decoders take together leave the queries of each, and only of
 * those that watch. */
TEST(steps_together_are_watched)
{
    enum { TAKES = 3, FROM = 100 };
    FOR_VARIANTS(v, b, 2, F32)
    {
        struct decoder *takes[TAKES];
        struct attention_head h;
        float *none[TAKES] = {0};
        decoder_keep_queries(b.decoder, true);
        read_at_once(&b, b.decoder, 0, READ, false, NULL);
        for (int r = 0; r < TAKES; r++) {
            takes[r] = make_decoder(&b);
            decoder_keep_queries(takes[r], r != 1);
            decoder_copy(takes[r], b.decoder, FROM + r);
        }
        for (int i = FROM; i < READ - TAKES; i++) {
            int32_t tokens[TAKES], times[TAKES];
            for (int r = 0; r < TAKES; r++) {
                tokens[r] = b.tokens[i + r];
                times[r] = b.times[i + r];
            }
            assert_ok(decoder_step_many(takes, TAKES, tokens, times, none));
        }
        for (int i = 0; nth_head(&b, i, &h); i++) {
            auto_free float *wanted = all_rows(b.decoder, h, READ - TAKES);
            for (int r = 0; r < TAKES; r += 2) {
                auto_free float *got = all_rows(takes[r], h, READ - TAKES);
                for (int k = 0; k < (READ - TAKES) * LD; k++)
                    if (k % LD < READ - TAKES)
                        assert_float_equal(got[k], wanted[k], 1e-5);
            }
        }
    }
}
