/* Values that a channel holds between messages: controllers, pitch bend, pressure and
 * programs (MIDI 1.0, 1996). The velocities of notes are treated like them. The
 * functions read the values of a track and build changes to them.
 *
 * A track's own values are the events of its chunk on its channel. Events of other
 * chunks on that channel are in force, too, but are only shown. Pure functions, except
 * on the changes that they build. */
#ifndef MIDI_CONTROLLERS_H
#define MIDI_CONTROLLERS_H

#include "midi/edit/edit.h"

enum control_kind {
    CONTROL_VELOCITY,     /* of notes; no event */
    CONTROL_CHANGE,       /* controller `number`, 0..127 */
    CONTROL_BEND,         /* 0..16383, centre 8192 */
    CONTROL_PRESSURE,     /* of the whole channel */
    CONTROL_KEY_PRESSURE, /* of single keys; read only */
    CONTROL_PROGRAM,      /* read only */
    CONTROL_KINDS,
};

struct control {
    enum control_kind kind;
    uint8_t number; /* for CONTROL_CHANGE, else 0 */
};

enum { BEND_CENTRE = 8192 };

struct control_point { /* lists of points are sorted by tick */
    int64_t tick;
    int value;
};

bool control_equal(struct control a, struct control b);
int control_least(struct control k); /* 1 for velocities, else 0 */
int control_most(struct control k);
int control_rest(struct control k); /* the value before the first event */
/* Whether the controller is a pedal or portamento (64 to 69), which is off below 64. */
bool control_is_switch(struct control k);
bool control_is_editable(struct control k);

/* Returns the event's value on that channel, 0..control_most, or -1 if it is another
 * event or a broken one. */
int control_value(const struct event *e, int channel, struct control k);
/* Returns the value after the event; `value` is the one before it. A reset changes most
 * controls (RP-015). */
int control_after(const struct event *e, int channel, struct control k, int value);
/* Writes the message that sets k, and returns its length. Not for velocities. */
size_t control_write(uint8_t to[3], int channel, struct control k, int value);
/* Returns an order after all events at `tick`, for a new event. So no event of the
 * file, such as a reset, overrides the new one, and no two events have the same
 * order. */
uint32_t control_next_order(const struct chunk *c, int64_t tick);

/* Returns the value at `tick`. Before the first point it is the value at rest. */
int control_held(const struct control_point *points, size_t n, int64_t tick,
                 struct control k);

/* The controls that the track's own events set. */
struct control_set {
    bool has[CONTROL_KINDS];
    bool has_change[128];
};
void controls_of_track(const struct score *s, int track, struct control_set *out);

/* Replaces the track's own events of `k` in [from, to) by `points`, which are sorted by
 * tick and lie inside the span. An event with a point at its tick keeps its order. A
 * new event comes last at its tick. Adds no edit if nothing differs. MIDI_BAD_EDIT: a
 * value is out of range, or the kind is read only. */
enum midi_status change_control(struct change *c, const struct score *s, int track,
                                struct control k, int64_t from, int64_t to,
                                const struct control_point *points, size_t n);

/* The mix of a track: volume, pan, reverb and chorus (controllers 7, 10, 91 and 93;
 * MIDI 1.0 and General MIDI 2) at its start, which reaches to its first note. Pure
 * functions. */

enum mix_knob { MIX_VOLUME, MIX_PAN, MIX_REVERB, MIX_CHORUS, MIX_KNOBS };

struct mix_knob_about {
    const char *name, *label; /* "pan", and the label of a change */
    struct control control;
    int centre, low, high; /* values are counted from `centre` and lie in low..high */
};
const struct mix_knob_about *mix_about(enum mix_knob k);

/* Returns the value at the track's start, counted from its centre. */
int mix_value(const struct score *s, int track, enum mix_knob k);
/* Returns the first tick after the start at which the value is set, or -1. */
int64_t mix_next_tick(const struct score *s, int track, enum mix_knob k);
/* MIDI_BAD_EDIT: the value is out of range. */
enum midi_status change_mix(struct change *c, const struct score *s, int track,
                            enum mix_knob k, int value);

#endif
