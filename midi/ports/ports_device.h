/* The devices of midi/ports/ports.h themselves, and all that calls PortMidi: an inner part of it,
 * of its thread. Sides are those of enum port_side. */
#ifndef MIDI_PORTS_DEVICE_H
#define MIDI_PORTS_DEVICE_H

#include "midi/transport/held_keys.h"
#include "midi/transport/live.h"
#include "midi/transport/output.h"
#include "midi/ports/ports.h"
#include "midi/transport/sync.h"

#include <portmidi.h>

struct ports_devices {
    struct live *live; /* borrowed, as the next two */
    struct output *output;
    struct sync *sync;

    bool is_on;      /* PortMidi is started */
    uint64_t listed; /* what the kernel listed then */
    struct {
        PortMidiStream *stream;     /* NULL: none is open */
        bool is_listed;             /* the kernel listed it when it was opened */
        char name[PORT_NAME_BYTES]; /* of the device that is open, or was */
    } side[PORT_SIDES];

    struct held_keys held; /* on the keyboard */
    double fed_ms;         /* the moment of what was fed last */
    double used_ms;        /* when anything was read or written last */
    bool has_overflowed;   /* in the latest read */
};

void devices_init(struct ports_devices *d, struct player *player);

/* list: starts PortMidi anew, with nothing open; false: it cannot be. end_list: ends it,
 * unless something is open. */
bool devices_list(struct ports_devices *d);
void devices_end_list(struct ports_devices *d);
bool devices_any(void); /* is listed */
int devices_names(int side, char names[][PORT_NAME_BYTES], int most);
/* There may be others than those that are listed. */
bool devices_are_others(const struct ports_devices *d);

/* The first that is listed and wanted; false: there is none, or it cannot be opened. */
bool devices_open(struct ports_devices *d, int side, const char *wanted);
void devices_close(struct ports_devices *d, int side); /* what sounds on it ends */
bool devices_still_there(const struct ports_devices *d, int side);

/* What has come, and what is due; false: the device is gone. */
bool devices_read(struct ports_devices *d);
bool devices_write(struct ports_devices *d, double *next_ms);

#endif
