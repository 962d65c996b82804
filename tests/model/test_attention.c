/* Attention made again against the same model in double precision, in every variant and
 * in whatever way its tokens were read; and what is promised of maps, parts and muted
 * heads. */
#include "model/attention.h"
#include "tests/model/decoder_bench.h"
#include "tests/model/reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { READ = 150, LD = 300, HEADS = 3, LAYERS = 2, KINDS = 2 };
static const struct model_precision F32 = {WEIGHTS_F32, CACHE_F32};
static const struct model_precision NARROW = {WEIGHTS_BF16, CACHE_BF16};

/* What a model in double precision looked at. */
struct truth {
    struct ref_look look[KINDS]; /* by enum attention_of */
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

/* Fourier mixing has no heads; its weights are in model/attention.h. */
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

static void find_truth(struct truth *t, const struct bench *b)
{
    const struct model_config *c = model_config(b->model);
    const bool has_source = c->n_encoder_layers > 0;
    struct ref_sequence s = {b->tokens, b->times, READ};
    struct ref_sequence source = {b->source, b->source_times, SOURCE};
    double *block = ref_block(b->model);
    make_look(&t->look[ATTENTION_PAST], READ);
    make_look(&t->look[ATTENTION_SOURCE], SOURCE);
    free(reference_looking(c, block, &s, has_source ? &source : NULL, &t->look[0],
                           &t->look[1]));
    if (c->mixing == MIXING_FOURIER)
        look_at_waves(&t->look[ATTENTION_PAST], c->block);
    free(block);
}

static void free_truth(struct truth *t)
{
    free_look(&t->look[0]);
    free_look(&t->look[1]);
}

/* Head i of all that the model has; false: there are no more. */
static bool nth_head(const struct bench *b, int i, struct attention_head *h)
{
    int n_kinds = model_config(b->model)->n_encoder_layers ? 2 : 1;
    *h = (struct attention_head){(enum attention_of)(i / (LAYERS * HEADS)),
                                 i / HEADS % LAYERS, i % HEADS};
    return i < n_kinds * LAYERS * HEADS;
}

static const double *true_row(const struct truth *t, struct attention_head h, int query)
{
    const struct ref_look *look = &t->look[h.of];
    size_t row = ((size_t)h.layer * HEADS + (size_t)h.head) * READ + (size_t)query;
    return look->weights + row * (size_t)look->n_keys;
}

static void compare_rows(const struct truth *t, const struct bench *b,
                         struct decoder *d, double tolerance)
{
    struct attention_head h;
    float *weights = calloc((size_t)READ * LD, sizeof *weights);
    for (int i = 0; nth_head(b, i, &h); i++) {
        int n_keys = attention_n_keys(d, h);
        assert_int_equal(n_keys, h.of == ATTENTION_PAST ? READ : SOURCE);
        memset(weights, 1, (size_t)READ * LD * sizeof *weights);
        assert_int_equal(attention_rows(d, h, 0, READ, weights, LD), MODEL_OK);
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
    free(weights);
}

/* A softmax of the parts' sum is the row; each part is what it is called. */
static void compare_parts(const struct truth *t, const struct bench *b,
                          struct decoder *d, struct attention_head h, int query)
{
    enum { MOST = SOURCE };
    float content[MOST], index[MOST], time[MOST];
    const struct ref_look *look = &t->look[h.of];
    const double *wanted = true_row(t, h, query);
    const struct ref_parts *parts = look->parts + (wanted - look->weights);
    const bool is_fixed = attention_is_fixed(d);
    int first, end;
    double sum = 0;
    (void)b;
    assert_int_equal(attention_scores(d, h, query, content, index, time), MODEL_OK);
    attention_seen(d, h, query, &first, &end);
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
    assert_int_equal(attention_scores(d, h, query, NULL, NULL, NULL), MODEL_OK);
    assert_int_equal(attention_scores(d, h, query, NULL, index, NULL), MODEL_OK);
}

static void read_in_steps(const struct bench *b, struct decoder *d, int from, int to)
{
    for (int i = from; i < to; i++)
        assert_int_equal(decoder_step(d, b->tokens[i], b->times[i], NULL), MODEL_OK);
}

static void compare_variant(const struct model_config *c, int n_threads)
{
    struct bench b;
    struct truth t;
    struct decoder *copy;
    struct attention_head h;
    set_up_at(&b, c, n_threads, F32);
    find_truth(&t, &b);
    assert_int_equal(decoder_watch(b.decoder, true), MODEL_OK);
    /* Read at once; */
    decoder_prefill(b.decoder, b.tokens, b.times, READ, false, NULL);
    compare_rows(&t, &b, b.decoder, 1e-5);
    for (int i = 0; nth_head(&b, i, &h); i++)
        for (int query = 0; query < READ; query += 37)
            compare_parts(&t, &b, b.decoder, h, query);
    /* forgotten in part, and read in steps; */
    decoder_truncate(b.decoder, 101);
    decoder_prefill(b.decoder, b.tokens + 5, NULL, 30, false, NULL);
    decoder_truncate(b.decoder, 101);
    read_in_steps(&b, b.decoder, 101, READ);
    compare_rows(&t, &b, b.decoder, 1e-5);
    /* by a copy, which goes on itself. */
    assert_int_equal(decoder_create(&copy, b.model, b.pool), MODEL_OK);
    assert_int_equal(decoder_watch(copy, true), MODEL_OK);
    assert_int_equal(decoder_copy(copy, b.decoder, 90), MODEL_OK);
    read_in_steps(&b, copy, 90, 120);
    decoder_prefill(copy, b.tokens + 120, b.times + 120, READ - 120, false, NULL);
    compare_rows(&t, &b, copy, 1e-5);
    decoder_destroy(copy);
    free_truth(&t);
    tear_down(&b);
}

static void weights_are_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++)
        compare_variant(&VARIANTS[i].config, 1 + i % 2);
}

