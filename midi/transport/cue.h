/* Notes that are heard at their ticks without being in the music: what is being written
 * while it plays (app/editor/perform/answer.h). A cue may come until the moment it is due, where another
 * version of the music comes too late for the next 30 ms; one that comes later still is
 * struck at once, and one that would have ended by then is passed over.
 *
 * Plain data of the player's thread, a part of struct transport; nothing allocates. */
#ifndef MIDI_CUE_H
#define MIDI_CUE_H

#include <stdbool.h>
#include <stdint.h>

enum { MAX_CUES = 1024 };

struct cue {
    int64_t start, end; /* ticks */
    uint8_t channel, pitch, velocity;
};

struct cues {
    int n;
    struct cued {
        struct cue cue;
        bool is_struck, is_ended; /* these were sent, */
        double on_ms, off_ms;     /* for these moments of the sound's clock */
    } at[MAX_CUES];
};

struct transport;

/* More than there is room for are not heard. */
void cues_add(struct cues *c, const struct cue *cue);
/* The moments between which events are sent, and the tick where the playhead waits. */
struct cue_span {
    double now_ms, until_ms;
    int64_t before;
};
/* Sends what is due, and forgets what is over. */
void cues_send(struct transport *t, const struct cue_span *span);
/* What was sent for `from_ms` or later has been taken back. */
void cues_take_back(struct cues *c, double from_ms);
/* Ends what sounds at that moment, and forgets all. What was sent for later is taken back
 * already. */
void cues_cut(struct transport *t, double ms);
/* By another clock, of which nothing has been sent. */
void cues_rewind(struct cues *c);

#endif
