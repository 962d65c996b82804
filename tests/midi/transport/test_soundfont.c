/* Our own soundfont in FluidSynth: loads without messages, sounds on every program
 * and drum key, in tune; and how a soundfont is found. */
#include "tests/midi/listen.h"

#include "tests/check.h"
#include "tests/midi/music.h"
#include "tests/temp_file.h"

#include <fluidsynth.h>

enum { RATE = 22050 };

static fluid_settings_t *settings;
static fluid_synth_t *synth;
static int n_complaints;

static void complain(int level, const char *message, void *data)
{
    print_message("FluidSynth: %s\n", message);
    n_complaints++;
}

static int start_synth(void **state)
{
    for (int level = 0; level <= FLUID_WARN; level++)
        fluid_set_log_function(level, complain, NULL);
    settings = new_fluid_settings();
    fluid_settings_setnum(settings, "synth.sample-rate", RATE);
    fluid_settings_setint(settings, "synth.reverb.active", 0);
    fluid_settings_setint(settings, "synth.chorus.active", 0);
    synth = new_fluid_synth(settings);
    return fluid_synth_sfload(synth, own_soundfont(), 1) < 0;
}

static int stop_synth(void **state)
{
    delete_fluid_synth(synth);
    delete_fluid_settings(settings);
    return 0;
}

static struct recording hear(int channel, int key, float *memory, size_t n)
{
    static float right[RATE];
    fluid_synth_noteon(synth, channel, key, 100);
    fluid_synth_write_float(synth, (int)n, memory, 0, 1, right, 0, 1);
    fluid_synth_all_sounds_off(synth, channel);
    for (size_t i = 0; i < n; i++)
        memory[i] = (memory[i] + right[i]) / 2;
    struct recording r = {memory, n, RATE};
    fluid_synth_write_float(synth, 64, right, 0, 1, right, 0, 1);
    return r;
}

TEST(test_loads_quietly)
{
    assert_int_equal(n_complaints, 0);
    for (int program = 0; program < 128; program++)
        assert_int_equal(fluid_synth_program_select(synth, 0, 1, 0, program), FLUID_OK);
    assert_int_equal(n_complaints, 0);
}

/* Also every key of the drums. */
TEST(test_every_program_sounds)
{
    float memory[RATE / 8];
    for (int i = 0; i < 128; i++) {
        fluid_synth_program_change(synth, 0, i);
        struct recording program = hear(0, 60, memory, RATE / 8);
        if (listen_energy(&program, 0.05, 0.12) < 1e-5)
            fail_msg("program %d is silent", i);
        struct recording drum = hear(9, i, memory, RATE / 10);
        if (listen_energy(&drum, 0, 0.05) < 1e-6)
            fail_msg("drum %d is silent", i);
    }
}

TEST(test_in_tune)
{
    static const int programs[] = {0, 16, 48, 73};
    static float memory[RATE / 2];
    for (int i = 0; i < 4; i++) {
        fluid_synth_program_change(synth, 0, programs[i]);
        for (int key = 21; key <= 108; key += 3) {
            struct recording r = hear(0, key, memory, RATE / 2);
            double cents = listen_cents(&r, key, 0.1, 0.5);
            if (fabs(cents) > 1)
                fail_msg("program %d key %d is %.2f cents off", programs[i], key,
                         cents);
        }
    }
}

/* Decaying sounds must decay; sustained ones must not. */
TEST(test_envelopes)
{
    static float memory[RATE];
    fluid_synth_program_change(synth, 0, 0);
    struct recording r = hear(0, 84, memory, RATE);
    assert_true(listen_energy(&r, 0.8, 1) < listen_energy(&r, 0, 0.2) / 3);
    fluid_synth_program_change(synth, 0, 16);
    r = hear(0, 84, memory, RATE);
    assert_true(listen_energy(&r, 0.8, 1) > listen_energy(&r, 0.1, 0.3) * 0.9);
}

/* In the folder of the test: the first n bytes of a file, or all of them. */
static const char *part_of(const char *path, size_t n, const char *name)
{
    auto_free char *bytes = calloc(n, 1);
    FILE *from = fopen(path, "rb"), *to = fopen(temp_path(name), "wb");
    assert_true(bytes && from && to);
    n = fread(bytes, 1, n, from);
    assert_int_equal(fwrite(bytes, 1, n, to), n);
    assert_int_equal(fclose(from) | fclose(to), 0);
    return temp_path(name);
}

/* What is no soundfont, or is cut short, is passed over, and the latter named. */
TEST(test_find)
{
    char path[4096];
    const char *empty = part_of("/dev/null", 1, "empty"),
               *cut = part_of(own_soundfont(), 1000, "cut");
    assert_true(soundfont_find(path, sizeof path, own_soundfont()));
    assert_string_equal(path, own_soundfont());
    assert_false(soundfont_find(path, 8, own_soundfont())); /* does not fit */
    assert_false(soundfont_find_damaged(path, sizeof path, own_soundfont()));
    setenv("CONTINUO_SOUNDFONT", own_soundfont(), 1);
    const char *const ASKED[] = {NULL, empty, cut};
    for (int i = 0; i < 3; i++) {
        assert_true(soundfont_find(path, sizeof path, ASKED[i]));
        assert_string_equal(path, own_soundfont());
    }
    assert_true(soundfont_find_damaged(path, sizeof path, cut));
    assert_string_equal(path, cut);
    unsetenv("CONTINUO_SOUNDFONT");
}

#define IN_BANKS                                                                       \
    "mkdir -p $BANKS/usr/share/sounds/sf2 && cd $BANKS/usr/share/sounds/sf2 && "       \
    "bank() { printf 'RIFF\\0\\0\\0\\0sfbk' >$1; } && "

/* A larger bank comes before the small one, also where that is the default. */
TEST(test_better_banks_are_preferred)
{
    static const struct {
        const char *put, *found; /* by the shell; NULL: none */
    } STEPS[] = {
        {IN_BANKS ":", NULL},
        {IN_BANKS "bank TimGM6mb.sf2 && ln -s TimGM6mb.sf2 default-GM.sf2",
         "default-GM.sf2"},
        {IN_BANKS "bank FluidR3_GM.sf2", "FluidR3_GM.sf2"},
        {IN_BANKS "rm default-GM.sf2 && bank default-GM.sf2", "default-GM.sf2"},
    };
    char path[600];
    const char *root = temp_path("banks/");
    setenv("BANKS", root, 1);
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        assert_int_equal(system(STEPS[i].put), 0);
        assert_int_equal(soundfont_find_system(path, sizeof path, root, false),
                         STEPS[i].found != NULL);
        if (STEPS[i].found)
            assert_non_null(strstr(path, STEPS[i].found));
        if (i == 1)
            assert_true(soundfont_is_small(path));
    }
}

GROUP(start_synth, stop_synth)
