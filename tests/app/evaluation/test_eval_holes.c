/* Holes in a small corpus, measured with a model of random weights: what is summed and
 * reported, and that it comes out the same whatever the threads. */
#include "tests/check.h"
#include "app/base/draw.h"
#include "app/evaluation/eval_hole.h"
#include "app/evaluation/eval_holes.h"
#include "model/decoder/decoder.h"
#include "tests/app/hand_piece.h"
#include "tests/app/json_at.h"
#include "tests/app/tiny_model.h"

#include <math.h>

enum { BARS = 14, N_HELD = 3, CONTEXT = 512, HOLES = 6 };

static struct hand_piece held[N_HELD];

/* Quarters in two voices that walk about. */
static void make_piece(struct hand_piece *h, int n_bars, int key, enum style style)
{
    hand_begin(h, n_bars);
    for (int i = 0; i < 4 * n_bars; i++)
        for (int v = 0; v < 2; v++)
            hand_note(h, v, i * QUARTER, QUARTER,
                      67 - 12 * v + (i * (v + 2) + key) % 7);
    h->piece.style = style;
}

/* Two corpora of some room, and one whose piece is too short for any hole. */
static struct fixture {
    struct corpus_group groups[3];
    struct corpus_piece pieces[N_HELD];
    struct corpus corpus;
    struct model *model;
    struct pool *pool;
    atomic_bool cancel;
    struct eval_holes_request request;
} f;
static struct eval_holes found;

static void open_model(int n_threads, int context)
{
    struct model_config c = tiny_config(context);
    pool_destroy(f.pool);
    model_close(f.model);
    f = (struct fixture){.groups = {{.name = "chorales", .n_pieces = {0, 1, 0}},
                                    {.name = "scraps", .n_pieces = {0, 1, 0}},
                                    {.name = "songs", .n_pieces = {0, 1, 0}}}};
    make_piece(&held[0], BARS, 0, STYLE_CHORALE);
    make_piece(&held[1], 2, 1, STYLE_FOLK);
    make_piece(&held[2], BARS, 3, STYLE_SONG);
    for (int i = 0; i < N_HELD; i++)
        f.pieces[i] = (struct corpus_piece){.piece = held[i].piece, .group = i};
    f.corpus = (struct corpus){.groups = f.groups, .n_groups = 3};
    f.corpus.pieces[CORPUS_VALID] = f.pieces;
    f.corpus.n_pieces[CORPUS_VALID] = N_HELD;
    assert_ok(model_random(&f.model, &c, 7));
    f.pool = pool_create(n_threads);
    assert_non_null(f.pool);
    f.request = (struct eval_holes_request){.model_name = "tiny",
                                            .corpus = &f.corpus,
                                            .split = CORPUS_VALID,
                                            .n_holes = HOLES,
                                            .how = CONTINUATION_DEFAULT,
                                            .model = f.model,
                                            .pool = f.pool,
                                            .cancel = &f.cancel};
}

FIXTURE(set_up)
{
    open_model(1, CONTEXT);
    return 0;
}

FIXTURE(tear_down)
{
    eval_holes_fini(&found);
    pool_destroy(f.pool);
    model_close(f.model);
    f = (struct fixture){0};
    return 0;
}

#define HOLES_TEST(name) TEST_IN(name, set_up, tear_down)

static void measure(void)
{
    eval_holes_fini(&found);
    assert_ok(eval_holes_measure(&found, &f.request));
}

static void draw_hole(struct eval_hole *h)
{
    struct rng r = draw_rng(5, 5, 5);
    const struct eval_hole_kind kind = {.n_bars = 2, .is_one_track = true};
    assert_ok(eval_hole_draw(h, &f.corpus, CORPUS_VALID, 0, &kind, &r));
}

