/* Messages are timed by FluidSynth's sequencer, which its synth advances by the samples
 * that it renders. The sequencer does not keep the order of events at one time, so
 * every event gets a time of its own, at least 50 microseconds apart. */
#include "midi/sound/sound.h"

#include "midi/sound/sound_device.h"
#include "midi/base/clock.h"
#include "midi/score/general_midi.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    TICKS_PER_SECOND = 20000, /* of the sequencer; wraps after two and a half days */
    STILL_MS = 600,           /* a working device never stands still so long */
    OPEN_MS = 1000,           /* wait for a device before going on without one */
    CLOSE_MS = 1000,          /* wait for a device to close at the end */
    AUDITION_CHANNEL = 16,    /* channels 17 to 32 are for auditions */
    LIVE_CHANNEL = 32,        /* channels 33 to 48 are for live input */
    CLICK_CHANNEL = 48,       /* for the metronome's clicks */
    SYNTH_PORTS = 64,         /* channels of the piece's other ports begin here */
    N_SYNTH_CHANNELS = SYNTH_PORTS + 16 * (SOUND_PORTS - 1),
    CLICK_MS = 30,  /* from a click to its note-off */
    WINDOW_MS = 10, /* see sound_take_back */
    N_WINDOWS = 32,
};

/* -- messages -- */

/* Returns the synth's channel. The piece's first port has the first channels; its other
 * ports come after all others. */
static int synth_channel(const struct message *m, int first_channel)
{
    const int port = m->port ? SYNTH_PORTS + 16 * (m->port - 1) : first_channel;
    return port + (m->status & 15);
}

void sound_begin_ports(fluid_synth_t *synth)
{
    for (int port = 1; port < SOUND_PORTS; port++)
        fluid_synth_set_channel_type(
            synth, SYNTH_PORTS + 16 * (port - 1) + GM_DRUM_CHANNEL, CHANNEL_TYPE_DRUM);
}

/* Makes the channel one of drums, or of a melody, if the message selects a bank of such.
 * FluidSynth by itself does that only if it reads all banks as XG's. */
static void follow_bank(fluid_synth_t *synth, const struct message *m,
                        int first_channel)
{
    const bool is_drums = (m->status & 15) == GM_DRUM_CHANNEL
                              ? m->data2 != BANK_MELODY
                              : m->data2 == BANK_KITS || m->data2 == BANK_KITS_XG;
    if (m->status >> 4 == 0xb && m->data1 == CC_BANK)
        fluid_synth_set_channel_type(synth, synth_channel(m, first_channel),
                                     is_drums ? CHANNEL_TYPE_DRUM
                                              : CHANNEL_TYPE_MELODIC);
}

void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel)
{
    int channel = synth_channel(m, first_channel);
    switch (m->status & 0xf0) {
    case 0x80:
        fluid_synth_noteoff(synth, channel, m->data1);
        break;
    case 0x90:
        fluid_synth_noteon(synth, channel, m->data1, m->data2);
        break;
    case 0xa0:
        fluid_synth_key_pressure(synth, channel, m->data1, m->data2);
        break;
    case 0xb0:
        follow_bank(synth, m, first_channel);
        fluid_synth_cc(synth, channel, m->data1, m->data2);
        break;
    case 0xc0:
        fluid_synth_program_change(synth, channel, m->data1);
        break;
    case 0xd0:
        fluid_synth_channel_pressure(synth, channel, m->data1);
        break;
    case 0xe0:
        fluid_synth_pitch_bend(synth, channel, m->data1 | m->data2 << 7);
        break;
    default:
        break;
    }
}

