/* What of a score sounds when: the notes of its audible tracks and the channel
 * messages of its chunks as one stream in time order. At one tick: note-offs,
 * then the file's messages in its own order, then note-ons. Both the player
 * and the renderer read it, so they agree.
 *
 * Nothing allocates after create, so that a player can be handed one ready
 * made. One thread at a time. */
#ifndef MIDI_SCHEDULE_H
#define MIDI_SCHEDULE_H

#include "midi/score/score.h"

/* A channel message as a MIDI cable would carry it. */
struct message {
    int64_t tick;
    uint8_t status, data1, data2; /* data2 is 0 where the message has none */
};

enum { MAX_VOICES = 512 };

/* Notes struck and not yet ended. Apart from the schedule, since they outlive
 * it when an edited score takes its place. All zero is silence. */
struct voices {
    int n;
    struct voice {
        uint64_t id;
        int track;
        int64_t start, end; /* ticks */
        uint8_t channel, pitch;
    } voice[MAX_VOICES];
};

struct schedule;

/* `score` is borrowed, and must stay as it is. NULL: out of memory. */
struct schedule *schedule_create(const struct score *score);
void schedule_destroy(struct schedule *s); /* NULL is fine */
const struct score *schedule_score(const struct schedule *s);

/* The end of the last bar with a note in it; 0 without notes. */
int64_t schedule_end_tick(const struct schedule *s);

/* To play from `tick`: notes that start there or later, but messages from the
 * beginning, so that what is in force at `tick` can be chased. */
void schedule_seek(struct schedule *s, int64_t tick);

/* The next message with a tick less than `before`, false if there is none.
 * Where one pitch sounds twice on a channel, only its last end is an off. More
 * than MAX_VOICES at once end early, the first to end first. */
bool schedule_next(struct schedule *s, struct voices *v, int64_t before,
                   struct message *out);

/* The score was edited: voices take the ends their notes have now, and those
 * whose note moved, vanished or fell silent end at `now`. */
void voices_follow(struct voices *v, const struct schedule *s, int64_t now);

/* The voices of all notes that sound just before `tick`, and of those that end there; at
 * most MAX_VOICES of them. */
void schedule_find_voices(const struct schedule *s, struct voices *v, int64_t tick);

/* For a place where nothing sounds on: ends one of the voices at `tick`, whatever end its
 * note has; false when none is left. */
bool voices_end(struct voices *v, int64_t tick, struct message *out);

#endif
