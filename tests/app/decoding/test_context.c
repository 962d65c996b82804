/* What a model is given to read: the bars around a hole, and nothing twice. */
#include "tests/check.h"
#include "app/decoding/context.h"
#include "app/decoding/model_reader.h"
#include "tests/app/tiny_model.h"
#include "tests/app/voices_score.h"

enum { BAR = 4 * STEPS_PER_QUARTER, TICKS = 4 * 480, BARS = 30 };

/* A note a bar, of thirty, and a hole of the bars [from, to). */
static void around(struct context_window *w, int from, int to, size_t max_tokens)
{
    struct context c;
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = voices_score(480, "a", 1, 0, NULL);
    for (int i = 0; i < BARS; i++)
        put(s, 0, (int64_t)i * TICKS, 480, 60);
    o.hole.from_tick = (int64_t)from * TICKS;
    o.hole.to_tick = (int64_t)to * TICKS;
    assert_ok(context_init(&c, s, &o));
    assert_ok(context_encode_hole(&c, from * BAR, to * BAR, max_tokens, w));
    context_fini(&c);
}

TEST(of_what_follows_two_bars_are_read_first)
{
    struct context_window w;
    around(&w, 20, 22, 60); /* those before have what else there is */
    assert_true(w.tokens.n <= 60 && w.origin > 0 && w.origin < 18 * BAR);
    assert_int_equal(w.origin / BAR + w.n_bars, 22 + CONTEXT_BARS_AFTER);
    tokens_fini(&w.tokens);
}

/* Where what is before has been read. */
TEST(then_the_rest_of_it)
{
    struct context_window w;
    around(&w, 20, 22, 1000);
    assert_int_equal(w.n_bars, BARS);
    tokens_fini(&w.tokens);
    around(&w, 0, 2, 60); /* a lead-in */
    assert_true(w.origin == 0 && w.n_bars > 2 + CONTEXT_BARS_AFTER && w.n_bars < BARS);
    tokens_fini(&w.tokens);
}

/* A cancelled reader can read nothing, so what it still gives it had. */
TEST(what_was_read_is_not_read_again)
{
    atomic_bool cancel = false;
    struct model_config config = tiny_config(256);
    auto_model *m = NULL;
    struct model_reader *r = NULL, *other = NULL;
    struct context_window w, longer;
    const float *logits;
    float before;
    config.vocab = TOKEN_COUNT;
    assert_ok(model_random(&m, &config, 7));
    auto_pool *pool = pool_create(1);
    assert_ok(model_reader_create(&r, m, pool));
    assert_ok(model_reader_create(&other, m, pool));
    model_reader_set_cancel(r, &cancel);
    model_reader_set_cancel(other, &cancel);
    around(&w, 20, 22, 100);
    around(&longer, 20, 22, 200);
    assert_ok(model_reader_read(r, &w.tokens));
    assert_ok(model_reader_next(&r, 1, &logits));
    before = logits[7];
    model_reader_push(r, TOKEN_BAR);
    assert_ok(model_reader_next(&r, 1, &logits));
    assert_true(logits[7] != before);

    cancel = true;
    assert_ok(model_reader_copy(other, r));
    assert_ok(model_reader_read(r, &w.tokens));
    assert_ok(model_reader_read(other, &w.tokens));
    assert_ok(model_reader_next(&r, 1, &logits));
    assert_true(logits[7] == before);
    assert_ok(model_reader_next(&other, 1, &logits));
    assert_true(logits[7] == before);
    assert_int_equal(model_reader_read(r, &longer.tokens), MODEL_CANCELLED);
    tokens_fini(&w.tokens);
    tokens_fini(&longer.tokens);
    model_reader_destroy(r);
    model_reader_destroy(other);
}
