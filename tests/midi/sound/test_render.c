/* Rendered WAV files hold the right pitches at the right times. */
#include "midi/sound/render.h"
#include "tests/midi/listen.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { QUARTER = 480, N_SCALE = 8, TEMPO_TICK = 4 * QUARTER };

static char folder[64];
static const int scale[N_SCALE] = {60, 62, 64, 65, 67, 69, 71, 72};

static const char *own_soundfont(void)
{
    const char *path = getenv("CONTINUO_TEST_SOUNDFONT");
    if (!path)
        fail_msg("CONTINUO_TEST_SOUNDFONT is not set: run through make test");
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/continuo-test-XXXXXX");
    return !mkdtemp(folder);
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a temporary file was left */
}

static const char *in_folder(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void add(struct score *s, int track, int64_t start, int64_t length, int pitch)
{
    struct note n = {.start = start,
                     .length = length,
                     .pitch = (uint8_t)pitch,
                     .velocity = 90,
                     .off_velocity = 64};
    assert_true(score_add_note(s, track, n) != 0);
}

/* Tempo 120, then 80 from the fifth note on. */
static void set_tempos(struct score *s)
{
    struct tempo tempos[] = {{0, 500000, 0}, {TEMPO_TICK, 750000, 0}};
    timeline_fini(&s->timeline);
    assert_int_equal(timeline_init(&s->timeline, QUARTER, tempos, 2, NULL, 0), MIDI_OK);
}

static double scale_onset(int i)
{
    return i <= 4 ? i * 0.5 : 2 + (i - 4) * 0.75;
}

/* A scale in quarters, each sounding half its time. */
static struct score *make_scale(uint8_t channel, uint8_t program)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    int track = score_add_track(s, "scale", channel, program);
    assert_true(track >= 0);
    set_tempos(s);
    for (int i = 0; i < N_SCALE; i++)
        add(s, track, i * QUARTER, QUARTER / 2, scale[i]);
    return s;
}

static struct recording render_and_load(const struct score *s, bool dry)
{
    struct render_options options = {
        .soundfont = own_soundfont(), .tail_seconds = 0.5, .dry = dry};
    struct recording r;
    const char *path = in_folder("out.wav");
    assert_int_equal(render_to_file(s, path, &options), MIDI_OK);
    assert_true(listen_load(&r, path));
    unlink(path);
    return r;
}

static void test_scale(void **state)
{
    (void)state;
    struct score *s = make_scale(0, 16);
    struct recording r = render_and_load(s, true);
    double onsets[32];
    assert_int_equal(listen_onsets(&r, onsets, 32), N_SCALE);
    for (int i = 0; i < N_SCALE; i++) {
        double at = scale_onset(i);
        if (fabs(onsets[i] - at) > 0.005)
            fail_msg("onset %d at %.4f s, not %.4f", i, onsets[i], at);
        assert_int_equal(listen_key(&r, 48, 84, at + 0.03, at + 0.2), scale[i]);
        double cents = listen_cents(&r, scale[i], at + 0.03, at + 0.23);
        if (fabs(cents) > 5)
            fail_msg("note %d is %.1f cents off", i, cents);
    }
    free(r.x);
    score_destroy(s);
}

static void test_length_and_peak(void **state)
{
    (void)state;
    struct score *s = make_scale(0, 0);
    struct recording r = render_and_load(s, false);
    double seconds = scale_onset(N_SCALE - 1) + 0.375 + 0.5;
    assert_true(fabs((double)r.n / r.rate - seconds) < 1e-3);
    free(r.x);
    for (int i = 0; i < 40; i++) /* as dense as it gets */
        add(s, 0, QUARTER, 4 * QUARTER, 30 + 2 * i);
    float *frames, peak = 0;
    size_t n;
    struct render_options options = {.soundfont = own_soundfont(), .gain = 5};
    assert_int_equal(render_samples(s, &options, &frames, &n), MIDI_OK);
    for (size_t i = 0; i < 2 * n; i++)
        peak = fmaxf(peak, fabsf(frames[i]));
    assert_true(peak > 0.88f && peak < 0.9f);
    free(frames);
    score_destroy(s);
}

static void test_same_bytes_twice(void **state)
{
    (void)state;
    struct score *s = make_scale(0, 0);
    struct recording a = render_and_load(s, false), b = render_and_load(s, false);
    assert_int_equal(a.n, b.n);
    assert_memory_equal(a.x, b.x, a.n * sizeof *a.x);
    free(a.x);
    free(b.x);
    score_destroy(s);
}

/* Muted and unsoloed tracks are silent; the tenth channel drums. */
static void test_tracks(void **state)
{
    (void)state;
    struct score *s = make_scale(9, 0);
    struct recording drums = render_and_load(s, true);
    assert_true(listen_key(&drums, 60, 72, 2.03, 2.2) != 67 ||
                fabs(listen_cents(&drums, 67, 2.03, 2.2)) > 5);
    assert_true(listen_energy(&drums, 0, 1) > 1e-4);
    s->tracks[0].mute = true;
    struct recording muted = render_and_load(s, true);
    assert_true(listen_energy(&muted, 0, 5) < 1e-9);
    int solo = score_add_track(s, "solo", 1, 16);
    add(s, solo, QUARTER, QUARTER, 69);
    s->tracks[0].mute = false;
    s->tracks[solo].solo = true;
    struct recording soloed = render_and_load(s, true);
    assert_true(listen_energy(&soloed, 0, 0.49) < 1e-9);
    assert_int_equal(listen_key(&soloed, 48, 84, 0.55, 0.9), 69);
    free(drums.x);
    free(muted.x);
    free(soloed.x);
    score_destroy(s);
}

/* Two tracks holding one pitch on one channel: the first end is no end. */
static void test_unison_holds(void **state)
{
    (void)state;
    struct score *s = score_create(QUARTER);
    int a = score_add_track(s, "a", 0, 16), b = score_add_track(s, "b", 0, 16);
    add(s, a, 0, QUARTER, 60);
    add(s, b, QUARTER / 2, 3 * QUARTER, 60);
    struct recording r = render_and_load(s, true);
    assert_true(listen_energy(&r, 1.2, 1.6) > 0.3 * listen_energy(&r, 0.1, 0.4));
    assert_true(listen_energy(&r, 2.1, 2.2) < 1e-4 * listen_energy(&r, 0.1, 0.4));
    free(r.x);
    score_destroy(s);
}

static void test_refusals(void **state)
{
    (void)state;
    struct score *s = make_scale(0, 0);
    struct render_options none = {.soundfont = NULL},
                          absent = {.soundfont = in_folder("no.sf2")};
    assert_int_equal(render_to_file(s, in_folder("out.wav"), &none), MIDI_NO_SOUND);
    absent.soundfont = "/nowhere/no.sf2";
    assert_int_equal(render_to_file(s, in_folder("out.wav"), &absent), MIDI_NO_SOUND);
    assert_int_equal(access(in_folder("out.wav"), F_OK), -1);
    struct render_options good = {.soundfont = own_soundfont()};
    assert_int_equal(render_to_file(s, "/nowhere/out.wav", &good), MIDI_CANNOT_WRITE);
    assert_int_equal(render_to_file(s, "/dev/null", &good), MIDI_NOT_REGULAR);
    add(s, 0, 0, (int64_t)QUARTER * 1000000, 50);
    assert_int_equal(render_to_file(s, in_folder("out.wav"), &good), MIDI_TOO_LONG);
    score_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_length_and_peak),
        cmocka_unit_test(test_same_bytes_twice),
        cmocka_unit_test(test_tracks),
        cmocka_unit_test(test_unison_holds),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
