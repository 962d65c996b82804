/* What a decoder and a trainer make of the state of the tokens: it is found again
 * whatever is forgotten, copied, cancelled or refused; tables begin at zero and do not
 * decay; and nobody runs a model whose state nobody computes. */
#include "tests/check.h"
#include "tests/model/decoder_fixture.h"
#include "tests/model/draft.h"
#include "tests/model/train/training.h"

static const struct model_config BOTH = {
    SIZES(29, 300, 36, 3, 1, 70), .relative = RELATIVE_ROTARY, .time = TIME_BUCKETS,
    .state = TOY_ROWS, .values = true};

static struct train_options options(void)
{
    struct train_options o = options_for(1, 8);
    o.warmup_steps = 0;
    o.dropout = 0.0f;
    o.state = &TOY_STATE;
    return o;
}

TEST(a_state_that_nobody_computes_is_refused)
{
    struct model_state_kind other = TOY_STATE;
    struct train_options o = options();
    auto_pool *pool = pool_create(1);
    auto_model *m = make_model(&BOTH);
    auto_decoder *d = NULL;
    struct trainer *t = NULL;
    other.n_rows++;
    o.state = &other;
    m->state_kind = &other;
    assert_int_equal(decoder_create(&d, m, pool), MODEL_OTHER_TOKENS);
    assert_int_equal(trainer_create(&t, &BOTH, &o, NULL, pool), MODEL_OTHER_TOKENS);
    o.state = NULL;
    m->state_kind = NULL;
    assert_int_equal(decoder_create(&d, m, pool), MODEL_OTHER_TOKENS);
    assert_int_equal(trainer_create(&t, &BOTH, &o, NULL, pool), MODEL_OTHER_TOKENS);
    m->state_kind = &TOY_STATE;
    assert_ok(decoder_create(&d, m, pool));
}

/* A decoder and what it has been told. */
struct told {
    struct decoder *d;
    int32_t ids[300], times[300];
    int n;
};

struct walk {
    struct fixture b;
    struct told a[2];
    float *logits, *wanted;
    uint32_t random;
    atomic_bool stop;
};

static int draw(struct walk *w, int below)
{
    w->random = w->random * 1664525u + 1013904223u;
    return (int)((w->random >> 8) % (uint32_t)below);
}

static void add_tokens(struct walk *w, struct told *t, int n)
{
    for (int i = t->n; i < t->n + n; i++) {
        t->ids[i] = draw(w, w->b.vocab);
        t->times[i] = i * 6;
    }
}

/* The next token's logits are those of a decoder that was told all of it at once; it is
 * forgotten again. */
static void assert_right(struct walk *w, struct told *t)
{
    struct decoder *fresh;
    add_tokens(w, t, 1);
    assert_int_equal(decoder_length(t->d), t->n);
    assert_ok(decoder_create(&fresh, w->b.model, w->b.pool));
    assert_ok(decoder_prefill(fresh, t->ids, t->times, t->n + 1, false, w->wanted));
    assert_ok(decoder_step(t->d, t->ids[t->n], t->times[t->n], w->logits));
    for (int i = 0; i < w->b.vocab; i++)
        assert_float_equal(w->logits[i], w->wanted[i], 1e-4);
    decoder_truncate(t->d, t->n);
    decoder_destroy(fresh);
}

static void prefill(struct walk *w, struct told *t)
{
    int n = draw(w, 298 - t->n < 90 ? 298 - t->n : 90);
    add_tokens(w, t, n);
    assert_ok(decoder_prefill(t->d, t->ids + t->n, t->times + t->n, n, false, NULL));
    t->n += n;
}

static void step_both(struct walk *w)
{
    struct decoder *d[2] = {w->a[0].d, w->a[1].d};
    int32_t ids[2], times[2];
    float *none[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        add_tokens(w, &w->a[i], 1);
        ids[i] = w->a[i].ids[w->a[i].n];
        times[i] = w->a[i].times[w->a[i].n++];
    }
    assert_ok(decoder_step_many(d, 2, ids, times, none));
}

/* All of these change nothing. */
static void change_nothing(struct walk *w, struct told *t)
{
    struct decoder *d[2] = {w->a[0].d, w->a[1].d};
    int32_t ids[70] = {3, w->b.vocab}, times[70] = {1, 2};
    float *none[2] = {NULL, NULL};
    assert_int_equal(decoder_prefill(t->d, ids, times, 2, false, NULL),
                     MODEL_BAD_TOKEN);
    assert_int_equal(decoder_step_many(d, 2, ids, times, none), MODEL_BAD_TOKEN);
    ids[1] = 5;
    w->stop = true;
    decoder_set_cancel(t->d, &w->stop);
    assert_int_equal(decoder_step(t->d, 4, 0, NULL), MODEL_CANCELLED);
    assert_int_equal(decoder_step_many(d, 2, ids, times, none), MODEL_CANCELLED);
    if (t->n + 70 <= 300)
        assert_int_equal(decoder_prefill(t->d, ids, NULL, 70, false, NULL),
                         MODEL_CANCELLED);
    decoder_set_cancel(t->d, NULL);
}

