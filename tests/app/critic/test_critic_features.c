/* The critic's features, on a tune of our own of which every figure is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tests/app/critic/critic_music.h"

#include <math.h>
#include <string.h>
#include <time.h>

static void what_goes_on_as_before_is_no_different(void **state)
{
    (void)state;
    struct score *s = heard_score(true);
    struct made_take t = good_take();
    for (int bar = 0; bar < TAKE_BARS; bar++)
        add_beat(&t, (HEARD + bar) * BAR_TICKS, 36);
    struct seen x;
    see(&x, s, &t);
    assert_true(feature(&x, "key") == 1);
    assert_true(fabs(feature(&x, "pitch distance")) < 1e-6);
    assert_true(fabs(feature(&x, "density")) < 1e-6);
    assert_true(fabs(feature(&x, "register")) < 1e-6);
    assert_true(fabs(feature(&x, "places")) < 1e-6);
    assert_true(fabs(feature(&x, "lengths")) < 1e-6);
    assert_true(fabs(feature(&x, "voices")) < 0.1);
    assert_true(fabs(feature(&x, "four back")) < 1e-6);
    assert_true(feature(&x, "ends on tonic") == 1);
    assert_true(feature(&x, "silent tracks") == 0);
    assert_true(feature(&x, "drones") == 0);
    assert_true(feature(&x, "out of range") == 0);
    assert_true(feature(&x, "loops") == 0);
    assert_true(x.view.repeats.best[REPEAT_DRUMS] == 1);
    assert_int_equal(x.view.tonic, 0);
    assert_false(x.view.is_minor);
    scene_fini(&x.scene);
    score_destroy(s);
}

static void a_semitone_up_leaves_the_key(void **state)
{
    (void)state;
    struct score *s = heard_score(false);
    struct made_take t = {.n = 0};
    for (int bar = 0; bar < TAKE_BARS; bar++)
        add_bar(&t, (HEARD + bar) * BAR_TICKS, bar, 1);
    struct seen x;
    see(&x, s, &t);
    assert_true(feature(&x, "key") < 0.5);
    assert_true(feature(&x, "pitch distance") > 0.4);
    assert_true(feature(&x, "best shape") > 0.3); /* the same tune, elsewhere */
    assert_true(x.view.repeats.best[REPEAT_EXACT] < 0.4);
    assert_true(feature(&x, "ends on tonic") == 0);
    scene_fini(&x.scene);
    score_destroy(s);
}

static void silence_and_drones_are_seen(void **state)
{
    (void)state;
    struct score *s = heard_score(false);
    struct made_take t = {.n = 0};
    for (int i = 0; i < 16; i++)
        add(&t, TUNE, HEARD * BAR_TICKS + i * TPQ, TPQ, 64);
    struct seen x;
    see(&x, s, &t);
    assert_true(feature(&x, "silent tracks") == 1);
    assert_true(feature(&x, "drones") == 1);
    assert_true(feature(&x, "repeated notes") > 0.8);
    assert_true(feature(&x, "density") < -0.5);
    assert_true(feature(&x, "loops") > 0.7);
    scene_fini(&x.scene);
    score_destroy(s);
}

static void notes_beyond_a_track_s_range_are_counted(void **state)
{
    (void)state;
    struct score *s = heard_score(false);
    struct made_take t = good_take();
    size_t n_out = 0;
    for (size_t i = 0; i < t.n; i += 4, n_out++)
        t.notes[i].note.pitch = 110;
    struct seen x;
    see(&x, s, &t);
    assert_true(fabs(feature(&x, "out of range") - (double)n_out / (double)t.n) < 1e-6);
    assert_true(feature(&x, "wide leaps") > 0);
    scene_fini(&x.scene);
    score_destroy(s);
}

