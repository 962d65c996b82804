/* What is played on a keyboard, on its way to the synth and to the ui.
 *
 * Whoever plays feeds messages with the moment they were played. The player's thread
 * sends each to the synth at once, on channels of its own that sound as the track they
 * are routed to, and, while the ui listens, hands it on with the tick of the piece that
 * was heard at that moment. So nothing waits for the ui, and the times are those of the
 * keys. The moment is one of CLOCK_MONOTONIC, in milliseconds; the sound's clock is
 * matched against that one all the time.
 *
 * Each function says whose it is; none blocks or allocates but create. */
#ifndef MIDI_LIVE_H
#define MIDI_LIVE_H

#include "midi/sound/chase.h"
#include "midi/transport/transport.h"

#include <semaphore.h>

struct live;

struct live_event {
    double ms;                    /* when it was played */
    bool has_tick;                /* the transport ran */
    double tick;                  /* what was heard then; negative: before the piece */
    unsigned pass;                /* how often the loop had been gone round by then */
    uint8_t status, data1, data2; /* on the keyboard's own channel */
};

double live_now(void); /* CLOCK_MONOTONIC, milliseconds; any thread */

/* `wake` is posted for each message: the player's. NULL: out of memory. */
struct live *live_create(sem_t *wake);
void live_destroy(struct live *l); /* NULL is fine; when no thread uses it */

/* The input's thread. A channel message; others are passed over. false: the player does
 * not keep up, and it is lost, which is counted. */
bool live_feed(struct live *l, double ms, const uint8_t message[3]);

/* The rest is the ui's. play: as feed, for the computer's own keys. */
bool live_play(struct live *l, double ms, const uint8_t message[3]);
/* What comes on the keyboard's channel `from` is heard on channel `to`, in this state; what
 * is held there goes on sounding as it did. false: too many at once, try again later. */
bool live_set_route(struct live *l, int from, int to,
                    const struct channel_state *state);
/* off: it is not sent to the synth, where what is held ends. */
void live_set_monitor(struct live *l, bool is_on);
void live_set_latency(struct live *l, double ms); /* taken off before ticks are told */
enum { LIVE_MOST_WAITING = 16384 };               /* events */
/* While it listens, events wait to be taken, each with a byte in wake_fd (-1: none), and
 * the transport goes on past the end of the piece if it `records`. */
void live_listen(struct live *l, bool listens, bool records, int wake_fd);
bool live_take(struct live *l, struct live_event *out); /* false: there is none */
unsigned live_n_lost(const struct live *l);             /* to full queues, in all */

/* The player's thread. begin: with each sound that is opened, which knows nothing of what
 * the one before was told. change_clock: that of the sound jumps. pass: what came since
 * the last call; of very much a part, and the player is woken for the rest. */
void live_begin(struct live *l, struct sound *sound);
void live_change_clock(struct live *l, struct sound *sound);
/* How far the sound's clock is ahead of CLOCK_MONOTONIC. */
double live_ahead_ms(const struct live *l);
void live_pass(struct live *l, struct sound *sound, struct transport *t);
void live_forget_held(struct live *l); /* all sound was cut off */

#endif
