/* Each feature of a take: what it hears, on music of our own. */
#include "tests/check.h"
#include "tests/app/critic/critic_music.h"

#include "midi/edit/apply.h"
#include "midi/edit/timeline_events.h"

enum { FROM = HEARD * BAR_TICKS };

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
    static const int NONE[] = {
        FEATURE_SEMITONES,     FEATURE_ROUGH,        FEATURE_OUTSIDE_KEY,
        FEATURE_SILENT_PART,   FEATURE_SILENCE,      FEATURE_SPARSER,
        FEATURE_BUSIER,        FEATURE_TUNE_SPARSER, FEATURE_OUT_OF_RANGE,
        FEATURE_REPEATED,      FEATURE_SEESAW,       FEATURE_LEAPS,
        FEATURE_FEW_PITCHES,   FEATURE_PARALLELS,    FEATURE_CROSSED,
        FEATURE_DOUBLED,       FEATURE_LOOPS,        FEATURE_SAME_BAR,
        FEATURE_BACKBEAT_LOST, FEATURE_KICK_LOST,    FEATURE_HATS_LOST};
    const struct made_take good = with_beat(good_take(), 36);
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        if (feature_of(NONE[i], band_score, &good) > 0.02)
            fail_msg("%s", feature_name(NONE[i]));
    assert_true(feature_of(FEATURE_RHYTHM_AS_GIVEN, band_score, &good) > 0.99);
    assert_true(feature_of(FEATURE_TUNE_RHYTHM, band_score, &good) > 0.99);
    assert_true(feature_of(FEATURE_LENGTHS_AS_GIVEN, band_score, &good) > 0.99);
    assert_true(feature_of(FEATURE_PITCHES_AS_GIVEN, band_score, &good) > 0.99);
    assert_true(feature_of(FEATURE_GROOVE, band_score, &good) > 0.99);
    assert_true(feature_of(FEATURE_LAST_CHORD, band_score, &good) == 1);
}

/* A key a semitone higher, twice as slow: nothing changes. */
TEST(a_feature_is_the_same_for_every_key_and_speed)
{
    auto_score *other = score_clone(tune_score);
    struct made_take good = good_take(), up = good;
    const struct critic_request r = asked(true);
    for (int t = 0; t < 2; t++) {
        other->tracks[t].name[0] = 'x';
        while (other->tracks[t].n_notes)
            score_remove_note(other, t, other->tracks[t].notes[0].id);
        for (size_t i = 0; i < tune_score->tracks[t].n_notes; i++) {
            struct note n = tune_score->tracks[t].notes[i];
            n.id = 0;
            n.pitch++;
            assert_true(score_add_note(other, t, n));
        }
        up = moved(up, t, 1);
    }
    for (int i = 0; i < N_FEATURES; i++)
        if (fabs(measured(i, tune_score, &r, &good) - measured(i, other, &r, &up)) >
            1e-9)
            fail_msg("%s", feature_name(i));
}

TEST(what_falls_silent_is_heard)
{
    const struct made_take good = good_take(), tune = only(&good, TUNE);
    assert_true(feature_of(FEATURE_SILENT_PART, tune_score, &tune) == 1);
    assert_true(feature_of(FEATURE_SILENCE, tune_score, &tune) > 0.4);
    assert_true(feature_of(FEATURE_SPARSER, tune_score, &tune) > 0.3);
    assert_true(feature_of(FEATURE_TUNE_SPARSER, tune_score, &tune) == 0);
    const struct made_take bass = only(&good, BASS);
    assert_true(feature_of(FEATURE_TUNE_SPARSER, tune_score, &bass) > 1);
}

/* The bass plays in every other bar, given or new; and a tune that had no notes thins out nothing. */
TEST(what_rests_as_before_is_not_sparser)
{
    auto_score *s = score_clone(tune_score);
    struct made_take good = good_take(), rests = {.n = 0};
    for (size_t i = 0; i < s->tracks[BASS].n_notes;)
        if (s->tracks[BASS].notes[i].start / BAR_TICKS % 2)
            score_remove_note(s, BASS, s->tracks[BASS].notes[i].id);
        else
            i++;
    for (size_t i = 0; i < good.n; i++)
        if (good.notes[i].track != BASS ||
            good.notes[i].note.start / BAR_TICKS % 2 == 0)
            rests.notes[rests.n++] = good.notes[i];
    assert_true(feature_of(FEATURE_SPARSER, s, &rests) < 0.01);
    while (s->tracks[TUNE].n_notes)
        score_remove_note(s, TUNE, s->tracks[TUNE].notes[0].id);
    rests = only(&good, BASS);
    add(&rests, TUNE, FROM, TPQ, 72);
    assert_true(feature_of(FEATURE_TUNE_SPARSER, s, &rests) == 0);
}