/* The nats of a whole reading, added up by hand. */
HOLES_TEST(costs_are_those_of_one_reading)
{
    static float logits[CONTEXT * TOKEN_COUNT];
    struct eval_hole h;
    auto_tokens t;
    size_t first;
    struct eval_hole_meter meter;
    struct eval_hole_cost cost;
    auto_decoder *decoder;
    double nats = 0, note_nats = 0;
    draw_hole(&h);
    assert_ok(eval_hole_encode(&t, &first, &h, HOLE_BOTH_SIDES, CONTEXT));
    assert_ok(eval_hole_meter_init(&meter, f.model, f.pool, NULL));
    assert_ok(eval_hole_measure(&meter, &t, first, &cost));
    assert_ok(decoder_create(&decoder, f.model, f.pool));
    assert_ok(decoder_prefill(decoder, t.id, NULL, (int)t.n, true, logits));
    for (size_t i = first; i < t.n; i++) {
        double x =
            -likelihood_log(logits + (i - 1) * TOKEN_COUNT, TOKEN_COUNT, t.id[i]);
        nats += x;
        note_nats += t.note[i] >= 0 ? x : 0;
    }
    assert_true(fabs(cost.nats - nats) < 1e-3);
    assert_true(fabs(cost.note_nats - note_nats) < 1e-3);
    assert_true(cost.nats - cost.note_nats > 1); /* of a bar, and the end */
    eval_hole_meter_fini(&meter);
    eval_hole_fini(&h);
}

HOLES_TEST(fillings_are_inside)
{
    struct eval_hole h;
    struct continuation *c;
    auto_piece p;
    const char *fault;
    const struct continuation_options how = CONTINUATION_DEFAULT;
    draw_hole(&h);
    assert_ok(continuation_create(&c, f.model, f.pool));
    assert_int_equal(eval_hole_fill(&p, &fault, c, &h, &h.parts.request, &how),
                     CONTINUATION_DONE);
    assert_true(p.n_notes > 0);
    for (size_t i = 0; i < p.n_notes; i++)
        assert_true(fill_contains(&h.parts.request, h.music.families, &p.notes[i]));
    continuation_destroy(c);
    eval_hole_fini(&h);
}

/* Worked out by hand: 3 notes save 1.5 nats, 1 note loses 0.3, 4 save 0.8. */
TEST(margins_have_their_error)
{
    struct eval_hole_result holes[3] = {0};
    const double before[] = {4.5, 0.7, 2.8}, both[] = {3.0, 1.0, 2.0};
    const int64_t notes[] = {3, 1, 4};
    struct eval_holes e = {.results = holes, .n_results = 3};
    for (int i = 0; i < 3; i++) {
        holes[i].sums.n_notes = notes[i];
        holes[i].sums.note_nats[HOLE_BEFORE] = before[i];
        holes[i].sums.note_nats[HOLE_BOTH_SIDES] = both[i];
    }
    struct eval_hole_margin m = eval_holes_margin(&e);
    assert_float_equal(m.nats, 0.25, 1e-12);
    assert_float_equal(m.error, sqrt((0.75 * 0.75 + 0.55 * 0.55 + 0.2 * 0.2) * 1.5) / 8,
                       1e-12);
    assert_int_equal(m.n_wins, 2);
    e.n_results = 1;
    assert_true(isnan(eval_holes_margin(&e).error));
}

HOLES_TEST(every_kind_of_hole_counts)
{
    measure();
    assert_int_equal(found.n_results, 2 * HOLES);
    assert_int_equal(found.n_answers, 2 * 2);
    assert_int_equal(eval_holes_sum(&found, HOLES_OF_CORPUS, 0).n_holes, HOLES);
    assert_ok(eval_holes_sum(&found, HOLES_OF_CORPUS, 1).n_holes);
    assert_int_equal(eval_holes_sum(&found, HOLES_OF_STYLE, STYLE_SONG).n_holes, HOLES);
    for (int k = 0; k < EVAL_HOLE_KINDS; k++) {
        struct eval_hole_sums s = eval_holes_sum(&found, HOLES_OF_KIND, k);
        const struct eval_hole_kind kind = eval_hole_kind_at(k);
        assert_int_equal(s.n_holes, 2);
        assert_int_equal(s.n_notes, 2 * 4 * kind.n_bars * (kind.is_one_track ? 1 : 2));
    }
    struct eval_hole_sums all = eval_holes_sum(&found, HOLES_OF_ALL, 0);
    for (int v = 0; v < HOLE_VIEWS; v++) /* random weights know nothing */
        assert_true(fabs(all.nats[v] / (double)all.n_tokens - log(TOKEN_COUNT)) < 1);
    for (int by = 0; by < EVAL_HOLE_FILLINGS; by++) /* of onsets that never change */
        assert_true(by == FILLED_BY_MODEL || by == FILLED_AT_RANDOM ||
                    fabs(all.figures[by].groove / (double)all.n_holes - 1) < 1e-9);
}

