/* The model thread: notes stream, requests replace one another, and it can be
 * stopped at any moment. The model is tiny and random; it is quick, so what must
 * meet it at work asks for many bars. */
#include "tests/check.h"
#include "app/base/values.h"
#include "app/generation/generator.h"
#include "tests/app/own_folder.h"
#include "tests/midi/score_of.h"

#include <poll.h>
#include <time.h>

#define auto_generator __attribute__((cleanup(free_generator))) struct generator
FREES(generator, generator_destroy)

/* Of two voices: a single line stays one, and a random model soon ends it. */
static struct score *a_score(void)
{
    return score_of(
        "480 | Piano: [48 60]q [49 61] [50 62] [51 63] [52 64] [53 65] [54 66] "
        "[55 67]");
}

static uint64_t ask(struct generator *g, int bars, uint64_t seed)
{
    struct continuation_options wanted = CONTINUATION_DEFAULT;
    wanted.bars = bars;
    wanted.style = 0;
    wanted.sampling.seed = seed;
    return generator_ask(g, a_score(), &wanted, false);
}

static struct generator_progress progress_of(struct generator *g)
{
    struct generator_progress p;
    generator_progress(g, &p);
    return p;
}

/* All notes until the request ends; -1: it did not within half a minute. */
static int collect(struct generator *g, struct continued_note *notes, int max)
{
    int n = 0;
    for (int i = 0; i < 15000; i++) {
        bool running = progress_of(g).running;
        n += (int)generator_take(g, notes + n, (size_t)(max - n));
        if (!running)
            return n;
        sleep_ms(2);
    }
    return -1;
}

static struct continued_note first[4096], second[4096];

static void assert_same(int n)
{
    for (int i = 0; i < n; i++)
        assert_memory_equal(&first[i].note, &second[i].note, sizeof first->note);
}

TEST(notes_arrive_and_the_ui_is_woken)
{
    int ends[2];
    assert_ok(pipe(ends));
    struct generator *g = generator_create(model, PRECISION_DEFAULT, 2, ends[1]);
    assert_non_null(g);
    ask(g, 4, 7);
    struct pollfd woken = {.fd = ends[0], .events = POLLIN};
    assert_int_equal(poll(&woken, 1, 30000), 1);
    int n = collect(g, first, 4096);
    struct generator_progress p = progress_of(g);
    assert_true(n > 0);
    assert_true(p.loaded);
    assert_false(p.failed || p.request_failed);
    assert_int_equal(p.takes[0].from_tick, 8 * 480);
    assert_int_equal(p.takes[0].to_tick, 8 * 480 + 4 * 1920);
    assert_true(p.seconds_to_first > 0 && p.seconds_to_first <= p.seconds);
    for (int i = 0; i < n; i++) {
        assert_true(first[i].note.start >= p.takes[0].from_tick);
        assert_true(first[i].note.start + first[i].note.length <= p.takes[0].to_tick);
    }
    generator_destroy(g);
    close(ends[0]);
    close(ends[1]);
}

/* Before a request it is like nothing; it brings no news. */
TEST(reading_ahead_changes_no_note)
{
    struct generator *g = generator_create(model, PRECISION_DEFAULT, 2, -1);
    ask(g, 4, 11);
    int n = collect(g, first, 4096);
    generator_destroy(g);
    g = generator_create(model, PRECISION_DEFAULT, 2, -1);
    const struct continuation_options expected = CONTINUATION_DEFAULT;
    for (int i = 0; i < 50; i++) {
        generator_ask(g, a_score(), &expected, true);
        sleep_ms(2);
        assert_false(progress_of(g).running);
        assert_int_equal(generator_take(g, second, 1), 0);
    }
    ask(g, 4, 11);
    generator_ask(g, a_score(), &expected, true); /* which is in nobody's way */
    assert_int_equal(collect(g, second, 4096), n);
    assert_true(n > 0);
    assert_same(n);
    generator_destroy(g);
}

TEST(a_cancelled_request_leaves_nothing)
{
    auto_generator *g = generator_create(model, PRECISION_DEFAULT, 1, -1);
    ask(g, CONTINUATION_MAX_BARS, 1);
    for (int i = 0; i < 15000 && progress_of(g).takes[0].n_tokens == 0; i++)
        sleep_ms(2);
    generator_cancel(g);
    assert_false(progress_of(g).running);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(generator_take(g, first, 1), 0);
        sleep_ms(2);
    }
    assert_false(progress_of(g).running || progress_of(g).request_failed);
}

TEST(the_newest_request_wins)
{
    auto_generator *g = generator_create(model, PRECISION_DEFAULT, 2, -1);
    ask(g, 2, 5);
    int n = collect(g, first, 4096);
    uint64_t last = 0;
    for (int i = 0; i < 30; i++) {
        last = ask(g, i < 29 ? CONTINUATION_MAX_BARS : 2, 5);
        if (i % 3 == 0)
            sleep_ms(2);
        if (i % 7 == 0)
            generator_cancel(g);
    }
    int m = collect(g, second, 4096);
    assert_int_equal(m, n);
    assert_int_equal(progress_of(g).request, last);
    assert_same(n);
}

TEST(it_can_be_destroyed_at_any_moment)
{
    for (int i = 0; i < 12; i++) {
        auto_generator *g = generator_create(model, PRECISION_DEFAULT, 1 + i % 2, -1);
        assert_non_null(g);
        if (i % 3)
            ask(g, CONTINUATION_MAX_BARS, (uint64_t)i);
        for (int j = 0; j < i; j++)
            sleep_ms(2);
    }
    generator_destroy(NULL);
}

GROUP(make_model, remove_own_folder)