/* Keys that were rounded to eight bits of precision give weights that are near. */
static void narrow_caches_give_nearly_the_reference(void **state)
{
    (void)state;
    for (int i = 0; i < N_VARIANTS; i++) {
        struct bench b;
        struct truth t;
        set_up_at(&b, &VARIANTS[i].config, 2, NARROW);
        find_truth(&t, &b);
        decoder_watch(b.decoder, true);
        decoder_prefill(b.decoder, b.tokens, b.times, 80, false, NULL);
        read_in_steps(&b, b.decoder, 80, READ);
        compare_rows(&t, &b, b.decoder, 0.08);
        free_truth(&t);
        tear_down(&b);
    }
}

static float *all_rows(struct decoder *d, struct attention_head h, int n)
{
    float *weights = calloc((size_t)READ * LD, sizeof *weights);
    assert_non_null(weights);
    assert_int_equal(attention_rows(d, h, 0, n, weights, LD), MODEL_OK);
    return weights;
}

/* Steps that several decoders take together leave the queries of each, and only of
 * those that watch. */
static void steps_together_are_watched(void **state)
{
    enum { TAKES = 3, FROM = 100 };
    (void)state;
    for (int v = 0; v < N_VARIANTS; v++) {
        struct bench b;
        struct decoder *takes[TAKES];
        struct attention_head h;
        float *none[TAKES] = {0};
        set_up(&b, &VARIANTS[v].config, 2);
        decoder_watch(b.decoder, true);
        decoder_prefill(b.decoder, b.tokens, b.times, READ, false, NULL);
        for (int r = 0; r < TAKES; r++) {
            decoder_create(&takes[r], b.model, b.pool);
            decoder_watch(takes[r], r != 1);
            decoder_copy(takes[r], b.decoder, FROM + r);
        }
        for (int i = FROM; i < READ - TAKES; i++) {
            int32_t tokens[TAKES], times[TAKES];
            for (int r = 0; r < TAKES; r++) {
                tokens[r] = b.tokens[i + r];
                times[r] = b.times[i + r];
            }
            assert_int_equal(decoder_step_many(takes, TAKES, tokens, times, none),
                             MODEL_OK);
        }
        for (int i = 0; nth_head(&b, i, &h); i++) {
            float *wanted = all_rows(b.decoder, h, READ - TAKES);
            for (int r = 0; r < TAKES; r += 2) {
                float *got = all_rows(takes[r], h, READ - TAKES);
                for (int k = 0; k < (READ - TAKES) * LD; k++)
                    if (k % LD < READ - TAKES)
                        assert_float_equal(got[k], wanted[k], 1e-5);
                free(got);
            }
            free(wanted);
        }
        for (int r = 0; r < TAKES; r++)
            decoder_destroy(takes[r]);
        tear_down(&b);
    }
}

