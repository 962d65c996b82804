/* A MIDI keyboard and an external instrument, through PortMidi.
 *
 * Two threads may not call PortMidi at once, so one thread of ours owns it. It reads
 * the chosen keyboard every millisecond, passes messages with their moments to
 * midi/transport/live.h and clocks to midi/transport/sync.h, and sends the instrument
 * what is due in midi/transport/output.h. It notices when a device is unplugged, ends
 * what sounds on it, and looks for it every two seconds (every ten, if the machine
 * never had a MIDI device and none is named). If no device is wanted, the thread
 * sleeps.
 *
 * The functions are for the ui thread. They wait only for a lock, which is held while a
 * few bytes are copied, and never for a device. */
#ifndef MIDI_PORTS_H
#define MIDI_PORTS_H

#include <stdbool.h>

struct player;
struct ports;

enum { PORT_NAME_BYTES = 96, PORT_MAX_DEVICES = 32 };

enum port_side { PORT_IN, PORT_OUT, PORT_SIDES };

enum port_state {
    PORT_OFF,     /* no device is wanted */
    PORT_MISSING, /* wanted, but not found */
    PORT_OPEN,
    PORT_LOST, /* it was open, and is not found now */
};

/* The status of one side. Names of devices are untrusted. */
struct port_status {
    enum port_state state;
    char name[PORT_NAME_BYTES];   /* the device that is or was open */
    char wanted[PORT_NAME_BYTES]; /* as chosen */
    unsigned n_changes;           /* grows with each change of state */
    /* How often PortMidi's queue was full and dropped messages. */
    unsigned n_overflows;
    int n_devices;                                   /* devices at the last look, */
    char devices[PORT_MAX_DEVICES][PORT_NAME_BYTES]; /* and their names */
};

/* input and output are a part of a device's name, in any case. "" means the first
 * device that does more than relay other programs ("Midi Through"); "none" means no
 * device. The player is borrowed as long as the ports exist. NULL: out of memory or
 * threads. */
struct ports *ports_create(struct player *player, const char *input,
                           const char *output);
void ports_destroy(struct ports *p); /* ends what sounds, closes, joins; NULL is fine */

void ports_choose(struct ports *p, enum port_side side, const char *wanted);
void ports_status(struct ports *p, enum port_side side, struct port_status *out);

/* Lists all devices, for a program without ports. *n is their number, at most `most`.
 * false: PortMidi could not be started. */
struct midi_device {
    char name[PORT_NAME_BYTES], interface[32]; /* untrusted */
    bool is_input, is_output;
};
bool ports_list(struct midi_device *out, int most, int *n);

#endif
