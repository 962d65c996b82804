/* What of a score sounds when: the notes of audible tracks and the channel messages
 * of chunks as one stream in time order. At one tick: note-offs, then the file's
 * messages in file order, then note-ons. The player and the renderer both read it,
 * so they agree.
 *
 * Only create allocates, so that a player can get a finished one. One thread at a
 * time. */
#ifndef MIDI_SCHEDULE_H
#define MIDI_SCHEDULE_H

#include "midi/score/score.h"

/* A channel message, as in MIDI. */
struct message {
    int64_t tick;
    uint8_t status, data1, data2; /* data2 is 0 if the message has none */
    uint8_t port;                 /* of its channel, below SOUND_PORTS */
};

/* So many ports sound apart: those that tracks use first, whatever their numbers; later ones
 * share theirs. A channel of all ports: port * 16 + channel. */
enum { SOUND_PORTS = 4, SOUND_CHANNELS = 16 * SOUND_PORTS };

struct sound_ports {
    uint8_t
        of[SCORE_PORTS]; /* the score's ports: each one's place, below SOUND_PORTS */
};
struct sound_ports sound_ports_of(const struct score *s);
/* channel: of all ports of the score. */
static inline int sound_channel(const struct sound_ports *p, int channel)
{
    return p->of[channel >> 4] << 4 | (channel & 15);
}

static inline int message_channel(const struct message *m)
{
    return m->port << 4 | (m->status & 15);
}

enum { MAX_VOICES = 512 };

/* Notes that sound. Separate from the schedule, since they outlive it when the score
 * is edited. Zeroed: silence. */
struct voices {
    int n;
    struct voice {
        uint64_t id;
        int track;
        int64_t start, end;     /* ticks */
        uint8_t channel, pitch; /* channel: of all ports */
    } voice[MAX_VOICES];
};

struct schedule;

/* Borrows `score`, which must not change. NULL: out of memory. */
struct schedule *schedule_create(const struct score *score);
void schedule_destroy(struct schedule *s); /* NULL is fine */
const struct score *schedule_score(const struct schedule *s);

/* The end of the last bar with a note; 0: no notes. */
int64_t schedule_end_tick(const struct schedule *s);

/* Plays from `tick`: notes that start there or later, but messages from the
 * beginning, for chasing the state at `tick`. */
void schedule_seek(struct schedule *s, int64_t tick);

/* Returns the next message before the tick `before`; false: none. If a pitch sounds
 * twice on a channel, only its last end is a note-off. Beyond MAX_VOICES, the first
 * to end end early. */
bool schedule_next(struct schedule *s, struct voices *v, int64_t before,
                   struct message *out);

/* After an edit: voices take the new ends of their notes; those whose note moved,
 * vanished or was silenced end at `now`. */
void voices_follow(struct voices *v, const struct schedule *s, int64_t now);

/* Finds the voices that sound just before `tick` or end there; at most MAX_VOICES. */
void schedule_find_voices(const struct schedule *s, struct voices *v, int64_t tick);

/* Finds notes to strike again where playback begins inside them: those that sound on from
 * `tick` for more than a 32nd, but hits of drums. Adds them to the voices; *out is the
 * next one's note-on. *at: 0 at first. false: none is left. */
bool schedule_strike_again(const struct schedule *s, struct voices *v, int64_t tick,
                           size_t at[2], struct message *out);

/* Ends one sounding voice at `tick`, where nothing may sound on. false: none is left. */
bool voices_end(struct voices *v, int64_t tick, struct message *out);

#endif
