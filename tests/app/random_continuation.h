/* A continuation with a model of random weights. It knows no music, so whatever rule holds, the
 * program alone enforces it. Include cmocka.h before it. */
#ifndef TESTS_APP_RANDOM_CONTINUATION_H
#define TESTS_APP_RANDOM_CONTINUATION_H

#include "app/decoding/continuation.h"
#include "tests/app/tiny_model.h"

struct fixture {
    struct model *model;
    struct pool *pool;
    struct continuation *continuation;
};

static inline void set_up(struct fixture *f, int context, int vocab, int n_threads)
{
    struct model_config c = tiny_config(context);
    c.vocab = vocab;
    assert_int_equal(model_random(&f->model, &c, 7), MODEL_OK);
    f->pool = pool_create(n_threads);
    assert_non_null(f->pool);
    assert_int_equal(continuation_create(&f->continuation, f->model, f->pool),
                     MODEL_OK);
}

static inline void put_note(struct score *s, int track, int64_t start, int64_t length,
                            int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = 80,
                     .on_order = ORDER_LAST,
                     .off_order = ORDER_FIRST};
    assert_int_not_equal(score_add_note(s, track, n), 0);
}

static inline void tear_down(struct fixture *f)
{
    continuation_destroy(f->continuation);
    pool_destroy(f->pool);
    model_close(f->model);
}

#endif
