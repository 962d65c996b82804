/* Chords that are due come at their places, before the notes there; others only where they are
 * free. Whatever else is sampled, the sequence decodes and ends. */
#include "tests/check.h"
#include "tests/midi/tokens/hole_run.h"

enum { N_HOLES = 4000, MOST_DUE = 6, C = TOKEN_CHORD, G7 = TOKEN_CHORD + 74 };

static const struct grid_chord C_MAJOR = {96, 0, CHORD_MAJOR, 0},
                               G7_OVER_B = {144, 7, CHORD_DOMINANT7, 11};

static struct grammar *in_common_time(const struct hole *h)
{
    struct grammar *g = start_grammar(h);
    assert_ok(
        grammar_harmonise(g, (struct grid_chord[]){C_MAJOR, G7_OVER_B}, 2, 192, 240));
    FEED(g, TOKEN_BOS, TOKEN_STYLE, TOKEN_TRACK, TOKEN_FAMILY, TOKEN_BAR, TOKEN_NUM + 3,
         TOKEN_DEN + 2);
    return g;
}

/* C in bar 2 and G7 over B in its middle; from bar 3 on, two beats, any chord. */
TEST(chords_by_hand)
{
    struct hole h = hole_of(96, 288, 60, 60, 1);
    struct grid_chord chord;
    auto_grammar *g = in_common_time(&h);
    assert_int_equal(grammar_due(g)->step, 96);
    feed_forced(g, TOKEN_BAR);
    assert_allowed(g, TOKEN_POS, 1, 0); /* neither a later position nor the next bar */
    FEED(g, TOKEN_POS);
    feed_forced(g, C);
    assert_true(grammar_chord(g, &chord) && grid_chord_equal(&chord, &C_MAJOR));
    assert_allowed(g, TOKEN_POS + 1, 48, 1); /* a note here, or up to the next chord */
    FEED(g, TOKEN_TRACK, TOKEN_VEL, TOKEN_PITCH + 60, TOKEN_DUR + 95);
    assert_allowed(g, TOKEN_POS + 48, 1, 0); /* also where no note has room */
    FEED(g, TOKEN_POS + 48);
    feed_forced(g, G7);
    feed_forced(g, TOKEN_BASS + 11);
    assert_true(grammar_chord(g, &chord) && grid_chord_equal(&chord, &G7_OVER_B));
    assert_null(grammar_due(g));
    FEED(g, TOKEN_BAR, TOKEN_POS);
    assert_false(grammar_chord(g, &chord));
    uint8_t allowed[TOKEN_COUNT];
    grammar_allow(g, allowed);
    assert_true(allowed[C]);
    assert_false(allowed[TOKEN_BASS - 1]); /* no chord is none */
    FEED(g, C + 50);
    grammar_allow(g, allowed);
    assert_true(allowed[TOKEN_BASS] && !allowed[TOKEN_BASS + 5]); /* the root */
    FEED(g, TOKEN_POS + 48);
    grammar_allow(g, allowed);
    assert_false(allowed[C]); /* no longer free */
}

/* A chord that is in force already, or has been passed by, does not come. */
TEST(chords_that_change_nothing)
{
    struct hole h = hole_of(96, 192, 60, 60, 1);
    auto_grammar *g = in_common_time(&h);
    FEED(g, TOKEN_POS, C, TOKEN_BAR);
    assert_int_equal(grammar_due(g)->step, 144);
    FEED(g, TOKEN_POS + 48, G7, TOKEN_BASS + 11);
    assert_null(grammar_due(g));
    grammar_start(g, &h);
    assert_null(grammar_due(g));
}

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

TEST(every_hole_has_the_chords_that_are_due)
{
    auto_run *run = run_create();
    const int n = count_holes(N_HOLES);
    size_t n_all = 0;
    for (int i = 0; i < n; i++) {
        uint64_t r = (uint64_t)i;
        const enum chooser how = (enum chooser)(i % N_CHOOSERS);
        struct grid_chord due[MOST_DUE];
        auto_fill back;
        run_make_hole(run, how, &r);
        const size_t n_due = draw_due(due, &run->asked.fill.request, &r);
        assert_ok(grammar_harmonise(run->g, due, n_due, 0, 0));
        run_ask(run);
        for (uint8_t allowed[TOKEN_COUNT]; !grammar_done(run->g);) {
            const int n_allowed = grammar_allow(run->g, allowed);
            assert_true(n_allowed > 0);
            run_feed(run, choose(allowed, n_allowed, how, &r));
        }
        assert_ok(fill_decode(&back, run->ids, run->n));
        assert_true(all_fit(&run->asked, &back.inside));
        assert_int_equal(back.inside.n_chords, n_due);
        for (size_t k = 0; k < n_due; k++)
            assert_true(grid_chord_equal(&due[k], &back.inside.chords[k]) &&
                        due[k].step == back.inside.chords[k].step);
        n_all += n_due;
        fill_fini(&run->asked.fill);
    }
    assert_true(n_all > (size_t)n);
}
