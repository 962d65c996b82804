/* Fitting the tempo to free playing: bar lines at the taps, and every note and event
 * sounds as before, whatever the tempos, meters and divisions. */
#include "tests/check.h"
#include "midi/edit/tempo_fit.h"
#include "tests/midi/edit/smf_bytes.h"
#include "tests/midi/random_change.h"

static const struct {
    int numerator, denominator;
} METERS[] = {{4, 4}, {3, 4}, {6, 8}, {7, 8}};
static const int DIVISIONS[] = {480, 480, 960, 96, 97, 1};

static void put_tempo(struct score *s, int64_t tick, double us)
{
    uint8_t data[6];
    size_t n = event_tempo_write(data, (uint32_t)us);
    add_event(s, 0, tick, 7 + (uint32_t)s->chunks[0].n_events, data, n);
}

static void put_control(struct score *s, int chunk, int64_t tick, uint32_t order,
                        int value)
{
    const uint8_t data[3] = {0xb0, 1, (uint8_t)(value & 127)};
    add_event(s, chunk, tick, order, data, 3);
}

static void put_tap(struct score *s, int64_t tick, enum tap_kind kind)
{
    assert_true(taps_put(&s->taps, (struct tap){tick, kind}));
}

/* Two tracks, changing tempos, controllers at equal ticks. */
static struct score *random_music(int division, int n_notes, uint64_t *r)
{
    struct score *s = score_of("%d | one: | two:", division);
    int64_t length = (int64_t)division * 100;
    for (int i = random_below(r, 5); i > 0; i--)
        put_tempo(s, random_below(r, (int)length), 300000 + random_below(r, 600000));
    for (int i = 0; i < n_notes; i++)
        score_add_note(s, random_below(r, 2),
                       note(random_below(r, (int)length),
                            1 + random_below(r, 2 * division), random_below(r, 128)));
    for (int i = 0; i < 300; i++) {
        int64_t tick = random_below(r, (int)length);
        put_control(s, 1, tick, 10 + (uint32_t)i, i);
        put_control(s, 1, tick + random_below(r, 2), 310 + (uint32_t)i, i);
    }
    assert_ok(score_update_timeline(s));
    return s;
}

/* Bars of about two seconds, or beats of half a second, from somewhere after `from`
 * on: from seventy a minute on, half a tick of 480 a quarter is less than a
 * millisecond. */
static void tap_bars(struct score *s, int64_t from, int n, bool are_beats, uint64_t *r)
{
    double at =
        timeline_seconds(&s->timeline, (double)from) + random_below(r, 3000) * 1e-3;
    double scale = are_beats ? 0.3e-3 : 1e-3;
    for (int i = 0; i < n; i++, at += (1500 + random_below(r, 1000)) * scale)
        put_tap(s, llround(timeline_tick(&s->timeline, at)), TAP_BAR);
}

static double seconds(const struct score *s, int64_t tick)
{
    return timeline_seconds(&s->timeline, (double)tick);
}

/* The length of half a tick there, in seconds. */
static double half_tick(const struct score *s, int64_t tick)
{
    return 30 / timeline_bpm(&s->timeline, tick) / s->ticks_per_quarter;
}

static void assert_same_moment(const struct score *before, int64_t was,
                               const struct score *after, int64_t is)
{
    double off = fabs(seconds(after, is) - seconds(before, was));
    double most =
        fmax(half_tick(after, is), half_tick(after, is > 0 ? is - 1 : 0)) + 2e-5;
    if (off > most)
        fail_msg("tick %lld is %lld now, and off by %.3f ms", (long long)was,
                 (long long)is, off * 1e3);
    if (before->ticks_per_quarter >= 480 && off > 1e-3)
        fail_msg("off by %.3f ms", off * 1e3);
}

static void assert_notes_sound_alike(const struct score *before,
                                     const struct score *after)
{
    for (size_t t = 0; t < before->n_tracks; t++)
        for (size_t i = 0; i < before->tracks[t].n_notes; i++) {
            const struct note *was = &before->tracks[t].notes[i];
            const struct note *is = score_find_note(after, (int)t, was->id);
            assert_non_null(is);
            assert_same_moment(before, was->start, after, is->start);
            assert_true(is->length > 0);
            if (is->length > 1)
                assert_same_moment(before, was->start + was->length, after,
                                   is->start + is->length);
        }
}

