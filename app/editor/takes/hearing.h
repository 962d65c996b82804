/* What the player plays: the music with the shown take, without the notes it replaces. If
 * another take is chosen during playback, it plays from the next beat on. UI thread only. */
#ifndef APP_HEARING_H
#define APP_HEARING_H

#include <stdbool.h>
#include <stdint.h>

struct session;

/* Tests look into it, others do not. */
struct hearing {
    /* Another take was chosen during playback: the one before plays up to switch_tick. */
    bool is_switching;
    int heard_before; /* as takes.shown */
    int64_t switch_tick;

    uint64_t published; /* project version the player last got */
    bool has_changed;   /* since then: ghosts, what they replace, mute or solo */
};

/* Ghosts, what they replace, mute or solo changed: sends the player all of it again. */
void hearing_changed(struct session *s);
/* Likewise, without waiting for a beat. */
void hearing_changed_now(struct session *s);
/* Whether the shown take waits for the next beat before it plays. */
bool hearing_is_switching(const struct session *s);

#endif
