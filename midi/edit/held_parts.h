/* What held.c shares with held_restore.c and held_gestures.c: the events of a channel,
 * where its notes sound, what is usual, and values put into a change. */
#ifndef MIDI_HELD_PARTS_H
#define MIDI_HELD_PARTS_H

#include "midi/edit/apply.h"
#include "midi/edit/held.h"

struct spans { /* ascending, with gaps between them */
    struct edit_time {
        int64_t from, to;
    } * list;
    size_t n, cap;
};

/* Finds the spans of [from, to) in which notes of the channel sound. A note that began
 * before `from` counts only if it sounds there for more than `tail` ticks. The caller
 * frees the list. false: out of memory. */
bool held_find_sounding(struct spans *out, const struct score *s, int channel,
                        int64_t from, int64_t to, int64_t tail);

struct held_event {
    int64_t tick;
    int chunk;
    const struct event *event;
};

struct channel_events {
    const struct score *score;
    int channel;
    struct held_event *list; /* in the order of sounding: by tick, chunk, order */
    size_t n, cap;
    struct control_set has; /* the controls that they set */
};

/* The caller frees the list. false: out of memory. */
bool held_gather(struct channel_events *out, const struct score *s, int channel);
bool held_sets(const struct held_event *h, struct control k);
/* Returns the value up to the tick, or with is_before up to just before it. *by, if not
 * NULL, becomes the last event that set the value, or NULL. */
int held_value_at(const struct channel_events *e, struct control k, int64_t tick,
                  bool is_before, const struct held_event **by);
bool held_is_set_at(const struct channel_events *e, struct control k, int64_t tick);
/* Moves *k to the next control, from *k on, that an event of the channel sets and that
 * `is_wanted`. Returns false if there is none. */
bool held_next_control(const struct channel_events *e, struct control *k,
                       bool (*is_wanted)(struct control));
#define EACH_CONTROL(k, e, is_wanted)                                                  \
    for (struct control k = {CONTROL_CHANGE, 0};                                       \
         held_next_control(e, &(k), is_wanted); (k).number++)

struct weighted {
    double value;
    int64_t ticks;
    int64_t from, to; /* in force from `from` to before `to` */
};

struct weights {
    struct weighted *list;
    size_t n, cap;
};

struct usual {
    bool is_known; /* if false, any value is usual */
    double value, low, high;
};

/* Which of several usual values new music takes up. */
enum usual_choice { THE_LONGEST, THE_FIRST, THE_LAST };

/* Returns the chosen one of the values that hold for `least` of the time. If there is
 * none, returns `otherwise`, or if that is not a number, the median. Sorts the
 * weights. */
struct usual held_usual_of(struct weights *w, double least, double otherwise,
                           enum usual_choice choice);
/* Finds what is usual in the span `near`, or in all of the music if nothing sounds
 * there. false: out of memory. */
bool held_find_usual(struct usual *out, const struct channel_events *e,
                     struct control k, struct edit_time near, enum usual_choice choice);
bool held_is_usual(const struct usual *u, double value);
/* Returns HELD_BARS bars before a tick, after it, or both. */
struct edit_time held_window(const struct score *s, int64_t tick, bool before,
                             bool after);

enum order_at_tick { FIRST, LAST };

enum midi_status held_put_event(struct change *c, const struct score *s, int chunk,
                                int64_t tick, enum order_at_tick order, uint8_t *data,
                                size_t n);
enum midi_status held_put(struct change *c, const struct channel_events *e, int chunk,
                          struct control k, int64_t tick, int value,
                          enum order_at_tick order);
/* Returns the chunk for a value at this tick: that of the event in force there, or else
 * that of the first event that sets the control. */
int held_chunk_for(const struct channel_events *e, struct control k,
                   const struct held_event *by);
/* Whether `track` is the first of these tracks on its channel, so that each channel
 * comes once. */
bool held_is_first_of_channel(const struct score *s, uint64_t tracks, int track);

#endif
