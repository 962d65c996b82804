/* Decoders that go together: each gets the very bits it would get alone, whatever the
 * model, the kernels, the threads, the others' lengths and what they share; and copies
 * of what was read. */
#include "model/decoder/decoder_internal.h"
#include "tests/check.h"
#include "tests/model/decoder_fixture.h"

enum { TAKES = DECODER_MAX_BATCH, READ = 140, STEPS = 4 };

/* The bench's decoder has read READ tokens; takes and their twins go on from there. */
struct takes {
    struct fixture b;
    const struct kernels *k;
    struct decoder *together[TAKES], *alone[TAKES];
    float *logits[TAKES], *wanted; /* [vocab] each */
};

static struct decoder *make_take(struct takes *t)
{
    struct decoder *d = make_decoder(&t->b);
    d->k = t->k;
    return d;
}

/* With the kernels at a level; past the last, the best. */
static struct takes set_up_takes_at(const struct model_config *c, int n_threads,
                                    int level, struct model_precision precision)
{
    struct takes t = {.b = set_up_at(c, n_threads, precision)};
    t.k = kernels_at(level) ? kernels_at(level) : kernels_best();
    t.b.decoder->k = t.k;
    for (int r = 0; r < TAKES; r++) {
        t.together[r] = make_take(&t);
        t.alone[r] = make_take(&t);
        t.logits[r] = make_logits(&t.b, 1);
    }
    t.wanted = make_logits(&t.b, 1);
    decoder_prefill(t.b.decoder, t.b.tokens, t.b.times, READ, false, NULL);
    return t;
}

static struct takes set_up_takes(const struct model_config *c, int n_threads)
{
    return set_up_takes_at(c, n_threads, 9, F32);
}

static void tear_down_takes(struct takes *t)
{
    tear_down(&t->b);
}

#define auto_takes __attribute__((cleanup(tear_down_takes))) struct takes

/* Has the first n tokens, read by itself or, as takes have, from the one reader. */
static void begin(const struct takes *t, struct decoder *d, int n, bool reads)
{
    if (reads && t->b.decoder->c.n_encoder_layers)
        decoder_encode(d, t->b.source, t->b.source_times, SOURCE - n);
    decoder_truncate(d, 0);
    if (reads)
        assert_ok(decoder_prefill(d, t->b.tokens, t->b.times, n, false, NULL));
    else
        assert_ok(decoder_copy(d, t->b.decoder, n));
}

/* Take r begins `apart` tokens before take r - 1. */
static void begin_all(struct takes *t, int apart, bool some_read)
{
    for (int r = 0; r < TAKES; r++) {
        bool reads = some_read && r % 8 == 1;
        begin(t, t->together[r], READ - apart * r, reads);
        begin(t, t->alone[r], READ - apart * r, reads);
    }
}

/* n takes take one step, alone and together. */
static void compare_step(struct takes *t, int n, int step)
{
    int32_t tokens[TAKES] = {0}, times[TAKES] = {0};
    for (int r = 0; r < n; r++) {
        tokens[r] = (r * 5 + step * 11 + 3) % t->b.vocab;
        times[r] = t->b.times[READ] + step * (r + 1);
    }
    assert_ok(decoder_step_many(t->together, n, tokens, times, t->logits));
    for (int r = 0; r < n; r++) {
        assert_ok(decoder_step(t->alone[r], tokens[r], times[r], t->wanted));
        assert_int_equal(decoder_length(t->together[r]), decoder_length(t->alone[r]));
        assert_same_logits(&t->b, t->logits[r], t->wanted, 1);
    }
}

static void compare_takes(const struct model_config *c, int n_threads, int level,
                          struct model_precision precision)
{
    auto_takes t = set_up_takes_at(c, n_threads, level, precision);
    for (int way = 0; way < 4; way++) {
        begin_all(&t, way % 2 * 9, way / 2);
        for (int step = 0; step < STEPS; step++)
            compare_step(&t, TAKES - step % 2, step);
    }
}

TEST(together_is_alone)
{
    static const struct model_precision WAYS[] = {{WEIGHTS_F32, CACHE_F32},
                                                  {WEIGHTS_BF16, CACHE_INT8},
                                                  {WEIGHTS_INT8, CACHE_INT8}};
    for (int p = 0; p < 3; p++)
        for (int level = 0; kernels_at(level); level++) {
            compare_takes(&MEDIUM, 1, level, WAYS[p]);
            compare_takes(&MEDIUM, 2, level, WAYS[p]);
            for (int i = 0; i < N_VARIANTS; i++)
                if ((i + p) % 3 == level % 3) /* kernels know no variants */
                    compare_takes(&VARIANTS[i].config, 1 + (i + level) % 2, level,
                                  WAYS[p]);
        }
}

/* From the shortest there is, where nothing is shared, and across ends of tiles. */
TEST(takes_grow_from_nothing)
{
    auto_takes t = set_up_takes(&VARIANTS[1].config, 2);
    begin_all(&t, 0, false);
    for (int r = 0; r < TAKES; r++) {
        decoder_truncate(t.together[r], r % 2);
        decoder_truncate(t.alone[r], r % 2);
    }
    for (int step = 0; step < 2 * KEY_TILE + 3; step++)
        compare_step(&t, TAKES, step);
}