static bool same_results(const struct eval_holes *a, const struct eval_holes *b)
{
    const struct eval_hole_sums x = eval_holes_sum(a, HOLES_OF_ALL, 0);
    const struct eval_hole_sums y = eval_holes_sum(b, HOLES_OF_ALL, 0);
    return x.n_tokens == y.n_tokens && x.note_nats[0] == y.note_nats[0] &&
           memcmp(x.figures, y.figures, sizeof x.figures) == 0;
}

/* Another seed: other music in the same holes, which cost the same. */
HOLES_TEST(the_seed_decides)
{
    static const int THREADS[] = {1, 3, 1};
    struct eval_holes e[3];
    for (int i = 0; i < 3; i++) {
        open_model(THREADS[i], CONTEXT);
        f.request.how.sampling.seed = i == 2 ? 8 : 7;
        assert_ok(eval_holes_measure(&e[i], &f.request));
    }
    assert_true(same_results(&e[0], &e[1]));
    assert_false(same_results(&e[0], &e[2]));
    assert_true(eval_holes_sum(&e[0], HOLES_OF_ALL, 0).nats[HOLE_BEFORE] ==
                eval_holes_sum(&e[2], HOLES_OF_ALL, 0).nats[HOLE_BEFORE]);
    for (int i = 0; i < 3; i++)
        eval_holes_fini(&e[i]);
}

/* The songs alone are measured in the holes they have among others. */
HOLES_TEST(corpora_do_not_matter_to_each_other)
{
    struct eval_holes all, alone;
    assert_ok(eval_holes_measure(&all, &f.request));
    f.corpus.groups = &f.groups[2];
    f.corpus.n_groups = 1;
    f.pieces[0] = (struct corpus_piece){.piece = held[2].piece};
    f.corpus.n_pieces[CORPUS_VALID] = 1;
    assert_ok(eval_holes_measure(&alone, &f.request));
    const struct eval_hole_sums a = eval_holes_sum(&all, HOLES_OF_CORPUS, 2);
    const struct eval_hole_sums b = eval_holes_sum(&alone, HOLES_OF_CORPUS, 0);
    assert_memory_equal(&a, &b, sizeof a);
    eval_holes_fini(&all);
    eval_holes_fini(&alone);
}

/* Four bars of two voices are more than it can be told at once. */
HOLES_TEST(too_full_holes_are_left_out)
{
    open_model(1, 96);
    measure();
    assert_int_equal(found.n_too_full + (int)found.n_results, 2 * HOLES);
    assert_true(found.n_too_full > 0 && found.n_results > 0);
}

HOLES_TEST(it_can_be_cancelled)
{
    f.cancel = true;
    measure();
    assert_true(found.is_cancelled);
    assert_int_equal(found.n_results, 0);
}

HOLES_TEST(test_json)
{
    measure();
    const struct eval_hole_sums s = eval_holes_sum(&found, HOLES_OF_CORPUS, 2);
    auto_json *j = eval_holes_json(&found, &f.request);
    assert_int_equal(cJSON_GetArraySize(json_at(j, "corpora")), 2);
    assert_string_equal(string_at(j, "corpora.1.corpus"), "songs");
    assert_float_equal(number(j, "corpora.1.nats_per_note.both_sides"),
                       s.note_nats[HOLE_BOTH_SIDES] / (double)s.n_notes, 1e-5);
    assert_float_equal(number(j, "corpora.1.bars_before.note_f1"),
                       s.figures[FILLED_FROM_BEFORE].note_f1 / HOLES, 1e-5);
    assert_int_equal(cJSON_GetArraySize(json_at(j, "kinds")), EVAL_HOLE_KINDS);
    assert_int_equal((int)number(j, "steering.0.levels.1.asked"), 1);
    assert_int_equal((int)number(j, "steering.0.levels.1.answers"), 4);
}
