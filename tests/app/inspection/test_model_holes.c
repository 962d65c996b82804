/* The third promise, kept by the models that come with the program: whatever is asked of
 * them, of whatever music, all that they write stays in its hole and off all else, and
 * ends (tests/app/inspection/take_oracle.h). Models of score tokens write several takes at once;
 * those of a grid's write voices from a step on.
 *
 * CONTINUO_HOLES says how many takes in all, for a longer proof than make test's, and
 * CONTINUO_FIRST the number of the first request: so one that failed is had again. */
#include "tests/check.h"
#include "app/lab/dataset/grid_corpus.h"
#include "app/decoding/metadata.h"
#include "app/base/paths.h"
#include "tests/app/inspection/take_tokens_oracle.h"
#include "tests/app/own_folder.h"
#include "tests/midi/grid_decode.h"
#include "tests/midi/score_equal.h"

#include <stdio.h>

enum { MOST_TAKES = CONTINUATION_MAX_TAKES, MOST_OF_A_TAKE = 4096, N_HOLES = 400 };
enum { GRID_MOST_STEPS = 16, SHORT_CONTEXT = 128, REPORTS = 10 };

static uint64_t number_from(const char *variable, uint64_t otherwise)
{
    const char *said = getenv(variable);
    return said && *said ? strtoull(said, NULL, 10) : otherwise;
}

/* In REPORTS parts, so that a long run can be followed. */
static void report(int64_t before, int64_t all, const struct oracle_counts *n)
{
    if (n->takes < all && before * REPORTS / all == n->takes * REPORTS / all)
        return;
    printf(
        "%s: %lld takes of %lld requests, %lld notes, %lld tokens; %lld requests had "
        "no room, %lld takes fewer notes than asked, %lld were read anew, %lld read "
        "back\n",
        oracle_at.model, (long long)n->takes, (long long)n->requests,
        (long long)n->notes, (long long)n->tokens, (long long)n->refused,
        (long long)n->starved, (long long)n->in_parts, (long long)n->read_back);
    fflush(stdout);
}

/* -- models of score tokens -- */

/* One model, in each precision that its steps can have. */
enum { PRECISIONS = 3 };
struct writers {
    struct engine of[PRECISIONS];
    struct take takes[MOST_TAKES];
    struct continued_note notes[MOST_TAKES][MOST_OF_A_TAKE];
};

static struct writers *writers_open(const char *name)
{
    static const struct model_precision KINDS[PRECISIONS] = {{WEIGHTS_INT8, CACHE_INT8},
                                                             {WEIGHTS_BF16, CACHE_INT8},
                                                             {WEIGHTS_F32, CACHE_F32}};
    struct writers *w = calloc(1, sizeof *w);
    assert_non_null(w);
    for (int i = 0; i < PRECISIONS; i++)
        assert_true(engine_open(&w->of[i], name, KINDS[i], 1));
    for (int i = 0; i < MOST_TAKES; i++)
        w->takes[i].notes = w->notes[i];
    return w;
}

static void writers_close(struct writers *w)
{
    for (int i = 0; i < PRECISIONS; i++)
        engine_close(&w->of[i]);
    free(w);
}

static enum continuation_state write_all(struct writers *w, struct continuation *c,
                                         const struct asking_for *a)
{
    struct continued_note n;
    for (int i = 0; i < a->o.n_takes; i++)
        w->takes[i].n_notes = 0;
    enum continuation_state state = continuation_begin(c, a->given, &a->o);
    while (state == CONTINUATION_BEGUN || state == CONTINUATION_NOTE) {
        state = continuation_next(c, &n);
        if (state != CONTINUATION_NOTE)
            break;
        HOLDS(n.take >= 0 && n.take < a->o.n_takes);
        struct take *t = &w->takes[n.take];
        HOLDS(t->n_notes < MOST_OF_A_TAKE);
        for (size_t i = 0; n.is_hit && i < t->n_notes; i++)
            if (t->notes[i].track == n.track)
                continued_cut(&t->notes[i].note, &n);
        t->notes[t->n_notes++] = n;
    }
    for (int i = 0; i < a->o.n_takes; i++) {
        w->takes[i].style = continuation_style(c);
        continuation_stats(c, i, &w->takes[i].stats);
    }
    return state;
}

/* Most often as the workstation has it. */
static struct engine *writer_for(struct writers *w, uint64_t number)
{
    return &w->of[number % 16 == 1 ? 1 : number % 32 == 2 ? 2 : 0];
}

static void ask(struct writers *w, uint64_t number, int n_takes,
                struct oracle_counts *counts)
{
    struct engine *e = writer_for(w, number);
    auto_asking a;
    random_asking(&a, number, n_takes);
    auto_score *as_given = score_clone(a.given);
    enum continuation_state end = write_all(w, e->continuation, &a);
    HOLDS(score_equal(a.given, as_given));
    if (end == CONTINUATION_ERROR) {
        oracle_refusal(&a, continuation_error(e->continuation));
        counts->refused++;
    } else {
        HOLDS(end == CONTINUATION_DONE);
        counts->requests++;
    }
    for (int i = 0; end == CONTINUATION_DONE && i < n_takes; i++) {
        oracle_at.take = i;
        oracle_take(&a, &w->takes[i], &e->model->config, counts);
    }
}

static void fill_holes(const char *name, int64_t n, uint64_t first)
{
    struct oracle_counts counts = {0};
    struct writers *w = writers_open(name);
    oracle_at.model = name;
    for (oracle_at.number = first; counts.takes < n; oracle_at.number++) {
        const int64_t before = counts.takes, left = n - before;
        ask(w, oracle_at.number, left < MOST_TAKES ? (int)left : MOST_TAKES, &counts);
        report(before, n, &counts);
    }
    assert_true(counts.refused < counts.requests / 2 + 8);
    assert_true(counts.notes > n);
    writers_close(w);
}

