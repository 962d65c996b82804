/* Turns played messages into notes and events of tracks. Their ticks are those that
 * were heard when they were played (midi/transport/live.h), and are not quantised.
 *
 * A note lasts from key down to key up. The pedal stays a controller, as do bends and
 * pressure. A loop divides the recording into passes; a note that is held at the loop's
 * end ends there. Plain data of one thread. Pair begin with fini. */
#ifndef MIDI_RECORD_H
#define MIDI_RECORD_H

#include "midi/edit/edit.h"
#include "midi/transport/live.h"

struct recorded_note {
    int track;
    unsigned pass;
    bool is_held;     /* its key is down, so its length is not known yet */
    struct note note; /* id 0 */
};

struct recorded_event {
    int track;
    unsigned pass;
    int64_t tick;
    uint8_t n_data, data[3]; /* `data` has the track's channel */
};

struct recording {
    int64_t from; /* start of the recording; later passes start at `loop_from` */
    /* Ticks. A note that is played so little before `from` counts as at `from`. */
    int64_t early;
    int64_t loop_from, loop_to;  /* equal: no loop */
    struct recorded_note *notes; /* in the order of key presses */
    size_t n_notes, cap_notes;
    struct recorded_event *events;
    size_t n_events, cap_events;
    size_t held[16][128]; /* [channel][key]: number of its note, from 1; 0: none */
    bool is_short_of_memory;
};

/* Begins a recording; `r` starts zeroed. */
void recording_begin(struct recording *r, int64_t from, int64_t early);
void recording_set_loop(struct recording *r, int64_t from, int64_t to);
void recording_fini(struct recording *r);

/* Adds a message that was played for that track. Ignores messages without a tick, and
 * those from before the beginning. */
void recording_feed(struct recording *r, const struct live_event *e, int track,
                    uint8_t channel);
/* Ends all held notes. */
void recording_end(struct recording *r, int64_t tick, unsigned pass);

/* Returns the end of a note; for a held one, its present end when the playhead is at
 * `tick`. */
int64_t recorded_end(const struct recording *r, const struct recorded_note *n,
                     int64_t tick, unsigned pass);
bool recording_has_pass(const struct recording *r, unsigned pass);
size_t recording_n_notes(const struct recording *r, unsigned pass);

/* What happens to the music that is there. */
enum record_mode {
    RECORD_MERGE,   /* it stays, but a note ends where it is struck again */
    RECORD_REPLACE, /* what begins in the span on the tracks is removed */
    RECORD_PUNCH,   /* as replace, and played notes outside the span are dropped */
    RECORD_FREE,    /* as merge; without a click, from the first note on */
};

struct record_span {
    enum record_mode mode;
    int64_t from, to; /* ticks; the span that is replaced, or kept */
    uint64_t tracks;  /* bits: tracks (of the first 64) replaced even if silent */
};

/* Makes a change of one pass, without applying it. The change is empty if nothing was
 * played or replaced. NULL: out of memory. */
struct change *record_change(const struct score *s, const struct recording *r,
                             unsigned pass, const struct record_span *span,
                             const char *label);

/* Adds to `c` only the controllers, bends and pressure of the first pass at ticks
 * [from, to). Skips events that the score has already. Pedals and bends that are held
 * at `to` are released there. */
enum midi_status change_add_gestures(struct change *c, const struct score *s,
                                     const struct recording *r, int64_t from,
                                     int64_t to);

#endif