/* E and B over the bass's E: a third that nobody plays leaves no key. */
TEST(what_does_not_sound_leaves_no_key)
{
    struct made_take fifths = {.n = 0};
    for (int bar = 0; bar < TAKE_BARS; bar++) {
        add(&fifths, BASS, FROM + bar * BAR_TICKS, BAR_TICKS, 40);
        add(&fifths, TUNE, FROM + bar * BAR_TICKS, BAR_TICKS, 71);
    }
    assert_true(feature_of(FEATURE_CHORDS_OF_KEY, tune_score, &fifths) == 1);
}

TEST(harmony_is_heard_in_all_tracks)
{
    const struct made_take good = good_take(), off = moved(good, BASS, -1),
                           third = moved(good, BASS, 4);
    assert_true(feature_of(FEATURE_SEMITONES, tune_score, &off) >
                feature_of(FEATURE_SEMITONES, tune_score, &good) + 0.3);
    assert_true(feature_of(FEATURE_ROUGH, tune_score, &off) > 0.05);
    assert_true(feature_of(FEATURE_OUTSIDE_KEY, tune_score, &off) > 0.05);
    assert_true(feature_of(FEATURE_FOREIGN_NOTES, tune_score, &off) >
                feature_of(FEATURE_FOREIGN_NOTES, tune_score, &good));
    assert_true(feature_of(FEATURE_PITCHES_AS_GIVEN, tune_score, &off) < 0.9);
    assert_true(feature_of(FEATURE_BASS_ON_ROOT, tune_score, &third) <
                feature_of(FEATURE_BASS_ON_ROOT, tune_score, &good));
    assert_true(feature_of(FEATURE_CHORDS_OF_KEY, tune_score, &off) <
                feature_of(FEATURE_CHORDS_OF_KEY, tune_score, &good));
}

TEST(a_close_has_the_tonic_in_bass_and_top)
{
    const struct critic_request closes = asked(true), goes_on = asked(false);
    struct made_take good = good_take(), open = good;
    for (size_t i = 0; i < open.n; i++)
        if (open.notes[i].track == BASS &&
            open.notes[i].note.start >= FROM + 3 * BAR_TICKS)
            open.notes[i].note.pitch += 7;
    assert_true(measured(FEATURE_CLOSE, tune_score, &closes, &good) >= 0.7);
    assert_true(measured(FEATURE_CLOSE, tune_score, &closes, &open) == 0);
    assert_true(measured(FEATURE_CLOSE, tune_score, &goes_on, &open) == NOT_ASKED);
}

/* The given bars end on G, with B and D. */
TEST(a_dominant_is_resolved)
{
    auto_score *s = heard_score(false);
    static const int CHORD[] = {55, 59, 62, 67};
    for (int i = 0; i < 4; i++)
        score_add_note(s, BASS, a_note(FROM - 2 * TPQ, 2 * TPQ, CHORD[i]));
    for (size_t i = 0; i < s->tracks[TUNE].n_notes;)
        if (s->tracks[TUNE].notes[i].start >= FROM - 2 * TPQ)
            score_remove_note(s, TUNE, s->tracks[TUNE].notes[i].id);
        else
            i++;
    for (size_t i = 0; i < s->tracks[BASS].n_notes;)
        if (s->tracks[BASS].notes[i].start >= FROM - 2 * TPQ &&
            s->tracks[BASS].notes[i].pitch < 50)
            score_remove_note(s, BASS, s->tracks[BASS].notes[i].id);
        else
            i++;
    struct made_take home = {.n = 0}, away = {.n = 0};
    for (int i = 0; i < 3; i++) {
        add(&home, BASS, FROM, BAR_TICKS, 48 + "\0\4\7"[i]);
        add(&away, BASS, FROM, BAR_TICKS, 50 + "\0\3\7"[i]);
    }
    assert_true(feature_of(FEATURE_RESOLVES, s, &home) == 1);
    assert_true(feature_of(FEATURE_RESOLVES, s, &away) == -1);
    assert_true(feature_of(FEATURE_RESOLVES, tune_score, &away) == 0);
}

