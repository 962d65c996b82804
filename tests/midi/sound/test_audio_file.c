/* Sound in every kind of file, read back by libsndfile; twice the rate; being stopped. */
#include "midi/base/double_rate.h"
#include "midi/sound/render.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <sndfile.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { QUARTER = 480, MOST_FRAMES = 400000 };

static char folder[64], path[128];
static float read_back[2 * MOST_FRAMES], reference[2 * MOST_FRAMES];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/continuo-test-XXXXXX");
    return !mkdtemp(folder);
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a file was left */
}

static struct score *make_score(void)
{
    struct score *s = score_create(QUARTER);
    assert_non_null(s);
    assert_int_equal(score_add_track(s, "t", 0, 16), 0);
    for (int i = 0; i < 4; i++) {
        struct note n = {.start = i * QUARTER / 2,
                         .length = QUARTER / 2,
                         .pitch = (uint8_t)(60 + 4 * i),
                         .velocity = 90};
        assert_true(score_add_note(s, 0, n) != 0);
    }
    return s;
}

static struct render_options options_for(const struct audio_spec *spec)
{
    const char *font = getenv("CONTINUO_TEST_SOUNDFONT");
    if (!font)
        fail_msg("CONTINUO_TEST_SOUNDFONT is not set: run through make test");
    return (struct render_options){.soundfont = font,
                                   .tail_seconds = 0.1,
                                   .format = spec->format,
                                   .bits = spec->bits,
                                   .sample_rate = spec->sample_rate};
}

/* Renders it, checks what kind it is, and reads it: the number of frames. */
static size_t render(const struct score *s, const struct audio_spec *spec, int kind,
                     float *frames)
{
    struct render_options o = options_for(spec);
    SF_INFO info = {0};
    snprintf(path, sizeof path, "%s/out.%s", folder, audio_format_name(spec->format));
    assert_int_equal(render_to_file(s, path, &o), MIDI_OK);
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    assert_non_null(file);
    assert_int_equal(info.format, kind);
    assert_int_equal(info.samplerate, spec->sample_rate);
    assert_int_equal(info.channels, 2);
    assert_in_range(info.frames, 1, MOST_FRAMES);
    sf_count_t n = sf_readf_float(file, frames, info.frames);
    assert_int_equal(n, info.frames);
    sf_close(file);
    unlink(path);
    return (size_t)n;
}

/* How far two are from each other, to the first one's level: root mean squares. */
static double difference(const float *a, const float *b, size_t n)
{
    double sum = 0, level = 0;
    for (size_t i = 0; i < n; i++) {
        sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        level += (double)a[i] * a[i];
    }
    return sqrt(sum / level);
}

static void every_kind_holds_the_same_sound(void **state)
{
    (void)state;
    static const struct {
        struct audio_spec spec;
        int kind;
        double difference;
    } KINDS[] = {
        {{AUDIO_WAV, 16, 44100}, SF_FORMAT_WAV | SF_FORMAT_PCM_16, 2e-4},
        {{AUDIO_WAV, 24, 44100}, SF_FORMAT_WAV | SF_FORMAT_PCM_24, 1e-6},
        {{AUDIO_FLAC, 16, 44100}, SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 2e-4},
        {{AUDIO_FLAC, 24, 44100}, SF_FORMAT_FLAC | SF_FORMAT_PCM_24, 1e-6},
        {{AUDIO_OGG, 16, 44100}, SF_FORMAT_OGG | SF_FORMAT_VORBIS, 0.2},
    };
    struct score *s = make_score();
    const struct audio_spec exact = {AUDIO_WAV, 32, 44100};
    size_t n = render(s, &exact, SF_FORMAT_WAV | SF_FORMAT_FLOAT, reference);
    assert_true(fabs((double)n / 44100 - 1.1) < 1e-3);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        assert_int_equal(render(s, &KINDS[i].spec, KINDS[i].kind, read_back), n);
        double d = difference(reference, read_back, 2 * n);
        if (d > KINDS[i].difference)
            fail_msg("kind %zu is off by %g", i, d);
    }
    score_destroy(s);
}