static void fill_event(fluid_event_t *e, const struct message *m)
{
    int channel = synth_channel(m, 0);
    switch (m->status & 0xf0) {
    case 0x80:
        fluid_event_noteoff(e, channel, m->data1);
        break;
    case 0x90:
        fluid_event_noteon(e, channel, m->data1, m->data2);
        break;
    case 0xa0:
        fluid_event_key_pressure(e, channel, m->data1, m->data2);
        break;
    case 0xb0:
        fluid_event_control_change(e, channel, m->data1, m->data2);
        break;
    case 0xc0:
        fluid_event_program_change(e, channel, m->data1);
        break;
    case 0xd0:
        fluid_event_channel_pressure(e, channel, m->data1);
        break;
    default:
        fluid_event_pitch_bend(e, channel, m->data1 | m->data2 << 7);
        break;
    }
}

/* -- the sound -- */

/* A window begins a little after a round time, where rounding puts no event. */
static const double WINDOW_OFFSET_MS = 0.0314159;

struct sound {
    enum sound_state state;
    const char *driver_name;
    fluid_settings_t *settings;
    fluid_synth_t *synth; /* NULL without a soundfont, as are the next ones */
    fluid_sequencer_t *sequencer;
    struct sound_device *device; /* also while it opens or closes; may be NULL */
    bool is_on;                  /* it renders; else nothing goes to the synth */
    fluid_event_t *event;        /* the same for all messages */
    int font;                    /* id of the soundfont in the synth */
    fluid_seq_id_t client;       /* id of the synth in the sequencer */
    unsigned last_time;          /* of the last queued event, in sequencer ticks */
    unsigned seen_time;          /* at the last call of sound_is_alive */
    double still_ms;
    bool has_run;
};

static void drop_message(int level, const char *message, void *data)
{
    (void)level;
    (void)message;
    (void)data;
}

/* libinstpatch, which reads soundfonts for FluidSynth, logs through GLib. */
static void drop_glib_message(const char *domain, GLogLevelFlags level,
                              const char *message, void *data)
{
    (void)domain;
    drop_message((int)level, message, data);
}

void sound_hush(void)
{
    for (int level = 0; level < LAST_LOG_LEVEL; level++)
        fluid_set_log_function(level, drop_message, NULL);
    g_log_set_default_handler(drop_glib_message, NULL);
}

void sound_set_defaults(fluid_settings_t *settings, double gain)
{
    fluid_settings_setnum(settings, "synth.gain", gain);
    fluid_settings_setint(settings, "synth.reverb.active", 1);
    fluid_settings_setint(settings, "synth.chorus.active", 1);
    fluid_settings_setint(settings, "synth.cpu-cores", 1);
    fluid_settings_setint(settings, "synth.midi-channels", N_SYNTH_CHANNELS);
}

static bool make_synth(struct sound *s, const struct sound_config *config)
{
    s->settings = new_fluid_settings();
    if (!s->settings)
        return false;
    sound_set_defaults(s->settings, config->gain);
    fluid_settings_setint(s->settings, "audio.jack.autoconnect", 1);
    fluid_settings_setstr(s->settings, "audio.jack.id", "continuo");
    fluid_settings_setstr(s->settings, "audio.file.type", "wav");
    if (config->file_name)
        fluid_settings_setstr(s->settings, "audio.file.name", config->file_name);
    s->synth = new_fluid_synth(s->settings);
    if (!s->synth)
        return false;
    s->font = fluid_synth_sfload(s->synth, config->soundfont, 1);
    if (s->font < 0)
        return false;
    fluid_synth_set_channel_type(s->synth, AUDITION_CHANNEL + GM_DRUM_CHANNEL,
                                 CHANNEL_TYPE_DRUM);
    fluid_synth_set_channel_type(s->synth, LIVE_CHANNEL + GM_DRUM_CHANNEL,
                                 CHANNEL_TYPE_DRUM);
    sound_begin_ports(s->synth);
    fluid_synth_set_channel_type(s->synth, CLICK_CHANNEL, CHANNEL_TYPE_DRUM);
    fluid_synth_program_change(s->synth, CLICK_CHANNEL, 0); /* its type changed */
    s->event = new_fluid_event();
    s->sequencer = new_fluid_sequencer2(0);
    if (!s->event || !s->sequencer)
        return false;
    fluid_sequencer_set_time_scale(s->sequencer, TICKS_PER_SECOND);
    s->client = fluid_sequencer_register_fluidsynth(s->sequencer, s->synth);
    fluid_event_set_dest(s->event, s->client);
    return s->client >= 0;
}

