/* Notes that are heard at their ticks without being in the music: what is being written
 * while it plays (app/editor/perform/answer.h). A cue may come until the moment it is due, where another
 * version of the music comes too late for the next 30 ms; one that comes later still is
 * struck at once, and one that would have ended by then is passed over.
 *
 * Plain data of the player's thread, a part of struct transport; nothing allocates. */
#ifndef MIDI_SCHEDULED_NOTE_H
#define MIDI_SCHEDULED_NOTE_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_SCHEDULED = 1024 };

struct scheduled_note {
    int64_t start, end; /* ticks */
    uint8_t channel, pitch, velocity;
};

struct scheduled_notes {
    int n;
    struct scheduled_entry {
        struct scheduled_note note;
        bool is_struck, is_ended; /* these were sent, */
        double on_ms, off_ms;     /* for these moments of the sound's clock */
    } at[MAX_SCHEDULED];
};

struct transport;

/* More than there is room for are not heard. */
void scheduled_add(struct scheduled_notes *c, const struct scheduled_note *note);
/* The moments between which events are sent, and the tick where the playhead waits. */
struct scheduled_span {
    double now_ms, until_ms;
    int64_t before;
};
/* Sends what is due, and forgets what is over. */
void scheduled_send(struct transport *t, const struct scheduled_span *span);
/* What was sent for `from_ms` or later has been taken back. */
void scheduled_take_back(struct scheduled_notes *c, double from_ms);
/* Ends what sounds at that moment, and forgets all. What was sent for later is taken back
 * already. */
void scheduled_cut(struct transport *t, double ms);
/* By another clock, of which nothing has been sent. */
void scheduled_rewind(struct scheduled_notes *c);

#endif
