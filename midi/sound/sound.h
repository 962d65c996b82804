/* FluidSynth and its audio driver: where messages go, and the clock they are
 * timed by. With a device that is the device's own sample clock, otherwise the
 * system's, and messages vanish. Everything FluidSynth logs is dropped.
 *
 * One thread at a time, the player's. Opening may take a second. FluidSynth
 * renders on the driver's thread, and keeps its own queue between the two; devices are
 * opened and closed elsewhere (midi/sound/sound_device.h). */
#ifndef MIDI_SOUND_H
#define MIDI_SOUND_H

#include "midi/sound/font_loader.h"
#include "midi/sound/schedule.h"

#include <fluidsynth.h>

enum sound_state {
    SOUND_OPENING,
    SOUND_ON,
    SOUND_OFF,       /* the driver "none": no sound was wanted */
    SOUND_NO_FONT,   /* none was found, or it could not be loaded */
    SOUND_NO_DEVICE, /* no driver could be opened */
};

struct sound_config {
    const char *soundfont; /* NULL: none */
    const char *driver;    /* NULL: try the usual ones; "none" */
    const char *file_name; /* for the driver "file"; NULL: its default */
    double gain;           /* > 0 */
};

struct sound;

/* Stops FluidSynth writing to standard error, for the whole process. */
void sound_hush(void);

/* What synths in the player and the renderer have in common: gain, reverb. */
void sound_set_defaults(fluid_settings_t *settings, double gain);

/* Never fails for want of sound; NULL: out of memory. Where there is no device, or its
 * clock stands still, it may be opened again: what was loaded stays. */
struct sound *sound_open(const struct sound_config *config);
/* Begins to open it, `driver` as the config's; it is given so long. false: there is one, or
 * the one before still closes, or there is no soundfont. */
bool sound_open_device(struct sound *s, const char *driver, int patience_ms);
/* It has been opened since, told once: the clock is another. */
bool sound_device_came(struct sound *s);
/* What sounds is cut, what is queued lost. Never waits. */
void sound_close_device(struct sound *s);
/* NULL is fine. A device that will not close in a second keeps what it renders from, until
 * the program ends. */
void sound_close(struct sound *s);

/* Another soundfont, that was loaded, in the place of the one there is. false: there was
 * none, and it needs to be opened with this one. */
bool sound_take_font(struct sound *s, struct font_loader *font);

enum sound_state sound_state(const struct sound *s);
const char *
sound_driver(const struct sound *s); /* static or the config's; "" if none */

double sound_now(const struct sound *s); /* milliseconds from an arbitrary start */

/* Queues for the time `ms`; among equal times, later calls come later. */
void sound_send_at(struct sound *s, double ms, const struct message *m);
/* A click of the metronome, on a channel of its own; in any order. */
void sound_click_at(struct sound *s, double ms, const struct message *m);
/* A note of no schedule (midi/transport/cue.h), on the piece's channels; in any order, and at once
 * where it is late. */
void sound_cue_at(struct sound *s, double ms, const struct message *m);
/* Removes all that was queued, at most 150 ms ahead, for a time that is returned or
 * later, at most 10 ms after `ms`. What has come nearer than
 * the device renders at once may be heard already, and should not be asked for. */
double sound_take_back(struct sound *s, double ms);
void sound_send(struct sound *s, const struct message *m); /* at once */
void sound_audition(struct sound *s,
                    const struct message *m); /* on channels of its own */
void sound_live(struct sound *s,
                const struct message *m); /* at once; on its own, too */
void sound_forget(struct sound *s);       /* what was queued and is not due yet */
void sound_release(struct sound *s);      /* ends the piece's notes, lifts its pedals */
void sound_silence(struct sound *s);      /* cuts everything short */

/* Call now and then, `elapsed_ms` since the last call. false: the device's
 * clock has stood still for 0.6 s: its server is gone, or hangs. */
bool sound_is_alive(struct sound *s, double elapsed_ms);
bool sound_has_run(const struct sound *s);    /* its clock has moved */
double sound_still_ms(const struct sound *s); /* of looks that saw it stand still */

#endif
