/* continuo devices: keyboards, MIDI outputs, audio drivers and the soundfont. */
#include "app/cli/verbs.h"

#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/ports/ports.h"
#include "midi/sound/sound.h"
#include "midi/transport/player.h"

#include <stdio.h>

enum { MOST = 128 };

/* Adds a list of that name to `all`; NULL: prints it. */
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

static void list_driver(void *json, const char *name, const char *option)
{
    (void)name;
    if (json)
        json_append_text(json, option);
    else
        printf("  %s\n", option);
}

/* Those that FluidSynth was built with; whether they work is seen when one is used. */
static void list_drivers(cJSON *json)
{
    sound_hush();
    fluid_settings_t *settings = new_fluid_settings();
    if (!settings)
        return;
    fluid_settings_foreach_option(settings, "audio.driver", json, list_driver);
    delete_fluid_settings(settings);
}

/* Adds three lists to `all`; NULL: prints them. */
static void report(cJSON *all, const struct midi_device *d, int n)
{
    list_midi(all, "MIDI inputs", "inputs", d, n, true);
    list_midi(all, "MIDI outputs", "outputs", d, n, false);
    if (!all)
        puts("audio drivers");
    list_drivers(cJSON_AddArrayToObject(all, "drivers"));
}

/* The one that is used where none is named, and what it is. */
static void list_soundfont(cJSON *all)
{
    char path[4096];
    bool found = soundfont_find(path, sizeof path, NULL);
    if (all && found)
        json_add(all, "soundfont %s", path);
    if (all)
        return;
    fputs("soundfont\n  ", stdout);
    say_safe(stdout, found ? path : "none");
    puts(found && soundfont_is_small(path)
             ? "  (small; fluid-soundfont-gm has a better one)"
             : "");
}

static int cmd_devices(struct options *o)
{
    static struct midi_device devices[MOST];
    int n;
    if (!ports_list(devices, MOST, &n))
        fputs("continuo: PortMidi could not be started\n", stderr);
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
    .about =
        "Lists MIDI inputs (:input chooses one by any part of its name), MIDI\n"
        "outputs (:output), the drivers that --audio takes, and the soundfont that is\n"
        "used where none is named.",
    .takes = OPTION_JSON,
};
