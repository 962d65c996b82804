/* Four-voice training data: what is read and what is refused, what the windows
 * drawn from it hold, that every cell is measured once, and the measure itself. */
#include "tests/check.h"
#include "app/lab/dataset/grid_corpus.h"
#include "app/lab/evaluation/eval_loss.h"
#include "app/base/draw.h"
#include "tests/app/grid_data.h"
#include "tests/app/own_folder.h"

#include <math.h>

static struct grid_corpus *corpus;

static int set_up(void **state)
{
    char fault[128];
    return make_own_folder(state) || grid_data_write(in_folder("four.json")) ||
           !grid_corpus_open(&corpus, in_folder("four.json"), fault, sizeof fault);
}

static int tear_down(void **state)
{
    grid_corpus_close(corpus);
    return remove_own_folder(state);
}

TEST(pieces_are_as_written)
{
    assert_string_equal(corpus->name, "four");
    assert_int_equal(corpus->n_pieces[CORPUS_TRAIN], 3);
    assert_int_equal(corpus->n_pieces[CORPUS_VALID], 2);
    assert_int_equal(corpus->n_cells[CORPUS_VALID], 4 * (50 + 55));
    assert_int_equal(corpus->n_cells[CORPUS_TEST], 4 * 9);
    const struct grid *g = &corpus->pieces[CORPUS_VALID][1];
    for (int k = 0; k < g->n_steps; k++)
        for (int v = 0; v < GRID_VOICES; v++)
            assert_int_equal(grid_at(g, k, v)->pitch, grid_data_pitch(1, k, v));
    assert_int_equal(corpus->low[3], 46);
    assert_int_equal(corpus->high[3], 46 + 4 + 4);
}

static void assert_refused(const char *text, const char *why)
{
    char fault[128] = "";
    struct grid_corpus *c = NULL;
    put_text("bad.json", text);
    assert_false(grid_corpus_open(&c, in_folder("bad.json"), fault, sizeof fault));
    assert_null(c);
    assert_string_equal(fault, why);
}

