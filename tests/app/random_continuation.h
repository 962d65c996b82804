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
    atomic_bool cancel;
};

static inline void set_up(struct fixture *f, int context, int vocab, int n_threads)
{
    struct model_config c = tiny_config(context);
    c.vocab = vocab;
    assert_int_equal(model_random(&f->model, &c, 7), MODEL_OK);
    f->pool = pool_create(n_threads);
    assert_non_null(f->pool);
    assert_int_equal(
        continuation_create(&f->continuation, f->model, f->pool, &f->cancel), MODEL_OK);
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
    struct continued_note notes[MAX_NOTES]; /* take by take */
    size_t n;
    struct continuation_stats stats; /* of the first take, */
    int32_t tokens[4 * MAX_NOTES];   /* and how it was drawn */
    size_t n_tokens;
    enum style style;
};

static inline enum continuation_state run(struct fixture *f, const struct score *s,
                                          const struct continuation_options *o,
                                          struct result *r)
{
    struct take takes[CONTINUATION_AT_ONCE] = {{0}};
    for (int i = 0; i < o->n_takes; i++)
        takes[i].seed = o->sampling.seed + (uint64_t)i;
    enum continuation_state state =
        continuation_begin(f->continuation, s, o, takes, o->n_takes);
    while (state == CONTINUATION_BEGUN)
        state = continuation_next(f->continuation);
    r->stats = takes->stats;
    r->style = takes->style;
    r->n_tokens = takes->n_tokens;
    assert_true(r->n_tokens <= 4 * MAX_NOTES);
    if (r->n_tokens) /* else there is no list to copy */
        memcpy(r->tokens, takes->tokens, r->n_tokens * sizeof *r->tokens);
    r->n = 0;
    for (int i = 0; i < o->n_takes; i++) {
        for (size_t k = 0; k < takes[i].n_notes; k++) {
            assert_true(r->n < MAX_NOTES);
            r->notes[r->n] = takes[i].notes[k];
            r->notes[r->n++].take = i;
        }
        take_fini(&takes[i]);
    }
    return state;
}

#endif
