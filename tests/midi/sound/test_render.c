/* Rendered WAV files hold the right pitches at the right times. */
#include "midi/sound/render.h"
#include "tests/midi/listen.h"

#include "tests/check.h"
#include "tests/midi/music.h"
#include "tests/temp_file.h"

enum { N_SCALE = 8 };

static const int scale[N_SCALE] = {60, 62, 64, 65, 67, 69, 71, 72};

static double scale_onset(int i)
{
    return i <= 4 ? i * 0.5 : 2 + (i - 4) * 0.75;
}

/* Quarters of a scale, each sounding half its time. */
static struct score *make_scale(int channel, int program)
{
    return score_of(
        "480 80bpm=4q | scale ch%d #%d: C4e r D4 r E4 r F4 r G4 r A4 r B4 r C5",
        channel, program);
}

static struct recording render_with(const struct score *s,
                                    const struct render_options *options)
{
    struct recording r;
    const char *path = temp_path("out.wav");
    assert_ok(render_to_file(s, path, options));
    assert_true(listen_load(&r, path));
    return r;
}

static struct recording render_and_load(const struct score *s, bool dry)
{
    return render_with(s, &(struct render_options){.soundfont = own_soundfont(),
                                                   .tail_seconds = 0.5,
                                                   .dry = dry});
}

TEST(test_scale)
{
    auto_score *s = make_scale(0, 16);
    auto_recording r = render_and_load(s, true);
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
}

/* What plays on channel 3 is what plays on channel 10. */
TEST(a_bank_of_kits_plays_the_kit)
{
    uint8_t bank[] = {0xB2, CC_BANK, BANK_KITS}, program[] = {0xC2, 0};
    auto_score *on_10 = make_scale(9, 0), *on_3 = make_scale(2, 0);
    auto_recording piano = render_and_load(on_3, true);
    add_event(on_3, 1, 0, ORDER_FIRST, bank, sizeof bank);
    add_event(on_3, 1, 0, ORDER_FIRST, program, sizeof program);
    auto_recording a = render_and_load(on_10, true), b = render_and_load(on_3, true);
    assert_int_equal(a.n, b.n);
    assert_memory_not_equal(a.x, piano.x, a.n * sizeof *a.x);
    assert_memory_equal(a.x, b.x, a.n * sizeof *a.x);
}

static struct recording render_at(const struct score *s, bool has_gain,
                                  struct render_level *level)
{
    return render_with(s, &(struct render_options){.soundfont = own_soundfont(),
                                                   .dry = true,
                                                   .has_gain = has_gain,
                                                   .gain_db = level->gain_db,
                                                   .level = level});
}

/* A loud track and a quiet one, rendered apart with the gain of both, are both together. */
TEST(stems_keep_their_balance)
{
    auto_score *s = make_scale(0, 16);
    int quiet = score_add_track(s, "quiet", 1, 16);
    score_put(s, quiet, "D3:99@20");
    struct render_level level = {0}, loud_level, quiet_level;
    auto_recording both = render_at(s, false, &level);
    assert_true(level.peak_db > -1.11 && level.peak_db <= -1);
    loud_level = quiet_level = level;
    s->tracks[0].solo = true;
    auto_recording loud = render_at(s, true, &loud_level);
    s->tracks[0].solo = false;
    s->tracks[quiet].solo = true;
    auto_recording low = render_at(s, true, &quiet_level);
    assert_true(quiet_level.peak_db < level.peak_db - 6);
    assert_true(both.n == loud.n && both.n == low.n);
    for (size_t i = 0; i < both.n; i++)
        assert_true(fabsf(both.x[i] - loud.x[i] - low.x[i]) < 1e-4f);
    s->tracks[quiet].mute = true;
    s->tracks[quiet].solo = false;
    s->tracks[0].mute = true;
    auto_recording none = render_at(s, false, &level);
    assert_true(level.is_silent && level.gain_db == 0 && none.n > 0);
}

TEST(test_refusals)
{
    auto_score *s = make_scale(0, 0);
    struct render_options none = {.soundfont = NULL},
                          absent = {.soundfont = temp_path("no.sf2")};
    assert_int_equal(render_to_file(s, temp_path("none.wav"), &none), MIDI_NO_SOUND);
    absent.soundfont = "/nowhere/no.sf2";
    assert_int_equal(render_to_file(s, temp_path("none.wav"), &absent), MIDI_NO_SOUND);
    assert_int_equal(access(temp_path("none.wav"), F_OK), -1);
    struct render_options good = {.soundfont = own_soundfont()};
    assert_int_equal(render_to_file(s, "/nowhere/out.wav", &good), MIDI_CANNOT_WRITE);
    assert_int_equal(render_to_file(s, "/dev/null", &good), MIDI_NOT_REGULAR);
    score_put(s, 0, "D3:1000000q");
    assert_int_equal(render_to_file(s, temp_path("none.wav"), &good), MIDI_TOO_LONG);
}