/* The driver renders from the other objects, so it goes first. If it does not close,
 * they stay with it; otherwise the program would hang with the sound server. */
static void release(struct sound *s)
{
    struct sound_device *d = s->device;
    s->device = NULL;
    if (d)
        sound_device_close(d);
    if (d && !sound_device_wait(d, CLOSE_MS)) {
        sound_device_abandon(d);
        return;
    }
    sound_device_destroy(d);
    if (s->sequencer)
        delete_fluid_sequencer(s->sequencer);
    delete_fluid_event(s->event);
    delete_fluid_synth(s->synth);
    delete_fluid_settings(s->settings);
    s->sequencer = NULL;
    s->event = NULL;
    s->synth = NULL;
    s->settings = NULL;
}

bool sound_open_device(struct sound *s, const char *driver, int timeout_ms)
{
    enum device_state last = s->device ? sound_device_state(s->device) : DEVICE_CLOSED;
    if (!s->synth || s->is_on || (last != DEVICE_CLOSED && last != DEVICE_NONE))
        return false;
    sound_device_destroy(s->device);
    s->device = sound_device_open(s->settings, s->synth, driver);
    if (s->device)
        sound_device_wait(s->device, timeout_ms);
    return s->device;
}

bool sound_device_came(struct sound *s)
{
    if (s->is_on || !s->device || sound_device_state(s->device) != DEVICE_OPEN)
        return false;
    s->is_on = true;
    s->driver_name = sound_device_driver(s->device);
    s->state = SOUND_ON;
    s->still_ms = 0;
    s->has_run = false;
    return true;
}

void sound_close_device(struct sound *s)
{
    if (!s->is_on)
        return;
    fluid_sequencer_remove_events(s->sequencer, -1, -1, -1);
    fluid_synth_all_sounds_off(s->synth, -1);
    sound_device_close(s->device);
    s->is_on = false;
    s->driver_name = "";
    s->state = SOUND_NO_DEVICE;
    s->still_ms = 0;
    s->last_time = 0;
}

struct sound *sound_open(const struct sound_config *config)
{
    struct sound *s = calloc(1, sizeof *s);
    if (!s)
        return NULL;
    sound_hush();
    s->driver_name = "";
    if (config->driver && !strcmp(config->driver, "none")) {
        s->state = SOUND_OFF;
    } else if (!config->soundfont || !make_synth(s, config)) {
        s->state = SOUND_NO_FONT;
        release(s);
    } else {
        s->state = SOUND_NO_DEVICE;
        sound_open_device(s, config->driver, OPEN_MS);
        sound_device_came(s);
    }
    return s;
}

void sound_close(struct sound *s)
{
    if (!s)
        return;
    release(s);
    free(s);
}

bool sound_take_font(struct sound *s, struct font_loader *font)
{
    if (!s->synth)
        return false;
    s->font = font_loader_give(font, s->synth, s->font);
    return true;
}

enum sound_state sound_state(const struct sound *s)
{
    return s->state;
}

const char *sound_driver(const struct sound *s)
{
    return s->driver_name;
}

double sound_now(const struct sound *s)
{
    if (s->is_on)
        return fluid_sequencer_get_tick(s->sequencer) * (1000.0 / TICKS_PER_SECOND);
    return clock_now_ms();
}

static unsigned sequencer_time(double ms)
{
    double ticks = fmax(ms, 0) * (TICKS_PER_SECOND / 1000.0);
    return (unsigned)fmin(ticks, UINT32_MAX - 1.0);
}

/* Returns the window in which an event is queued. It is stored as the event's source,
 * which FluidSynth uses only for removing events. */
static fluid_seq_id_t window_of(double ms)
{
    return (fluid_seq_id_t)fmod(floor(fmax(ms - WINDOW_OFFSET_MS, 0) / WINDOW_MS),
                                N_WINDOWS);
}

