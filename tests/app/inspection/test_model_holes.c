/* The third promise, kept by the models that come with the program and by one of random weights:
 * whatever is asked of them, of whatever music, all that they write stays in its hole and off all
 * else (tests/app/take_checks.h), the rest of the piece is as it was, to the byte, and it ends.
 * Models of a grid's tokens write voices from a step on.
 *
 * CONTINUO_HOLES says how many takes in all, for a longer proof than make test's, and
 * CONTINUO_FIRST the number of the first request: so one that failed is had again. */
#include "tests/check.h"
#include "app/generation/take.h"
#include "tests/app/own_folder.h"
#include "tests/app/made_takes.h"
#include "tests/app/take_checks.h"
#include "tests/midi/grid_decode.h"
#include "tests/midi/score_equal.h"

enum { MOST_TAKES = CONTINUATION_MAX_TAKES, N_HOLES = 400 };
enum { GRID_MOST_STEPS = 16, SHORT_CONTEXT = 128, PRECISIONS = 3 };

/* -- models of score tokens -- */

/* One model, in each precision that its steps can have. */
struct writers {
    const char *name;
    struct engine of[PRECISIONS];
    struct made made;
    int64_t n_takes, n_notes, n_done, n_refused;
};

static void writers_open(struct writers *w, const char *name)
{
    static const struct model_precision KINDS[PRECISIONS] = {{WEIGHTS_INT8, CACHE_INT8},
                                                             {WEIGHTS_BF16, CACHE_INT8},
                                                             {WEIGHTS_F32, CACHE_F32}};
    *w = (struct writers){.name = name};
    for (int i = 0; i < PRECISIONS; i++)
        assert_true(engine_open(&w->of[i], name, KINDS[i], 1));
}

static bool lies_in_hole(const struct continuation_options *o, int track,
                         const struct note *n)
{
    return asks_for_hole(o) && n->start >= o->hole.from_tick &&
           n->start + n->length <= o->hole.to_tick && n->pitch >= o->hole.pitch_lo &&
           n->pitch <= o->hole.pitch_hi && (!o->tracks || o->tracks >> track & 1);
}

/* What the model was given stands in the piece with the take, what went had lain in the hole, and
 * all else is the take's. */
static void check_rest(const struct asking_for *a, const struct take *t)
{
    auto_score *after = score_clone(a->given);
    HOLDS(after && take_apply(t, after));
    HOLDS(score_n_notes(after) == score_n_notes(a->given) + t->n_notes);
    for (int k = 0; k < (int)a->before->n_tracks; k++)
        for (size_t i = 0; i < a->before->tracks[k].n_notes; i++) {
            const struct note *n = &a->before->tracks[k].notes[i],
                              *now = score_find_note(after, k, n->id);
            HOLDS((now != NULL) == (score_find_note(a->given, k, n->id) != NULL));
            HOLDS(now ? !memcmp(n, now, sizeof *n) : lies_in_hole(&a->o, k, n));
        }
    if (!a->before->n_tracks)
        return;
    auto_score *bare = score_clone(a->before); /* all but notes, to the byte */
    for (size_t k = 0; k < bare->n_tracks; k++)
        bare->tracks[k].n_notes = after->tracks[k].n_notes = 0;
    for (size_t k = 0; k < bare->n_chunks; k++)
        after->chunks[k].end_tick = bare->chunks[k].end_tick;
    HOLDS(score_equal(bare, after));
}

/* There was no place for a note: no step or no track. */
static void check_refusal(const struct asking_for *a, const char *why)
{
    const int tpq = a->before->ticks_per_quarter;
    const int64_t from = a->o.hole.from_tick, to = a->o.hole.to_tick;
    int64_t first = step_from_tick(from, tpq), last = step_from_tick(to, tpq);
    bool any = false;
    first += tick_from_step(first, tpq) < from;
    last -= tick_from_step(last, tpq) > to;
    for (int t = 0; t < TOKEN_MAX_TRACKS; t++)
        any = any || may_have(a->given, &a->o, t);
    HOLDS(asks_for_hole(&a->o) && !strcmp(why, "that hole has no room for a note"));
    HOLDS(first >= last || !any);
}

/* Most often as the workstation has it. */
static void ask(struct writers *w, uint64_t number, int n_takes)
{
    struct engine *e = &w->of[number % 16 == 1 ? 1 : number % 32 == 2 ? 2 : 0];
    auto_asking a;
    random_asking(&a, number, n_takes);
    auto_score *as_given = score_clone(a.given);
    snprintf(checked, sizeof checked, "%s, request %llu", w->name,
             (unsigned long long)number);
    make_takes(e->continuation, a.given, &a.o, &w->made);
    HOLDS(score_equal(a.given, as_given));
    if (w->made.end == CONTINUATION_ERROR) {
        check_refusal(&a, continuation_error(e->continuation));
        w->n_refused++;
        return;
    }
    HOLDS(w->made.end == CONTINUATION_DONE);
    w->n_done++;
    for (int i = 0; i < n_takes; i++) {
        const struct take *t = &w->made.takes[i];
        check_notes(a.given, &a.o, &t->stats, t->notes, t->n_notes);
        check_rest(&a, t);
        HOLDS(t->stats.is_done);
        /* an answer may find as many sounding as may, all the time that it has */
        HOLDS(t->stats.n_tokens >= 1 ||
              (a.o.end_tick && (a.o.max_polyphony || a.o.scale)));
        w->n_notes += (int64_t)t->n_notes;
    }
    w->n_takes += n_takes;
}

