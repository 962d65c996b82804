/* Each feature of a take: what it hears, on music of our own. */
#include "tests/check.h"
#include "tests/app/critic/critic_music.h"
#include "tests/app/expect.h"

enum { FROM = HEARD * BAR_TICKS };

static double features[N_FEATURES];

static void measure_take(const struct continuation_options *o, const struct score *s,
                         const struct take *take)
{
    struct scene scene;
    assert_ok(scene_init(&scene, s, o, take));
    features_measure(&scene, features);
    scene_fini(&scene);
}

static void measure_as(const struct continuation_options *o, const struct score *s,
                       struct made_take t)
{
    const struct take take = drawn(&t);
    measure_take(o, s, &take);
}

static void measure(const struct score *s, const struct made_take *t)
{
    measure_as(&CONTINUATION_DEFAULT, s, *t);
}

/* A request for a hole on these tracks. */
static struct continuation_options a_hole(unsigned tracks)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.hole.to_tick = 1;
    o.tracks = tracks;
    return o;
}

static struct continuation_options a_close(void)
{
    struct continuation_options o = CONTINUATION_DEFAULT;
    o.hole.close = true;
    return o;
}

/* By its name. */
static bool read_feature(const char **at, double *value)
{
    size_t longest = 0;
    for (int i = 0; i < N_FEATURES; i++) {
        const size_t n = strlen(FEATURES[i].name);
        if (n <= longest || strncmp(*at, FEATURES[i].name, n) != 0)
            continue;
        longest = n;
        *value = features[i];
    }
    *at += longest;
    return longest > 0;
}

/* What is measured of a take that goes on from a score. */
static void has(const struct score *s, const struct made_take *t, const char *facts)
{
    measure(s, t);
    expect_facts(facts, read_feature);
}

/* The notes of one track only. */
static struct made_take only(const struct made_take *t, int track)
{
    struct made_take some = {.n = 0};
    for (size_t i = 0; i < t->n; i++)
        if (t->notes[i].track == track)
            some.notes[some.n++] = t->notes[i];
    return some;
}

/* The same take, the notes of a track so many semitones higher. */
static struct made_take moved(struct made_take t, int track, int by)
{
    for (size_t i = 0; i < t.n; i++)
        if (t.notes[i].track == track)
            t.notes[i].note.pitch = (uint8_t)(t.notes[i].note.pitch + by);
    return t;
}

TEST(what_goes_on_as_given_has_no_fault)
{
    const struct made_take good = good_band();
    has(band_score, &good,
        "semitones <= 0.02, rough <= 0.02, outside the key <= 0.02, "
        "silent part <= 0.02, silence <= 0.02, sparser <= 0.02, busier <= 0.02, "
        "tune sparser <= 0.02, repeated note <= 0.02, seesaw <= 0.02, "
        "crossed voices <= 0.02, tune loops <= 0.02, same bar <= 0.02, "
        "backbeat lost <= 0.02, kick lost <= 0.02, hats lost <= 0.02, "
        "rhythm as given > 0.99, pitches as given > 0.99, groove as given > 0.99");
}

/* A key a semitone higher: nothing changes. */
TEST(a_feature_is_the_same_for_every_key)
{
    auto_score *other = score_clone(tune_score);
    struct made_take good = good_take(), up = good;
    const struct continuation_options r = a_close();
    double here[N_FEATURES];
    for (int t = 0; t < 2; t++) {
        other->tracks[t].name[0] = 'x';
        clear_track(other, t);
        for (size_t i = 0; i < tune_score->tracks[t].n_notes; i++) {
            struct note n = tune_score->tracks[t].notes[i];
            n.id = 0;
            n.pitch++;
            assert_true(score_add_note(other, t, n));
        }
        up = moved(up, t, 1);
    }
    measure_as(&r, tune_score, good);
    memcpy(here, features, sizeof here);
    measure_as(&r, other, up);
    for (int i = 0; i < N_FEATURES; i++)
        if (fabs(here[i] - features[i]) > 1e-9)
            fail_msg("%s", FEATURES[i].name);
}

TEST(what_falls_silent_is_heard)
{
    const struct made_take good = good_take(), tune = only(&good, TUNE),
                           bass = only(&good, BASS);
    has(tune_score, &tune,
        "silent part = 1, silence > 0.4, sparser > 0.3, tune sparser = 0");
    has(tune_score, &bass, "tune sparser > 1");
    /* The bass's only note is in the bar of which the take is the rest. */
    auto_score *late =
        score_of("480 | tune: " TUNE_BARS "*2 | bass #32: =8w C2q | drums ch9:");
    struct made_take again = tune;
    struct take rest = drawn(&again);
    rest.stats.from_tick += TPQ;
    rest.stats.to_tick = FROM + BAR_TICKS;
    measure_take(&CONTINUATION_DEFAULT, late, &rest);
    assert_true(features[FEATURE_SILENT_PART] == 1);
}

