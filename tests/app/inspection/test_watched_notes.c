/* Who looks changes no note: the model thread writes the same, to the bit, as it does alone,
 * while the inspector reads the surprise of the whole piece and mutes heads with the same
 * model. The tokens that it keeps are those of the takes. */
#include "tests/check.h"
#include "app/generation/generator.h"
#include "app/inspection/inspector.h"
#include "midi/base/array.h"
#include "tests/app/made_takes.h"
#include "tests/app/own_folder.h"
#include "tests/midi/score_of.h"

#include <time.h>

enum { N_REQUESTS = 8, TAKES = 3, MOST_NAPS = 20000, QUARTERS = 48 };

static const struct model_precision INT8 = {WEIGHTS_INT8, CACHE_INT8};

/* The program's parts, as they are wired together in a session. */
struct bench {
    struct generator *generator;
    struct inspector *inspector;
    struct inspector_report report;
    int n_reports; /* that were seen, of any request */
};

static struct generator_progress progress_of(struct generator *g)
{
    struct generator_progress p;
    generator_progress(g, &p);
    return p;
}

static void open_bench(struct bench *b, const char *path)
{
    *b = (struct bench){.generator = generator_create(path, INT8, 2, -1)};
    assert_non_null(b->generator);
    for (int i = 0; i < MOST_NAPS && !generator_model(b->generator); i++)
        sleep_ms(1);
    assert_non_null(generator_model(b->generator));
    b->inspector = inspector_create(generator_model(b->generator), 2, -1);
    assert_non_null(b->inspector);
}

static void close_bench(struct bench *b)
{
    inspector_destroy(b->inspector);
    generator_destroy(b->generator);
    inspector_report_fini(&b->report);
}

/* -- looking -- */

/* All that the view wants, of a piece whose surprise takes longer than the writing. */
static void ask_inspector(struct bench *b, uint64_t version)
{
    struct score *s =
        score_of("480 | a: (48q 50 52 54 56 58)*8 | b: (67q 69 71 61 63 65)*8");
    const struct inspector_request r = {
        .read = {.note = s->tracks[0].notes[QUARTERS / 2].id,
                 .piece = 1,
                 .version = version,
                 .style = STYLE_PIANO},
        .look = {.layer = -1, .head = -1},
        .matrix_rows = 20,
        .matrix_columns = 20,
        .thumbnail_side = 4,
        .mutes = {{.what = {.what = MUTE_HEAD, .head = {.layer = 0, .head = 1}}}},
        .n_mutes = 1,
        .wants_who_matters = true,
        .wants_surprise = true};
    assert_true(inspector_ask(b->inspector, s, &r) > 0);
}

static void write_watched(struct bench *b, const struct asking_for *a, struct made *m)
{
    struct continued_note n;
    made_fini(m);
    m->n_takes = a->o.n_takes;
    assert_true(generator_ask(b->generator, score_clone(a->given), &a->o, false) > 0);
    bool is_over = false;
    for (int turn = 0; !is_over && turn < MOST_NAPS; turn++) {
        is_over = !progress_of(b->generator).running; /* its last notes are there */
        while (generator_take(b->generator, &n, 1) == 1) {
            struct take *t = &m->takes[n.take];
            for (size_t i = 0; n.is_hit && i < t->n_notes; i++)
                if (t->notes[i].track == n.track)
                    continued_cut(&t->notes[i].note, &n);
            assert_true(array_add(&t->notes, &t->n_notes, &t->cap_notes, &n, sizeof n));
        }
        b->n_reports += inspector_collect(b->inspector, &b->report);
        sleep_ms(1);
    }
    assert_true(is_over);
    const struct generator_progress p = progress_of(b->generator);
    m->end = p.request_failed ? CONTINUATION_ERROR : CONTINUATION_DONE;
    for (int i = 0; i < m->n_takes; i++) {
        m->takes[i].style = p.style;
        m->takes[i].stats = p.takes[i];
    }
}

/* -- and not -- */

static void write_alone(const char *path, const struct asking_for *a, struct made *m)
{
    auto_model *own = bundled_model(path);
    struct continuation *c;
    auto_pool *pool = pool_create(1);
    own->precision = INT8;
    assert_ok(continuation_create(&c, own, pool, NULL));
    make_takes(c, a->given, &a->o, m);
    continuation_destroy(c);
}

/* Long enough for somebody to look. */
static void ask_for_more(struct asking_for *a)
{
    if (a->o.hole.to_tick == 0) {
        a->o.end_tick = 0;
        a->o.begin_tick = 0;
        a->o.bars = 4;
    }
}

static bool was_watched(const struct bench *b)
{
    return b->n_reports > 0;
}

static void compare(const char *path, int n_requests)
{
    static struct made alone, watched;
    struct bench b;
    open_bench(&b, path);
    /* On a busy machine nobody may have had the time to look yet. */
    const uint64_t n = (uint64_t)n_requests;
    for (uint64_t i = 0; i < n || (!was_watched(&b) && i < 5 * n); i++) {
        auto_asking a;
        random_asking(&a, i, TAKES);
        ask_for_more(&a);
        write_alone(path, &a, &alone);
        ask_inspector(&b, i + 1);
        write_watched(&b, &a, &watched);
        assert_same_takes(&alone, &watched);
    }
    for (int turn = 0; !was_watched(&b) && turn < MOST_NAPS; turn++) {
        b.n_reports += inspector_collect(b.inspector, &b.report);
        sleep_ms(1);
    }
    assert_true(was_watched(&b));
    close_bench(&b);
    made_fini(&alone);
    made_fini(&watched);
}

TEST_IN(of_a_model_of_random_weights, make_own_folder, remove_own_folder)
{
    const char *path = in_folder("tiny.safetensors");
    assert_true(tiny_model_save(path, 256, 1));
    compare(path, 3 * N_REQUESTS);
}

TEST(of_the_bundled_model)
{
    char path[4096];
    assert_true(paths_model(path, sizeof path, NULL));
    compare(path, N_REQUESTS);
}
