/* A continuation with a model of random weights. It knows no music, so whatever rule holds, the
 * program alone enforces it. Include cmocka.h before it. */
#ifndef TESTS_APP_RANDOM_CONTINUATION_H
#define TESTS_APP_RANDOM_CONTINUATION_H

#include "app/decoding/continuation.h"
#include "tests/app/tiny_model.h"
#include "tests/midi/score_of.h"

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
    assert_int_not_equal(score_add_note(s, track, music_note(start, length, pitch, 80)),
                         0);
}

static inline void tear_down(struct fixture *f)
{
    continuation_destroy(f->continuation);
    pool_destroy(f->pool);
    model_close(f->model);
}

enum { MAX_NOTES = 8192 };

struct result {
    struct continued_note notes[MAX_NOTES];
    size_t n;
    struct continuation_stats stats; /* of the first take, */
    int32_t tokens[4 * MAX_NOTES];   /* and how it was drawn */
    size_t n_tokens;
};

static inline enum continuation_state run(struct fixture *f, const struct score *s,
                                          const struct continuation_options *o,
                                          struct result *r)
{
    r->n = 0;
    enum continuation_state state = continuation_begin(f->continuation, s, o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        assert_true(r->n < MAX_NOTES);
        const struct continued_note *n = &r->notes[r->n];
        state = continuation_next(f->continuation, &r->notes[r->n]);
        for (size_t i = 0; state == CONTINUATION_NOTE && n->is_hit && i < r->n; i++)
            if (r->notes[i].track == n->track && r->notes[i].take == n->take)
                continued_cut(&r->notes[i].note, n);
        r->n += state == CONTINUATION_NOTE;
    }
    continuation_stats(f->continuation, 0, &r->stats);
    const int32_t *tokens = continuation_tokens(f->continuation, 0, &r->n_tokens);
    assert_true(r->n_tokens <= 4 * MAX_NOTES);
    for (size_t i = 0; i < r->n_tokens; i++)
        r->tokens[i] = tokens[i];
    return state;
}

#endif
