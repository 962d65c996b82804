/* Sound files of every format, read back by libsndfile; doubling the rate. That one which is
 * stopped leaves no file: tests/app/cli/test_waiting, tests/app/editor/perform/test_render_line. */
#include "midi/sound/double_rate.h"
#include "midi/sound/render.h"

#include "tests/check.h"
#include "tests/midi/music.h"
#include "tests/temp_file.h"

#include <sndfile.h>

enum { MOST_FRAMES = 400000 };

static float read_back[2 * MOST_FRAMES], reference[2 * MOST_FRAMES];

static struct render_options options_for(const struct audio_spec *spec)
{
    return (struct render_options){.soundfont = own_soundfont(),
                                   .tail_seconds = 0.1,
                                   .format = spec->format,
                                   .bits = spec->bits,
                                   .sample_rate = spec->sample_rate};
}

/* Renders it, checks its format, reads it; returns the number of frames. */
static size_t render(const struct score *s, const struct audio_spec *spec, int kind,
                     float *frames)
{
    struct render_options o = options_for(spec);
    SF_INFO info = {0};
    const char *path = temp_path("out");
    assert_ok(render_to_file(s, path, &o));
    SNDFILE *file = sf_open(path, SFM_READ, &info);
    assert_non_null(file);
    assert_int_equal(info.format, kind);
    assert_int_equal(info.samplerate, spec->sample_rate);
    assert_int_equal(info.channels, 2);
    assert_in_range(info.frames, 1, MOST_FRAMES);
    sf_count_t n = sf_readf_float(file, frames, info.frames);
    assert_int_equal(n, info.frames);
    sf_close(file);
    return (size_t)n;
}

/* The root mean square of the difference, relative to the first. */
static double difference(const float *a, const float *b, size_t n)
{
    double sum = 0, level = 0;
    for (size_t i = 0; i < n; i++) {
        sum += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
        level += (double)a[i] * a[i];
    }
    return sqrt(sum / level);
}

TEST(every_kind_holds_the_same_sound)
{
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
    auto_score *s = score_of("480 | organ #16: 60e 64 68 72");
    const struct audio_spec exact = {AUDIO_WAV, 32, 44100};
    size_t n = render(s, &exact, SF_FORMAT_WAV | SF_FORMAT_FLOAT, reference);
    assert_true(fabs((double)n / 44100 - 1.1) < 1e-3);
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        assert_int_equal(render(s, &KINDS[i].spec, KINDS[i].kind, read_back), n);
        double d = difference(reference, read_back, 2 * n);
        if (d > KINDS[i].difference)
            fail_msg("kind %zu is off by %g", i, d);
    }
}

TEST(every_rate)
{
    static const int RATES[] = {8000, 22050, 96000, 96001, 176400, 192000};
    auto_score *s = score_of("480 | organ #16: 60e 64 68 72");
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
}

/* Between two frames stands what a sine has there. */
TEST(a_sine_at_twice_the_rate)
{
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

TEST(names_say_the_format)
{
    enum audio_format f;
    assert_true(audio_format_of_file("a.b/c.FLAC", &f) && f == AUDIO_FLAC);
    assert_true(audio_format_of_file("x.ogg", &f) && f == AUDIO_OGG);
    assert_true(audio_format_of_file("a.ogg/plain", &f) && f == AUDIO_WAV);
    assert_true(audio_format_of_file(".hidden", &f) && f == AUDIO_WAV);
    assert_false(audio_format_of_file("a.mp3", &f));
}