TEST(bad_files_are_refused_with_the_place)
{
    static const char *const JSON = "is not a JSON object of pieces",
                             *PITCH = "step 2 of piece 1 of train has a pitch that is "
                                      "not a number from -1 to 127",
                             *EMPTY = "holds no pieces to train on",
                             *STEPS = "piece 1 of train is not a list of steps";
    const char *const CASES[][2] = {
        {"", "is not JSON"},
        {"[1, 2]", JSON},
        {"{\"train\": [[[60,60,60,60]]]", "is not JSON"},
        {"{}", EMPTY},
        {"{\"train\": []}", EMPTY},
        {"{\"train\": {}}", "has a split that is not a list of pieces"},
        {"{\"train\": [7]}", STEPS},
        {"{\"train\": [[]]}", STEPS},
        {"{\"train\": [[[60,60,60]]]}",
         "step 1 of piece 1 of train must be four pitches"},
        {"{\"train\": [[[1,2,3,4]]], \"test\": [[[1,2,3,4],{}]]}",
         "step 2 of piece 1 of test must be four pitches"},
        {"{\"train\": [[[1,2,3,4],[1,2,3,128]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,-2]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,1e300]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,60.5]]]}", PITCH},
        {"{\"train\": [[[1,2,3,4],[1,2,3,\"60\"]]]}", PITCH},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        assert_refused(CASES[i][0], CASES[i][1]);

    char fault[128];
    struct grid_corpus *c = NULL;
    assert_false(grid_corpus_open(&c, "/tmp", fault, sizeof fault));
    assert_false(grid_corpus_open(&c, "/tmp/no/such", fault, sizeof fault));
}

/* The row is a window of this piece from this step on, shifted, then padding. */
static bool is_window(const struct grid *g, int first, const int32_t *tokens,
                      const int32_t *targets, int n, int *shift)
{
    bool known = false;
    *shift = 0;
    for (int i = 0; i < n; i++) {
        int cell = 4 * first + i;
        if (cell >= 4 * g->n_steps) {
            if (tokens[i] != GRID_PAD || targets[i] >= 0)
                return false;
            continue;
        }
        int pitch = g->cells[cell].pitch;
        if ((pitch < 0) != (targets[i] == GRID_REST))
            return false;
        if (pitch >= 0 && !known)
            *shift = targets[i] - GRID_PITCH - pitch;
        known = known || pitch >= 0;
        if (pitch >= 0 && targets[i] != GRID_PITCH + pitch + *shift)
            return false;
        if (i + 1 < n && targets[i] != tokens[i + 1] && cell + 1 < 4 * g->n_steps)
            return false;
    }
    return tokens[0] == (first ? GRID_INSIDE : GRID_BOS);
}

/* Some piece that the row is of. */
static bool find_window(const int32_t *tokens, const int32_t *targets, int n,
                        int *first, int *shift)
{
    for (int i = 0; i < corpus->n_pieces[CORPUS_TRAIN]; i++) {
        const struct grid *g = &corpus->pieces[CORPUS_TRAIN][i];
        for (*first = 0; *first < g->n_steps; *first += 16)
            if (is_window(g, *first, tokens, targets, n, shift))
                return true;
    }
    return false;
}

static void assert_singable(const int32_t *targets, int n)
{
    for (int i = 0; i < n; i++)
        if (targets[i] >= GRID_PITCH) {
            assert_true(targets[i] - GRID_PITCH >= corpus->low[i % 4]);
            assert_true(targets[i] - GRID_PITCH <= corpus->high[i % 4]);
        }
}

static enum midi_status draw(uint64_t seed, uint64_t step, int index, int length,
                             int32_t *tokens, int32_t *targets)
{
    int32_t times[512];
    const struct grid_lesson lesson = grid_lesson_for(false, false);
    const struct grid_row row = {length, tokens, targets, times, NULL, NULL};
    enum midi_status st = grid_corpus_draw(corpus, &lesson, seed, step, index, &row);
    for (int i = 0; i < length; i++)
        assert_int_equal(times[i], grid_time(GRID_ALL, (size_t)i));
    return st;
}

TEST(drawn_rows_are_windows_in_other_keys)
{
    enum { LENGTH = 100 };
    int n_begin = 0, n_end = 0, n_shifted = 0;
    for (uint64_t step = 0; step < 200; step++) {
        int32_t tokens[LENGTH], targets[LENGTH];
        int first, shift;
        assert_ok(draw(3, step, 1, LENGTH, tokens, targets));
        assert_true(find_window(tokens, targets, LENGTH, &first, &shift));
        assert_singable(targets, LENGTH);
        n_begin += first == 0;
        n_end += first >= 64;
        n_shifted += shift != 0;
    }
    assert_true(n_begin > 20 && n_end > 20 && n_shifted > 50 && n_shifted < 200);
}

TEST(drawing_is_pure_and_pads_short_pieces)
{
    enum { LENGTH = 512 };
    int32_t tokens[LENGTH], targets[LENGTH], again[LENGTH], others[LENGTH];
    int first, shift;
    assert_int_equal(draw(1, 5, 0, LENGTH, tokens, targets), 0);
    assert_true(find_window(tokens, targets, LENGTH, &first, &shift));
    assert_int_equal(tokens[LENGTH - 1], GRID_PAD);
    assert_int_equal(draw(1, 5, 0, LENGTH, again, others), 0);
    assert_memory_equal(tokens, again, sizeof tokens);
    assert_memory_equal(targets, others, sizeof targets);
    assert_int_equal(draw(1, 5, 1, LENGTH, again, others), 0);
    assert_memory_not_equal(tokens, again, sizeof tokens);
}

/* However little of a piece a row holds, there is something in it to learn. */
TEST(short_rows_are_never_empty)
{
    for (int length = 5; length < 80; length += 3)
        for (uint64_t step = 0; step < 300; step++) {
            int32_t tokens[80], targets[80];
            assert_ok(draw(3, step, 0, length, tokens, targets));
            assert_true(targets[0] >= 0 && tokens[0] != GRID_PAD);
        }
}

/* The melody and the voices below it are those of one window: told again from the
 * piece it must be, in the key it must be in. */
static bool is_lesson(const struct grid *g, int first, int shift,
                      const struct grid_row *row, int n_heard)
{
    for (int i = 0; i < n_heard; i++) {
        int step = first + i - 1, id = row->sources[i];
        if (i && step < g->n_steps &&
            id != GRID_PITCH + grid_at(g, step, 0)->pitch + shift)
            return false;
        if (step >= g->n_steps && id != -1)
            return false;
    }
    for (int i = 0; i < row->length; i++) {
        int step = first + i / 3, pitch = -1;
        if (step < g->n_steps)
            pitch = grid_at(g, step, 1 + i % 3)->pitch;
        int expect = step >= g->n_steps ? -1
                     : pitch < 0        ? GRID_REST
                                        : GRID_PITCH + pitch + shift;
        if (row->targets[i] != expect)
            return false;
    }
    return row->sources[0] == row->tokens[0];
}

static bool find_lesson(const struct grid_row *row, int n_heard)
{
    for (int i = 0; i < corpus->n_pieces[CORPUS_TRAIN]; i++)
        for (int first = 0; first < corpus->pieces[CORPUS_TRAIN][i].n_steps;
             first += 16)
            for (int shift = -5; shift <= 6; shift++)
                if (is_lesson(&corpus->pieces[CORPUS_TRAIN][i], first, shift, row,
                              n_heard))
                    return true;
    return false;
}

TEST(a_melody_is_heard_with_what_accompanies_it)
{
    enum { LENGTH = 200, HEARD = 1 + 67 };
    const struct grid_lesson lesson = grid_lesson_for(true, false);
    int32_t tokens[LENGTH], targets[LENGTH], times[LENGTH], sources[HEARD],
        heard_times[HEARD];
    const struct grid_row row = {LENGTH, tokens, targets, times, sources, heard_times};
    assert_int_equal(grid_lesson_source_length(&lesson, LENGTH), HEARD);
    for (uint64_t step = 0; step < 100; step++) {
        assert_ok(grid_corpus_draw(corpus, &lesson, 1, step, 0, &row));
        assert_true(find_lesson(&row, HEARD));
        for (int i = 1; i < LENGTH; i++)
            assert_int_equal(times[i], heard_times[(i + 2) / 3]);
    }
}

static void count_cells(struct grid_form told, const struct grid_window *w, int length,
                        int *counted)
{
    int32_t tokens[512], targets[512], times[512];
    const struct grid_lesson lesson = {.told = told};
    const struct grid_row row = {length, tokens, targets, times, NULL, NULL};
    const struct grid *g = &corpus->pieces[CORPUS_VALID][w->piece];
    assert_ok(grid_corpus_window(corpus, &lesson, CORPUS_VALID, w, &row));
    for (int i = 0; i < length; i++) {
        int cell = told.n * w->first_step + i;
        if (targets[i] < 0)
            continue;
        assert_true(i >= length / 2 || w->first_step == 0);
        int pitch = grid_at(g, cell / told.n, told.first + cell % told.n)->pitch;
        assert_int_equal(targets[i], pitch < 0 ? GRID_REST : GRID_PITCH + pitch);
        counted[cell]++;
    }
}

static void assert_counted_once(struct grid_form told, int length)
{
    int counted[2][4 * 60] = {0};
    struct grid_window w;
    const struct grid_lesson lesson = {.told = told};
    int n = grid_corpus_find_window(corpus, &lesson, CORPUS_VALID, length, -1, &w);
    assert_true(n >= 2);
    for (int i = 0; i < n; i++) {
        grid_corpus_find_window(corpus, &lesson, CORPUS_VALID, length, i, &w);
        count_cells(told, &w, length, counted[w.piece]);
    }
    for (int i = 0; i < told.n * 50; i++)
        assert_int_equal(counted[0][i], 1);
    for (int i = 0; i < told.n * 55; i++)
        assert_int_equal(counted[1][i], 1);
}

TEST(every_cell_counts_once_after_half_a_context)
{
    static const int LENGTHS[] = {8, 9, 16, 17, 30, 64, 127, 128, 129, 200, 512};
    for (size_t k = 0; k < sizeof LENGTHS / sizeof *LENGTHS; k++) {
        assert_counted_once(GRID_ALL, LENGTHS[k]);
        assert_counted_once(GRID_LOWER, LENGTHS[k]);
    }
}

TEST(counting_knows_a_little)
{
    struct grid_baseline b;
    assert_ok(grid_corpus_baseline(corpus, GRID_ALL, CORPUS_VALID, &b));
    assert_int_equal(b.n_cells, corpus->n_cells[CORPUS_VALID]);
    assert_true(b.unigram < log(GRID_COUNT) * (double)b.n_cells);
    assert_true(b.bigram < b.unigram && b.voice < b.unigram);
    assert_ok(grid_corpus_baseline(corpus, GRID_LOWER, CORPUS_VALID, &b));
    assert_int_equal(b.n_cells, corpus->n_cells[CORPUS_VALID] / 4 * 3);
    assert_true(b.voice < b.unigram);
}

static struct model *tiny(int context, int vocab, int n_encoder_layers)
{
    struct model_config c = {.vocab = vocab,
                             .context = context,
                             .d_model = 16,
                             .n_heads = 2,
                             .n_layers = 2,
                             .d_ff = 32,
                             .relative = RELATIVE_MUSIC,
                             .time = TIME_BUCKETS,
                             .max_distance = 16,
                             .n_encoder_layers = n_encoder_layers,
                             .tied = true};
    struct model *m = NULL;
    assert_ok(model_random(&m, &c, 1));
    return m;
}

/* A cell at a time, for pieces that fit in the context. */
static double sum_by_steps(struct decoder *d, const struct grid *g,
                           const struct grid_lesson *lesson)
{
    float logits[GRID_COUNT];
    int32_t ids[512], times[512];
    size_t n = grid_n_tokens(lesson->heard, g->n_steps);
    double nats = 0;
    if (lesson->heard.n) {
        grid_encode(g, lesson->heard, 0, g->n_steps, ids);
        grid_times(lesson->heard, n, times);
        assert_ok(decoder_encode(d, ids, times, (int)n));
    }
    n = grid_n_tokens(lesson->told, g->n_steps);
    grid_encode(g, lesson->told, 0, g->n_steps, ids);
    grid_times(lesson->told, n, times);
    decoder_truncate(d, 0);
    for (size_t i = 0; i + 1 < n; i++) {
        assert_ok(decoder_step(d, ids[i], times[i], logits));
        nats -= likelihood_log(logits, GRID_COUNT, ids[i + 1]);
    }
    return nats;
}

static struct eval_loss_request request_of(struct train_music *m,
                                           const struct model *model, struct pool *pool,
                                           bool has_encoder)
{
    *m = (struct train_music){.grid = corpus,
                              .lesson = grid_lesson_for(has_encoder, false)};
    return (struct eval_loss_request){.music = m,
                                      .model = model,
                                      .pool = pool,
                                      .split = CORPUS_VALID,
                                      .data_name = "data",
                                      .model_name = "model"};
}

static void assert_measured(bool has_encoder)
{
    auto_model *m = tiny(256, GRID_COUNT, has_encoder);
    auto_pool *pool = pool_create(1);
    struct train_music music;
    struct eval_loss_request q = request_of(&music, m, pool, has_encoder);
    auto_decoder *d = NULL;
    struct eval_loss l;
    double nats = 0;
    assert_ok(decoder_create(&d, m, pool));
    for (int i = 0; i < 2; i++)
        nats += sum_by_steps(d, &corpus->pieces[CORPUS_VALID][i], &music.lesson);
    for (int by_steps = 0; by_steps < 2; by_steps++) {
        q.by_steps = by_steps;
        assert_ok(eval_loss_measure(&l, &q));
        assert_true(fabs(l.all.nats - nats) < 1e-4 * nats);
        assert_int_equal(l.n_rows, has_encoder ? 3 : 4);
        assert_int_equal(l.rows[l.n_rows - 1].baseline.n_tokens, 105);
        eval_loss_fini(&l);
    }
}

TEST(the_measure_is_the_sum_over_cells)
{
    assert_measured(false);
    assert_measured(true);
}

TEST(short_contexts_count_every_cell_too)
{
    auto_model *m = tiny(40, GRID_COUNT, 0), *other = tiny(40, 99, 0);
    auto_pool *pool = pool_create(1);
    struct train_music music;
    struct eval_loss_request q = request_of(&music, m, pool, false);
    struct eval_loss l;
    assert_ok(eval_loss_measure(&l, &q));
    assert_int_equal(l.all.baseline.n_tokens, corpus->n_cells[CORPUS_VALID]);
    assert_true(fabs(l.all.nats / (double)l.all.baseline.n_tokens - log(GRID_COUNT)) <
                1.0);
    eval_loss_fini(&l);
    q = request_of(&music, m, pool, true);
    assert_int_equal(eval_loss_measure(&l, &q), 1);
    q = request_of(&music, other, pool, false);
    assert_int_equal(eval_loss_measure(&l, &q), 1);
}

GROUP(set_up, tear_down)
