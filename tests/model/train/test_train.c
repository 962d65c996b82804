/* What the trainer's steps promise, by either optimiser: they learn, they resume to the
 * same bits, they do not depend on the number of threads; the schedule of the rate; and
 * what is written is whole. */
#include "model/train/train_internal.h"
#include "tests/model/draft.h"
#include "tests/model/train/training.h"

#include <pthread.h>
#include <time.h>

static struct train_options long_options(enum optimiser optimiser)
{
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    o.optimiser = optimiser;
    if (optimiser == OPTIMISER_MUON) {
        o.schedule = SCHEDULE_LINEAR;
        o.cooldown_steps = 20;
        o.momentum = 0.95f;
        o.adam_share = 0.5f;
    }
    return o;
}

/* Steps [from, to) of the medium sizes. Returns the last loss. */
static float run_steps(struct trainer *t, int from, int to)
{
    struct lesson l;
    float loss = 0.0f;
    for (int i = from; i < to; i++)
        assert_ok(
            trainer_step(t, lesson_fill(&l, LONG_BATCH, LONG_LENGTH, 37, i), &loss));
    return loss;
}

#define FOR_OPTIMISERS(o) for (int o = OPTIMISER_ADAMW; o <= OPTIMISER_MUON; o++)

TEST(steps_learn)
{
    FOR_OPTIMISERS(optimiser)
    {
        struct model_config c = medium();
        struct train_options o = long_options((enum optimiser)optimiser);
        auto_school s = school_begin(&c, &o, 2);
        float first = run_steps(s.trainer, 0, 1);
        assert_true(fabsf(first - logf(37.0f)) < 0.2f);
        assert_true(run_steps(s.trainer, 1, 40) < 0.5f * first);
        assert_int_equal(trainer_steps(s.trainer), 40);
        assert_true(fabsf(trainer_learning_rate(s.trainer) - o.min_lr) < 1e-6f);
    }
}

static void compare_threads(const struct model_config *c, const struct train_options *o,
                            int more)
{
    auto_free float *one = NULL;
    for (int threads = 1; threads <= 4; threads += more) {
        auto_school s = school_begin(c, o, threads);
        run_steps(s.trainer, 0, 3);
        if (!one) {
            one = malloc(s.n_floats * sizeof *one);
            memcpy(one, s.block, s.n_floats * sizeof *one);
        }
        assert_memory_equal(one, s.block, s.n_floats * sizeof *one);
    }
}

TEST(threads_do_not_matter)
{
    struct model_config c = medium(), encoder = with_encoder();
    struct train_options adamw = long_options(OPTIMISER_ADAMW),
                         muon = long_options(OPTIMISER_MUON);
    compare_threads(&c, &adamw, 1);
    compare_threads(&c, &muon, 1);
    muon.bf16 = true;
    compare_threads(&c, &muon, 1);
    compare_threads(&encoder, &muon, 1);
    for (int i = 0; i < N_VARIANTS; i++) {
        c = sized_as(VARIANTS[i].config, medium());
        compare_threads(&c, &adamw, 2);
    }
}

/* The mean is of the first and the present weights; the run goes on as if it had not been asked. */
TEST(the_mean_with_the_start_changes_no_step)
{
    struct model_config c = medium();
    struct train_options o = long_options(OPTIMISER_MUON);
    auto_school plain = school_begin(&c, &o, 1);
    o.start_share = 0.25f;
    auto_school s = school_begin(&c, &o, 1);
    auto_free float *first = malloc(s.n_floats * sizeof *first);
    memcpy(first, s.block, s.n_floats * sizeof *first);
    for (int i = 0; i < 4; i++) {
        run_steps(plain.trainer, i, i + 1);
        run_steps(s.trainer, i, i + 1);
        trainer_swap_mean(s.trainer);
        trainer_swap_mean(plain.trainer); /* does nothing */
        for (size_t k = 0; k < s.n_floats; k++)
            assert_true(fabsf(s.block[k] -
                              (0.75f * plain.block[k] + 0.25f * first[k])) < 1e-6f);
        trainer_swap_mean(s.trainer);
        assert_memory_equal(s.block, plain.block, s.n_floats * sizeof *s.block);
    }
}

