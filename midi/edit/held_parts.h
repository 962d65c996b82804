/* What held.c shares with the changes of held_restore.c and held_gestures.c: a channel's events,
 * where its notes sound, what is usual, and values put into a change. */
#ifndef MIDI_HELD_PARTS_H
#define MIDI_HELD_PARTS_H

#include "midi/edit/apply.h"
#include "midi/edit/held.h"

struct spans { /* apart from each other, ascending */
    struct edit_time {
        int64_t from, to;
    } * list;
    size_t n, cap;
};

/* Where notes of the channel sound in [from, to). A note that began before `from` counts if
 * it sounds there for more than `tail` ticks. false: out of memory. The caller frees the list. */
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
    struct held_event *list; /* as they sound: by tick, then chunk, then order */
    size_t n, cap;
    struct control_set has; /* the controls that they set */
};

/* false: out of memory. The caller frees the list. */
bool held_gather(struct channel_events *out, const struct score *s, int channel);
bool held_sets(const struct held_event *h, struct control k);
/* Up to the tick, or to before it. The last event that set the value: *by, NULL: none. */
int held_value_at(const struct channel_events *e, struct control k, int64_t tick,
                  bool is_before, const struct held_event **by);
bool held_is_set_at(const struct channel_events *e, struct control k, int64_t tick);
/* The next control from *k on that `is_wanted` and an event of the channel sets; false: none
 * is left. */
bool held_next_control(const struct channel_events *e, struct control *k,
                       bool (*is_wanted)(struct control));
#define EACH_CONTROL(k, e, is_wanted)                                                  \
    for (struct control k = {CONTROL_CHANGE, 0};                                       \
         held_next_control(e, &(k), is_wanted); (k).number++)

struct weighted {
    double value;
    int64_t ticks;
    int64_t from, to; /* the first tick at which it holds, and after the last */
};

struct weights {
    struct weighted *list;
    size_t n, cap;
};

struct usual {
    bool is_known; /* else anything is */
    double value, low, high;
};

/* Which of several usual values: the one that new music would take up. */
enum usual_choice { THE_LONGEST, THE_FIRST, THE_LAST };

/* The chosen one of the values that hold for `least` of the time; if none does `otherwise`, or
 * the middle value where that is not a number. Sorts the weights. */
struct usual held_usual_of(struct weights *w, double least, double otherwise,
                           enum usual_choice choice);
/* In this span, or in all of the music if nothing sounds there. false: out of memory. */
bool held_find_usual(struct usual *out, const struct channel_events *e,
                     struct control k, struct edit_time near, enum usual_choice choice);
bool held_is_usual(const struct usual *u, double value);
/* HELD_BARS bars on both sides of a tick, or one of them. */
struct edit_time held_window(const struct score *s, int64_t tick, bool before,
                             bool after);

enum order_at_tick { FIRST, LAST };

enum midi_status held_put_event(struct change *c, const struct score *s, int chunk,
                                int64_t tick, enum order_at_tick order, uint8_t *data,
                                size_t n);
enum midi_status held_put(struct change *c, const struct channel_events *e, int chunk,
                          struct control k, int64_t tick, int value,
                          enum order_at_tick order);
/* The chunk that a value at this tick is put into: that of the event which rules there, or
 * else the first that sets it. */
int held_chunk_for(const struct channel_events *e, struct control k,
                   const struct held_event *by);
/* Of these tracks, the one that stands for its channel. */
bool held_is_first_of_channel(const struct score *s, uint64_t tracks, int track);

#endif