/* The bass plays in every other bar, given or new; and a tune that had no notes thins out
 * nothing. */
TEST(what_rests_as_before_is_not_sparser)
{
#define EVERY_OTHER "(C2h C2 rw A2h A2 rw)"
    auto_score *s = score_of("480 | tune: " TUNE_BARS "*2 | bass #32: " EVERY_OTHER
                             "*2 | drums ch9:");
    struct made_take rests =
        take_of(score_of("480 | tune: =8w " TUNE_BARS " | bass: =8w " EVERY_OTHER));
    has(s, &rests, "sparser < 0.01");
    clear_track(s, TUNE);
    rests = only(&rests, BASS);
    add(&rests, TUNE, FROM, TPQ, 72);
    has(s, &rests, "tune sparser = 0");
}

/* E and B over the bass's E: a third that nobody plays leaves no key. */
TEST(what_does_not_sound_leaves_no_key)
{
    const struct made_take fifths =
        take_of(score_of("480 | tune: =8w B4w*4 | bass: =8w E2w*4"));
    has(tune_score, &fifths, "chords of the key = 1");
}

TEST(harmony_is_heard_in_all_tracks)
{
    const struct made_take good = good_take(), off = moved(good, BASS, -1),
                           third = moved(good, BASS, 4);
    measure(tune_score, &good);
    const double semitones = features[FEATURE_SEMITONES],
                 foreign = features[FEATURE_FOREIGN_NOTES],
                 on_root = features[FEATURE_BASS_ON_ROOT],
                 of_key = features[FEATURE_CHORDS_OF_KEY];
    has(tune_score, &off,
        "rough > 0.05, outside the key > 0.05, pitches as given < 0.9");
    assert_true(features[FEATURE_SEMITONES] > semitones + 0.3);
    assert_true(features[FEATURE_FOREIGN_NOTES] > foreign);
    assert_true(features[FEATURE_CHORDS_OF_KEY] < of_key);
    measure(tune_score, &third);
    assert_true(features[FEATURE_BASS_ON_ROOT] < on_root);
    const struct made_take bare =
        take_of(score_of("480 | tune: =8w E4w*4 | bass: =8w C2w*4"));
    has(tune_score, &good, "few pitches < 0.2");
    has(tune_score, &bare, "few pitches > 0.5");
}

static void write_chord(struct score *s, int64_t tick, const char *symbol)
{
    auto_change *c = change_create("chord");
    assert_ok(change_add_chord(c, s, tick, symbol));
    assert_ok(change_apply(c, s, true));
}

/* G, E flat and B flat over C: an E flat chord of its own, C minor 7 where that is written. */
TEST(written_chords_are_the_harmony)
{
    auto_score *s = score_of("480 | chords: =8w [G4 Eb4 Bb4]w*4 | bass #32: C2w*8");
    const struct made_take roots = take_of(score_of("480 | t: | bass: =8w C2w*4"));
    has(s, &roots, "bass on root = 0, foreign notes = 1");
    write_chord(s, FROM, "Cm7");
    has(s, &roots, "bass on root = 1, foreign notes = 0");
}

/* As long as a symbol is to come, or given music. */
TEST(written_chords_stop_with_the_music)
{
#define GIVEN "480 | chords: =8w [G4 Eb4 Bb4]w*4 | bass #32: C2w*8"
    auto_score *stops = score_of(GIVEN), *stays = score_of(GIVEN " =12w C2w");
    const struct made_take roots = take_of(score_of("480 | t: | bass: =8w C2w*4"));
    const struct continuation_options hole = a_hole(0);
    write_chord(stops, 7 * BAR_TICKS, "Cm7");
    has(stops, &roots, "bass on root = 0, foreign notes = 1");
    write_chord(stops, FROM + BAR_TICKS, "Fm");
    has(stops, &roots, "bass on root = 0.25, foreign notes = 0");
    write_chord(stays, 7 * BAR_TICKS, "Cm7");
    measure_as(&hole, stays, roots);
    expect_facts("bass on root = 1, foreign notes = 0", read_feature);
}