static bool is_control(const struct event *e)
{
    return (e->data[0] & 0xf0) == 0xb0;
}

static void assert_controls_sound_alike(const struct chunk *was,
                                        const struct score *before,
                                        const struct chunk *is,
                                        const struct score *after)
{
    size_t k = 0;
    for (size_t i = 0; i < was->n_events; i++) {
        if (!is_control(&was->events[i]))
            continue;
        while (k < is->n_events && !is_control(&is->events[k]))
            k++;
        assert_true(k < is->n_events);
        assert_int_equal(is->events[k].data[2], was->events[i].data[2]);
        assert_same_moment(before, was->events[i].tick, after, is->events[k].tick);
        k++;
    }
}

/* Each of `taps` is now the start of a bar or beat. */
static void assert_taps_are_bars(const struct score *before, const struct score *after,
                                 const struct tempo_fit_request *w, int64_t first)
{
    int per_bar = !w->are_beats ? 1 : w->numerator == 6 ? 2 : w->numerator;
    int n = 0;
    for (size_t i = taps_first_at(&before->taps, w->from); i < before->taps.n; i++) {
        if (before->taps.list[i].kind != TAP_BAR)
            continue;
        int64_t at = llround(timeline_tick(&after->timeline,
                                           seconds(before, before->taps.list[i].tick)));
        struct bar bar = timeline_bar_at(&after->timeline, at);
        if (n == 0)
            assert_in_range(at - first, 0, bar.length / 32 + 1);
        if (n == 0 && at - first <= bar.length / 32 + 1)
            at = first;
        assert_int_equal(bar.numerator, w->numerator);
        if (n % per_bar == 0)
            assert_int_equal(bar.start, at);
        else
            assert_in_range(at - bar.start - bar.length * (n % per_bar) / per_bar + 1,
                            0, 2);
        n++;
    }
    assert_int_equal(taps_first_at(&after->taps, w->from), after->taps.n);
}

static void assert_start_is_untouched(const struct score *before,
                                      const struct score *after, int64_t from)
{
    for (size_t i = 0; i < before->tracks[0].n_notes; i++) {
        const struct note *n = &before->tracks[0].notes[i];
        if (n->start + n->length > from)
            continue;
        const struct note *now = score_find_note(after, 0, n->id);
        assert_int_equal(now->start, n->start);
        assert_int_equal(now->length, n->length);
    }
    for (int64_t tick = 0; tick < from; tick += 1 + from / 7)
        assert_true(fabs(seconds(before, tick) - seconds(after, tick)) < 1e-9);
}

static void lay_one(uint64_t seed, int n_notes)
{
    uint64_t r = seed * 977 + 1;
    int division = DIVISIONS[random_below(&r, 6)], meter = random_below(&r, 4);
    struct score *s = random_music(division, n_notes, &r);
    struct tempo_fit_request w = {.from = random_below(&r, 2) ? 4 * division : 0,
                                  .numerator = METERS[meter].numerator,
                                  .denominator = METERS[meter].denominator,
                                  .are_beats = meter < 3 && division > 1 &&
                                               random_below(&r, 3) == 0};
    tap_bars(s, w.from, 2 + random_below(&r, 30), w.are_beats, &r);
    put_tap(s, w.from, TAP_BEGIN);
    auto_score *before = score_clone(s);
    auto_song song = {s, history_create()};
    struct tempo_fit_report report;
    DO(song, change_fit_tempo(c, s, &w, &report));
    assert_notes_sound_alike(before, s);
    assert_controls_sound_alike(&before->chunks[1], before, &s->chunks[1], s);
    assert_taps_are_bars(before, s, &w, report.first_tick);
    assert_start_is_untouched(before, s, w.from);
    auto_score *after = score_clone(s);
    assert_true(history_undo(song.h, s, NULL));
    assert_true(score_equal(s, before));
    assert_int_equal(s->taps.n, before->taps.n);
    assert_true(history_redo(song.h, s, NULL));
    assert_true(score_equal(s, after));
}