/* What a step leaves is what is made again, to the bit. */
static void check_shown(const struct bench *b, struct attention_head h,
                        const float *row)
{
    float again[LD];
    const int n = decoder_length(b->decoder) - 1;
    assert_true(decoder_row_is_shown(b->decoder));
    assert_int_equal(attention_rows(b->decoder, h, n, 1, again, LD), MODEL_OK);
    assert_memory_equal(row, again,
                        (size_t)attention_n_keys(b->decoder, h) * sizeof *row);
}

static void steps_show_their_rows(void **state)
{
    (void)state;
    for (int v = 0; v < N_VARIANTS; v++) {
        struct bench b;
        struct attention_head h;
        float row[LD];
        set_up_at(&b, &VARIANTS[v].config, 1 + v % 2, v % 3 ? F32 : NARROW);
        decoder_watch(b.decoder, true);
        decoder_prefill(b.decoder, b.tokens, b.times, 90, false, NULL);
        for (int i = 0; nth_head(&b, i, &h); i++) {
            assert_int_equal(decoder_show_row(b.decoder, h, row), MODEL_OK);
            assert_false(decoder_row_is_shown(b.decoder));
            for (int k = 90; k < 97; k++) {
                read_in_steps(&b, b.decoder, k, k + 1);
                check_shown(&b, h, row);
            }
            decoder_truncate(b.decoder, 96);
            assert_false(decoder_row_is_shown(b.decoder));
            decoder_prefill(b.decoder, b.tokens, b.times, 1, false, NULL);
            assert_false(decoder_row_is_shown(b.decoder));
            decoder_truncate(b.decoder, 90);
        }
        h.layer = LAYERS;
        assert_int_equal(decoder_show_row(b.decoder, h, row), MODEL_NO_HEAD);
        assert_int_equal(decoder_show_row(b.decoder, h, NULL), MODEL_OK);
        read_in_steps(&b, b.decoder, 90, 91);
        assert_false(decoder_row_is_shown(b.decoder));
        tear_down(&b);
    }
}

static void set_edges(int *edges, int n, int from, int to)
{
    for (int i = 0; i <= n; i++)
        edges[i] = from + (to - from) * i / n;
}

static float highest_of(const float *weights, int from, int to, int left, int right)
{
    float high = 0;
    for (int r = from; r < to; r++)
        for (int c = left; c < right; c++)
            high = fmaxf(high, weights[(size_t)r * LD + (size_t)c]);
    return high;
}

static void compare_pooled(const struct bench *b, struct attention_head h, int n_rows,
                           int n_columns)
{
    int rows[READ + 2], columns[SOURCE + 2], n_keys = attention_n_keys(b->decoder, h);
    float *cells = calloc((size_t)n_rows * (size_t)n_columns, sizeof *cells);
    float *weights = all_rows(b->decoder, h, READ);
    set_edges(rows, n_rows, n_rows % 7, READ - n_columns % 5);
    set_edges(columns, n_columns, n_columns % 3, n_keys);
    assert_int_equal(
        attention_pool(b->decoder, h, rows, n_rows, columns, n_columns, cells),
        MODEL_OK);
    for (int r = 0; r < n_rows; r++)
        for (int c = 0; c < n_columns; c++)
            assert_true(cells[r * n_columns + c] == highest_of(weights, rows[r],
                                                               rows[r + 1], columns[c],
                                                               columns[c + 1]));
    free(weights);
    free(cells);
}

static void compare_columns(const struct bench *b, struct attention_head h, int key)
{
    float mass[READ], *weights = all_rows(b->decoder, h, READ);
    assert_int_equal(attention_column(b->decoder, h, key, key + 9, 20, READ - 20, mass),
                     MODEL_OK);
    for (int query = 20; query < READ; query++) {
        double sum = 0;
        for (int k = key; k < key + 9; k++)
            sum += (double)weights[(size_t)query * LD + (size_t)k];
        assert_true(fabs(sum - (double)mass[query - 20]) < 1e-6);
    }
    free(weights);
}

