/* The harmony of a take is decided before its notes, and they follow it. The model's weights are
 * random: what is harmonious is so by the plan alone. */
#include "tests/check.h"
#include "tests/app/filled_holes.h"

#include <string.h>

enum { BAR = 4 * QUARTER, TAKES = 12 };

static struct fixture f;
static struct result r;

static const char *name(const struct planned_chord *p, int which)
{
    static char text[2][CHORD_TEXT];
    return planned_chord_name(p, text[which]);
}

/* Chords in whole bars on a piano, their basses on another track. */
static struct score *in_bars(const int (*chords)[3], int n)
{
    struct score *s = score_create(QUARTER);
    for (int t = 0; t < 2; t++)
        assert_int_equal(score_add_track(s, "a track", (uint8_t)t, 0), t);
    for (int b = 0; b < n; b++) {
        put_note(s, 1, (int64_t)b * BAR, BAR, chords[b][0] - 24);
        for (int i = 0; i < 3; i++)
            put_note(s, 0, (int64_t)b * BAR, BAR, chords[b][i]);
    }
    return s;
}

/* A minor, F, C, G, twice; and a half close in C that no form repeats. */
static const int LOOP[8][3] = {{57, 60, 64}, {53, 57, 60}, {60, 64, 67}, {55, 59, 62},
                               {57, 60, 64}, {53, 57, 60}, {60, 64, 67}, {55, 59, 62}},
                 OPEN[6][3] = {{60, 64, 67}, {65, 69, 72}, {62, 65, 69},
                               {67, 71, 74}, {60, 64, 67}, {67, 71, 74}};

static bool is_of_loop(const struct note *n)
{
    const int *chord = LOOP[n->start / BAR % 4];
    for (int i = 0; i < 3; i++)
        if (n->pitch % 12 == chord[i] % 12)
            return true;
    return false;
}

static double share_of_loop(unsigned without)
{
    size_t n = 0, n_of = 0;
    struct score *s = in_bars(LOOP, 8);
    for (uint64_t seed = 1; seed <= TAKES; seed++) {
        struct continuation_options o = CONTINUATION_DEFAULT;
        const struct planned_chord *chords = r.stats.chords;
        int n_chords;
        o.style = STYLE_PIANO;
        o.without = without;
        o.sampling.seed = seed;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        for (size_t i = 0; i < r.n; i++, n++)
            n_of += is_of_loop(&r.notes[i].note);
        n_chords = r.stats.n_chords;
        assert_int_equal(n_chords, without ? 0 : 4);
        for (int i = 0; i < n_chords; i++) {
            static const char *const NAMES[] = {"Am", "F", "C", "G"};
            assert_string_equal(name(&chords[i], 0), NAMES[i]);
            assert_true(chords[i].tick == (int64_t)(8 + i) * BAR);
        }
    }
    score_destroy(s);
    return (double)n_of / (double)n;
}

TEST(a_take_follows_the_form)
{
    set_up(&f, 512, TOKEN_COUNT, 1);
    const double with = share_of_loop(0), without = share_of_loop(CONTINUATION_PLAN);
    assert_true(with > without + 0.02);
    tear_down(&f);
}

/* The model's chords begin with the resolution, come on bar lines and change. Long takes are read
 * again on the way. */
TEST(the_model_writes_chords_before_notes)
{
    struct score *s = in_bars(OPEN, 6);
    int n_all = 0;
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (uint64_t seed = 0; seed < TAKES; seed++) {
        struct continuation_options o = CONTINUATION_DEFAULT;
        const struct planned_chord *chords = r.stats.chords;
        int n;
        o.bars = 12;
        o.style = STYLE_PIANO;
        o.sampling.seed = seed;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        n = r.stats.n_chords;
        assert_true(n > 0 && chords[0].tick == 6 * BAR);
        assert_string_equal(name(&chords[0], 0), "C");
        for (int i = 1; i < n; i++) {
            assert_true(chords[i].tick % BAR == 0 && chords[i].tick < 18 * BAR);
            assert_true(chords[i].tick > chords[i - 1].tick);
            assert_string_not_equal(name(&chords[i], 0), name(&chords[i - 1], 1));
        }
        n_all += n;
    }
    assert_true(n_all > 2 * TAKES);
    tear_down(&f);
    score_destroy(s);
}

/* In a hole of all tracks, too, also one that is filled in parts, and with a close. */
TEST(chords_are_written_in_holes_and_closes)
{
    struct score *s = in_bars(OPEN, 6);
    const struct planned_chord *chords = r.stats.chords;
    int n;
    set_up(&f, 256, TOKEN_COUNT, 1);
    for (uint64_t seed = 0; seed < TAKES; seed++) {
        struct continuation_options o = whole_hole(16 * BAR);
        o.hole.from_tick = 6 * BAR;
        o.tracks = 3;
        o.sampling.seed = seed;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        n = r.stats.n_chords;
        assert_true(n > 0);
        o = CONTINUATION_DEFAULT;
        o.bars = 8;
        o.style = STYLE_PIANO;
        o.hole.close = true;
        o.sampling.seed = seed;
        assert_int_equal(run(&f, s, &o, &r), CONTINUATION_DONE);
        n = r.stats.n_chords;
        assert_true(n > 1 && chords[n - 1].tick == 13 * BAR);
        assert_string_equal(name(&chords[n - 1], 0), "C");
        assert_true(strncmp(name(&chords[n - 2], 0), "G7", 2) == 0);
    }
    tear_down(&f);
    score_destroy(s);
}