/* Else the last parts of the arena lie past its end. */
TEST(the_arena_has_room_for_all_that_is_laid_out_in_it)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        struct model_config c = sized_as(VARIANTS[i].config, medium());
        struct train_options o = long_options(OPTIMISER_MUON);
        o.start_share = 0.25f;
        auto_school s = school_begin(&c, &o, 1);
        const size_t n = trainer_lay_out(s.trainer, NULL);
        assert_int_equal(trainer_lay_out(s.trainer, s.trainer->arena), n);
    }
}

/* Three rows of 150 tokens as nine of 50, and back: the same bits as in trainers of these
 * lengths. */
TEST(rows_may_be_shorter)
{
    for (int i = 0; i < N_VARIANTS; i++) {
        struct model_config c = sized_as(VARIANTS[i].config, medium());
        struct train_options o = long_options(OPTIMISER_MUON);
        if (c.n_encoder_layers || c.mixing == MIXING_FOURIER)
            continue;
        o.shortest = LONG_LENGTH / 3;
        auto_school both = school_begin(&c, &o, 2);
        o.shortest = 0;
        for (int part = 1; part <= 3; part += 2) {
            struct train_options fixed = o;
            fixed.batch = LONG_BATCH * part;
            fixed.length = LONG_LENGTH / part;
            auto_school own = school_begin(&c, &fixed, 2);
            auto_free float *a = calloc(own.n_floats, sizeof *a),
                            *b = calloc(own.n_floats, sizeof *b);
            struct lesson l;
            double loss[2];
            lesson_fill(&l, LONG_BATCH, LONG_LENGTH, 37, part);
            trainer_set_length(both.trainer, fixed.length);
            assert_ok(trainer_gradients(both.trainer, &l.batch, &loss[0], a));
            assert_ok(trainer_gradients(own.trainer, &l.batch, &loss[1], b));
            assert_true(loss[0] == loss[1]);
            assert_memory_equal(a, b, own.n_floats * sizeof *a);
        }
    }
}

/* The state after three steps with the usual options, in a new trainer with these. */
static struct school resume(const struct model_config *c, const struct train_options *o)
{
    struct train_options first = long_options(o->optimiser);
    const char *path = temp_path("state");
    char extra[32];
    auto_school was = school_begin(c, &first, 2);
    trainer_set_end(was.trainer, 40, 0);
    run_steps(was.trainer, 0, 3);
    assert_ok(trainer_save_state(was.trainer, path, "here"));
    struct school s = school_begin(c, o, 2);
    assert_ok(trainer_load_state(s.trainer, path, extra, sizeof extra));
    assert_string_equal(extra, "here");
    assert_int_equal(trainer_steps(s.trainer), 3);
    return s;
}

static void compare_resumed(const struct model_config *c, enum optimiser optimiser)
{
    struct train_options o = long_options(optimiser);
    auto_school through = school_begin(c, &o, 2), after = resume(c, &o);
    float a = run_steps(through.trainer, 0, 6), b = run_steps(after.trainer, 3, 6);
    assert_memory_equal(through.block, after.block, after.n_floats * sizeof(float));
    assert_memory_equal(&a, &b, sizeof a);
}

TEST(resuming_changes_no_bit)
{
    struct model_config c = medium();
    compare_resumed(&c, OPTIMISER_ADAMW);
    compare_resumed(&c, OPTIMISER_MUON);
    for (int i = 0; i < N_VARIANTS; i += 3) {
        c = sized_as(VARIANTS[i].config, medium());
        compare_resumed(&c, OPTIMISER_ADAMW);
    }
}

