/* Live input: the messages of a keyboard, on their way to the synth and to the ui.
 *
 * Each message comes with the moment at which it was played, in milliseconds of
 * midi/base/clock.h. The player's thread sends it to the synth at once, on separate
 * channels that sound like the track they are routed to. While the ui listens, the
 * player's thread also passes the message on, with the tick that was heard at that
 * moment. So nothing waits for the ui, and times are those of the keys. The sound's
 * clock is matched to ours all the time.
 *
 * Each function says which thread may call it. None blocks, and only create
 * allocates. */
#ifndef MIDI_LIVE_H
#define MIDI_LIVE_H

#include "midi/base/bell.h"
#include "midi/sound/chase.h"
#include "midi/transport/transport.h"

struct live;

struct live_event {
    double ms;                    /* when it was played */
    bool is_typed;                /* on the computer's keys (live_play) */
    bool has_tick;                /* the transport was playing */
    double tick;                  /* what was heard then; negative: before the piece */
    unsigned pass;                /* turns of the loop by then */
    uint8_t status, data1, data2; /* on the keyboard's channel */
};

/* `wake` is the player's bell, which is rung for each message. NULL: out of memory. */
struct live *live_create(struct bell *wake);
void live_destroy(struct live *l); /* once no thread uses it; NULL is fine */

/* Input thread. Takes a channel message, and ignores others. false: the queue is full,
 * so the message is lost and counted. */
bool live_feed(struct live *l, double ms, const uint8_t message[3]);

/* Ui thread, as all functions up to live_n_lost. The same for the computer's keys. */
bool live_play(struct live *l, double ms, const uint8_t message[3]);
/* Plays the keyboard's channel `from` on channel `to`, in this state, from the next
 * event on. Held notes go on as they were. false: there were too many at once; try
 * later. */
bool live_set_route(struct live *l, int from, int to,
                    const struct channel_state *state);
/* If off, nothing is sent to the synth, and held notes end. */
void live_set_monitor(struct live *l, bool is_on);
void live_set_latency(struct live *l, double ms); /* subtracted from played times */
enum { LIVE_MOST_WAITING = 16384 };               /* events */
/* While it listens, events wait for live_take, and after new ones a byte is written to
 * wake_fd (-1: none). records: the transport goes on past the end of the piece. */
void live_listen(struct live *l, bool listens, bool records, int wake_fd);
bool live_take(struct live *l, struct live_event *out); /* false: none waits */
unsigned live_n_lost(const struct live *l);             /* lost to full queues so far */

/* Player's thread, as all functions below. begin: for each newly opened sound, whose
 * channels have no state. change_clock: the sound's clock jumps. pass: handles what has
 * come since the last call; if that is very much, a part of it, and wakes the player
 * for the rest. */
void live_begin(struct live *l, struct sound *sound);
void live_change_clock(struct live *l, struct sound *sound);
/* Returns how far the sound's clock is ahead of ours. */
double live_ahead_ms(const struct live *l);
void live_pass(struct live *l, struct sound *sound, struct transport *t);
void live_forget_held(struct live *l); /* after all sound was cut off */

#endif