static void copy(struct walk *w, struct told *to, const struct told *from)
{
    int n = draw(w, 3) ? draw(w, from->n + 1) : from->n;
    struct decoder *own = to->d;
    assert_ok(decoder_copy(own, from->d, n));
    *to = *from;
    to->d = own;
    to->n = n;
}

static void wander(struct walk *w)
{
    struct told *t = &w->a[draw(w, 2)], *u = t == w->a ? w->a + 1 : w->a;
    switch (draw(w, 5)) {
    case 0:
        prefill(w, t);
        break;
    case 1:
        if (t->n < 290 && u->n < 290)
            step_both(w);
        break;
    case 2:
        t->n = draw(w, 2) ? draw(w, t->n + 1) : t->n / 64 * 64;
        decoder_truncate(t->d, t->n);
        break;
    case 3:
        change_nothing(w, t);
        break;
    default:
        copy(w, t, u);
    }
}

TEST(it_is_found_again_whatever_happens)
{
    struct walk w = {.b = set_up(&BOTH, 2), .random = 5};
    w.logits = make_logits(&w.b, 1);
    w.wanted = make_logits(&w.b, 1);
    for (int i = 0; i < 2; i++)
        w.a[i].d = make_decoder(&w.b);
    for (int i = 0; i < 300; i++) {
        wander(&w);
        assert_right(&w, &w.a[0]);
        assert_right(&w, &w.a[1]);
    }
    tear_down(&w.b);
}

static bool is_table(const struct model_tensor *t)
{
    return strstr(t->name, "state_embedding") || strstr(t->name, "value_embedding");
}

TEST(tables_begin_at_zero)
{
    auto_free struct model_tensor *list = NULL;
    struct model_config plain = BOTH;
    size_t n_floats, n_tables = 0;
    plain.state = 0;
    plain.values = false;
    auto_model *m = random_model(&BOTH, 4), *without = random_model(&plain, 4);
    size_t n = model_tensors(&BOTH, &m->weights, &list, &n_floats);
    for (size_t i = 0; i < n; i++) {
        assert_true(list[i].decays == (list[i].n_dims == 2 && !is_table(&list[i])));
        n_tables += is_table(&list[i]);
        for (size_t k = 0; is_table(&list[i]) && k < model_tensor_size(&list[i]); k++)
            assert_true(list[i].at[k] == 0.0f);
    }
    assert_int_equal(n_tables, 2);
    assert_memory_equal(m->weights.layers[0].ff2_w, without->weights.layers[0].ff2_w,
                        36 * 70 * sizeof(float));
}

/* The row of a token that no sequence has moves only if it decays. */
TEST(tables_do_not_decay)
{
    struct train_options o = options();
    struct model_weights w = {.layers =
                                  calloc((size_t)BOTH.n_layers, sizeof *w.layers)};
    int32_t tokens[8] = {1, 2, 3, 4, 5, 6, 7, 8}, targets[8] = {2, 3, 4, 5, 6, 7, 8, 9};
    struct train_batch b = {.tokens = tokens, .targets = targets};
    float loss;
    auto_school s = school_begin(&BOTH, &o, 2);
    model_bind(&w, &BOTH, s.block);
    float *row = s.block + (w.layers[0].value_embedding - s.block);
    float *seen = row + 3 * BOTH.d_model, *unseen = row + 20 * BOTH.d_model;
    *seen = *unseen = 1.0f;
    for (int i = 0; i < 6; i++)
        assert_ok(trainer_step(s.trainer, &b, &loss));
    assert_true(*unseen == 1.0f);
    assert_true(*seen != 1.0f);
    assert_true(w.state[TOY_COUNTS] != 0.0f);
    free(w.layers);
}

/* So that the files of models without either stay the same. */
TEST(a_configuration_without_them_does_not_name_them)
{
    struct model_config c = BOTH;
    char *text = model_config_json(&c);
    assert_non_null(strstr(text, "\"state\":20"));
    assert_non_null(strstr(text, "\"values\":true"));
    free(text);
    c.state = 0;
    c.values = false;
    text = model_config_json(&c);
    assert_null(strstr(text, "state"));
    assert_null(strstr(text, "values"));
    free(text);
}
