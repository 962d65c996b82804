/* The harmony of a take is decided before its notes, and they follow it. The model's weights are
 * random: what is harmonious is so by the plan alone. */
#include "tests/check.h"
#include "app/decoding/context.h"
#include "app/decoding/rules_aim.h"
#include "tests/app/one_fixture.h"

enum { BAR = 4 * QUARTER, TAKES = 12 };

static const char *name(int chord)
{
    static char text[2][CHORD_TEXT];
    static int turn;
    return planned_chord_name(&r.stats.chords[chord], text[turn++ % 2]);
}

/* Returns how many chords there are. */
static int write_take(const struct score *s, struct continuation_options o,
                      uint64_t seed)
{
    o.style = STYLE_PIANO;
    o.sampling.seed = seed;
    assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
    return r.stats.n_chords;
}

/* A minor, F, C, G, twice; and a half close in C that no form repeats. The bass is another
 * track's. */
#define LOOP                                                                           \
    "480 | a: ([A3 C4 E4]w [F3 A3 C4] [C4 E4 G4] [G3 B3 D4])*2 | b: (A1w F1 C2 G1)*2"
#define OPEN                                                                           \
    "480 | a: [C4 E4 G4]w [F4 A4 C5] [D4 F4 A4] [G4 B4 D5] [C4 E4 G4] [G4 B4 D5] | "   \
    "b: C2w F2 D2 G2 C2 G2"

static bool is_of_loop(const struct note *n)
{
    static const unsigned CHORDS[] = {0x211, 0x221, 0x091, 0x884};
    return CHORDS[n->start / BAR % 4] >> n->pitch % 12 & 1;
}

static double share_of_loop(unsigned without)
{
    static const char *const NAMES[] = {"Am", "F", "C", "G"};
    struct continuation_options o = CONTINUATION_DEFAULT;
    size_t n = 0, n_of = 0;
    auto_score *s = score_of(LOOP);
    o.without = without;
    for (uint64_t seed = 1; seed <= TAKES; seed++) {
        const int n_chords = write_take(s, o, seed);
        for (size_t i = 0; i < r.n; i++, n++)
            n_of += is_of_loop(&r.notes[i].note);
        assert_int_equal(n_chords, without ? 0 : 4);
        for (int i = 0; i < n_chords; i++) {
            assert_string_equal(name(i), NAMES[i]);
            assert_true(r.stats.chords[i].tick == (int64_t)(8 + i) * BAR);
        }
    }
    return (double)n_of / (double)n;
}

TEST_IN(a_take_follows_the_form, NULL, end)
{
    set_up(&f, 512, TOKEN_COUNT, 1);
    assert_true(share_of_loop(0) > share_of_loop(rules_bits("plan", 4)) + 0.02);
}

/* Common changes in C; or none. */
TEST_IN(a_band_from_nothing_has_changes, NULL, end)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    auto_score *s = score_of("480 | lead #80: | piano #4: | bass #33: | kit ch9:");
    o.bars = 8;
    set_up(&f, 512, TOKEN_COUNT, 1);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        assert_int_equal(write_take(s, o, seed), 8);
        assert_string_equal(name(0), "C");
        assert_string_equal(name(7), "C");
        assert_int_equal(r.stats.chords[7].tick, 7 * BAR);
    }
    o.without = rules_bits("plan", 4);
    assert_int_equal(write_take(s, o, 1), 0);
}

/* The model's chords begin with the resolution, come on bar lines and change. Long takes are read
 * again on the way, and may then say once more a chord that has sounded for bars. */
TEST_IN(the_model_writes_chords_before_notes, NULL, end)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    const struct planned_chord *chords = r.stats.chords;
    int n_all = 0;
    auto_score *s = score_of(OPEN);
    o.bars = 12;
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (uint64_t seed = 0; seed < TAKES; seed++) {
        const int n = write_take(s, o, seed);
        assert_true(n > 0 && chords[0].tick == 6 * BAR);
        assert_string_equal(name(0), "C");
        for (int i = 1; i < n; i++) {
            assert_true(chords[i].tick % BAR == 0 && chords[i].tick < 18 * BAR);
            assert_true(chords[i].tick > chords[i - 1].tick);
            assert_string_not_equal(name(i), name(i - 1));
        }
        n_all += n;
    }
    assert_true(n_all > 2 * TAKES);
}

/* In a hole of all tracks, too, also one that is filled in parts, and with a close. */
TEST_IN(chords_are_written_in_holes_and_closes, NULL, end)
{
    struct continuation_options hole = whole_hole(16 * BAR),
                                close = CONTINUATION_DEFAULT;
    auto_score *s = score_of(OPEN);
    hole.hole.from_tick = 6 * BAR;
    hole.tracks = 3;
    close.bars = 8;
    close.hole.close = true;
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (uint64_t seed = 0; seed < TAKES; seed++) {
        assert_true(write_take(s, hole, seed) > 0);
        const int n = write_take(s, close, seed);
        assert_true(n > 1 && r.stats.chords[n - 1].tick == 13 * BAR);
        assert_string_equal(name(n - 1), "C");
        assert_true(strncmp(name(n - 2), "G7", 2) == 0);
    }
}

/* In a gap between C and G the model says G, and then A minor: behind it is still G. */
TEST(the_chord_behind_a_gap_stays)
{
    enum { IN_BAR = 4 * STEPS_PER_QUARTER };
    static const struct grid_chord CHORDS[] = {{0, 0, 0, 0},
                                               {8 * IN_BAR, 7, 0, 7},
                                               {5 * IN_BAR, 7, 0, 7},
                                               {6 * IN_BAR, 9, 1, 9}};
    struct continuation_options o = whole_hole(8 * BAR);
    struct context c;
    auto_score *s = score_of("480 | a: [C4 E4 G4]w*4 rw rw rw rw [G4 B4 D5]w*4");
    o.hole.from_tick = 4 * BAR;
    o.tracks = 1;
    assert_ok(context_init(&c, s, &o));
    c.music.n_chords = 0;
    for (int i = 0; i < 4; i++)
        assert_ok(context_set_chord(&c, &CHORDS[i]));
    assert_int_equal(c.music.n_chords, 4);
    assert_int_equal(c.music.chords[3].root, 7);
    context_fini(&c);
}
