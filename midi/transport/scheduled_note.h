/* Notes that play at their ticks without being in the music: those that the machine
 * generates while it plays (app/editor/perform/answer.h). Such a note may come until it
 * is due, while a new version of the music would be too late for the next 30 ms. A note
 * that comes later is struck at once; one that would have ended is dropped.
 *
 * Plain data of the player's thread, a part of struct transport. Nothing allocates. */
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
        bool is_struck, is_ended; /* what was sent */
        double on_ms, off_ms;     /* when, by the sound's clock */
    } at[MAX_SCHEDULED];
};

#endif