static void pooling_keeps_every_maximum(void **state)
{
    (void)state;
    for (int v = 0; v < N_VARIANTS; v++) {
        struct bench b;
        struct attention_head h;
        set_up(&b, &VARIANTS[v].config, 2);
        decoder_watch(b.decoder, true);
        decoder_prefill(b.decoder, b.tokens, b.times, READ, false, NULL);
        for (int i = 0; nth_head(&b, i, &h); i++) {
            compare_pooled(&b, h, 1, 1);
            compare_pooled(&b, h, 13, 29);
            compare_pooled(&b, h, READ, 64);
            compare_columns(&b, h, 17 + i);
        }
        tear_down(&b);
    }
}

/* The last rows alone, and by other threads. */
static void bits_do_not_depend_on_threads_or_what_is_asked(void **state)
{
    (void)state;
    for (int v = 0; v < N_VARIANTS; v++) {
        struct bench one, many;
        struct attention_head h;
        float part[7 * LD];
        set_up(&one, &VARIANTS[v].config, 1);
        set_up(&many, &VARIANTS[v].config, 3);
        decoder_watch(one.decoder, true);
        decoder_watch(many.decoder, true);
        decoder_prefill(one.decoder, one.tokens, one.times, READ, false, NULL);
        decoder_prefill(many.decoder, one.tokens, one.times, READ, false, NULL);
        for (int i = 0; nth_head(&one, i, &h); i++) {
            size_t n_keys = (size_t)attention_n_keys(one.decoder, h);
            float *a = all_rows(one.decoder, h, READ),
                  *b = all_rows(many.decoder, h, READ);
            assert_memory_equal(a, b, (size_t)READ * LD * sizeof *a);
            attention_rows(many.decoder, h, READ - 7, 7, part, LD);
            for (int r = 0; r < 7; r++)
                assert_memory_equal(part + r * LD, a + (size_t)(READ - 7 + r) * LD,
                                    n_keys * sizeof *a);
            free(a);
            free(b);
        }
        tear_down(&one);
        tear_down(&many);
    }
}

/* Nothing that is heard changes by being watched. */
static void watching_changes_no_logit(void **state)
{
    (void)state;
    for (int v = 0; v < N_VARIANTS; v++) {
        struct bench b;
        set_up(&b, &VARIANTS[v].config, 2);
        float *before = make_logits(&b, READ + 1), *after = make_logits(&b, READ + 1);
        for (int pass = 0; pass < 2; pass++) {
            float *to = pass ? after : before;
            decoder_truncate(b.decoder, 0);
            decoder_watch(b.decoder, pass > 0);
            decoder_prefill(b.decoder, b.tokens, b.times, READ, true, to);
            decoder_step(b.decoder, b.tokens[READ], b.times[READ],
                         to + (size_t)READ * (size_t)b.vocab);
        }
        assert_memory_equal(before, after,
                            (size_t)(READ + 1) * (size_t)b.vocab * sizeof *before);
        free(before);
        free(after);
        tear_down(&b);
    }
}

/* The columns of the output projection that a head's values meet. */
static void silence_weights(struct model *m, struct attention_head h)
{
    const struct layer_weights *l = &model_weights(m)->layers[h.layer];
    const int n = model_config(m)->d_model, width = n / HEADS;
    float *w = (float *)(uintptr_t)(h.of == ATTENTION_PAST ? l->out_w : l->cross_out_w);
    for (int r = 0; r < n; r++)
        memset(w + (size_t)r * (size_t)n + (size_t)(h.head * width), 0,
               (size_t)width * sizeof *w);
}

static void read_all(const struct bench *b, struct decoder *d, float *logits)
{
    decoder_truncate(d, 0);
    assert_int_equal(decoder_prefill(d, b->tokens, b->times, 100, true, logits),
                     MODEL_OK);
    for (int i = 100; i < 110; i++)
        assert_int_equal(decoder_step(d, b->tokens[i], b->times[i],
                                      logits + (size_t)i * (size_t)b->vocab),
                         MODEL_OK);
}

