/* Whatever is sampled in a requested hole stays in it, clear of all around it,
 * decodes, leaves the rest alone, and ends; the mask refuses nothing that would do
 * the same. Choosers from fair to malicious stand in for a model. CONTINUO_HOLES sets how many
 * random holes are tried. That sequences which go on stay in theirs, too:
 * tests/app/inspection/test_model_holes.c. */
#include "tests/check.h"
#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 4000, N_TAUGHT = 2000 };

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

/* Holes at and past the limits of a sequence, or empty. */
TEST(extreme_holes_still_end)
{
    const struct hole holes[] = {
        {.from = INT64_MIN, .to = INT64_MAX, .pitch_hi = 255, .tracks = {true}},
        {.from = INT64_MAX, .to = INT64_MIN, .pitch_hi = 127, .tracks = {true}},
        {.to = 1000, .pitch_lo = 9, .pitch_hi = 8, .tracks = {true}},
        {.to = 1000, .pitch_hi = 127}};
    static const int32_t BEGIN[] = {TOKEN_BOS,    TOKEN_STYLE, TOKEN_TRACK,
                                    TOKEN_FAMILY, TOKEN_BAR,   TOKEN_NUM + 63,
                                    TOKEN_DEN};
    uint8_t allowed[TOKEN_COUNT];
    for (size_t i = 0; i < sizeof holes / sizeof *holes; i++) {
        struct hole h = holes[i];
        h.high[0] = h.tracks[0] ? 127 : 0;
        int64_t most = hole_max_tokens(&h);
        assert_true(most >= 0);
        auto_grammar *g = grammar_create();
        assert_non_null(g);
        grammar_start(g, &h);
        for (size_t k = 0; k < sizeof BEGIN / sizeof *BEGIN; k++)
            assert_ok(grammar_feed(g, BEGIN[k]));
        for (; !grammar_done(g); most--) {
            assert_true(most > 0);
            assert_true(grammar_allow(g, allowed) > 0 && allowed[TOKEN_BAR]);
            assert_ok(grammar_feed(g, TOKEN_BAR));
        }
    }
}