/* Notes of E minor with its D sharp, in a file whose signature says C: the notes do not fit
 * it, so the key is guessed; and a scale that is set is the key. */
TEST(the_key_is_what_is_set_or_signed_or_heard)
{
    auto_score *s = score_create(TPQ);
    struct made_take t = {.n = 0};
    static const int TUNE_OF_E[8] = {64, 66, 67, 69, 71, 75, 76, 71};
    score_add_track(s, "tune", 0, 0);
    for (int i = 0; i < 8 * HEARD; i++)
        score_add_note(s, TUNE, a_note(i * TPQ / 2, TPQ / 2, TUNE_OF_E[i % 8]));
    struct change *c = change_create("key");
    assert_ok(change_set_key(c, s, 0, 0, false));
    assert_ok(change_apply(c, s, true));
    change_destroy(c);
    for (int i = 0; i < 8; i++)
        add(&t, TUNE, FROM + i * TPQ / 2, TPQ / 2, TUNE_OF_E[i]);
    struct critic_request r = asked(false);
    struct scene scene;
    assert_ok(scene_init(&scene, s, &r, t.notes, t.n));
    assert_int_equal(scene.tonic, 4);
    assert_true(scene.is_minor);
    scene_fini(&scene);
    r.scale =
        1u << 2 | 1u << 4 | 1u << 6 | 1u << 7 | 1u << 9 | 1u << 11 | 1u << 1; /* D */
    assert_ok(scene_init(&scene, s, &r, t.notes, t.n));
    assert_int_equal(scene.scale, r.scale);
    scene_fini(&scene);
}

TEST(rhythm_is_compared_with_the_track)
{
    struct made_take good = good_take(), slow = {.n = 0}, fast = good;
    for (int i = 0; i < 2 * TAKE_BARS; i++)
        add(&slow, TUNE, FROM + i * 2 * TPQ, 2 * TPQ, 60 + 2 * (i % 2));
    assert_true(feature_of(FEATURE_TUNE_SPARSER, tune_score, &slow) > 1);
    assert_true(feature_of(FEATURE_TUNE_RHYTHM, tune_score, &slow) < 0.1);
    assert_true(feature_of(FEATURE_LENGTHS_AS_GIVEN, tune_score, &slow) < 0.1);
    assert_true(feature_of(FEATURE_PHRASES, tune_score, &slow) == 1);
    assert_true(feature_of(FEATURE_PHRASES, tune_score, &good) == 0);
    for (size_t i = 0; i < good.n; i++) {
        fast.notes[fast.n] = good.notes[i];
        fast.notes[fast.n++].note.start += TPQ / 4;
    }
    assert_true(feature_of(FEATURE_BUSIER, tune_score, &fast) > 0.5);
    assert_true(feature_of(FEATURE_RHYTHM_AS_GIVEN, tune_score, &fast) < 0.6);
}

/* A backbeat with hats and a kick on one. */
static void add_rock(struct made_take *t, int64_t at, bool snare, bool kick, bool hats)
{
    for (int i = 0; i < 8; i++) {
        if (hats)
            add(t, DRUMS, at + i * TPQ / 2, TPQ / 4, 42);
        if (kick && i % 4 == 0)
            add(t, DRUMS, at + i * TPQ / 2, TPQ / 4, 36);
        if (snare && i % 4 == 2)
            add(t, DRUMS, at + i * TPQ / 2, TPQ / 4, 38);
    }
}

