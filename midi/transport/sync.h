/* Clocks, both ways: what an instrument is sent, or what one sends, which the transport then
 * follows. Here the messages of a clock wait on their way from the thread that owns PortMidi
 * to the player's, and the ui says what is wanted and sees what becomes of it.
 *
 * Each function says whose it is; none blocks or allocates but create. */
#ifndef MIDI_SYNC_H
#define MIDI_SYNC_H

#include "midi/base/midi.h"

#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>

struct sync;

enum sync_mode { SYNC_OFF, SYNC_SEND, SYNC_FOLLOW };

enum sync_state {
    SYNC_SILENT, /* no clock comes */
    SYNC_TICKS,  /* one comes, */
    SYNC_RUNS,   /* and the transport goes by it */
};

struct sync_news {
    enum sync_state state;
    double bpm;      /* of the clock; 0: not known */
    unsigned n_lost; /* how often it stayed away while the transport went by it */
};

/* 0xf2, 0xf8, 0xfa, 0xfb, 0xfc, and the moment of CLOCK_MONOTONIC, in milliseconds. */
struct sync_message {
    double ms;
    uint8_t status, data1, data2;
};

struct sync *sync_create(sem_t *wake); /* the player's; NULL: out of memory */
void sync_destroy(struct sync *s);     /* NULL is fine; when no thread uses it */

enum sync_mode sync_mode(const struct sync *s); /* any thread */

/* The ui's. */
void sync_set_mode(struct sync *s, enum sync_mode mode);
struct sync_news sync_news(const struct sync *s);

/* The ports' thread: any message; those that are of no clock, or that nobody follows, are
 * passed over. */
void sync_feed(struct sync *s, const struct sync_message *m);

/* The player's thread. */
bool sync_take(struct sync *s, struct sync_message *out);
void sync_tell(struct sync *s, const struct sync_news *news);

#endif