static double distance(const float *a, const float *b, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs((double)(a[i] - b[i])));
    return most;
}

static void compare_muted(const struct model_config *c, int which)
{
    enum { ALL = 110 };
    struct bench b;
    struct attention_head h;
    set_up(&b, c, 2);
    struct model *silent = make_model(c);
    struct decoder *d;
    assert_true(nth_head(&b, which, &h));
    silence_weights(silent, h);
    assert_int_equal(decoder_create(&d, silent, b.pool), MODEL_OK);
    if (c->n_encoder_layers)
        decoder_encode(d, b.source, b.source_times, SOURCE);
    float *wanted = make_logits(&b, ALL), *got = make_logits(&b, ALL),
          *heard = make_logits(&b, ALL);
    read_all(&b, d, wanted);
    read_all(&b, b.decoder, heard);
    assert_int_equal(decoder_mute_head(b.decoder, h, true), MODEL_OK);
    assert_true(decoder_head_is_muted(b.decoder, h));
    read_all(&b, b.decoder, got);
    assert_true(distance(got, wanted, ALL * b.vocab) < 1e-5);
    assert_true(distance(got, heard, ALL * b.vocab) > 1e-2);
    assert_int_equal(decoder_mute_head(b.decoder, h, false), MODEL_OK);
    read_all(&b, b.decoder, got);
    assert_memory_equal(got, heard, (size_t)(ALL * b.vocab) * sizeof *got);
    free(wanted);
    free(got);
    free(heard);
    decoder_destroy(d);
    model_close(silent);
    tear_down(&b);
}

static void a_muted_head_gives_nothing(void **state)
{
    (void)state;
    for (int v = 0; v < N_VARIANTS; v++) {
        const struct model_config *c = &VARIANTS[v].config;
        if (c->mixing == MIXING_FOURIER)
            continue;
        compare_muted(c, v % (LAYERS * HEADS));
        if (c->n_encoder_layers)
            compare_muted(c, LAYERS * HEADS + 4);
    }
}

/* Of two that go together, one may do without a head. */
static void heads_are_muted_for_one_alone(void **state)
{
    struct bench b;
    struct decoder *takes[2];
    int32_t tokens[] = {3, 3}, times[] = {900, 900};
    (void)state;
    set_up(&b, &VARIANTS[1].config, 2);
    float *one = make_logits(&b, 1), *other = make_logits(&b, 1),
          *alone = make_logits(&b, 1);
    decoder_prefill(b.decoder, b.tokens, b.times, 70, false, NULL);
    for (int r = 0; r < 2; r++) {
        decoder_create(&takes[r], b.model, b.pool);
        decoder_copy(takes[r], b.decoder, 70);
    }
    decoder_mute_head(takes[1], (struct attention_head){ATTENTION_PAST, 1, 2}, true);
    decoder_step_many(takes, 2, tokens, times, (float *[]){one, other});
    decoder_step(b.decoder, 3, 900, alone);
    assert_memory_equal(one, alone, (size_t)b.vocab * sizeof *one);
    assert_true(distance(other, alone, b.vocab) > 1e-3);
    for (int r = 0; r < 2; r++)
        decoder_destroy(takes[r]);
    free(one);
    free(other);
    free(alone);
    tear_down(&b);
}