static void every_rate(void **state)
{
    (void)state;
    static const int RATES[] = {8000, 22050, 96000, 96001, 176400, 192000};
    struct score *s = make_score();
    for (size_t i = 0; i < sizeof RATES / sizeof RATES[0]; i++) {
        const struct audio_spec spec = {AUDIO_WAV, 24, RATES[i]};
        size_t n = render(s, &spec, SF_FORMAT_WAV | SF_FORMAT_PCM_24, read_back);
        assert_true(fabs((double)n / RATES[i] - 1.1) < 1e-3);
    }
    /* Every other frame is one of half the rate. */
    const struct audio_spec half = {AUDIO_WAV, 24, 96000};
    size_t n = render(s, &half, SF_FORMAT_WAV | SF_FORMAT_PCM_24, reference);
    for (size_t i = 0; i < n; i++)
        assert_true(fabsf(reference[2 * i] - read_back[4 * i]) < 1e-6f);
    score_destroy(s);
}

/* What stands between two frames is what a sine has there. */
static void a_sine_at_twice_the_rate(void **state)
{
    (void)state;
    static const double PARTS[] = {0.001, 0.1, 0.3, 0.44}; /* of the old rate */
    for (size_t p = 0; p < sizeof PARTS / sizeof PARTS[0]; p++) {
        struct double_rate d;
        double_rate_init(&d);
        for (int i = 0; i < 1000; i++) {
            double step = 2 * M_PI * PARTS[p];
            float frame[2] = {(float)sin(step * i), (float)cos(step * i)}, out[2][2];
            double_rate_next(&d, frame, out);
            for (int half = 0; half < 2 && i > 100; half++) {
                double at = step * (i - DOUBLE_RATE_HALF + 0.5 * half);
                assert_true(fabs(out[half][0] - sin(at)) < 2e-4);
                assert_true(fabs(out[half][1] - cos(at)) < 2e-4);
            }
        }
    }
}

static bool stop_at(void *context, double share)
{
    double *last = context;
    assert_true(share >= last[1] && share <= 1); /* and it never goes back */
    last[1] = share;
    return share < last[0];
}

/* At any moment: nothing is left of it, and what was there before stays. */
static void stopped(void **state)
{
    (void)state;
    struct score *s = make_score();
    const struct audio_spec spec = {AUDIO_FLAC, 16, 44100};
    struct render_options o = options_for(&spec);
    snprintf(path, sizeof path, "%s/there.flac", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs("before", f);
    fclose(f);
    for (double at = 0; at < 1; at += 0.1) {
        double last[2] = {at, 0};
        o.go_on = stop_at;
        o.context = last;
        assert_int_equal(render_to_file(s, path, &o), MIDI_STOPPED);
    }
    char text[16] = "";
    f = fopen(path, "r");
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f);
    assert_string_equal(text, "before");
    double never[2] = {2, 0};
    o.context = never;
    assert_int_equal(render_to_file(s, path, &o), MIDI_OK);
    assert_true(never[1] == 1);
    unlink(path);
    score_destroy(s);
}

static void names_and_what_is_possible(void **state)
{
    (void)state;
    enum audio_format f;
    assert_true(audio_format_of_file("a.b/c.FLAC", &f) && f == AUDIO_FLAC);
    assert_true(audio_format_of_file("x.ogg", &f) && f == AUDIO_OGG);
    assert_true(audio_format_of_file("a.ogg/plain", &f) && f == AUDIO_WAV);
    assert_true(audio_format_of_file(".hidden", &f) && f == AUDIO_WAV);
    assert_false(audio_format_of_file("a.mp3", &f));
    assert_true(audio_spec_is_possible(&(struct audio_spec){AUDIO_WAV, 32, 8000}));
    assert_false(audio_spec_is_possible(&(struct audio_spec){AUDIO_FLAC, 32, 8000}));
    assert_false(audio_spec_is_possible(&(struct audio_spec){AUDIO_WAV, 20, 8000}));
    assert_false(audio_spec_is_possible(&(struct audio_spec){AUDIO_WAV, 16, 7999}));
    assert_false(audio_spec_is_possible(&(struct audio_spec){AUDIO_OGG, 16, 192001}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_holds_the_same_sound), cmocka_unit_test(every_rate),
        cmocka_unit_test(a_sine_at_twice_the_rate),        cmocka_unit_test(stopped),
        cmocka_unit_test(names_and_what_is_possible),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