static void clashes_and_parallels_are_heard(void **state)
{
    (void)state;
    struct score *s = heard_score(false);
    struct made_take clash = {.n = 0}, parallel = {.n = 0};
    for (int i = 0; i < 16; i++) {
        int64_t at = HEARD * BAR_TICKS + i * TPQ;
        add(&clash, TUNE, at, TPQ, in_c(i % 5));
        add(&clash, BASS, at, TPQ, in_c(i % 5) - 13);
        add(&parallel, TUNE, at, TPQ, in_c(i % 5));
        add(&parallel, BASS, at, TPQ, in_c(i % 5) - 19);
    }
    struct seen x;
    see(&x, s, &clash);
    assert_true(feature(&x, "clashes") > 0.9);
    assert_true(feature(&x, "harsh") > 0.5);
    scene_fini(&x.scene);
    see(&x, s, &parallel);
    assert_true(feature(&x, "parallels") > 0.9);
    assert_true(feature(&x, "clashes") <= 0);
    scene_fini(&x.scene);
    score_destroy(s);
}

static void a_beat_is_known_again(void **state)
{
    (void)state;
    struct score *s = heard_score(true);
    struct made_take same = good_take(), other = good_take();
    for (int bar = 0; bar < TAKE_BARS; bar++) {
        add_beat(&same, (HEARD + bar) * BAR_TICKS, 36);
        add_beat(&other, (HEARD + bar) * BAR_TICKS, 45);
    }
    struct seen x;
    see(&x, s, &same);
    double kept = feature(&x, "groove");
    scene_fini(&x.scene);
    see(&x, s, &other);
    assert_true(kept > feature(&x, "groove") + 0.2);
    scene_fini(&x.scene);
    score_destroy(s);
}

/* Nothing, and everything at once. */
static void odd_takes_have_finite_features(void **state)
{
    (void)state;
    struct score *s = heard_score(true);
    struct made_take none = {.n = 0}, all = {.n = 0};
    for (int i = 0; i < 128; i++)
        add(&all, i % 3, HEARD * BAR_TICKS, 1, i);
    const struct made_take *takes[] = {&none, &all};
    for (int k = 0; k < 2; k++) {
        struct seen x;
        see(&x, s, takes[k]);
        for (int i = 0; i < features_count(); i++)
            assert_true(isfinite(x.features[i]));
        scene_fini(&x.scene);
    }
    score_destroy(s);
}

static void what_is_no_passage_is_refused(void **state)
{
    (void)state;
    struct scene c;
    struct score *s = heard_score(false), *empty = score_create(TPQ);
    const int64_t end = HEARD * BAR_TICKS;
    assert_int_equal(scene_init(&c, empty, end, end + 1, NULL, 0), MIDI_EMPTY);
    assert_int_equal(scene_init(&c, s, end, end, NULL, 0), MIDI_EMPTY);
    assert_int_equal(scene_init(&c, s, 0, end, NULL, 0), MIDI_EMPTY);
    assert_int_equal(scene_init(&c, s, end, INT64_MAX / 4, NULL, 0), MIDI_TOO_LONG);
    struct continued_note off = {.track = -1, .note = a_note(end, TPQ, 60)};
    assert_int_equal(scene_init(&c, s, end, end + BAR_TICKS, &off, 1), MIDI_OK);
    assert_int_equal(c.n_notes, c.first_new);
    scene_fini(&c);
    score_destroy(s);
    score_destroy(empty);
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Far under what a take takes to write; the bound leaves room for slow machines. */
static void they_are_quick(void **state)
{
    (void)state;
    struct score *s = heard_score(true);
    struct made_take t = good_take();
    double began = now();
    for (int i = 0; i < 100; i++) {
        struct seen x;
        see(&x, s, &t);
        scene_fini(&x.scene);
    }
    assert_true((now() - began) / 100 < 0.02);
    score_destroy(s);
}

static void names_are_found_again(void **state)
{
    (void)state;
    for (int i = 0; i < features_count(); i++)
        assert_int_equal(feature_find(feature_name(i)), i);
    assert_int_equal(feature_find("no such thing"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_on_as_before_is_no_different),
        cmocka_unit_test(a_semitone_up_leaves_the_key),
        cmocka_unit_test(silence_and_drones_are_seen),
        cmocka_unit_test(notes_beyond_a_track_s_range_are_counted),
        cmocka_unit_test(clashes_and_parallels_are_heard),
        cmocka_unit_test(a_beat_is_known_again),
        cmocka_unit_test(odd_takes_have_finite_features),
        cmocka_unit_test(what_is_no_passage_is_refused),
        cmocka_unit_test(they_are_quick),
        cmocka_unit_test(names_are_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