static void what_was_not_watched_is_not_known(void **state)
{
    const struct attention_head h = {ATTENTION_PAST, 1, 1};
    const int edges[] = {0, 40};
    struct bench b;
    struct decoder *copy;
    float row[LD];
    (void)state;
    set_up(&b, &VARIANTS[1].config, 1);
    decoder_prefill(b.decoder, b.tokens, b.times, 40, false, NULL);
    assert_int_equal(attention_rows(b.decoder, h, 0, 1, row, LD), MODEL_NOT_WATCHED);
    decoder_watch(b.decoder, true);
    assert_true(decoder_watches(b.decoder));
    read_in_steps(&b, b.decoder, 40, 42);
    assert_int_equal(attention_rows(b.decoder, h, 39, 1, row, LD), MODEL_NOT_WATCHED);
    assert_int_equal(attention_pool(b.decoder, h, edges, 1, edges, 1, row),
                     MODEL_NOT_WATCHED);
    assert_int_equal(attention_rows(b.decoder, h, 40, 2, row, LD / 2), MODEL_OK);
    decoder_truncate(b.decoder, 30);
    read_in_steps(&b, b.decoder, 30, 41);
    assert_int_equal(attention_rows(b.decoder, h, 30, 1, row, LD), MODEL_OK);
    assert_int_equal(attention_column(b.decoder, h, 0, 9, 29, 2, row),
                     MODEL_NOT_WATCHED);
    /* A copy of what nobody watched is not known either, whatever was there before. */
    decoder_create(&copy, b.model, b.pool);
    decoder_watch(copy, true);
    decoder_prefill(copy, b.tokens, b.times, 50, false, NULL);
    decoder_copy(copy, b.decoder, 41);
    assert_int_equal(attention_rows(copy, h, 29, 1, row, LD), MODEL_NOT_WATCHED);
    assert_int_equal(attention_rows(copy, h, 30, 1, row, LD), MODEL_OK);
    decoder_watch(b.decoder, false);
    assert_false(decoder_watches(b.decoder));
    assert_int_equal(attention_rows(b.decoder, h, 40, 1, row, LD), MODEL_NOT_WATCHED);
    decoder_destroy(copy);
    tear_down(&b);
}

static void what_is_not_there_is_refused(void **state)
{
    static const struct attention_head WRONG[] = {
        {ATTENTION_PAST, -1, 0},  {ATTENTION_PAST, LAYERS, 0},
        {ATTENTION_PAST, 0, -1},  {ATTENTION_PAST, 0, HEADS},
        {ATTENTION_SOURCE, 0, 0},
    };
    const struct attention_head right = {ATTENTION_PAST, 0, 0};
    const int edges[] = {0, 10, 20}, back[] = {0, 10, 9}, far[] = {0, 10, 21},
              early[] = {-1, 10, 20};
    struct bench b;
    float cells[4], row[LD];
    (void)state;
    set_up(&b, &VARIANTS[0].config, 1);
    decoder_watch(b.decoder, true);
    decoder_prefill(b.decoder, b.tokens, b.times, 20, false, NULL);
    for (size_t i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        assert_int_equal(attention_rows(b.decoder, WRONG[i], 0, 1, row, LD),
                         MODEL_NO_HEAD);
        assert_int_equal(decoder_mute_head(b.decoder, WRONG[i], true), MODEL_NO_HEAD);
        assert_false(decoder_head_is_muted(b.decoder, WRONG[i]));
        assert_int_equal(attention_n_keys(b.decoder, WRONG[i]), 0);
    }
    assert_int_equal(attention_rows(b.decoder, right, 20, 1, row, LD), MODEL_NO_HEAD);
    assert_int_equal(attention_rows(b.decoder, right, -1, 1, row, LD), MODEL_NO_HEAD);
    assert_int_equal(attention_rows(b.decoder, right, 20, 0, row, LD), MODEL_OK);
    assert_int_equal(attention_column(b.decoder, right, 15, 21, 0, 20, row),
                     MODEL_NO_HEAD);
    const int *bad[] = {back, far, early};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(attention_pool(b.decoder, right, bad[i], 2, edges, 2, cells),
                         MODEL_NO_HEAD);
        assert_int_equal(attention_pool(b.decoder, right, edges, 2, bad[i], 2, cells),
                         MODEL_NO_HEAD);
    }
    tear_down(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_are_the_reference),
        cmocka_unit_test(narrow_caches_give_nearly_the_reference),
        cmocka_unit_test(steps_together_are_watched),
        cmocka_unit_test(steps_show_their_rows),
        cmocka_unit_test(pooling_keeps_every_maximum),
        cmocka_unit_test(bits_do_not_depend_on_threads_or_what_is_asked),
        cmocka_unit_test(watching_changes_no_logit),
        cmocka_unit_test(a_muted_head_gives_nothing),
        cmocka_unit_test(heads_are_muted_for_one_alone),
        cmocka_unit_test(what_was_not_watched_is_not_known),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
