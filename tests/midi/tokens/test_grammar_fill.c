/* Whatever is sampled in a hole that is asked for stays in it and off all that is
 * around it, decodes, leaves the rest alone, and ends; and the mask refuses nothing
 * that would do the same. A model is stood in for by choosers from fair to malicious.
 * CONTINUO_HOLES says how many random holes, for a longer proof than make test's. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 10000, N_TAUGHT = 3000 };

/* Returns how many notes were sampled. */
static size_t check(const struct run *run)
{
    struct fill back;
    assert_int_equal(fill_decode(&back, run->ids, run->n), MIDI_OK);
    assert_true(pieces_equal(&back.around, &run->asked.fill.around));
    assert_true(requests_equal(&back.request, &run->asked.fill.request));
    run_check_notes(run, &back.inside);
    size_t n = back.inside.n_notes;
    if ((int64_t)n < run->asked.hole.min_notes) {
        assert_true(run->was_forced);
        assert_false(another_fits(&run->asked, &back.inside));
    }
    fill_fini(&back);
    return n;
}

static void every_hole_ends_filled_and_nothing_else(void **state)
{
    (void)state;
    struct run *run = run_create();
    int n = count_holes(N_HOLES), n_filled = 0, n_starved = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i; /* each hole can be had again by itself */
        enum chooser how = (enum chooser)(i % N_CHOOSERS);
        run_make_hole(run, how, &r);
        run_ask(run);
        run_sample(run, how, &r);
        size_t n_notes = check(run);
        n_filled += n_notes > 0;
        n_starved += (int64_t)n_notes < run->asked.hole.min_notes;
        fill_fini(&run->asked.fill);
    }
    assert_in_range(n_filled, n / 2, n);
    assert_in_range(n_starved, n / 20, n / 2);
    run_destroy(run);
}

/* Any notes that fit, in the closest hole, which ends when they are there. */
static void notes_that_fit_are_allowed(void **state)
{
    (void)state;
    struct run *run = run_create();
    uint8_t allowed[TOKEN_COUNT];
    for (int i = 0; i < N_TAUGHT; i++) {
        uint64_t r = (uint64_t)i;
        struct tokens t;
        run->asked.fill = random_fill(&r);
        random_inside(&run->asked.fill, &r);
        run->asked.hole = hole_from_request(&run->asked.fill.request);
        run->asked.hole.drums = piece_drums(&run->asked.fill.around);
        run->asked.n_blocked = 0;
        run_keep_what_fits(run);
        grammar_start(run->g, &run->asked.hole);
        run_ask(run);
        assert_int_equal(fill_encode(&t, &run->asked.fill, true), MIDI_OK);
        for (size_t k = run->n_asked; k < t.n; k++) {
            assert_true(grammar_allow(run->g, allowed) > 0);
            assert_true(allowed[t.id[k]]);
            assert_int_equal(allowed[TOKEN_FILL_END], k + 1 == t.n);
            assert_int_equal(grammar_feed(run->g, t.id[k]), MIDI_OK);
        }
        assert_true(grammar_done(run->g));
        tokens_fini(&t);
        fill_fini(&run->asked.fill);
    }
    run_destroy(run);
}

/* Bars of 4/4: a note sounds from 36 to 60, one is to come from 80 to 90, and one of
 * another pitch from 72. Asked: 48 to 144, pitch 60, two notes at least. */
static void a_hole_by_hand(void **state)
{
    (void)state;
    const struct hole h = {.from = 48,
                           .to = 144,
                           .pitch_lo = 60,
                           .pitch_hi = 60,
                           .tracks = {true, true},
                           .high = {127, 127},
                           .min_notes = 2};
    uint8_t allowed[TOKEN_COUNT];
    struct grammar *g = grammar_create();
    assert_non_null(g);
    grammar_start(g, &h);
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    FEED(g, TOKEN_POS + 36, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60, TOKEN_DUR + 23);
    FEED(g, TOKEN_POS + 48, TOKEN_HOLE, TOKEN_POS + 72, TOKEN_PITCH + 61, TOKEN_DUR);
    FEED(g, TOKEN_POS + 80, TOKEN_PITCH + 60, TOKEN_DUR + 9, TOKEN_BAR);
    FEED(g, TOKEN_POS + 48, TOKEN_RESUME, TOKEN_FILL, TOKEN_POS + 48);
    FEED(g, TOKEN_POSX, TOKEN_POS + 48, TOKEN_PITCH + 60, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 0);
    FEED(g, TOKEN_TRACK);
    assert_int_equal(grammar_allow(g, allowed), 1 + 20 + 6);
    assert_true(allowed[TOKEN_BAR]);
    assert_int_equal(count(allowed, TOKEN_POS + 60, 20), 20);
    assert_int_equal(count(allowed, TOKEN_POS + 90, 6), 6);

    FEED(g, TOKEN_POS + 74, TOKEN_TRACK, TOKEN_VEL + 9, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 6);
    assert_int_equal(count(allowed, TOKEN_DUR, 6), 6);
    FEED(g, TOKEN_DUR + 5);
    assert_int_equal(grammar_allow(g, allowed), 1 + 6);
    assert_false(grammar_done(g));
    FEED(g, TOKEN_BAR);
    assert_int_equal(grammar_allow(g, allowed), 48);
    FEED(g, TOKEN_POS + 46, TOKEN_PITCH + 60);
    assert_int_equal(grammar_allow(g, allowed), 2);
    FEED(g, TOKEN_DUR);
    assert_int_equal(grammar_allow(g, allowed), 2); /* enough, and one more step */
    assert_true(allowed[TOKEN_POS + 47] && allowed[TOKEN_FILL_END]);
    FEED(g, TOKEN_FILL_END);
    assert_true(grammar_done(g));
    assert_int_equal(grammar_allow(g, allowed), 0);
    grammar_destroy(g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hole_ends_filled_and_nothing_else),
        cmocka_unit_test(notes_that_fit_are_allowed),
        cmocka_unit_test(a_hole_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
