/* What was played becomes notes and events of tracks, where they were heard: the ticks
 * that midi/transport/live.h tells, not moved to any grid.
 *
 * A note lasts from key to key; the pedal stays a controller, as are bends and pressure. A
 * loop that is gone round divides what is played into passes, and a note that is held at
 * the loop's end ends there. Plain data of one thread; begin and fini pair up. */
#ifndef MIDI_RECORD_H
#define MIDI_RECORD_H

#include "midi/edit/edit.h"
#include "midi/transport/live.h"

struct recorded_note {
    int track;
    unsigned pass;
    bool is_held;     /* its key is down: the length is not known yet */
    struct note note; /* id 0 */
};

struct recorded_event {
    int track;
    unsigned pass;
    int64_t tick;
    uint8_t n_data, data[3]; /* on the track's channel */
};

struct recording {
    int64_t from;  /* where it began; of later passes, `loop_from` */
    int64_t early; /* what is played so little before that is of the beginning */
    int64_t loop_from, loop_to;  /* equal: there is no loop */
    struct recorded_note *notes; /* in the order they were struck */
    size_t n_notes, cap_notes;
    struct recorded_event *events;
    size_t n_events, cap_events;
    size_t held[16][128]; /* by the keyboard's channel: 1 + index of a note; 0: none */
    bool is_short_of_memory;
};

/* Zero-initialised before the first begin. */
void recording_begin(struct recording *r, int64_t from, int64_t early);
void recording_set_loop(struct recording *r, int64_t from, int64_t to);
void recording_fini(struct recording *r);

/* What was played on a keyboard, for that track. What has no tick, or is from before the
 * beginning, is passed over. */
void recording_feed(struct recording *r, const struct live_event *e, int track,
                    uint8_t channel);
/* All keys go up. */
void recording_end(struct recording *r, int64_t tick, unsigned pass);

/* Where a note that is held has come to, when the playhead is at `tick`. */
int64_t recorded_end(const struct recording *r, const struct recorded_note *n,
                     int64_t tick, unsigned pass);
bool recording_has_pass(const struct recording *r, unsigned pass);
size_t recording_n_notes(const struct recording *r, unsigned pass);

/* What becomes of the music that is there already. */
enum record_mode {
    RECORD_MERGE,   /* it stays, but for a tone that is struck again while it sounds */
    RECORD_REPLACE, /* what begins in the span on the tracks goes */
    RECORD_PUNCH,   /* the same, and what was played outside it is left out */
    RECORD_FREE,    /* as merging; played without a click, from the first note on */
};

struct record_span {
    enum record_mode mode;
    int64_t from, to; /* of what is replaced, or kept; ticks */
    uint64_t tracks;  /* that are replaced whatever was played; bits, of the first 64 */
};

/* One pass as a change of the score, which is not applied. NULL: out of memory. With no
 * edits in it when nothing was played or replaced. */
struct change *record_change(const struct score *s, const struct recording *r,
                             unsigned pass, const struct record_span *span,
                             const char *label);

/* Into a change of the score: controllers, bends and pressure alone, of the first pass, at
 * ticks [from, to). What the score has already is passed over; what is held at `to` goes up
 * there. */
enum midi_status change_add_gestures(struct change *c, const struct score *s,
                                     const struct recording *r, int64_t from,
                                     int64_t to);

#endif
