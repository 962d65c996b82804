/* The inspector's thread: what it finds is what an inspection finds (all parts of it are on the
 * screen in tests/app/editor/inspect/test_inspect.c), the newest request wins, and it does nothing
 * when nothing is asked. On a model of random weights. */
#include "tests/check.h"
#include "app/inspection/inspector.h"
#include "tests/app/random_continuation.h"

#include <fcntl.h>
#include <poll.h>

enum { CONTEXT = 256, TIMEOUT_MS = 20000 };

struct desk {
    struct fixture f;
    struct inspector *inspector;
    struct inspector_report report;
    struct score *score;
    int wake[2];
};
static struct desk desk, *const d = &desk;
#define DESK_TEST(name) TEST_IN(name, open_desk, close_desk)

FIXTURE(open_desk)
{
    *d = (struct desk){0};
    set_up(&d->f, CONTEXT, TOKEN_COUNT, 1);
    assert_ok(pipe2(d->wake, O_NONBLOCK | O_CLOEXEC));
    d->inspector = inspector_create(d->f.model, 2, d->wake[1]);
    assert_non_null(d->inspector);
    return 0;
}

FIXTURE(close_desk)
{
    inspector_destroy(d->inspector);
    inspector_report_fini(&d->report);
    score_destroy(d->score);
    close(d->wake[0]);
    close(d->wake[1]);
    tear_down(&d->f);
    return 0;
}

static void put_score(int n_quarters)
{
    score_destroy(d->score);
    d->score = score_of("480 | one: (60q 67 62 69 64 71 66 61 68 63 70 65)*%d", 50);
    d->score->tracks[0].n_notes = (size_t)n_quarters;
}

static struct inspector_request of_note(int index)
{
    return (struct inspector_request){
        .read = {.note = d->score->tracks[0].notes[index].id,
                 .piece = 1,
                 .version = 1,
                 .style = STYLE_CHORALE},
        .look = {.layer = -1, .head = -1},
        .part = INSPECTED_PITCH,
    };
}

/* Waits for news; false: none came in time. */
static bool wait_for_news(void)
{
    struct pollfd p = {.fd = d->wake[0], .events = POLLIN};
    char bytes[64];
    if (poll(&p, 1, TIMEOUT_MS) != 1)
        return false;
    assert_true(read(d->wake[0], bytes, sizeof bytes) > 0);
    inspector_collect(d->inspector, &d->report);
    return true;
}

static void wait_until_done(uint64_t number)
{
    while (d->report.request != number || !d->report.is_done)
        assert_true(wait_for_news());
    assert_string_equal(d->report.error, "");
}

static void ask(const struct inspector_request *r)
{
    wait_until_done(inspector_ask(d->inspector, score_clone(d->score), r));
}

static struct inspector_request for_surprises(int index)
{
    struct inspector_request r = of_note(index);
    r.wants_surprise = true;
    return r;
}

/* What is shown is what the model computed, of every note that can attend. */
static void assert_found_is_an_inspections(const struct inspector_request *r)
{
    struct inspection *i;
    const struct inspect_view *v = &d->report.found;
    float other[INSPECTED_KINDS];
    assert_ok(inspection_create(&i, d->f.model, d->f.pool, NULL));
    assert_ok(inspection_read(i, d->score, &r->read));
    int note = inspection_find(i, r->read.note);
    const struct reading now = i->now;
    auto_free float *weights = calloc((size_t)now.n_notes, sizeof *weights);
    assert_non_null(weights);
    assert_ok(inspection_weights(i, note, &r->look, weights, other));
    assert_int_equal(v->n_notes, now.n_notes);
    assert_int_equal(v->chosen, note);
    for (int k = 0; k < now.n_notes; k++) {
        if (k < note)
            assert_float_equal(v->notes[k].weight, weights[k], 1e-5);
        else
            assert_true(v->notes[k].weight < 0 && (k == note || weights[k] == 0));
        assert_int_equal(v->notes[k].id, now.notes[k].id);
        assert_float_equal(v->notes[k].surprise, now.notes[k].surprise, 1e-3);
    }
    assert_float_equal(v->itself, weights[note], 1e-5);
    for (int k = 0; k < INSPECTED_KINDS; k++)
        assert_float_equal(v->others[k], other[k], 1e-5);
    inspection_destroy(i);
}

static float chosen_surprise(void)
{
    return d->report.found.notes[d->report.found.chosen].surprise;
}

DESK_TEST(test_the_newest_request_wins)
{
    put_score(60);
    uint64_t last = 0;
    struct inspector_request r = of_note(0);
    for (int k = 0; k < 30; k++) {
        r = of_note(20 + k);
        r.wants_who_matters = true;
        last = inspector_ask(d->inspector, score_clone(d->score), &r);
    }
    wait_until_done(last);
    assert_int_equal(d->report.notes_for, last);
    assert_found_is_an_inspections(&r);
}

/* All notes of a piece that takes many windows, and then not again. Two pieces may count their
 * versions alike. */
DESK_TEST(test_a_piece_is_gone_through_once)
{
    put_score(500);
    struct inspector_request r = for_surprises(250);
    ask(&r);
    assert_true(d->report.surprise_is_whole && d->report.n_surprise == 500);
    const struct note_surprise *found =
        surprise_find(d->report.surprise, 500, r.read.note);
    assert_non_null(found);
    assert_float_equal(found->nats, chosen_surprise(), 1e-3);
    r = for_surprises(100);
    ask(&r);
    assert_int_equal(d->report.surprise_for, d->report.request);
    assert_int_equal(d->report.n_surprise, 500);
    put_score(200);
    r = for_surprises(150);
    r.read.piece = 2;
    ask(&r);
    assert_int_equal(d->report.n_surprise, 200);
}

/* The same notes surprise otherwise when they are read in another style. */
DESK_TEST(test_surprise_is_that_of_the_style)
{
    put_score(24);
    struct inspector_request r = for_surprises(20);
    ask(&r);
    const float before = chosen_surprise();
    r.read.style = STYLE_FOLK;
    ask(&r);
    const struct note_surprise *found =
        surprise_find(d->report.surprise, d->report.n_surprise, r.read.note);
    assert_non_null(found);
    assert_true(fabsf(found->nats - before) > 1e-3f);
    assert_float_equal(found->nats, chosen_surprise(), 1e-3);
}

DESK_TEST(test_nothing_comes_after_a_stop)
{
    put_score(500);
    struct inspector_request r = for_surprises(250);
    uint64_t number = inspector_ask(d->inspector, score_clone(d->score), &r);
    inspector_stop(d->inspector);
    inspector_collect(d->inspector, &d->report);
    assert_false(d->report.request == number && d->report.is_done);
    char bytes[64];
    while (read(d->wake[0], bytes, sizeof bytes) > 0)
        ;
    assert_false(inspector_collect(d->inspector, &d->report));
    r = of_note(251);
    ask(&r);
    assert_found_is_an_inspections(&r);
}

DESK_TEST(test_a_note_that_is_not_there_is_no_error)
{
    put_score(8);
    struct inspector_request r = of_note(3);
    r.read.note = 123456;
    r.wants_who_matters = true;
    ask(&r);
    assert_int_equal(d->report.found.chosen, -1);
    assert_int_equal(d->report.found.n_notes, 8);
    assert_int_equal(d->report.found.n_guesses, 0);
}
