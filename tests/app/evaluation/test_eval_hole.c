/* Holes to measure a model on, in pieces written by hand: where they are, what is seen
 * of the music around, what fills them without a model, and how that is judged. */
#include "tests/check.h"
#include "app/base/draw.h"
#include "app/evaluation/eval_hole.h"
#include "tests/app/hand_piece.h"

#include <math.h>

enum { BAR = 4 * QUARTER };

static struct hand_piece hand;
static struct eval_hole hole; /* in it */

/* Twelve bars of quarters on two tracks: white keys above, one of each bar's own below,
 * which rings on into the next bar. */
static void make_music(void)
{
    static const int WHITE[] = {60, 62, 64, 65, 67, 69, 71};
    hand_begin(&hand, 12);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 4; k++)
            hand_note(&hand, 0, i * BAR + k * QUARTER, QUARTER, WHITE[(i + k) % 7]);
        hand_note(&hand, 1, i * BAR, QUARTER, 36 + i % 5);
        hand_note(&hand, 1, i * BAR + QUARTER, QUARTER, 41 + i % 3);
        hand_note(&hand, 1, i * BAR + 2 * QUARTER, BAR, 48);
    }
    hand.piece.style = STYLE_PIANO;
}

static int begin(__attribute__((unused)) void **state)
{
    make_music();
    return 0;
}

static int end(__attribute__((unused)) void **state)
{
    eval_hole_fini(&hole);
    hole = (struct eval_hole){0};
    return 0;
}

#define HOLE_TEST(name) TEST_IN(name, begin, end)

/* Of `n` bars from bar `at`, of all tracks. */
static void cut(int at, int n)
{
    struct rng r = draw_rng(1, 1, 1);
    const struct eval_hole_kind kind = {.n_bars = n};
    assert_ok(eval_hole_cut(&hole, &hand.piece, at, &kind, &r));
}

HOLE_TEST(holes_are_whole_bars_in_the_middle)
{
    struct rng r = draw_rng(1, 1, 1);
    const struct eval_hole_kind two = {.n_bars = 2};
    assert_int_equal(eval_hole_cut(&hole, &hand.piece, 1, &two, &r), MIDI_EMPTY);
    assert_int_equal(eval_hole_cut(&hole, &hand.piece, 9, &two, &r), MIDI_EMPTY);
    cut(8, 2);
    assert_int_equal(hole.parts.request.from, 8 * BAR);
    assert_int_equal(hole.parts.request.to, 10 * BAR);
    assert_int_equal(hole.parts.request.tracks, 3);
    assert_int_equal(hole.parts.inside.n_notes,
                     13); /* the last low one rings out of it */
    assert_int_equal(hole.parts.around.n_notes, hand.piece.n_notes - 13);
}

/* A bar of another meter beside it, or a shorter one, would tell the views apart. */
HOLE_TEST(holes_are_in_one_meter)
{
    struct rng r = draw_rng(1, 1, 1);
    const struct eval_hole_kind two = {.n_bars = 2};
    hand.meters[1] = (struct grid_meter){7 * BAR, 2, 2};
    hand.piece.n_meters = 2;
    assert_int_equal(eval_hole_cut(&hole, &hand.piece, 4, &two, &r), MIDI_EMPTY);
    assert_int_equal(eval_hole_cut(&hole, &hand.piece, 8, &two, &r), MIDI_EMPTY);
    assert_ok(eval_hole_cut(&hole, &hand.piece, 2, &two, &r));
}

TEST(a_track_alone_may_be_asked)
{
    const struct eval_hole_kind kind = {.n_bars = 1, .is_one_track = true};
    int seen = 0;
    make_music();
    for (int i = 0; i < 20; i++) {
        struct eval_hole h;
        struct rng r = draw_rng(1, 1, i);
        if (eval_hole_cut(&h, &hand.piece, 5, &kind, &r))
            continue; /* of the low track too few notes end in the bar */
        assert_int_equal(h.parts.request.tracks, 1);
        assert_int_equal(h.parts.inside.n_notes, 4);
        seen++;
        eval_hole_fini(&h);
    }
    assert_in_range(seen, 1, 19);
}

