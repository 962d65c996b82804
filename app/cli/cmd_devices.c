/* continuo devices: keyboards, MIDI outputs, audio drivers and the soundfont. */
#include "app/cli/verbs.h"

#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/ports/ports.h"
#include "midi/sound/sound.h"
#include "midi/transport/player.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 128 };

/* Adds a list of devices to `all`; NULL: prints it. */
static void list_midi(cJSON *all, const char *title, const char *name,
                      const struct midi_device *d, int n, bool inputs)
{
    cJSON *list = cJSON_AddArrayToObject(all, name);
    int listed = 0;
    if (!all)
        puts(title);
    for (int i = 0; i < n; i++) {
        if (!(inputs ? d[i].is_input : d[i].is_output))
            continue;
        listed++;
        if (all) {
            json_append_text(list, d[i].name);
            continue;
        }
        fputs("  ", stdout);
        say_safe(stdout, d[i].name);
        fputs("  (", stdout);
        say_safe(stdout, d[i].interface);
        fputs(")\n", stdout);
    }
    if (!all && !listed)
        puts("  none");
}

/* Lists the MIDI devices, without the words that ALSA writes to standard error if there is no
 * sequencer. */
static bool list_ports(struct midi_device d[MOST], int *n)
{
    int screen = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10),
        nowhere = screen < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0)
        dup2(nowhere, STDERR_FILENO);
    bool is_listed = ports_list(d, MOST, n);
    if (nowhere >= 0) {
        dup2(screen, STDERR_FILENO);
        close(nowhere);
    }
    if (screen >= 0)
        close(screen);
    return is_listed;
}

static void list_driver(void *json, const char *name, const char *option)
{
    (void)name;
    if (json)
        json_append_text(json, option);
    else
        printf("  %s\n", option);
}

/* Adds three lists to `all`; NULL: prints them. */
static void report(cJSON *all, const struct midi_device *d, int n)
{
    list_midi(all, "MIDI inputs", "inputs", d, n, true);
    list_midi(all, "MIDI outputs", "outputs", d, n, false);
    if (!all)
        puts("audio drivers");
    cJSON *drivers = cJSON_AddArrayToObject(all, "drivers");
    sound_hush();
    fluid_settings_t *settings = new_fluid_settings();
    if (!settings)
        return;
    /* Those that FluidSynth was built with; whether they work is seen when one is used. */
    fluid_settings_foreach_option(settings, "audio.driver", drivers, list_driver);
    delete_fluid_settings(settings);
}

/* Says why that soundfont was chosen. path: as it was found, full: without links. */
static const char *why(const char *path, const char *full)
{
    return soundfont_is_small(path) ? "small; fluid-soundfont-gm has a better one"
           : strstr(full, "/continuo.sf2")
               ? "our own, the last resort; fluid-soundfont-gm has a better one"
           : strcmp(path, full) ? "the system's choice"
                                : "the best that was found";
}

/* Lists the soundfont that is used if none is named. */
static void list_soundfont(cJSON *all)
{
    char path[4096], damaged[4096];
    bool found = soundfont_find(path, sizeof path, NULL);
    char *full = found ? realpath(path, NULL) : NULL;
    if (all && found)
        json_add(all, "soundfont %s", full ? full : path);
    else if (!all) {
        fputs("soundfont\n  ", stdout);
        say_safe(stdout, full ? full : "none");
        if (full)
            printf("  (%s)", why(path, full));
        puts("");
    }
    free(full);
    if (soundfont_find_damaged(damaged, sizeof damaged, NULL))
        say_error(damaged, "is damaged, and not used");
}

static int cmd_devices(struct options *o)
{
    static struct midi_device devices[MOST];
    int n;
    if (!list_ports(devices, &n))
        fputs("continuo: PortMidi cannot be started\n", stderr);
    cJSON *all = o->json ? cJSON_CreateObject() : NULL;
    report(all, devices, n);
    list_soundfont(all);
    if (o->json && !say_json_once(stdout, all))
        puts("{}");
    return 0;
}

const struct verb VERB_DEVICES = {
    .name = "devices",
    .summary = "list keyboards, MIDI outputs and audio drivers",
    .run = cmd_devices,
    .arguments = "[--json]",
    .about = "Lists MIDI inputs (:input chooses one by any part of its name), MIDI\n"
             "outputs (:output), the drivers for --audio, and the default soundfont.",
    .takes = OPTION_JSON,
};