/* Queues `event` for `time`, in sequencer ticks. `ms` is when it is due, which decides
 * its window. */
static void queue_event(struct sound *s, double ms, unsigned time)
{
    fluid_event_set_source(s->event, window_of(ms));
    fluid_sequencer_send_at(s->sequencer, s->event, time, 1);
}

void sound_send_at(struct sound *s, double ms, const struct message *m)
{
    if (!s->is_on)
        return;
    unsigned time = sequencer_time(ms);
    s->last_time = time > s->last_time ? time : s->last_time + 1;
    follow_bank(s->synth, m, 0);
    fill_event(s->event, m);
    queue_event(s, ms, s->last_time);
}

/* Nothing else is on the channel of clicks, so order does not matter. */
void sound_click_at(struct sound *s, double ms, const struct message *m)
{
    if (!s->is_on)
        return;
    fluid_event_noteon(s->event, CLICK_CHANNEL, m->data1, m->data2);
    queue_event(s, ms, sequencer_time(ms));
    fluid_event_noteoff(s->event, CLICK_CHANNEL, m->data1);
    queue_event(s, ms, sequencer_time(ms + CLICK_MS)); /* taken back with its click */
}

void sound_scheduled_at(struct sound *s, double ms, const struct message *m)
{
    if (!s->is_on)
        return;
    fill_event(s->event, m);
    queue_event(s, ms, sequencer_time(ms));
}

double sound_take_back(struct sound *s, double ms)
{
    double n = ceil(fmax(ms - WINDOW_OFFSET_MS, 0) / WINDOW_MS);
    double from = n * WINDOW_MS + WINDOW_OFFSET_MS;
    if (!s->is_on)
        return from;
    for (int i = 0; i < N_WINDOWS / 2; i++) /* the other windows are due sooner */
        fluid_sequencer_remove_events(s->sequencer,
                                      window_of(from + (i + 0.5) * WINDOW_MS), -1, -1);
    if (s->last_time > sequencer_time(from))
        s->last_time = sequencer_time(from);
    return from;
}

void sound_send(struct sound *s, const struct message *m)
{
    if (s->is_on)
        sound_apply(s->synth, m, 0);
}

void sound_audition(struct sound *s, const struct message *m)
{
    if (s->is_on)
        sound_apply(s->synth, m, AUDITION_CHANNEL);
}

void sound_live(struct sound *s, const struct message *m)
{
    if (s->synth)
        sound_apply(s->synth, m, LIVE_CHANNEL);
}

void sound_stop(struct sound *s)
{
    if (!s->is_on)
        return;
    fluid_sequencer_remove_events(s->sequencer, -1, -1, -1);
    s->last_time = 0;
    fluid_synth_all_notes_off(s->synth, CLICK_CHANNEL);
    for (int channel = 0; channel < N_SYNTH_CHANNELS; channel++) {
        if (channel >= AUDITION_CHANNEL && channel < SYNTH_PORTS)
            continue;
        fluid_synth_all_notes_off(s->synth, channel);
        fluid_synth_cc(s->synth, channel, CC_PEDAL, 0);
        fluid_synth_cc(s->synth, channel, CC_SOSTENUTO, 0);
    }
}

void sound_silence(struct sound *s)
{
    if (s->is_on)
        fluid_synth_all_sounds_off(s->synth, -1);
}

bool sound_is_alive(struct sound *s, double elapsed_ms)
{
    if (!s->is_on)
        return true;
    unsigned time = fluid_sequencer_get_tick(s->sequencer);
    s->still_ms = time == s->seen_time ? s->still_ms + elapsed_ms : 0;
    s->has_run = s->has_run || time != s->seen_time;
    s->seen_time = time;
    return s->still_ms < STILL_MS;
}

bool sound_has_run(const struct sound *s)
{
    return s->has_run;
}

double sound_still_ms(const struct sound *s)
{
    return s->still_ms;
}
