/* The sections of a long take: the opening of the given bars returns, others are new; where a loop
 * plays, layers rest and enter again. */
#include "tests/check.h"
#include "app/biases/rules.h"
#include "tests/app/biases/rule.h"

enum { TUNE, BASS, DRUMS, BAR = 4 * QUARTER, SEEDS = 32 };

static const char A[] = "1q: 72 74 76 77", B[] = "1q: 79 77 76 74",
                  C[] = "1q: 67 69 71 72", D[] = "1q: 76 74 79 71";

static struct grid_chord chords[2];

/* One letter a bar; a bar of bass, whose root is that of its chord; the last chord's root. */
static void play(const char *bars, int last_root)
{
    const int n = (int)strlen(bars);
    hand_begin(&h, n);
    for (int i = 0; i < n; i++) {
        const char *of = bars[i] == 'A'   ? A
                         : bars[i] == 'B' ? B
                         : bars[i] == 'C' ? C
                                          : D;
        hand_play(&h, TUNE, i * BAR, (i + 1) * BAR, i / 8, of);
        hand_play(&h, BASS, i * BAR, (i + 1) * BAR, 0, "1b: 36");
    }
    chords[0] = (struct grid_chord){.step = 0};
    chords[1] = (struct grid_chord){.step = (n - 1) * BAR, .root = (uint8_t)last_root};
    h.piece.chords = chords;
    h.piece.n_chords = 2;
}

static struct form form_after(int given, int n, uint64_t seed)
{
    struct rng rng = draw_rng(seed, 0, 0);
    return form_of(&h.piece, given * BAR, (given + n) * BAR, TUNE, BASS, &rng);
}

/* The bar that the phrase begins like, counted from the first; -1: it is new. */
static int64_t like(const struct form *f, int bar)
{
    const struct parallel_bias b = form_return(f, &h.piece, bar * BAR);
    return b.to ? bar + b.by / BAR : -1;
}

/* After an open end the opening comes at once; after a closed one, something new, and then it. */
TEST(the_opening_returns_after_what_is_new)
{
    for (int open = 0; open < 2; open++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            play("ABCDABCB", open ? 7 : 0);
            const struct form f = form_after(8, 16, seed);
            assert_int_equal(f.n, 4);
            assert_int_equal(like(&f, 8), open ? 0 : -1);
            assert_int_equal(like(&f, 16), open ? -1 : 0);
            assert_true(form_return(&f, &h.piece, 8 * BAR).to <= 12 * BAR);
        }
}

/* A second new section begins like the first in some takes; much is new in all. */
TEST(a_take_has_more_than_one_thing)
{
    int n_new_return = 0;
    play("ABCDABCB", 0);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        const struct form f = form_after(8, 32, seed);
        int n = 0;
        for (int i = 0; i < f.n; i++)
            n += f.phrases[i].n;
        assert_in_range(n, 4, 20);
        n_new_return += like(&f, 24) == 8;
    }
    assert_in_range(n_new_return, 1, SEEDS - 1);
}

/* After two sections that begin alike the opening's own later one returns; a piece in which
 * nothing has returned seldom has a form, nor has one that ends within a phrase or is short. */
TEST(a_form_follows_the_piece)
{
    int n_forms = 0;
    play("ABCDABCBADCDABCC", 7);
    struct form f = form_after(16, 16, 1);
    assert_true(like(&f, 16) == 0 && (like(&f, 24) == 8 || like(&f, 24) < 0));
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        play("ABCDBBCBCDCDDBCC", 7);
        n_forms += form_after(16, 16, seed).phrases[0].n > 0;
        play("ABCDABCBAD", 7);
        assert_int_equal(form_after(10, 16, seed).n, 0);
        play("ABCD", 7);
        assert_int_equal(form_after(4, 16, seed).n, 0);
    }
    assert_in_range(n_forms, 1, SEEDS / 2);
}

/* What begins alone is no opening. */
TEST(a_prelude_does_not_return)
{
    play("ABCDABCB", 7);
    for (size_t i = 0; i < h.piece.n_notes;
         i++) /* four bars later; before them the bass */
        h.notes[i].step += 4 * BAR;
    hand_play(&h, BASS, 0, 4 * BAR, 0, "1b: 36");
    h.piece.n_bars = 12;
    chords[1].step += 4 * BAR;
    const struct form f = form_after(12, 16, 1);
    assert_int_equal(like(&f, 12), 4);
}

/* A A B A, of a tune that begins. */
TEST(a_tune_from_nothing_has_four_phrases)
{
    static const int LIKE[] = {-1, 0, -1, 0};
    hand_begin(&h, 0);
    const struct form f = form_of_nothing(&h.piece, 0, 16 * BAR);
    for (int i = 0; i < 4; i++)
        assert_int_equal(like(&f, 4 * i), LIKE[i]);
    assert_int_equal(f.n, 4);
}

/* One section answers an open end, unless a band plays. */
TEST(an_answer_begins_like_what_is_open)
{
    for (int open = 0; open < 2; open++) {
        play("ABCDABCB", open ? 7 : 0);
        struct form f = form_of_answer(&h.piece, 8 * BAR);
        assert_int_equal(like(&f, 8), open ? 0 : -1);
        h.piece.families[DRUMS] = FAMILY_DRUMS;
        f = form_of_answer(&h.piece, 8 * BAR);
        assert_int_equal(like(&f, 8), -1);
    }
}

static void play_loop(void)
{
    play("ABCDABCD", 0);
    h.piece.families[DRUMS] = FAMILY_DRUMS;
    hand_play(&h, DRUMS, 0, 8 * BAR, 0, "1q: 36 38");
}

TEST(layers_rest_and_enter_where_a_loop_plays)
{
    enum { LOW = 1 << BASS | 1 << DRUMS };
    play_loop();
    const struct form f = form_after(8, 32, 1);
    static const uint64_t RESTS[] = {0, 0, LOW, 1 << BASS, 0, 0, 1 << TUNE, 0};
    for (int i = 0; i < 32; i++) {
        assert_int_equal(form_rests(&f, &h.piece, (8 + i) * BAR), RESTS[i / 4]);
        assert_int_equal(like(&f, 8 + i / 4 * 4), i / 4 == 4 ? 0 : -1);
    }
    assert_int_equal(form_rests(&f, &h.piece, 7 * BAR), 0);
    assert_int_equal(form_rests(&f, &h.piece, 40 * BAR), 0);
}

static struct breath_bias breath;

static void apply(int64_t step, int track)
{
    said.last = TOKEN_BAR;
    struct rules r = {.breath = breath, .form.n = FORM_PHRASES};
    for (int i = 0; i < FORM_PHRASES; i++)
        r.form.phrases[i].rests = 1 << BASS | 1 << DRUMS;
    breath_bias_silence(&r, place_at(step, track));
}

/* Nor do notes begin where only tracks would that rest. */
TEST(a_layer_that_rests_has_no_notes)
{
    play_loop();
    hand_play(&h, DRUMS, 7 * BAR + 6, 8 * BAR, 0, "1q: 42");
    breath = breath_bias_of(&h.piece, 8 * BAR);
    says(10 * BAR, DRUMS,
         "t1 < -6, t2 < -6, h36 < -6, v < -6, t0 = 0, @1q = 0, @6 < -3");
    says(10 * BAR, TUNE, "p72 = 0, v = 0, t2 < -6");
}