/* Of trainer and pool, asked for while a step is under way, as by a signal. */
struct stop {
    atomic_bool flag;
    long after; /* ns */
};

static void *ask_to_stop(void *arg)
{
    struct stop *stop = arg;
    nanosleep(&(struct timespec){.tv_nsec = stop->after}, NULL);
    atomic_store(&stop->flag, true);
    return NULL;
}

/* A step that is given up, and evaluations, leave a run as if it had not been asked. A step that ended
 * before it was asked proves nothing: another run is begun. */
TEST(a_step_that_is_given_up_changes_nothing)
{
    enum { WANTED = 3, MOST_RUNS = 200 };
    struct model_config c = with_encoder();
    struct train_options o = long_options(OPTIMISER_MUON);
    auto_school through = school_begin(&c, &o, 2);
    struct lesson l;
    int n_cancelled = 0;
    float loss;
    double sum;
    int64_t count;
    run_steps(through.trainer, 0, 3);
    lesson_fill(&l, LONG_BATCH, LONG_LENGTH, c.vocab, 0);
    for (int i = 0; i < MOST_RUNS && n_cancelled < WANTED; i++) {
        auto_school stopped = school_begin(&c, &o, 2);
        struct stop stop = {.flag = true, .after = i % 10 * 50000};
        pthread_t other;
        trainer_set_cancel(stopped.trainer, &stop.flag);
        assert_int_equal(trainer_step(stopped.trainer, &l.batch, &loss),
                         MODEL_CANCELLED);
        assert_int_equal(
            trainer_evaluate(stopped.trainer, &l.batch, &sum, &count, NULL),
            MODEL_CANCELLED);
        atomic_store(&stop.flag, false);
        assert_ok(pthread_create(&other, NULL, ask_to_stop, &stop));
        const bool is_cancelled =
            trainer_step(stopped.trainer, &l.batch, &loss) == MODEL_CANCELLED;
        pthread_join(other, NULL);
        atomic_store(&stop.flag, false);
        if (!is_cancelled)
            continue;
        run_steps(stopped.trainer, 0, 3);
        assert_memory_equal(through.block, stopped.block,
                            through.n_floats * sizeof(float));
        n_cancelled++;
    }
    assert_int_equal(n_cancelled, WANTED);
}

static float rate_at(struct trainer *t, int64_t end, int64_t cooldown)
{
    trainer_set_end(t, end, cooldown);
    return trainer_learning_rate(t);
}

/* After eight steps, four of them warm-up: the end comes nearer. */
TEST(the_rate_is_constant_then_falls_in_a_line)
{
    struct model_config c = medium();
    struct train_options o = long_options(OPTIMISER_MUON);
    auto_school s = school_begin(&c, &o, 1);
    const float span = o.lr - o.min_lr;
    for (int i = 0; i < 8; i++) {
        float wanted = i < 4 ? o.lr * (float)(i + 1) / 4.0f : o.lr;
        assert_true(fabsf(trainer_learning_rate(s.trainer) - wanted) < 1e-8f);
        run_steps(s.trainer, i, i + 1);
    }
    assert_true(rate_at(s.trainer, 28, 20) == o.lr);
    assert_true(fabsf(rate_at(s.trainer, 18, 20) - o.min_lr - span / 2) < 1e-8f);
    assert_true(fabsf(rate_at(s.trainer, 9, 20) - o.min_lr - span / 20) < 1e-8f);
    assert_true(fabsf(rate_at(s.trainer, 8, 20) - o.min_lr) < 1e-8f);
    assert_true(fabsf(rate_at(s.trainer, 3, 20) - o.min_lr) < 1e-8f);
    assert_true(rate_at(s.trainer, 8, 0) == o.lr); /* no cooldown: never */
}