TEST(test_whatever_is_laid_sounds_as_before)
{
    for (uint64_t seed = 1; seed <= 300; seed++)
        lay_one(seed, 60);
    for (uint64_t seed = 1; seed <= 3; seed++)
        lay_one(seed, 4000);
}

/* An upbeat of 0.75 s before bars of 2 s: 4/4 at 120. */
TEST(test_an_upbeat_is_a_short_bar)
{
    struct score *s = score_of("480 | t: C4:100");
    struct tempo_fit_report report;
    struct tempo_fit_request w = {.numerator = 4, .denominator = 4};
    auto_song song = {s, history_create()};
    put_tap(s, 720, TAP_BAR);
    put_tap(s, 720 + 1920, TAP_BAR);
    put_tap(s, 720 + 1920 + 960, TAP_BAR);
    DO(song, change_fit_tempo(c, s, &w, &report));
    assert_int_equal(report.n_bars, 2);
    assert_int_equal(report.first_tick, 720);
    assert_true(fabs(report.slowest - 120) < 1e-6 && fabs(report.fastest - 240) < 1e-6);
    struct bar bar = timeline_bar_at(&s->timeline, 0);
    assert_int_equal(bar.length, 720);
    assert_int_equal(timeline_bar(&s->timeline, 1).start, 720);
    assert_int_equal(timeline_bar(&s->timeline, 2).start, 720 + 1920);
    assert_int_equal(timeline_bar(&s->timeline, 3).start, 720 + 2 * 1920);
}

/* A finger is a little later than the first note: no bar of a few ticks arises. */
TEST(test_the_first_tap_may_be_late)
{
    auto_score *s = score_create(480);
    struct tempo_fit_report report;
    struct tempo_fit_request w = {.numerator = 4, .denominator = 4};
    auto_change *c = change_create("lay");
    put_tap(s, 0, TAP_BEGIN);
    put_tap(s, 20, TAP_BAR);
    put_tap(s, 1920, TAP_BAR);
    assert_ok(change_fit_tempo(c, s, &w, &report));
    assert_int_equal(report.first_tick, 0);
    assert_true(fabs(report.slowest - 120) < 1e-6);
}

static const struct {
    const char *notes;
    int64_t taps[2]; /* -1: none */
    enum tempo_fit_error error;
} FITTED[] = {
    {"", {-1, -1}, TEMPO_FIT_NEEDS_TAPS},
    {"", {960, -1}, TEMPO_FIT_NEEDS_TAPS},
    {"", {960, 960 + 960 * 200}, TEMPO_FIT_NO_TEMPO}, /* a bar of 200 seconds */
    {"", {0, INT64_C(1) << 60}, TEMPO_FIT_NO_TEMPO},
    {"", {0, 960}, TEMPO_FIT_OK},
    /* Ten times as slow, notes of ten ticks have one; in a bar of a minute two of them would
     * begin together. */
    {"60:10*8", {0, 960 * 10}, TEMPO_FIT_OK},
    {"60:10*8", {0, 960 * 60}, TEMPO_FIT_TOO_CLOSE},
};

static enum tempo_fit_error error_of(const struct score *s)
{
    struct tempo_fit_report report;
    const struct tempo_fit_request w = {.numerator = 4, .denominator = 4};
    auto_change *c = change_create("lay");
    enum midi_status st = change_fit_tempo(c, s, &w, &report);
    assert_int_equal(st == MIDI_OK, report.error == TEMPO_FIT_OK);
    return report.error;
}

TEST(what_cannot_be_is_refused)
{
    for (size_t i = 0; i < sizeof FITTED / sizeof *FITTED; i++) {
        auto_score *s = score_of("480 | one: %s", FITTED[i].notes);
        for (int k = 0; k < 2 && FITTED[i].taps[k] >= 0; k++)
            put_tap(s, FITTED[i].taps[k], TAP_BAR);
        assert_int_equal(error_of(s), FITTED[i].error);
        s->division = 0xE728;
        assert_int_equal(error_of(s), TEMPO_FIT_SMPTE_TIME);
    }
}
