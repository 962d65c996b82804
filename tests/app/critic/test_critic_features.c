/* The critic's features, on a tune_score of our own of which every figure is known. */
#include "tests/check.h"
#include "tests/app/critic/critic_music.h"

#include <math.h>
#include <string.h>
#include <time.h>

TEST(what_goes_on_as_before_is_no_different)
{
    const struct made_take t = with_beat(good_take(), 36);
    see(band_score, &t);
    static const struct {
        const char *name;
        double is, within;
    } FEATURES[] = {{"key", 1, 0},           {"pitch distance", 0, 1e-6},
                    {"density", 0, 1e-6},    {"register", 0, 1e-6},
                    {"places", 0, 1e-6},     {"lengths", 0, 1e-6},
                    {"voices", 0, 0.1},      {"four back", 0, 1e-6},
                    {"ends on tonic", 1, 0}, {"silent tracks", 0, 0},
                    {"drones", 0, 0},        {"out of range", 0, 0},
                    {"loops", 0, 0}};
    for (size_t i = 0; i < sizeof FEATURES / sizeof *FEATURES; i++)
        assert_true(fabs(feature(FEATURES[i].name) - FEATURES[i].is) <=
                    FEATURES[i].within);
    assert_true(view.repeats.best[REPEAT_DRUMS] == 1);
    assert_int_equal(view.tonic, 0);
    assert_false(view.is_minor);
}

TEST(a_semitone_up_leaves_the_key)
{
    struct made_take t = {.n = 0};
    for (int bar = 0; bar < TAKE_BARS; bar++)
        add_bar(&t, (HEARD + bar) * BAR_TICKS, bar, 1);
    see(tune_score, &t);
    assert_true(feature("key") < 0.5);
    assert_true(feature("pitch distance") > 0.4);
    assert_true(feature("best shape") > 0.3); /* the same tune_score, elsewhere */
    assert_true(view.repeats.best[REPEAT_EXACT] < 0.4);
    assert_true(feature("ends on tonic") == 0);
}

TEST(silence_and_drones_are_seen)
{
    struct made_take t = {.n = 0};
    for (int i = 0; i < 16; i++)
        add(&t, TUNE, HEARD * BAR_TICKS + i * TPQ, TPQ, 64);
    see(tune_score, &t);
    assert_true(feature("silent tracks") == 1);
    assert_true(feature("drones") == 1);
    assert_true(feature("repeated notes") > 0.8);
    assert_true(feature("density") < -0.5);
    assert_true(feature("loops") > 0.7);
}

TEST(notes_beyond_a_track_s_range_are_counted)
{
    struct made_take t = good_take();
    size_t n_out = 0;
    for (size_t i = 0; i < t.n; i += 4, n_out++)
        t.notes[i].note.pitch = 110;
    see(tune_score, &t);
    assert_true(fabs(feature("out of range") - (double)n_out / (double)t.n) < 1e-6);
    assert_true(feature("wide leaps") > 0);
}

TEST(clashes_and_parallels_are_heard)
{
    struct made_take clash = {.n = 0}, parallel = {.n = 0};
    for (int i = 0; i < 16; i++) {
        int64_t at = HEARD * BAR_TICKS + i * TPQ;
        add(&clash, TUNE, at, TPQ, in_c(i % 5));
        add(&clash, BASS, at, TPQ, in_c(i % 5) - 13);
        add(&parallel, TUNE, at, TPQ, in_c(i % 5));
        add(&parallel, BASS, at, TPQ, in_c(i % 5) - 19);
    }
    see(tune_score, &clash);
    assert_true(feature("clashes") > 0.9);
    assert_true(feature("harsh") > 0.5);
    see(tune_score, &parallel);
    assert_true(feature("parallels") > 0.9);
    assert_true(feature("clashes") <= 0);
}

TEST(a_beat_is_known_again)
{
    const struct made_take same = with_beat(good_take(), 36),
                           other = with_beat(good_take(), 45);
    see(band_score, &same);
    double kept = feature("groove");
    see(band_score, &other);
    assert_true(kept > feature("groove") + 0.2);
}

/* Nothing, and everything at once. */
TEST(odd_takes_have_finite_features)
{
    struct made_take none = {.n = 0}, all = {.n = 0};
    for (int i = 0; i < 128; i++)
        add(&all, i % 3, HEARD * BAR_TICKS, 1, i);
    const struct made_take *takes[] = {&none, &all};
    for (int k = 0; k < 2; k++) {
        see(band_score, takes[k]);
        for (int i = 0; i < features_count(); i++)
            assert_true(isfinite(features[i]));
    }
}

TEST(what_is_no_passage_is_refused)
{
    struct scene c;
    auto_score *empty = score_create(TPQ);
    const int64_t end = HEARD * BAR_TICKS;
    assert_int_equal(scene_init(&c, empty, end, end + 1, NULL, 0), MIDI_EMPTY);
    assert_int_equal(scene_init(&c, tune_score, end, end, NULL, 0), MIDI_EMPTY);
    assert_ok(scene_init(&c, tune_score, 0, end, NULL, 0));
    assert_int_equal(c.first_new, 0); /* a beginning */
    scene_fini(&c);
    assert_int_equal(scene_init(&c, tune_score, end, INT64_MAX / 4, NULL, 0),
                     MIDI_TOO_LONG);
    struct continued_note off = {.track = -1, .note = a_note(end, TPQ, 60)};
    assert_ok(scene_init(&c, tune_score, end, end + BAR_TICKS, &off, 1));
    assert_int_equal(c.n_notes, c.first_new);
    scene_fini(&c);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Far under what a take takes to write; the bound leaves room for slow machines. */
TEST(they_are_quick)
{
    struct made_take t = good_take();
    double began = now();
    for (int i = 0; i < 100; i++) {
        see(band_score, &t);
    }
    assert_true((now() - began) / 100 < 0.02);
}

TEST(names_are_found_again)
{
    for (int i = 0; i < features_count(); i++)
        assert_int_equal(feature_find(feature_name(i)), i);
    assert_int_equal(feature_find("no such thing"), -1);
}

GROUP(make_scores, destroy_scores)
