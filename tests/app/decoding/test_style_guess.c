/* A guess that is cancelled goes on where it was, so that reading ahead is never in vain: with the
 * shipped model, which knows all styles. Time is that of the processor. */
#include "tests/check.h"
#include "app/decoding/continuation.h"
#include "tests/app/tiny_model.h"
#include "tests/midi/score_of.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

struct cancelling {
    atomic_bool cancel, is_over;
    double at; /* seconds of the processor */
};

static struct model *model;
static struct pool *pool;
static struct score *music;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

FIXTURE(begin)
{
    music = score_of("96 | piano: ([60 64 67]q 64e 67 [59 62 67]q 62e 67)*12 48w");
    pool = pool_create(1);
    model = bundled_model("continuo");
    return !pool;
}

FIXTURE(end)
{
    pool_destroy(pool);
    model_close(model);
    score_destroy(music);
    return 0;
}

static void *cancel_in_time(void *context)
{
    struct cancelling *c = context;
    while (!c->is_over && seconds() < c->at)
        nanosleep(&(struct timespec){0, 200000}, NULL);
    c->cancel = true;
    return NULL;
}

/* Begins with that much time; returns whether it was enough. */
static bool begins_within(struct continuation *c, struct cancelling *by, double time)
{
    const struct continuation_options o = CONTINUATION_DEFAULT;
    pthread_t thread;
    by->cancel = by->is_over = false;
    by->at = seconds() + time;
    assert_ok(pthread_create(&thread, NULL, cancel_in_time, by));
    enum continuation_state state = continuation_begin(c, music, &o);
    by->is_over = true;
    pthread_join(thread, NULL);
    assert_true(state == CONTINUATION_BEGUN || state == CONTINUATION_CANCELLED);
    return state == CONTINUATION_BEGUN;
}

TEST(a_guess_goes_on_where_it_was_cancelled)
{
    enum { PARTS = 3, MOST = 40 };
    struct cancelling by;
    struct continuation *c;
    double whole = 0;
    enum style style[2];
    int n = 0;
    for (int parts = 0; parts < 2; parts++) {
        assert_ok(continuation_create(&c, model, pool));
        continuation_warm_up(c);
        continuation_set_cancel(c, &by.cancel);
        const double began = seconds();
        while (!begins_within(c, &by, parts ? whole / PARTS : 1e9) && n < MOST)
            n++;
        whole = seconds() - began;
        style[parts] = continuation_style(c);
        continuation_destroy(c);
    }
    assert_in_range(n, 1, MOST - 1);
    assert_int_equal(style[0], style[1]);
}

GROUP(begin, end)