struct seen {
    struct tokens tokens;
    size_t first;
};

static void see(struct seen s[HOLE_VIEWS], const struct eval_hole *h, size_t most)
{
    for (int v = 0; v < HOLE_VIEWS; v++) {
        assert_ok(eval_hole_encode(&s[v].tokens, &s[v].first, h, (enum eval_hole_view)v,
                                   most));
        assert_true(s[v].tokens.n <= most);
    }
}

static void forget(struct seen s[HOLE_VIEWS])
{
    for (int v = 0; v < HOLE_VIEWS; v++)
        tokens_fini(&s[v].tokens);
}

/* What fills the hole is told in the same tokens, of the same notes. */
static void assert_same_targets(const struct seen *a, const struct seen *b)
{
    size_t n = a->tokens.n - a->first;
    assert_int_equal(b->tokens.n - b->first, n);
    assert_memory_equal(a->tokens.id + a->first, b->tokens.id + b->first,
                        n * sizeof *a->tokens.id);
    assert_memory_equal(a->tokens.note + a->first, b->tokens.note + b->first,
                        n * sizeof *a->tokens.note);
}

static size_t count_kind(const struct seen *s, enum token kind)
{
    size_t n = 0;
    for (size_t i = 0; i < s->first; i++)
        n += token_kind(s->tokens.id[i]) == kind;
    return n;
}

HOLE_TEST(views_have_the_same_targets)
{
    struct seen s[HOLE_VIEWS];
    cut(6, 2);
    see(s, &hole, 4096);
    assert_same_targets(&s[HOLE_BOTH_SIDES], &s[HOLE_BEFORE]);
    assert_same_targets(&s[HOLE_BOTH_SIDES], &s[HOLE_ALONE]);
    for (int v = 0; v < HOLE_VIEWS; v++) {
        const struct tokens *t = &s[v].tokens;
        assert_int_equal(t->id[t->n - 1], TOKEN_FILL_END);
        assert_int_equal(t->note[t->n - 2], 12); /* the last of thirteen */
        assert_int_equal(t->note[s[v].first], 0);
    }
    forget(s);
}

/* Two pitches of the request are in every view. */
HOLE_TEST(views_see_more_or_less)
{
    struct seen s[HOLE_VIEWS];
    cut(6, 2);
    see(s, &hole, 4096);
    assert_int_equal(count_kind(&s[HOLE_BOTH_SIDES], TOKEN_PITCH), 12 * 7 - 13 + 2);
    assert_int_equal(count_kind(&s[HOLE_BEFORE], TOKEN_PITCH), 6 * 7 + 2);
    assert_int_equal(count_kind(&s[HOLE_ALONE], TOKEN_PITCH), 2);
    assert_int_equal(count_kind(&s[HOLE_BOTH_SIDES], TOKEN_BAR), 12);
    assert_int_equal(count_kind(&s[HOLE_BEFORE], TOKEN_BAR), 6);
    assert_int_equal(count_kind(&s[HOLE_ALONE], TOKEN_BAR), 2);
    forget(s);
}

/* Nearest bars first; the hole itself is never cut. */
HOLE_TEST(views_fit_a_context)
{
    struct seen all[HOLE_VIEWS], some[HOLE_VIEWS];
    cut(6, 2);
    see(all, &hole, 4096);
    see(some, &hole, 150);
    assert_true(some[HOLE_BOTH_SIDES].first < all[HOLE_BOTH_SIDES].first);
    assert_true(count_kind(&some[HOLE_BOTH_SIDES], TOKEN_BAR) >= 4);
    assert_same_targets(&all[HOLE_BOTH_SIDES], &some[HOLE_BOTH_SIDES]);
    assert_same_targets(&all[HOLE_BEFORE], &some[HOLE_BEFORE]);
    forget(some);
    struct seen *one = &some[HOLE_BOTH_SIDES];
    assert_int_equal(
        eval_hole_encode(&one->tokens, &one->first, &hole, HOLE_BOTH_SIDES, 30),
        MIDI_TOO_LONG);
    forget(all);
}