TEST(drums_keep_their_beat)
{
    auto_score *s = heard_score(false);
    struct made_take given = {.n = 0}, now[4] = {{.n = 0}};
    for (int bar = 0; bar < HEARD; bar++)
        add_rock(&given, bar * BAR_TICKS, true, true, true);
    for (size_t i = 0; i < given.n; i++)
        score_add_note(s, DRUMS, given.notes[i].note);
    for (int bar = 0; bar < TAKE_BARS; bar++)
        for (int i = 0; i < 4; i++)
            add_rock(&now[i], FROM + bar * BAR_TICKS, i != 1, i != 2, i != 3);
    static const int LOST[] = {FEATURE_BACKBEAT_LOST, FEATURE_KICK_LOST,
                               FEATURE_HATS_LOST};
    for (int i = 0; i < 3; i++) {
        assert_true(feature_of(LOST[i], s, &now[0]) == 0);
        assert_true(feature_of(LOST[i], s, &now[i + 1]) == 1);
        /* Drums that are to be written have a beat, too. */
        const struct critic_request r = {.from_tick = FROM,
                                         .to_tick = FROM + TAKE_BARS * BAR_TICKS,
                                         .tracks = 1u << DRUMS,
                                         .is_hole = true};
        assert_true(measured(LOST[i], tune_score, &r, &now[i + 1]) == 1);
    }
    assert_true(feature_of(FEATURE_GROOVE, s, &now[3]) < 0.6);
}

TEST(a_line_that_circles_is_heard)
{
    struct made_take one = {.n = 0}, two = {.n = 0}, wide = {.n = 0};
    for (int i = 0; i < 8 * TAKE_BARS; i++) {
        add(&one, TUNE, FROM + i * TPQ / 2, TPQ / 2, 67);
        add(&two, TUNE, FROM + i * TPQ / 2, TPQ / 2, i % 2 ? 67 : 64);
        add(&wide, TUNE, FROM + i * TPQ / 2, TPQ / 2, 60 + i % 2 * 17 + i % 3);
    }
    assert_true(feature_of(FEATURE_REPEATED, tune_score, &one) > 0.7);
    assert_true(feature_of(FEATURE_SEESAW, tune_score, &two) > 0.7);
    assert_true(feature_of(FEATURE_FEW_PITCHES, tune_score, &two) > 1);
    assert_true(feature_of(FEATURE_LEAPS, tune_score, &wide) > 0.7);
    assert_true(feature_of(FEATURE_SAME_BAR, tune_score, &two) >= 2);
    assert_true(feature_of(FEATURE_LOOPS, tune_score, &two) > 0.1);
    const struct made_take good = good_take();
    assert_true(feature_of(FEATURE_COPIES, tune_score, &good) > 0.3);
    assert_true(feature_of(FEATURE_COPIES, tune_score, &wide) < 0.1);
    const struct made_take high = moved(good, BASS, 40);
    assert_true(feature_of(FEATURE_OUT_OF_RANGE, tune_score, &high) >= 0.5);
}

TEST(voices_are_compared)
{
    const struct made_take good = good_take(), tune = only(&good, TUNE);
    struct made_take parallel = tune, crossed, unison = tune;
    for (size_t i = 0; i < tune.n; i++) {
        parallel.notes[parallel.n] = unison.notes[unison.n] = tune.notes[i];
        parallel.notes[parallel.n].track = unison.notes[unison.n].track = BASS;
        parallel.notes[parallel.n++].note.pitch -= 12;
        unison.n++;
    }
    crossed = moved(good, BASS, 48);
    assert_true(feature_of(FEATURE_PARALLELS, tune_score, &parallel) > 0.5);
    assert_true(feature_of(FEATURE_CROSSED, tune_score, &crossed) > 0.9);
    assert_true(feature_of(FEATURE_DOUBLED, tune_score, &unison) > 0.9);
    assert_true(feature_of(FEATURE_DOUBLED, tune_score, &parallel) == 0);
}

TEST(a_take_that_cannot_be_judged_is_no_scene)
{
    struct scene scene;
    const struct made_take none = {.n = 0};
    struct critic_request r = asked(false);
    auto_score *empty = score_create(TPQ);
    assert_int_equal(scene_init(&scene, empty, &r, none.notes, 0), MIDI_EMPTY);
    r.to_tick = r.from_tick;
    assert_int_equal(scene_init(&scene, tune_score, &r, none.notes, 0), MIDI_EMPTY);
    r.to_tick = r.from_tick + (CONTINUATION_MAX_BARS + 2) * (int64_t)BAR_TICKS;
    assert_int_equal(scene_init(&scene, tune_score, &r, none.notes, 0), MIDI_TOO_LONG);
}

GROUP(make_scores, destroy_scores)
