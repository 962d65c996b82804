/* FluidSynth and its audio driver: where messages go, and the clock that times them:
 * the device's sample clock; without a device the system's, and messages are
 * dropped. FluidSynth's log is dropped.
 *
 * One thread at a time, the player's. Opening may take a second. FluidSynth renders
 * on the driver's thread, with its own queue in between; devices are opened and
 * closed on another thread (midi/sound/sound_device.h). */
#ifndef MIDI_SOUND_H
#define MIDI_SOUND_H

#include "midi/sound/font_loader.h"
#include "midi/sound/schedule.h"

#include <fluidsynth.h>

enum sound_state {
    SOUND_OPENING,
    SOUND_ON,
    SOUND_OFF,       /* driver "none" */
    SOUND_NO_FONT,   /* no soundfont, or it cannot be loaded */
    SOUND_NO_DEVICE, /* no driver could be opened */
};

struct sound_config {
    const char *soundfont; /* NULL: none */
    const char *driver;    /* NULL: the usual ones; "none" */
    const char *file_name; /* for driver "file"; NULL: its default */
    double gain;           /* > 0 */
};

struct sound;

/* The synth's channels of the piece's first port are 0 to 15, those of the others begin
 * here; between them are those of auditions, keyboards and clicks. */
enum { SYNTH_PORTS = 64 };
/* Channel 10 of each port is one of drums. */
void sound_begin_ports(fluid_synth_t *synth);

/* Silences FluidSynth's messages on standard error, for the whole process. */
void sound_hush(void);

/* Settings shared by player and renderer: gain, reverb. */
void sound_set_defaults(fluid_settings_t *settings, double gain);

/* Succeeds without sound. A missing or dead device may be opened again; what was
 * loaded stays. NULL: out of memory. */
struct sound *sound_open(const struct sound_config *config);
/* Begins to open a device, `driver` as in the config, and waits up to timeout_ms.
 * false: one is open or still closing, or there is no soundfont. */
bool sound_open_device(struct sound *s, const char *driver, int timeout_ms);
/* Whether it was opened since, returned once: the clock changed. */
bool sound_device_came(struct sound *s);
/* Cuts all sound and drops the queue. Never waits. */
void sound_close_device(struct sound *s);
/* NULL is fine. If the device does not close within a second, it keeps what it uses
 * until the program ends. */
void sound_close(struct sound *s);

/* Replaces the soundfont by a loaded one. false: there was none; open the sound with
 * this one. */
bool sound_take_font(struct sound *s, struct font_loader *font);

enum sound_state sound_state(const struct sound *s);
const char *sound_driver(const struct sound *s); /* static or the config's; "": none */

double sound_now(const struct sound *s); /* milliseconds, arbitrary start */

/* Queues for the time `ms`; of equal times, later calls come later. */
void sound_send_at(struct sound *s, double ms, const struct message *m);
/* A metronome click, on a channel of its own; in any order. */
void sound_click_at(struct sound *s, double ms, const struct message *m);
/* A scheduled note (midi/transport/scheduled_note.h), on the piece's channels; in
 * any order; at once if late. */
void sound_scheduled_at(struct sound *s, double ms, const struct message *m);
/* Removes everything queued, at most 150 ms ahead, for the returned time or later; that is
 * at most 10 ms after `ms`. Do not ask for less than the device renders at once: it may
 * already sound. */
double sound_take_back(struct sound *s, double ms);
void sound_send(struct sound *s, const struct message *m); /* at once */
/* On channels of its own. */
void sound_audition(struct sound *s, const struct message *m);
/* At once, on channels of its own. */
void sound_live(struct sound *s, const struct message *m);
/* Drops queued events that are not due, ends the piece's notes, lifts pedals. */
void sound_stop(struct sound *s);
void sound_silence(struct sound *s); /* cuts all sound */

/* Call now and then; elapsed_ms: since the last call. false: the device's clock
 * stood still for 0.6 s, its server is gone or hangs. */
bool sound_is_alive(struct sound *s, double elapsed_ms);
bool sound_has_run(const struct sound *s);    /* its clock has moved */
double sound_still_ms(const struct sound *s); /* how long it has been standing still */

/* -- in sound_message.c: gives FluidSynth a channel message, at once or as a queued event:
 * notes, pressure, controllers, programs, bends. Ignores others. -- */

/* Adds `first_channel` to the message's channel. */
void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel);
void sound_fill_event(fluid_event_t *e, const struct message *m);
/* A bank of drum kits makes the channel one of drums, at once, as FluidSynth by itself does only
 * where it reads all banks as XG's. Other messages do nothing. */
void sound_follow_bank(fluid_synth_t *synth, const struct message *m,
                       int first_channel);

#endif