/* D between C and E; and D alone. */
TEST(a_tone_that_passes_is_not_foreign)
{
    auto_score *s = score_of("480 | tune: C4w*8 | chords: [C3 E3 G3]w*12");
    const struct made_take passes = take_of(score_of("480 | t: =8w (C4q D4 E4h)*4")),
                           leaps = take_of(score_of("480 | t: =8w (G4q D4 G4h)*4"));
    has(s, &passes, "foreign notes = 0");
    has(s, &leaps, "foreign notes = 0.25");
}

/* A piano's chords beside a tune of as many notes. */
TEST(an_accompaniment_is_as_busy_as_its_chords_begin)
{
    auto_score *s = score_of("480 | t #73: C5q*48 | bass #32: | piano: ");
    const struct made_take chords =
        take_of(score_of("480 | t: | bass: | piano: =8w [C4 E4 G4]q*16"));
    const struct continuation_options r = a_hole(1u << 2);
    measure_as(&r, s, chords);
    assert_true(features[FEATURE_BUSIER] < 0.5);
    assert_true(features[FEATURE_SPARSER] == 0);
}

TEST(a_bass_is_as_busy_as_chords_begin)
{
    auto_score *s = score_of("480 | chords: [C4 E4 G4]q*48 | bass #32: | piano: ");
    const struct made_take walk = take_of(score_of("480 | t: | bass: =8w C2q*16"));
    struct made_take piano = walk;
    const struct continuation_options r = a_hole(1u << BASS);
    measure_as(&r, s, walk);
    assert_true(features[FEATURE_SPARSER] == 0);
    for (size_t i = 0; i < piano.n; i++)
        piano.notes[i].track = 2;
    const struct continuation_options of_piano = a_hole(1u << 2);
    measure_as(&of_piano, s, piano);
    assert_true(features[FEATURE_SPARSER] > 0.5);
}

TEST(a_close_has_the_tonic_in_bass_and_top)
{
    const struct continuation_options closes = a_close();
    struct made_take good = good_take(), open = good;
    for (size_t i = 0; i < open.n; i++)
        if (open.notes[i].track == BASS &&
            open.notes[i].note.start >= FROM + 3 * BAR_TICKS)
            open.notes[i].note.pitch += 7;
    measure_as(&closes, tune_score, good);
    assert_true(features[FEATURE_CLOSE] >= 0.7);
    measure_as(&closes, tune_score, open);
    assert_true(features[FEATURE_CLOSE] == 0);
    measure(tune_score, &open);
    assert_true(features[FEATURE_CLOSE] == NOT_ASKED);
}

/* The given bars end on G, with B and D. */
TEST(a_dominant_is_resolved)
{
    auto_score *s = heard_score("");
    for (int t = 0; t < 2; t++)
        for (size_t i = s->tracks[t].n_notes; i-- > 0;)
            if (s->tracks[t].notes[i].start >= FROM - 2 * TPQ)
                score_remove_note(s, t, s->tracks[t].notes[i].id);
    score_put(s, BASS, "=7w2q [G3 B3 D4 G4]h");
    const struct made_take home = take_of(score_of("480 | t: | bass: =8w [C3 E3 G3]w")),
                           away = take_of(score_of("480 | t: | bass: =8w [D3 F3 A3]w"));
    has(s, &home, "dominant resolves = 1");
    has(s, &away, "dominant resolves = -1");
    has(tune_score, &away, "dominant resolves = 0");
}

/* Notes of E minor with its D sharp, in a file whose signature says C: the notes do not fit
 * it, so the key is guessed; and a scale that is set is the key. */
TEST(the_key_is_what_is_set_or_signed_or_heard)
{
    enum { D_MAJOR = 0xad6 };
#define OF_E "(E4e F#4 G4 A4 B4 D#5 E5 B4)"
    auto_score *s = score_of("480 | tune: " OF_E "*8");
    auto_change *c = change_create("key");
    assert_ok(change_set_key(c, s, 0, 0, false));
    assert_ok(change_apply(c, s, true));
    struct made_take t = take_of(score_of("480 | tune: =8w " OF_E));
    const struct take take = drawn(&t);
    struct continuation_options r = CONTINUATION_DEFAULT;
    struct scene scene;
    assert_ok(scene_init(&scene, s, &r, &take));
    assert_true(scene.tonic == 4 && scene.is_minor);
    scene_fini(&scene);
    r.scale = D_MAJOR;
    assert_ok(scene_init(&scene, s, &r, &take));
    assert_int_equal(scene.scale, r.scale);
    scene_fini(&scene);
}

