/* A MIDI keyboard and an external instrument, by PortMidi.
 *
 * PortMidi may not be called by two threads at once, so one thread of ours owns it whole. It
 * opens the keyboard that is wanted, reads it every millisecond and feeds what was played to
 * midi/transport/live.h, with the moment it came, and clocks to midi/transport/sync.h; and it sends the
 * instrument what midi/transport/output.h has for it, when it is due. A device that is pulled out is
 * noticed, and what sounds on it ends; it is looked for every two seconds, and comes back by
 * itself (every ten, on a machine that never had a MIDI device and none named). Where none
 * is wanted, the thread sleeps.
 *
 * The functions are the ui's. They wait for a lock that is held for the copying of a few
 * bytes, never while a device is opened, read or written. */
#ifndef MIDI_PORTS_H
#define MIDI_PORTS_H

#include <stdbool.h>
#include <stddef.h>

struct player;
struct ports;

enum { PORT_NAME_BYTES = 96, PORT_MAX_DEVICES = 32 };

enum port_side { PORT_IN, PORT_OUT, PORT_SIDES };

enum port_state {
    PORT_OFF,     /* none is wanted */
    PORT_MISSING, /* it is looked for */
    PORT_OPEN,
    PORT_LOST, /* it was open, and is looked for */
};

/* Of one side. Names of devices are untrusted. */
struct port_news {
    enum port_state state;
    char name[PORT_NAME_BYTES];   /* of the device that is open, or was */
    char wanted[PORT_NAME_BYTES]; /* as it was chosen */
    unsigned n_changes;           /* of the state; another number is news */
    unsigned n_overflows;         /* PortMidi's queue was full, and dropped what came */
    int n_devices;                /* that could be opened at the last look, */
    char devices[PORT_MAX_DEVICES][PORT_NAME_BYTES]; /* and their names */
};

/* Of each side, any part of a name will do, in either case; "": the first there is but for
 * those that only pass on what programs send ("Midi Through"); "none": none. The player is
 * borrowed, for as long as the ports exist. NULL: out of memory or threads. */
struct ports *ports_create(struct player *player, const char *input,
                           const char *output);
void ports_destroy(struct ports *p); /* ends what sounds, closes, joins; NULL is fine */

void ports_choose(struct ports *p, enum port_side side, const char *wanted);
void ports_news(struct ports *p, enum port_side side, struct port_news *out);

/* Every device, for a program that has no ports at work. *n of them, at most `most`; false:
 * PortMidi could not be started. */
struct midi_device {
    char name[PORT_NAME_BYTES], interface[32]; /* untrusted */
    bool is_input, is_output;
};
bool ports_list(struct midi_device *out, int most, int *n);

#endif