/* -- models of a grid's -- */

static struct grid random_grid(uint64_t *r)
{
    struct grid g;
    assert_ok(grid_init(&g, 1 + random_below(r, GRID_MOST_STEPS)));
    for (int v = 0; v < GRID_VOICES; v++)
        for (int i = 0; i < g.n_steps; i++) {
            struct grid_cell *cell = grid_at(&g, i, v);
            bool goes_on = i > 0 && random_below(r, 2);
            *cell = goes_on ? cell[-GRID_VOICES]
                            : (struct grid_cell){.pitch = (int16_t)random_below(r, 128),
                                                 .is_struck = true};
            if (!goes_on && random_below(r, 6) == 0)
                *cell = (struct grid_cell){.pitch = GRID_SILENT};
            cell->is_struck = cell->is_struck && !goes_on;
        }
    return g;
}

static struct grid copy_of(const struct grid *g)
{
    struct grid copy;
    assert_ok(grid_init(&copy, g->n_steps));
    memcpy(copy.cells, g->cells, (size_t)g->n_steps * GRID_VOICES * sizeof *copy.cells);
    return copy;
}

/* What is not told, and what is before it, is as it was; what is told reads back. */
static void check_grid(const struct grid *before, const struct grid *after,
                       const struct grid_fill_request *q)
{
    const struct grid_form told = q->lesson.told;
    int32_t ids[1 + GRID_VOICES * GRID_MOST_STEPS];
    auto_grid back;
    for (int i = 0; i < before->n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++) {
            const struct grid_cell *a = grid_at(before, i, v),
                                   *b = grid_at(after, i, v);
            bool is_told =
                i >= q->from_step && v >= told.first && v < told.first + told.n;
            HOLDS(is_told || (a->pitch == b->pitch && a->is_struck == b->is_struck));
            HOLDS(b->pitch >= GRID_SILENT && b->pitch < N_PITCHES);
        }
    grid_encode(after, told, 0, after->n_steps, ids);
    HOLDS(grid_decode(&back, told, ids, grid_n_tokens(told, after->n_steps)) ==
          MIDI_OK);
    for (int i = q->from_step + 1; i < after->n_steps; i++)
        for (int v = told.first; v < told.first + told.n; v++) {
            const struct grid_cell *a = grid_at(&back, i, v), *b = grid_at(after, i, v);
            HOLDS(a->pitch == b->pitch && a->is_struck == b->is_struck);
        }
}

static void tell(struct grid_fill_request *q, struct oracle_counts *counts)
{
    uint64_t r = oracle_at.number;
    auto_grid g = random_grid(&r), before = copy_of(&g);
    struct grid_fill_result result;
    q->from_step = random_below(&r, g.n_steps);
    q->sampling = random_sampling(&r);
    HOLDS(grid_fill(&g, q, &result) == MODEL_OK);
    HOLDS(result.n_tokens == q->lesson.told.n * (g.n_steps - q->from_step));
    check_grid(&before, &g, q);
    counts->tokens += result.n_tokens;
    counts->requests++;
    counts->takes++;
}

static void tell_voices(const char *name, int64_t n, uint64_t first)
{
    struct oracle_counts counts = {0};
    struct engine e = {.model = bundled_model(name)};
    e.model->precision = (struct model_precision){WEIGHTS_INT8, CACHE_INT8};
    e.pool = pool_create(1);
    struct grid_fill_request q = {.model = e.model, .pool = e.pool};
    assert_true(metadata_grid_lesson(e.model, &q.lesson));
    oracle_at.model = name;
    oracle_at.take = 0;
    for (oracle_at.number = first; counts.takes < n; oracle_at.number++)
        tell(&q, &counts);
    report(0, n, &counts);
    engine_close(&e);
}

/* -- all of them -- */

static bool is_of_score(const char *name)
{
    struct grid_lesson lesson;
    auto_model *m = bundled_model(name);
    bool is_grid = metadata_grid_lesson(m, &lesson);
    assert_int_equal(is_grid, !tokens_fit(m->config.vocab));
    return !is_grid;
}

/* Half for those that fill holes, half for those that tell voices. */
static void each_kind(bool of_score,
                      void (*go)(const char *name, int64_t n, uint64_t first))
{
    const int64_t all = (int64_t)number_from("CONTINUO_HOLES", N_HOLES);
    const uint64_t first = number_from("CONTINUO_FIRST", 0);
    char **names;
    const size_t n_names = paths_list_models(0, &names);
    int64_t n = 0;
    for (size_t i = 0; i < n_names; i++)
        n += is_of_score(names[i]) == of_score;
    assert_true(n > 0);
    for (size_t i = 0; i < n_names; i++)
        if (is_of_score(names[i]) == of_score)
            go(names[i], all / 2 / n, first);
    paths_free_list(names, n_names);
}

TEST(holes_are_filled_and_nothing_else)
{
    each_kind(true, fill_holes);
}

TEST(voices_are_told_and_nothing_else)
{
    each_kind(false, tell_voices);
}

/* Weights that know no music, and a context so short that holes are filled in parts. They are
 * quick, so there are more of them. */
TEST_IN(so_it_is_in_parts, make_own_folder, remove_own_folder)
{
    const char *path = in_folder("tiny.safetensors");
    assert_true(tiny_model_save(path, SHORT_CONTEXT, 1));
    fill_holes(path, 5 * (int64_t)number_from("CONTINUO_HOLES", N_HOLES),
               number_from("CONTINUO_FIRST", 0));
}
