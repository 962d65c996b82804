/* What a channel holds from one message to the next: controllers, pitch bend, pressure,
 * programs (MIDI 1.0, 1996), and for one name more the velocities of notes. Reading the
 * values of a track, and changes that put others in their place.
 *
 * A track's own values are the events of its chunk on its channel; those of other chunks
 * on that channel act as well, and are only shown. Pure functions, but for the changes
 * they build. */
#ifndef MIDI_CONTROLLERS_H
#define MIDI_CONTROLLERS_H

#include "midi/edit/edit.h"

enum control_kind {
    CONTROL_VELOCITY,     /* the notes' own: no event says it */
    CONTROL_CHANGE,       /* controller `number`, 0..127 */
    CONTROL_BEND,         /* 0..16383, at rest 8192 */
    CONTROL_PRESSURE,     /* of the channel */
    CONTROL_KEY_PRESSURE, /* of any key; not changed here */
    CONTROL_PROGRAM,      /* not changed here */
    CONTROL_KINDS,
};

struct control {
    enum control_kind kind;
    uint8_t number; /* of CONTROL_CHANGE; else 0 */
};

enum {
    CC_MODULATION = 1,
    CC_VOLUME = 7,
    CC_PAN = 10,
    CC_EXPRESSION = 11,
    CC_PEDAL = 64,
    CC_CHANNEL_MODE = 120, /* from there on they silence, and are no music */
    BEND_CENTRE = 8192,
};

struct control_point {
    int64_t tick;
    int value;
};

bool control_equal(struct control a, struct control b);
int control_least(struct control k); /* 1 for velocities, else 0 */
int control_most(struct control k);
int control_rest(struct control k); /* before the first event says anything */
/* Below 64 off, else on: the pedals and portamento, controllers 64 to 69. */
bool control_is_switch(struct control k);
bool control_is_editable(struct control k);

/* What the event says of it on that channel, 0..control_most; -1: nothing, or nonsense
 * from a broken file. */
int control_value(const struct event *e, int channel, struct control k);
/* The index of the chunk's first event at or after `tick`. */
size_t control_first_event(const struct chunk *c, int64_t tick);
/* For an event that is added: after those at that tick, so that nothing of the file's own
 * (a reset, say) undoes it, and no two events share a place: undoing a removal finds the
 * one it was. */
uint32_t control_next_order(const struct chunk *c, int64_t tick);

/* The first point at or after `tick`; n: none. Points are by tick. */
size_t control_first_point(const struct control_point *points, size_t n, int64_t tick);
/* What they say at `tick`, where they begin to say anything; else the value at rest. */
int control_held(const struct control_point *points, size_t n, int64_t tick,
                 struct control k);

/* Which of them the track's own events speak of. */
struct control_set {
    bool has[CONTROL_KINDS];
    bool has_change[128];
};
void controls_of_track(const struct score *s, int track, struct control_set *out);

/* Puts `points` in the place of all the track's own events of `k` in [from, to). Points
 * are by tick and inside the span. An event with a point at its tick keeps its place among
 * its neighbours; a new one goes after those at its tick. Adds no edit where nothing
 * differs. MIDI_BAD_EDIT: a value out of range, or a kind that is not changed here. */
enum midi_status change_control(struct change *c, const struct score *s, int track,
                                struct control k, int64_t from, int64_t to,
                                const struct control_point *points, size_t n);

#endif
