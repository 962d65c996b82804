/* MIDI keyboards, by PortMidi.
 *
 * PortMidi may not be called by two threads at once, so one thread of ours owns it whole:
 * it opens the keyboard that is wanted, reads it every millisecond and feeds what was
 * played to midi/live.h with the moment it was read. A keyboard that is pulled out is
 * noticed, and what was held on it ends; it is looked for every two seconds, and comes
 * back by itself (every ten, on a machine that never had a MIDI device and none named). Where there is none and none is wanted, the thread sleeps.
 *
 * The functions are the ui's. They wait for a lock that is held for the copying of a few
 * bytes, never while a device is opened or read. */
#ifndef MIDI_INPUT_H
#define MIDI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

struct live;
struct input;

enum { INPUT_NAME_BYTES = 96, INPUT_MAX_DEVICES = 32 };

enum input_state {
    INPUT_OFF,     /* none is wanted */
    INPUT_MISSING, /* it is looked for */
    INPUT_OPEN,
    INPUT_LOST, /* it was open, and is looked for */
};

struct input_news {
    enum input_state state;
    char name[INPUT_NAME_BYTES];   /* of the device that is open, or was; untrusted */
    char wanted[INPUT_NAME_BYTES]; /* as it was chosen */
    unsigned n_changes;            /* of the state; another number is news */
    unsigned n_overflows;          /* PortMidi's queue was full, and dropped events */
    int n_devices;                 /* that could be opened at the last look, */
    char devices[INPUT_MAX_DEVICES][INPUT_NAME_BYTES]; /* and their names, untrusted */
};

/* Any part of its name will do, in either case; "": the first there is but for those that
 * only pass on what programs send ("Midi Through"); "none": none. `live` is fed as long as
 * the input exists. NULL: out of memory or threads. */
struct input *input_create(struct live *live, const char *wanted);
void input_destroy(struct input *in); /* closes, joins; NULL is fine */

void input_choose(struct input *in, const char *wanted);
void input_news(struct input *in, struct input_news *out);

/* Every device, for a program that has no input at work. *n of them, at most `most`; false:
 * PortMidi could not be started. */
struct midi_device {
    char name[INPUT_NAME_BYTES], interface[32]; /* untrusted */
    bool is_input, is_output;
};
bool input_list(struct midi_device *out, int most, int *n);

#endif
