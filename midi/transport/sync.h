/* MIDI clocks, sent and received: the mode that the ui chooses, the state that it sees,
 * and the messages of a received clock, on their way from the ports' thread to the
 * player's.
 *
 * Each function says which thread may call it. None blocks, and only create
 * allocates. */
#ifndef MIDI_SYNC_H
#define MIDI_SYNC_H

#include "midi/base/bell.h"
#include "midi/base/midi.h"

#include <stdbool.h>
#include <stdint.h>

struct sync;

enum sync_mode { SYNC_OFF, SYNC_SEND, SYNC_FOLLOW };

enum sync_state {
    SYNC_SILENT, /* no clock comes */
    SYNC_TICKS,  /* clocks come */
    SYNC_RUNS,   /* and the transport follows them */
};

struct sync_status {
    enum sync_state state;
    double bpm;      /* of the clock; 0: unknown */
    unsigned n_lost; /* how often it stopped while it was followed */
};

/* Status 0xf2, 0xf8, 0xfa, 0xfb or 0xfc, with milliseconds of midi/base/clock.h. */
struct sync_message {
    double ms;
    uint8_t status, data1, data2;
};

struct sync *
sync_create(struct bell *wake);    /* wake: the player's bell; NULL: out of memory */
void sync_destroy(struct sync *s); /* once no thread uses it; NULL is fine */

enum sync_mode sync_mode(const struct sync *s); /* any thread */

/* Ui thread. */
void sync_set_mode(struct sync *s, enum sync_mode mode);
struct sync_status sync_status(const struct sync *s);

/* Ports' thread. Takes any message, and ignores it unless it belongs to a clock that is
 * followed. */
void sync_feed(struct sync *s, const struct sync_message *m);

/* Player's thread. */
bool sync_take(struct sync *s, struct sync_message *out);
void sync_publish(struct sync *s, const struct sync_status *news);

#endif
