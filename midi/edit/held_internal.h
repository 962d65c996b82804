/* What the files held*.c share: the messages of a channel, the values that they put in force, and
 * which of them are usual. Pure functions, except those that take a change, which they build. */
#ifndef MIDI_HELD_INTERNAL_H
#define MIDI_HELD_INTERNAL_H

#include "midi/edit/apply.h"
#include "midi/edit/held.h"
#include "midi/edit/usual.h"

struct spans { /* ascending, with gaps between them */
    struct edit_time {
        int64_t from, to;
    } * list;
    size_t n, cap;
};

struct channel_event {
    int64_t tick;
    int chunk;
    const struct event *event;
};

struct channel_events {
    const struct score *score;
    int channel;
    struct channel_event *list; /* in the order of sounding: by tick, chunk, order */
    size_t n, cap;
    struct control_set has; /* the controls that they set */
};

/* Gathers the messages of the channel from all chunks. The caller frees the list. false: out of
 * memory. */
bool held_events(struct channel_events *out, const struct score *s, int channel);
/* Gathers those of the next channel of these tracks, from that of *track on, which is -1 at first.
 * The caller frees e->list. false: there is none, or memory is out, and the change has failed. */
bool held_next_channel(struct change *c, const struct score *s, uint64_t tracks,
                       int *track, struct channel_events *e);

/* Moves *k to the next control, from *k on, that an event of the channel sets and that
 * `is_wanted`. Returns false if there is none. */
bool held_next_control(const struct channel_events *e, struct control *k,
                       bool (*is_wanted)(struct control));

#define EACH_CONTROL(k, e, is_wanted)                                                  \
    for (struct control k = {CONTROL_CHANGE, 0};                                       \
         held_next_control(e, &(k), is_wanted); (k).number++)

/* Returns whether the event sets the control. */
bool held_sets(const struct channel_event *h, struct control k);
/* Returns whether an event at the tick sets the control. */
bool held_is_set(const struct channel_events *e, struct control k, int64_t tick);
/* Returns the value up to the tick, or with is_before up to just before it. *by, if not
 * NULL, becomes the last event that set the value, or NULL. */
int held_value_at(const struct channel_events *e, struct control k, int64_t tick,
                  bool is_before, const struct channel_event **by);

/* Finds the spans of [from, to) in which notes of the channel sound. A note that began
 * before `from` counts only if it sounds there for more than `tail` ticks. The caller
 * frees the list. false: out of memory. */
bool held_sounding(struct spans *out, const struct score *s, int channel, int64_t from,
                   int64_t to, int64_t tail);
/* Returns HELD_BARS bars before a tick, after it, or both. */
struct edit_time held_near(const struct score *s, int64_t tick, bool before,
                           bool after);
/* Returns what is usual in the span `near`, or in all of the music if nothing sounds
 * there. If memory is out, the change has failed. */
struct usual held_usual(struct change *c, const struct channel_events *e,
                        struct control k, struct edit_time near,
                        enum usual_choice choice);

enum order_at_tick { FIRST, LAST };

/* Adds an event of n bytes before or behind those at its tick. */
enum midi_status held_put_event(struct change *c, const struct score *s, int chunk,
                                int64_t tick, enum order_at_tick order, uint8_t *data,
                                size_t n);
/* Sets a control, in the chunk of the event `by` that is in force there, or if that is
 * NULL, in the chunk of the first event that sets the control. */
enum midi_status held_put_value(struct change *c, const struct channel_events *e,
                                const struct channel_event *by, struct control k,
                                int64_t tick, int value, enum order_at_tick order);

#endif
