/* Our own soundfont in FluidSynth: loads without messages, sounds on every program
 * and drum key, in tune; and how a soundfont is found. */
#include "tests/midi/listen.h"

#include "tests/check.h"
#include "tests/midi/music.h"

#include <fluidsynth.h>
#include <sys/stat.h>
#include <unistd.h>

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

TEST(test_find)
{
    char path[4096], empty[] = "/tmp/continuo-test-XXXXXX";
    int fd = mkstemp(empty);
    assert_true(fd >= 0);
    close(fd);
    assert_true(soundfont_find(path, sizeof path, own_soundfont()));
    assert_string_equal(path, own_soundfont());
    assert_false(soundfont_find(path, 8, own_soundfont())); /* does not fit */
    setenv("CONTINUO_SOUNDFONT", own_soundfont(), 1);
    assert_true(soundfont_find(path, sizeof path, NULL));
    assert_string_equal(path, own_soundfont());
    assert_true(soundfont_find(path, sizeof path, empty)); /* not a soundfont */
    assert_string_equal(path, own_soundfont());
    unsetenv("CONTINUO_SOUNDFONT");
    unlink(empty);
}

/* One that is cut short is passed over, and named. */
TEST(test_find_damaged)
{
    char path[4096], damaged[4096], cut[] = "/tmp/continuo-test-XXXXXX";
    FILE *from = fopen(own_soundfont(), "rb"), *to = fdopen(mkstemp(cut), "wb");
    assert_true(from && to);
    for (int i = 0; i < 1000; i++)
        fputc(fgetc(from), to);
    fclose(from);
    fclose(to);
    assert_false(soundfont_find_damaged(damaged, sizeof damaged, own_soundfont()));
    setenv("CONTINUO_SOUNDFONT", own_soundfont(), 1);
    assert_true(soundfont_find(path, sizeof path, cut));
    assert_string_equal(path, own_soundfont());
    assert_true(soundfont_find_damaged(damaged, sizeof damaged, cut));
    assert_string_equal(damaged, cut);
    unsetenv("CONTINUO_SOUNDFONT");
    unlink(cut);
}

static void put_bank(const char *root, const char *name, const char *folders[4])
{
    char path[600];
    snprintf(path, sizeof path, "%s", root);
    for (int i = 0; i < 4; i++) {
        strcat(path, folders[i]);
        mkdir(path, 0700);
        strcat(path, "/");
    }
    strcat(path, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fwrite("RIFF\0\0\0\0sfbk", 1, 12, f);
    fclose(f);
}

/* A larger bank comes before the small one, also where that is the default. */
TEST(test_better_banks_are_preferred)
{
    static const char *FOLDERS[] = {"usr", "share", "sounds", "sf2"};
    char root[] = "/tmp/continuo-banks-XXXXXX", path[600], from[600], link[700],
         command[100];
    assert_non_null(mkdtemp(root));
    strcpy(from, root);
    strcat(from, "/");
    assert_false(soundfont_find_system(path, sizeof path, from, false));
    put_bank(from, "TimGM6mb.sf2", FOLDERS);
    snprintf(link, sizeof link, "%susr/share/sounds/sf2/default-GM.sf2", from);
    assert_int_equal(symlink("TimGM6mb.sf2", link), 0);
    assert_true(soundfont_find_system(path, sizeof path, from, false));
    assert_true(soundfont_is_small(path));
    put_bank(from, "FluidR3_GM.sf2", FOLDERS);
    assert_true(soundfont_find_system(path, sizeof path, from, false));
    assert_non_null(strstr(path, "FluidR3_GM.sf2"));
    unlink(link);
    put_bank(from, "default-GM.sf2", FOLDERS); /* the system's own choice */
    assert_true(soundfont_find_system(path, sizeof path, from, false));
    assert_non_null(strstr(path, "default-GM.sf2"));
    snprintf(command, sizeof command, "rm -r %s", root);
    assert_int_equal(system(command), 0);
}

GROUP(start_synth, stop_synth)
