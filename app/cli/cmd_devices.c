/* continuo devices: keyboards, MIDI outputs and audio drivers. */
#include "app/cli/verbs.h"

#include "app/base/say.h"
#include "app/base/json_fields.h"
#include "midi/ports/ports.h"
#include "midi/sound/sound.h"

#include <stdio.h>

enum { MOST = 128 };

static int list_midi(const struct midi_device *d, int n, bool inputs, cJSON *json)
{
    int listed = 0;
    for (int i = 0; i < n; i++) {
        if (!(inputs ? d[i].is_input : d[i].is_output))
            continue;
        listed++;
        if (json) {
            json_append_text(json, d[i].name);
            continue;
        }
        fputs("  ", stdout);
        say_safe(stdout, d[i].name);
        fputs("  (", stdout);
        say_safe(stdout, d[i].interface);
        fputs(")\n", stdout);
    }
    return listed;
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

static void print_all(const struct midi_device *d, int n)
{
    puts("MIDI inputs");
    if (!list_midi(d, n, true, NULL))
        puts("  none");
    puts("MIDI outputs");
    if (!list_midi(d, n, false, NULL))
        puts("  none");
    puts("audio drivers");
    list_drivers(NULL);
}

static void print_json(const struct midi_device *d, int n)
{
    cJSON *all = cJSON_CreateObject();
    list_midi(d, n, true, cJSON_AddArrayToObject(all, "inputs"));
    list_midi(d, n, false, cJSON_AddArrayToObject(all, "outputs"));
    list_drivers(cJSON_AddArrayToObject(all, "drivers"));
    if (!say_json_once(stdout, all))
        puts("{}");
}

static int cmd_devices(struct options *o)
{
    static struct midi_device devices[MOST];
    int n;
    if (!ports_list(devices, MOST, &n))
        fputs("continuo: PortMidi could not be started\n", stderr);
    if (o->json)
        print_json(devices, n);
    else
        print_all(devices, n);
    return 0;
}

const struct verb VERB_DEVICES = {
    .name = "devices",
    .summary = "list keyboards, MIDI outputs and audio drivers",
    .run = cmd_devices,
    .arguments = "[--json]",
    .about = "Lists MIDI inputs (:input chooses one by any part of its name), MIDI\n"
             "outputs (:output), and the drivers that --audio takes.",
    .takes = OPTION_JSON,
};
