/* What of a score sounds when: the notes of audible tracks and the channel messages of
 * chunks, as one stream in the order of time. At one tick note-offs come first, then
 * the file's messages in file order, then note-ons. The player and the renderer both
 * read this stream, so they agree.
 *
 * Only create allocates, so a player can be given a finished schedule. One thread at a
 * time. */
#ifndef MIDI_SCHEDULE_H
#define MIDI_SCHEDULE_H

#include "midi/score/score.h"

/* A channel message, as in MIDI. */
struct message {
    int64_t tick;
    uint8_t status, data1, data2; /* data2 is 0 if the message has none */
    uint8_t port;                 /* place of its port, below SOUND_PORTS */
};

/* Number of ports that sound apart: those that tracks use first, whatever their
 * numbers. Later ports share these. A channel of all ports is port * 16 + channel. */
enum { SOUND_PORTS = 4, SOUND_CHANNELS = 16 * SOUND_PORTS };

struct sound_ports {
    uint8_t of[SCORE_PORTS]; /* place of each port of the score, below SOUND_PORTS */
};
struct sound_ports sound_ports_of(const struct score *s);
/* Returns the sounding channel of a channel over all ports of the score. */
static inline int sound_channel(const struct sound_ports *p, int channel)
{
    return p->of[channel >> 4] << 4 | (channel & 15);
}

static inline int message_channel(const struct message *m)
{
    return m->port << 4 | (m->status & 15);
}

enum { MAX_VOICES = 512 };

/* The notes that sound. They are separate from the schedule, since they outlive it when
 * the score is edited. Zeroed: silence. */
struct voices {
    int n;
    struct voice {
        uint64_t id;
        int track;
        int64_t start, end;     /* ticks */
        uint8_t channel, pitch; /* channel: over all ports */
    } voice[MAX_VOICES];
};

struct schedule;

/* Borrows `score`, which must not change. NULL: out of memory. */
struct schedule *schedule_create(const struct score *score);
void schedule_destroy(struct schedule *s); /* NULL is fine */
const struct score *schedule_score(const struct schedule *s);

/* Returns the end of the last bar with a note, or 0 if there are no notes. */
int64_t schedule_end_tick(const struct schedule *s);

/* Plays from `tick`: notes that start there or later, but messages from the beginning,
 * so that the state at `tick` can be chased. */
void schedule_seek(struct schedule *s, int64_t tick);

/* Returns in *out the next message before the tick `before`. false: there is none. If a
 * pitch sounds twice on a channel, only its last end is a note-off. If there are more
 * than MAX_VOICES, the voice that ends first ends early. */
bool schedule_next(struct schedule *s, struct voices *v, int64_t before,
                   struct message *out);

/* Updates voices after an edit: they take the new ends of their notes. A voice whose
 * note moved, vanished or was silenced ends at `now`. */
void voices_follow(struct voices *v, const struct schedule *s, int64_t now);

/* Finds the voices that sound just before `tick` or end there, at most MAX_VOICES. */
void schedule_find_voices(const struct schedule *s, struct voices *v, int64_t tick);

/* Where playback begins inside notes, finds those to strike again: notes that sound on
 * from `tick` for more than a 32nd, except on drums. Adds one to the voices, and
 * returns in *out its note-on. *at is 0 at first. false: there are no more. */
bool schedule_strike_again(const struct schedule *s, struct voices *v, int64_t tick,
                           size_t at[2], struct message *out);

/* Ends one voice at `tick`, where nothing may sound on, and returns in *out its
 * note-off. false: there are no more. */
bool voices_end(struct voices *v, int64_t tick, struct message *out);

#endif