TEST(one_refused_refuses_all)
{
    int32_t tokens[TAKES] = {0}, times[TAKES] = {0};
    float *none[TAKES] = {0};
    auto_takes t = set_up_takes(&MEDIUM, 1);
    begin_all(&t, 1, false);
    tokens[7] = MEDIUM.vocab;
    assert_int_equal(decoder_step_many(t.together, TAKES, tokens, times, none),
                     MODEL_BAD_TOKEN);
    assert_int_equal(decoder_length(t.together[0]), READ);
    tokens[7] = 0;
    decoder_prefill(t.together[2], t.b.tokens, t.b.times, MEDIUM.context - READ + 2,
                    false, NULL);
    assert_int_equal(decoder_step_many(t.together, TAKES, tokens, times, none),
                     MODEL_TOO_LONG);
    for (int r = 0; r < TAKES; r++)
        assert_int_equal(decoder_length(t.together[r]),
                         r == 2 ? MEDIUM.context : READ - r);
}

/* A step of both gives the same bits. */
static void assert_alike(const struct takes *t, struct decoder *a, struct decoder *b)
{
    assert_int_equal(decoder_length(a), decoder_length(b));
    assert_ok(decoder_step(a, 1, 900, t->wanted));
    assert_ok(decoder_step(b, 1, 900, t->logits[0]));
    assert_same_logits(&t->b, t->wanted, t->logits[0], 1);
    decoder_truncate(a, decoder_length(a) - 1);
    decoder_truncate(b, decoder_length(b) - 1);
}

/* Over something else, over the same, and again after both have gone on. */
static void compare_copies(const struct model_config *c)
{
    auto_takes t = set_up_takes(c, 1);
    struct decoder *from = t.b.decoder, *to = t.together[0];
    begin(&t, to, 70, true);
    for (int n = READ; n > 0; n -= 35) {
        decoder_truncate(from, n);
        assert_ok(decoder_copy(to, from, n));
        assert_alike(&t, to, from);
    }
    int n = decoder_length(from);
    decoder_step(to, 2, 5, NULL);
    decoder_prefill(from, t.b.tokens, NULL, 20, false, NULL);
    assert_ok(decoder_copy(to, from, n + 9));
    decoder_truncate(from, n + 9);
    assert_alike(&t, to, from);
}

TEST(copies_go_on_alike)
{
    compare_copies(&MEDIUM);
    for (int i = 0; i < N_VARIANTS; i++)
        compare_copies(&VARIANTS[i].config);
}

TEST(a_copy_takes_the_source)
{
    auto_takes t = set_up_takes(&VARIANTS[N_VARIANTS - 1].config, 1);
    assert_int_equal(decoder_step(t.alone[0], 1, 0, NULL), MODEL_NO_SOURCE);
    assert_ok(decoder_copy(t.alone[0], t.b.decoder, 0));
    decoder_truncate(t.b.decoder, 0);
    assert_true(decoder_source_shared(t.alone[0], t.b.decoder));
    assert_alike(&t, t.alone[0], t.b.decoder);
    decoder_encode(t.b.decoder, t.b.source, t.b.source_times, SOURCE);
    assert_false(decoder_source_shared(t.alone[0], t.b.decoder));
}

TEST(what_is_not_there_is_not_copied)
{
    auto_takes t = set_up_takes(&MEDIUM, 1);
    begin(&t, t.alone[0], 20, false);
    assert_int_equal(decoder_copy(t.alone[0], t.b.decoder, READ + 1), MODEL_TOO_LONG);
    assert_int_equal(decoder_copy(t.alone[0], t.b.decoder, -1), MODEL_TOO_LONG);
    assert_int_equal(decoder_length(t.alone[0]), 20);
    assert_ok(decoder_copy(t.alone[0], t.alone[0], 12));
    assert_int_equal(decoder_length(t.alone[0]), 12);
}

/* Only what came from the other, or from the same third, and is there still. */
TEST(only_copies_are_shared)
{
    auto_takes t = set_up_takes(&MEDIUM, 1);
    struct decoder *a = t.alone[0], *b = t.alone[1], *reader = t.b.decoder;
    begin(&t, a, 100, false);
    begin(&t, b, 90, false);
    assert_int_equal(decoder_n_shared(a, reader), 100);
    assert_int_equal(decoder_n_shared(a, b), 90);
    decoder_truncate(a, 60);
    decoder_step(a, t.b.tokens[60], t.b.times[60], NULL);
    decoder_prefill(a, t.b.tokens + 61, t.b.times + 61, 29, false, NULL);
    assert_int_equal(decoder_n_shared(a, b), 60);
    decoder_copy(b, a, 80);
    assert_int_equal(decoder_n_shared(a, b), 80);
    assert_int_equal(decoder_n_shared(b, reader), 60);
    begin(&t, b, 90, true);
    assert_int_equal(decoder_n_shared(b, reader), 0);
}