TEST(rhythm_is_compared_with_the_track)
{
    const struct made_take slow = take_of(score_of("480 | tune: =8w (C4h D4)*4"));
    struct made_take good = good_take(), fast = good;
    has(tune_score, &slow, "tune sparser > 1");
    for (size_t i = 0; i < good.n; i++) {
        fast.notes[fast.n] = good.notes[i];
        fast.notes[fast.n++].note.start += TPQ / 4;
    }
    has(tune_score, &fast, "busier > 0.5, rhythm as given < 0.6");
}

/* A backbeat with hats and a kick on one; without the snare, the kick, the hats. */
TEST(drums_keep_their_beat)
{
    static const char *const BEATS[] = {
        "([42 36]s r 42 r [42 38] r 42 r)", "([42 36]s r 42 r 42 r 42 r)",
        "(42s r 42 r [42 38] r 42 r)", "(36s r:360 38s r:360)"};
    static const int LOST[] = {FEATURE_BACKBEAT_LOST, FEATURE_KICK_LOST,
                               FEATURE_HATS_LOST};
    auto_score *s = heard_score("([42 36]s r 42 r [42 38] r 42 r)*16");
    /* Drums that are to be written have a beat, too. */
    const struct continuation_options r = a_hole(1u << DRUMS);
    for (int i = 0; i < 4; i++) {
        struct made_take beat =
            take_of(score_of("480 | t: | b: | d: =8w %s*8", BEATS[i]));
        for (size_t k = 0; k < beat.n; k++)
            beat.notes[k].is_hit = false; /* as a model has written notes */
        measure(s, &beat);
        for (int k = 0; k < 3; k++)
            assert_true(features[LOST[k]] == (i == k + 1));
        assert_true(i < 3 || features[FEATURE_GROOVE] < 0.6);
        measure_as(&r, tune_score, beat);
        assert_true(i == 0 || features[LOST[i - 1]] == 1);
    }
}

/* Tracks of one kit are one instrument, also while the model does not hear one of them. */
TEST(a_kit_of_which_a_part_is_muted_is_heard)
{
    struct made_take beat = take_of(score_of("480 | a: | b: =8w (r 38q r 38q)*4"));
    auto_score *s = score_of("480 | kick ch9: (36q r 36q r)*8 | snare ch9: (r 38q r "
                             "38q)*8");
    struct continuation_options r = CONTINUATION_DEFAULT;
    r.tracks = 2;
    s->tracks[0].mute = true;
    measure_as(&r, s, beat);
    expect_facts("silence <= 0.02, backbeat lost <= 0.02", read_feature);
}

TEST(a_line_that_circles_is_heard)
{
    const struct made_take one = take_of(score_of("480 | tune: =8w G4e*32")),
                           two = take_of(score_of("480 | tune: =8w (E4e G4)*16")),
                           wide = take_of(
                               score_of("480 | tune: =8w (60e 78 62 77 61 79)*5")),
                           good = good_take(), low = moved(good, TUNE, -12);
    has(tune_score, &one, "repeated note > 0.7");
    has(tune_score, &two, "seesaw > 0.7, same bar >= 2, tune loops > 0.1");
    has(tune_score, &wide, "copies < 0.1");
    has(tune_score, &good, "copies > 0.3");
    has(tune_score, &low, "tune register = 1");
    has(tune_score, &good, "tune register = 0");
}

/* Its only given note is a part of the take's chord. */
TEST(a_tune_that_was_not_heard_has_no_register)
{
    auto_score *s = score_of("480 | tune: =8w C5w | bass #32: " BASS_BARS "*2");
    const struct made_take chord = take_of(score_of("480 | tune: =8w C4w*4"));
    has(s, &chord, "tune register = 0");
}

TEST(voices_are_compared)
{
    const struct made_take good = good_take(), crossed = moved(good, BASS, 48);
    has(tune_score, &crossed, "crossed voices > 0.9");
}

TEST(a_take_that_cannot_be_judged_is_no_scene)
{
    struct scene scene;
    const struct continuation_options r = CONTINUATION_DEFAULT;
    struct take t = {.stats = {.from_tick = FROM, .to_tick = FROM + BAR_TICKS}};
    auto_score *empty = score_of("480");
    assert_int_equal(scene_init(&scene, empty, &r, &t), MIDI_EMPTY);
    t.stats.to_tick = FROM;
    assert_int_equal(scene_init(&scene, tune_score, &r, &t), MIDI_EMPTY);
    t.stats.to_tick = FROM + (CONTINUATION_MAX_BARS + 2) * (int64_t)BAR_TICKS;
    assert_int_equal(scene_init(&scene, tune_score, &r, &t), MIDI_TOO_LONG);
}

GROUP(make_scores, destroy_scores)