HOLE_TEST(copies_are_of_the_bars_beside)
{
    auto_piece before, after;
    cut(6, 1);
    assert_ok(eval_hole_copy(&before, &hole, false));
    assert_ok(eval_hole_copy(&after, &hole, true));
    assert_int_equal(before.n_notes, 7);
    assert_int_equal(after.n_notes, 7);
    for (size_t i = 0; i < 7; i++) {
        const struct grid_note *there = &hand.piece.notes[5 * 7 + i];
        assert_int_equal(before.notes[i].step, there->step + BAR);
        assert_int_equal(before.notes[i].pitch, there->pitch);
        assert_int_equal(after.notes[i].step, there[14].step - BAR);
        assert_int_equal(after.notes[i].pitch, there[14].pitch);
        assert_true(
            fill_contains(&hole.parts.request, hole.music.families, &before.notes[i]));
        assert_true(
            fill_contains(&hole.parts.request, hole.music.families, &after.notes[i]));
    }
}

TEST(scales_are_found)
{
    static const struct {
        int pitches[7], n, scale;
    } CASES[] = {{{62, 64, 66, 67, 69, 71, 73}, 7, 0xad6}, /* D major */
                 {{57, 59, 60, 62, 64, 65, 68}, 7, 0xb35}, /* A harmonic minor */
                 {{0}, 0, 0xab5}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        hand_begin(&hand, 2);
        hand_line(&hand, 0, 0, CASES[i].pitches, CASES[i].n);
        assert_int_equal(eval_hole_scale(&hand.piece), CASES[i].scale);
    }
}

HOLE_TEST(guesses_are_in_the_scale)
{
    auto_piece p, again;
    cut(5, 2);
    struct rng r = draw_rng(2, 3, 4), same = r;
    assert_ok(eval_hole_guess(&p, &hole, &r));
    assert_ok(eval_hole_guess(&again, &hole, &same));
    unsigned scale = eval_hole_scale(&hole.parts.around);
    assert_int_equal(p.n_notes, hole.parts.inside.n_notes);
    for (size_t i = 0; i < p.n_notes; i++) {
        const struct grid_note *n = &p.notes[i];
        assert_true(scale >> n->pitch % 12 & 1);
        assert_true(n->track ? n->pitch >= 36 && n->pitch <= 48
                             : n->pitch >= 60 && n->pitch <= 71);
        assert_int_equal(n->step % (QUARTER / 4), 0);
        assert_true(fill_contains(&hole.parts.request, hole.music.families, n));
        assert_int_equal(grid_note_compare(n, &again.notes[i]), 0);
        assert_true(i == 0 || grid_note_compare(n - 1, n) < 0);
    }
}

static void assert_near(double a, double b)
{
    assert_true(fabs(a - b) < 1e-9);
}

HOLE_TEST(figures_say_how_like_it_is)
{
    cut(6, 1);
    const struct piece *there = &hole.parts.inside;
    struct grid_note notes[8];
    assert_int_equal(there->n_notes, 6);
    struct eval_hole_figures same = eval_hole_compare(&hole, there->notes, 6);
    assert_near(same.note_f1, 1);
    assert_near(same.pitch_classes, 0);
    assert_near(same.groove, 1);
    struct eval_hole_figures none = eval_hole_compare(&hole, NULL, 0);
    assert_near(none.note_f1, 0);
    assert_near(none.pitch_classes, 1);
    assert_near(none.groove, 1 - 4 / 64.0); /* four onsets are missed */

    /* Lengths do not matter; of the three, one is on another track, and of the two
     * that are alike there are six and three: 2 * 2 / 9. */
    memcpy(notes, there->notes, 3 * sizeof *notes);
    notes[0].length = 1;
    notes[2].track = 2;
    struct eval_hole_figures some = eval_hole_compare(&hole, notes, 3);
    assert_near(some.note_f1, 4.0 / 9);
}