static const struct metadata about[] = {
    {"config",
     "{\"vocab\":37,\"context\":150,\"d_model\":24,\"n_heads\":3,\"n_layers\":2,"
     "\"d_ff\":70,\"activation\":\"relu\",\"position\":\"learned\",\"tied\":true}"},
};

/* What is written opens as a model, and training can begin from it. */
TEST(models_are_written_whole)
{
    struct model_config c = medium();
    struct train_options o = long_options(OPTIMISER_ADAMW);
    auto_trainer *again = NULL;
    const char *path = temp_path("safetensors");
    auto_school s = school_begin(&c, &o, 1);
    run_steps(s.trainer, 0, 2);
    assert_ok(trainer_save_model(s.trainer, path, false, about, 1));
    auto_model *m = open_model(path);
    assert_ok(trainer_create(&again, &c, &o, m, s.pool));
    assert_memory_equal(s.block, trainer_block(again), s.n_floats * sizeof(float));

    assert_ok(trainer_save_model(s.trainer, path, true, about, 1));
    auto_model *half = open_model(path);
    const float *token = half->weights.token;
    for (int i = 0; i < c.vocab * c.d_model; i++)
        assert_true(fabsf(token[i] - s.block[i]) <= fabsf(s.block[i]) / 256.0f);
}

TEST(sources_are_asked_for)
{
    struct model_config c = with_encoder(), plain = medium();
    struct train_options o = options_for(LONG_BATCH, LONG_LENGTH);
    struct trainer *none = NULL;
    struct lesson l;
    float loss;
    auto_school s = school_begin(&c, &o, 1);
    assert_int_equal(trainer_create(&none, &c, &o, NULL, s.pool), MODEL_BAD_CONFIG);
    o.source_length = LONG_SOURCE;
    assert_int_equal(trainer_create(&none, &plain, &o, NULL, s.pool), MODEL_BAD_CONFIG);
    lesson_fill(&l, LONG_BATCH, LONG_LENGTH, c.vocab, 0);
    l.batch.sources = l.batch.source_times = NULL;
    assert_int_equal(trainer_step(s.trainer, &l.batch, &loss), MODEL_NO_SOURCE);
    l.batch.sources = l.sources;
    assert_ok(trainer_step(s.trainer, &l.batch, &loss));
    l.sources[LONG_SOURCE] = -1; /* nothing in the second */
    assert_int_equal(trainer_step(s.trainer, &l.batch, &loss), MODEL_NO_SOURCE);
    l.sources[LONG_SOURCE] = c.vocab;
    assert_int_equal(trainer_step(s.trainer, &l.batch, &loss), MODEL_BAD_TOKEN);
}

TEST(bad_batches_are_refused)
{
    struct model_config c = tiny();
    struct train_options o = options_for(SHORT_BATCH, SHORT_LENGTH);
    struct trainer *none = NULL;
    struct lesson l;
    float loss;
    auto_school s = school_begin(&c, &o, 1);
    lesson_fill(&l, SHORT_BATCH, SHORT_LENGTH, c.vocab, 0);
    l.tokens[3] = c.vocab;
    assert_int_equal(trainer_step(s.trainer, &l.batch, &loss), MODEL_BAD_TOKEN);
    l.tokens[3] = -1;
    assert_int_equal(trainer_step(s.trainer, &l.batch, &loss), MODEL_BAD_TOKEN);
    l.tokens[3] = 0;
    l.targets[SHORT_N - 1] = c.vocab;
    assert_int_equal(trainer_step(s.trainer, &l.batch, &loss), MODEL_BAD_TOKEN);
    assert_int_equal(trainer_steps(s.trainer), 0);
    o.length = c.context + 1;
    assert_int_equal(trainer_create(&none, &c, &o, NULL, s.pool), MODEL_TOO_LONG);
    o.length = 1 << 30;
    assert_int_equal(trainer_create(&none, &c, &o, NULL, s.pool), MODEL_TOO_LONG);
}
