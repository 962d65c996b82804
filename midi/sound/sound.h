/* FluidSynth and its audio driver: where messages go, and the clock that times them.
 * That clock is the device's sample clock. Without a device it is the system's clock,
 * and messages are dropped. FluidSynth's log is dropped, too.
 *
 * One thread at a time, which is the player's. Opening may take a second. FluidSynth
 * renders on the driver's thread, with a queue of its own in between. Devices are
 * opened and closed on another thread (midi/sound/sound_device.h). */
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
    const char *driver;    /* NULL: the usual ones; "none": no sound */
    const char *file_name; /* for driver "file"; NULL: its default */
    double gain;           /* > 0 */
};

struct sound;

/* Makes channel 10 of each further port one of drums. */
void sound_begin_ports(fluid_synth_t *synth);

/* Silences FluidSynth's messages on standard error, for the whole process. */
void sound_hush(void);

/* Sets what the player and the renderer share: gain, reverb, chorus, channels. */
void sound_set_defaults(fluid_settings_t *settings, double gain);

/* Succeeds also without sound. A device that is missing or lost may be opened again
 * later; what was loaded stays. NULL: out of memory. */
struct sound *sound_open(const struct sound_config *config);
/* Begins to open a device (`driver` as in the config), and waits up to timeout_ms.
 * Returns false if one is open or still closing, or if there is no soundfont. */
bool sound_open_device(struct sound *s, const char *driver, int timeout_ms);
/* Whether a device has opened; true once. The clock has then changed. */
bool sound_device_came(struct sound *s);
/* Cuts all sound, drops the queue and begins to close the device. Never waits. */
void sound_close_device(struct sound *s);
/* NULL is fine. If the device does not close within a second, it keeps what it uses
 * until the program ends. */
void sound_close(struct sound *s);

/* Replaces the soundfont by a loaded one. Returns false if there was none; then open
 * the sound with this one. */
bool sound_take_font(struct sound *s, struct font_loader *font);

enum sound_state sound_state(const struct sound *s);
const char *sound_driver(const struct sound *s); /* static or the config's; "": none */

double sound_now(const struct sound *s); /* milliseconds; the start is arbitrary */

/* Queues a message for the time `ms`. Of equal times, a later call comes later. */
void sound_send_at(struct sound *s, double ms, const struct message *m);
/* Queues a click of the metronome, on a channel of its own, in any order. */
void sound_click_at(struct sound *s, double ms, const struct message *m);
/* Queues a message of a scheduled note (midi/transport/scheduled_note.h) on the piece's
 * channels, in any order. A late one is played at once. */
void sound_scheduled_at(struct sound *s, double ms, const struct message *m);
/* Removes what is queued for the returned time or later, which is at most 10 ms after
 * `ms`. Nothing may be queued more than 150 ms ahead. Do not take back less than what
 * the device renders at once, since that may sound already. */
double sound_take_back(struct sound *s, double ms);
void sound_send(struct sound *s, const struct message *m); /* at once */
/* Sends at once, on channels of their own for auditions. */
void sound_audition(struct sound *s, const struct message *m);
/* Sends at once, on channels of their own for live input. */
void sound_live(struct sound *s, const struct message *m);
/* Drops queued events that are not due, ends the piece's notes and lifts pedals. */
void sound_stop(struct sound *s);
void sound_silence(struct sound *s); /* cuts all sound */

/* Whether the device's clock still runs; elapsed_ms is the time since the last call.
 * Call it now and then. false: the clock stood still for 0.6 s, so its server is gone
 * or hangs. */
bool sound_is_alive(struct sound *s, double elapsed_ms);
bool sound_has_run(const struct sound *s);    /* the device's clock has moved */
double sound_still_ms(const struct sound *s); /* how long it has stood still */

/* Gives FluidSynth a channel message at once, on its channel plus `first_channel`: a note,
 * pressure, a controller, a program, a bend. Other messages are ignored. */
void sound_apply(fluid_synth_t *synth, const struct message *m, int first_channel);

#endif
