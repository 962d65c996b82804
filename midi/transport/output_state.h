/* What the sides of an output share: an inner part of midi/transport/output.h. The ui's and the
 * player's are output.c, the ports' thread's output_pass.c. */
#ifndef MIDI_OUTPUT_STATE_H
#define MIDI_OUTPUT_STATE_H

#include "midi/transport/held_keys.h"
#include "midi/transport/output.h"
#include "midi/base/ring.h"

#include <stdatomic.h>

enum { N_QUEUED = 8192 /* for moments to come */ };

struct record {
    enum { SEND, STATE, TAKE_BACK, STOP, SILENCE } kind;
    uint8_t status, data1, data2;
    double ms, mark;
};

struct state {
    int channel;
    struct channel_state state;
};

struct output {
    sem_t wake, *player_wake;
    struct ring *records, *states; /* the player's thread to the ports' */

    /* The ui sets. */
    atomic_bool only, clicks;

    /* The ports' thread sets. */
    atomic_bool is_open;
    atomic_uint n_opened;

    atomic_uint n_lost;   /* either thread counts */
    atomic_bool has_lost; /* and then all must end: a note's end may be among it */

    /* The player's thread only. */
    bool is_queued; /* something was, since the last flush */

    /* The ports' thread only. */
    struct record queue[N_QUEUED]; /* [at, n), by their moments */
    int at, n;
    struct held_keys held;
    struct chase sent;         /* what the channels were put into, */
    bool is_known[N_CHANNELS]; /* of those */
    bool is_used[N_CHANNELS];
    bool is_started; /* it was told to play by our clock */
};

void output_count_lost(struct output *o); /* either thread's */

#endif
