/* Chords that are due come at their places, before the notes there; others only where they are
 * free. Whatever else is sampled, the sequence decodes and ends. */
#include "tests/check.h"
#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 4000, MOST_DUE = 6 };

static size_t draw_due(struct grid_chord *due, const struct fill_request *q,
                       uint64_t *r)
{
    size_t n = 0;
    int64_t step = q->from;
    while (n < MOST_DUE && (step += random_below(r, 60)) < q->to) {
        const uint8_t root = (uint8_t)random_below(r, 13),
                      quality =
                          root < 12 ? (uint8_t)random_below(r, CHORD_QUALITIES) : 0;
        due[n] = (struct grid_chord){
            (int32_t)step++, root, quality,
            random_below(r, 3) || root == 12 ? root : (uint8_t)random_below(r, 12)};
        n += !n || !grid_chord_equal(&due[n - 1], &due[n]);
    }
    return n;
}

/* Chords that are due and nothing else, up to where any may come. */
static void check_chords(const struct piece *inside, const struct grid_chord *due,
                         size_t n, int64_t free_from)
{
    assert_true(inside->n_chords >= n);
    for (size_t i = 0; i < inside->n_chords; i++)
        if (i < n)
            assert_true(grid_chord_equal(&due[i], &inside->chords[i]) &&
                        due[i].step == inside->chords[i].step);
        else
            assert_true(inside->chords[i].step >= free_from);
}

TEST(every_hole_has_the_chords_that_are_due)
{
    auto_run *run = run_create();
    const int n = count_holes(N_HOLES);
    size_t n_all = 0, n_free = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i;
        const enum chooser how = (enum chooser)(i % N_CHOOSERS);
        struct grid_chord due[MOST_DUE];
        auto_fill back;
        run_make_hole(run, how, &r);
        const struct fill_request *q = &run->asked.fill.request;
        const size_t n_due = draw_due(due, q, &r);
        const int64_t free_from = n_due ? due[n_due - 1].step + 1 : q->from;
        const bool any_is_free = random_below(&r, 2);
        assert_ok(grammar_harmonise(run->g, due, n_due, free_from,
                                    any_is_free ? q->to : free_from));
        run_ask(run);
        for (uint8_t allowed[TOKEN_COUNT]; !grammar_done(run->g);) {
            const int n_allowed = grammar_allow(run->g, allowed);
            assert_true(n_allowed > 0);
            run_feed(run, choose(allowed, n_allowed, how, &r));
        }
        assert_ok(fill_decode(&back, run->ids, run->n));
        assert_true(all_fit(&run->asked, &back.inside));
        check_chords(&back.inside, due, n_due, any_is_free ? free_from : INT64_MAX);
        n_all += n_due;
        n_free += back.inside.n_chords - n_due;
        fill_fini(&run->asked.fill);
    }
    assert_true(n_all > (size_t)n && n_free > (size_t)n / 4);
}
