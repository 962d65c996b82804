/* Turns played messages into notes and events of tracks, at the ticks that sounded when
 * they were played (midi/transport/live.h), not quantised.
 *
 * A note lasts from key down to key up. The pedal stays a controller; so do bends
 * and pressure. A loop divides the recording into passes; a note held at the loop's
 * end ends there. Plain data of one thread. Pair begin with fini. */
#ifndef MIDI_RECORD_H
#define MIDI_RECORD_H

#include "midi/edit/edit.h"
#include "midi/transport/live.h"

struct recorded_note {
    int track;
    unsigned pass;
    bool is_held;     /* its key is down; the length is not known yet */
    struct note note; /* id 0 */
};

struct recorded_event {
    int track;
    unsigned pass;
    int64_t tick;
    uint8_t n_data, data[3]; /* on the track's channel */
};

struct recording {
    int64_t from; /* where it began; later passes begin at `loop_from` */
    /* Ticks: notes up to this long before `from` count as at `from`. */
    int64_t early;
    int64_t loop_from, loop_to;  /* equal: no loop */
    struct recorded_note *notes; /* in the order of key presses */
    size_t n_notes, cap_notes;
    struct recorded_event *events;
    size_t n_events, cap_events;
    size_t held[16][128]; /* by channel and key: 1 + index of the note; 0: none */
    bool is_short_of_memory;
};

/* Starts zeroed. */
void recording_begin(struct recording *r, int64_t from, int64_t early);
void recording_set_loop(struct recording *r, int64_t from, int64_t to);
void recording_fini(struct recording *r);

/* Adds a message that was played for that track. Ignores messages without a tick or
 * from before the beginning. */
void recording_feed(struct recording *r, const struct live_event *e, int track,
                    uint8_t channel);
/* Ends all held notes. */
void recording_end(struct recording *r, int64_t tick, unsigned pass);

/* The present end of a held note, when the playhead is at `tick`. */
int64_t recorded_end(const struct recording *r, const struct recorded_note *n,
                     int64_t tick, unsigned pass);
bool recording_has_pass(const struct recording *r, unsigned pass);
size_t recording_n_notes(const struct recording *r, unsigned pass);

/* What happens to the existing music. */
enum record_mode {
    RECORD_MERGE,   /* stays, but a note struck again while it sounds ends */
    RECORD_REPLACE, /* what begins in the span on the tracks is removed */
    RECORD_PUNCH,   /* the same; notes outside the span are dropped */
    RECORD_FREE,    /* like merge; recorded without a click, from the first note on */
};

struct record_span {
    enum record_mode mode;
    int64_t from, to; /* ticks; the replaced or kept span */
    uint64_t tracks;  /* bits: replaced even if nothing was played; the first 64 */
};

/* Makes a change of one pass; does not apply it. It is empty if nothing was played
 * or replaced. NULL: out of memory. */
struct change *record_change(const struct score *s, const struct recording *r,
                             unsigned pass, const struct record_span *span,
                             const char *label);

/* Adds only controllers, bends and pressure of the first pass, at ticks [from, to),
 * to `c`. Skips events that the score has. Pedals and bends held at `to` are
 * released there. */
enum midi_status change_add_gestures(struct change *c, const struct score *s,
                                     const struct recording *r, int64_t from,
                                     int64_t to);

#endif
