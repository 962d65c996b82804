/* The devices of midi/ports/ports.h, and all calls of PortMidi; for that thread only.
 * `side` is one of enum port_side. */
#ifndef MIDI_PORTS_DEVICE_H
#define MIDI_PORTS_DEVICE_H

#include "midi/transport/held_keys.h"
#include "midi/transport/live.h"
#include "midi/transport/output.h"
#include "midi/ports/ports.h"
#include "midi/transport/sync.h"

#include <portmidi.h>

struct ports_devices { /* starts zeroed, except for the first three */
    struct live *live; /* borrowed, as are the next two */
    struct output *output;
    struct sync *sync;

    bool is_on;      /* PortMidi is started */
    uint64_t listed; /* hash of what the kernel listed then */
    struct {
        PortMidiStream *stream;     /* NULL: none is open */
        bool is_listed;             /* the kernel listed it when it was opened */
        char name[PORT_NAME_BYTES]; /* the device that is or was open */
    } side[PORT_SIDES];

    struct held_keys held; /* on the keyboard */
    double fed_ms;         /* moment of the last message that was fed */
    double used_ms;        /* when a device was last read or written */
    bool has_overflowed;   /* in the latest read */
};

/* list: restarts PortMidi; no device may be open. false: it cannot start. end_list:
 * stops it, unless a device is open. */
bool devices_list(struct ports_devices *d);
void devices_end_list(struct ports_devices *d);
bool devices_any(void); /* some device is listed */
int devices_names(int side, char names[][PORT_NAME_BYTES], int most);
/* Whether the list may be out of date. */
bool devices_are_others(const struct ports_devices *d);

/* Opens the first listed device that matches. false: there is none, or it cannot be
 * opened. */
bool devices_open(struct ports_devices *d, int side, const char *wanted);
void devices_close(struct ports_devices *d, int side); /* ends what sounds on it */
bool devices_still_there(const struct ports_devices *d, int side);

/* Read new messages, and write those that are due. false: the device is gone. */
bool devices_read(struct ports_devices *d);
bool devices_write(struct ports_devices *d, double *next_ms);

#endif
