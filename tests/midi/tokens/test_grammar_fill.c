/* Whatever is sampled in a requested hole stays in it, clear of all around it,
 * decodes, leaves the rest alone, and ends; the mask refuses nothing that would do
 * the same. Choosers from fair to malicious stand in for a model. CONTINUO_HOLES
 * sets how many random holes are tried. */
#include "tests/check.h"
#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 10000, N_TAUGHT = 3000 };

/* Returns how many notes were sampled. */
static size_t check_filled(const struct run *run)
{
    auto_fill back;
    assert_ok(fill_decode(&back, run->ids, run->n));
    assert_true(pieces_equal(&back.around, &run->asked.fill.around));
    assert_true(requests_equal(&back.request, &run->asked.fill.request));
    assert_true(all_fit(&run->asked, &back.inside));
    size_t n = back.inside.n_notes;
    if ((int64_t)n < run->asked.hole.min_notes) {
        assert_true(run->was_forced);
        assert_false(another_fits(&run->asked, &back.inside));
    }
    return n;
}

TEST(every_hole_ends_filled_and_nothing_else)
{
    auto_run *run = run_create();
    int n = count_holes(N_HOLES), n_filled = 0, n_starved = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i; /* each hole can be repeated alone */
        enum chooser how = (enum chooser)(i % N_CHOOSERS);
        run_make_hole(run, how, &r);
        run_ask(run);
        run_sample(run, how, &r);
        size_t n_notes = check_filled(run);
        n_filled += n_notes > 0;
        n_starved += (int64_t)n_notes < run->asked.hole.min_notes;
        fill_fini(&run->asked.fill);
    }
    assert_in_range(n_filled, n / 2, n);
    assert_in_range(n_starved, n / 20, n / 2);
}

/* Any notes that fit, in the closest hole, which ends with the last. */
TEST(notes_that_fit_are_allowed)
{
    auto_run *run = run_create();
    for (int i = 0; i < N_TAUGHT; i++) {
        uint64_t r = (uint64_t)i;
        run->asked.fill = random_fill(&r);
        random_inside(&run->asked.fill, &r);
        run_keep_what_fits(run);
        grammar_start(run->g, &run->asked.hole);
        run_teach(run, false);
        fill_fini(&run->asked.fill);
    }
}

/* Bars of 4/4: a note sounds from 36 to 60, one comes from 80 to 90, and one of
 * another pitch from 72. Requested: 48 to 144, pitch 60, at least two notes. */
TEST(a_hole_by_hand)
{
    struct hole h = hole_of(48, 144, 60, 60, 2);
    h.min_notes = 2;
    auto_grammar *g = start_grammar(&h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    FEED(g, TOKEN_POS + 36, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60, TOKEN_DUR + 23);
    FEED(g, TOKEN_POS + 48, TOKEN_HOLE, TOKEN_POS + 72, TOKEN_PITCH + 61, TOKEN_DUR);
    FEED(g, TOKEN_POS + 80, TOKEN_PITCH + 60, TOKEN_DUR + 9, TOKEN_BAR);
    FEED(g, TOKEN_POS + 48, TOKEN_RESUME, TOKEN_FILL, TOKEN_POS + 48);
    FEED(g, TOKEN_POSX, TOKEN_POS + 48, TOKEN_PITCH + 60, TOKEN_PITCH + 60);
    FEED_OF(g, 0, TOKEN_TRACK);
    assert_allowed(g, TOKEN_BAR, 1, 20 + 6);
    assert_allowed(g, TOKEN_POS + 60, 20, 1 + 6);
    assert_allowed(g, TOKEN_POS + 90, 6, 1 + 20);

    FEED(g, TOKEN_POS + 74, TOKEN_TRACK, TOKEN_VEL + 9, TOKEN_PITCH + 60);
    assert_allowed(g, TOKEN_DUR, 6, 0);
    FEED(g, TOKEN_DUR + 5);
    assert_n_allowed(g, 1 + 6);
    assert_false(grammar_done(g));
    FEED(g, TOKEN_BAR);
    FEED_OF(g, 48, TOKEN_POS + 46, TOKEN_PITCH + 60);
    FEED_OF(g, 2, TOKEN_DUR);
    assert_allowed(g, TOKEN_POS + 47, 1, 1); /* enough; and one more step */
    assert_allowed(g, TOKEN_FILL_END, 1, 1);
    FEED(g, TOKEN_FILL_END);
    assert_true(grammar_done(g));
    assert_n_allowed(g, 0);
}