static void fill_holes(const char *name, int64_t n, uint64_t first)
{
    static struct writers w;
    writers_open(&w, name);
    for (uint64_t number = first; w.n_takes < n; number++) {
        const int64_t left = n - w.n_takes;
        ask(&w, number, left < MOST_TAKES ? (int)left : MOST_TAKES);
    }
    printf("%s: %lld takes, %lld notes, %lld requests without room\n", name,
           (long long)w.n_takes, (long long)w.n_notes, (long long)w.n_refused);
    assert_true(w.n_refused < w.n_done / 2 + 8 && w.n_notes > n);
    made_fini(&w.made);
    for (int i = 0; i < PRECISIONS; i++)
        engine_close(&w.of[i]);
}

/* -- models of a grid's -- */

static struct grid random_grid(uint64_t *r)
{
    struct grid g;
    assert_ok(grid_init(&g, 1 + random_below(r, GRID_MOST_STEPS)));
    for (int v = 0; v < GRID_VOICES; v++)
        for (int i = 0; i < g.n_steps; i++) {
            struct grid_cell *c = grid_at(&g, i, v);
            const bool goes_on = i > 0 && random_below(r, 2);
            *c = goes_on ? c[-GRID_VOICES]
                         : (struct grid_cell){(int16_t)random_below(r, 128), true};
            if (!goes_on && random_below(r, 6) == 0)
                *c = (struct grid_cell){.pitch = GRID_SILENT};
            c->is_struck = c->is_struck && !goes_on;
        }
    return g;
}

static bool same_cell(const struct grid *a, const struct grid *b, int step, int voice)
{
    const struct grid_cell *x = grid_at(a, step, voice), *y = grid_at(b, step, voice);
    return x->pitch == y->pitch && x->is_struck == y->is_struck;
}

/* What is not told, and what is before it, is as it was; what is told reads back. */
static void tell(struct grid_fill_request *q, uint64_t number)
{
    uint64_t r = number, again = number;
    const struct grid_form told = q->lesson.told;
    int32_t ids[1 + GRID_VOICES * GRID_MOST_STEPS];
    struct grid_fill_result result;
    auto_grid before = random_grid(&again), g = random_grid(&r), back;
    q->from_step = random_below(&r, g.n_steps);
    q->sampling = random_sampling(&r);
    HOLDS(grid_fill(&g, q, &result) == MODEL_OK);
    HOLDS(result.n_tokens == told.n * (g.n_steps - q->from_step));
    grid_encode(&g, told, 0, g.n_steps, ids);
    HOLDS(grid_decode(&back, told, ids, grid_n_tokens(told, g.n_steps)) == MIDI_OK);
    for (int i = 0; i < g.n_steps; i++)
        for (int v = 0; v < GRID_VOICES; v++) {
            const bool is_told =
                i >= q->from_step && v >= told.first && v < told.first + told.n;
            HOLDS(is_told || same_cell(&before, &g, i, v));
            HOLDS(!is_told || i == q->from_step || same_cell(&back, &g, i, v));
        }
}

static void tell_voices(const char *name, int64_t n, uint64_t first)
{
    struct engine e = {.model = bundled_model(name), .pool = pool_create(1)};
    struct grid_fill_request q = {.model = e.model, .pool = e.pool};
    e.model->precision = (struct model_precision){WEIGHTS_INT8, CACHE_INT8};
    assert_true(metadata_grid_lesson(e.model, &q.lesson));
    for (uint64_t number = first; number < first + (uint64_t)n; number++) {
        snprintf(checked, sizeof checked, "%s, request %llu", name,
                 (unsigned long long)number);
        tell(&q, number);
    }
    engine_close(&e);
}

/* -- all of them -- */

static bool is_of_score(const char *name)
{
    struct grid_lesson lesson;
    auto_model *m = bundled_model(name);
    const bool is_grid = metadata_grid_lesson(m, &lesson);
    assert_int_equal(is_grid, !tokens_fit(m->config.vocab));
    return !is_grid;
}

static int64_t n_holes(void)
{
    return (int64_t)asked_for("CONTINUO_HOLES", N_HOLES);
}

/* Half for those that fill holes, half for those that tell voices. */
static void each_kind(bool of_score,
                      void (*go)(const char *name, int64_t n, uint64_t first))
{
    const uint64_t first = (uint64_t)asked_for("CONTINUO_FIRST", 0);
    glob_t models;
    paths_list_models(&models);
    char **names = models.gl_pathv;
    const size_t n_names = models.gl_pathc;
    int64_t n = 0;
    for (size_t i = 0; i < n_names; i++)
        n += is_of_score(names[i]) == of_score;
    assert_true(n > 0);
    for (size_t i = 0; i < n_names; i++)
        if (is_of_score(names[i]) == of_score)
            go(names[i], n_holes() / 2 / n, first);
    globfree(&models);
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
    fill_holes(path, 5 * n_holes(), (uint64_t)asked_for("CONTINUO_FIRST", 0));
}