/* An onset in the bar's second sixteenth instead of its first, and a pitch class more. */
HOLE_TEST(figures_count_onsets_and_pitch_classes)
{
    static const int LINE[] = {60, 62, 60, 62};
    struct grid_note notes[4];
    hand_begin(&hand, 3);
    for (int i = 0; i < 3; i++)
        hand_line(&hand, 0, i * BAR, LINE, 4);
    cut(1, 1);
    memcpy(notes, hole.parts.inside.notes, sizeof notes);
    notes[0].step += QUARTER / 4;
    notes[1].pitch = 61;
    struct eval_hole_figures f = eval_hole_compare(&hole, notes, 4);
    assert_near(f.groove, 1 - 2 / 64.0);
    assert_near(f.pitch_classes, 0.25);
    assert_near(f.note_f1, 0.5);
}

TEST(ranks_correlate)
{
    const double up[] = {1, 2, 3, 4}, bent[] = {1, 10, 100, 1e6}, down[] = {4, 3, 2, 1};
    const double ties[] = {1, 1, 2, 2}, flat[] = {7, 7, 7, 7};
    assert_near(eval_hole_rank_correlation(up, bent, 4), 1);
    assert_near(eval_hole_rank_correlation(up, down, 4), -1);
    assert_near(eval_hole_rank_correlation(up, ties, 4), 2 / sqrt(5));
    assert_true(isnan(eval_hole_rank_correlation(up, flat, 4)));
    assert_true(isnan(eval_hole_rank_correlation(up, up, 0)));
}

/* What a level asks for is at that level when it is got. */
TEST(controls_are_measured_as_asked)
{
    const struct fill_request q = {.to = 4 * BAR, .pitch_hi = 127, .tracks = 1};
    for (int k = 0; k < EVAL_HOLE_LEVELS; k++) {
        int is[4];
        for (int c = 0; c < 4; c++)
            is[c] = eval_hole_controls[c].levels[k];
        assert_int_equal(fill_density_level(eval_hole_asked(CONTROL_DENSITY, is[0])),
                         is[0]);
        assert_near(eval_hole_asked(CONTROL_POLYPHONY, is[1]), is[1] + 1);
        assert_int_equal(
            fill_length_level(QUARTER * eval_hole_asked(CONTROL_LENGTH, is[2])), is[2]);
        assert_int_equal(fill_height_level(eval_hole_asked(CONTROL_REGISTER, is[3])),
                         is[3]);
    }
    hand_begin(&hand, 4);
    hand_note(&hand, 0, 0, 12, 60);
    hand_note(&hand, 0, 0, 48, 67);
    assert_near(eval_hole_got(CONTROL_DENSITY, &q, &hand.piece), 2 / 16.0);
    assert_near(eval_hole_got(CONTROL_POLYPHONY, &q, &hand.piece), 2);
    assert_near(eval_hole_got(CONTROL_LENGTH, &q, &hand.piece), 1);
    assert_near(eval_hole_got(CONTROL_REGISTER, &q, &hand.piece), 63.5);
    hand_begin(&hand, 4);
    assert_near(eval_hole_got(CONTROL_DENSITY, &q, &hand.piece), 0);
    assert_true(isnan(eval_hole_got(CONTROL_REGISTER, &q, &hand.piece)));
}

TEST(obedience_is_over_all_answers)
{
    struct eval_hole_answer a[2] = {
        {.got[CONTROL_LENGTH] = {1, 2, 3, 4}, .got[CONTROL_DENSITY] = {4, 3, 2, 1}},
        {.got[CONTROL_LENGTH] = {1, 2, NAN, 4}, .got[CONTROL_DENSITY] = {4, 3, 2, 1}}};
    size_t n;
    assert_near(eval_hole_obedience(a, 2, CONTROL_LENGTH), 1);
    assert_near(eval_hole_obedience(a, 2, CONTROL_DENSITY), -1);
    assert_near(eval_hole_mean_got(a, 2, CONTROL_LENGTH, 2, &n), 3);
    assert_int_equal(n, 1);
}
