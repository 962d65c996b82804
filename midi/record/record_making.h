/* A pass of a recording on its way into a change: an inner part of midi/record/record.h.
 * record_change.c has the notes and the whole, record_events.c the rest. */
#ifndef MIDI_RECORD_MAKING_H
#define MIDI_RECORD_MAKING_H

#include "midi/record/record.h"

struct making {
    const struct score *score;
    const struct recording *recording;
    unsigned pass;
    const struct record_span *span;
    struct change *change;
    bool is_again; /* events that the score has already are passed over */

    struct note *notes; /* room for all that were played; those of one track, */
    size_t n_notes;     /* by pitch and start */
    const struct recorded_event **events; /* the same; by tick */
    size_t n_events;
};

/* The tick is in the span. */
static inline bool making_has(const struct making *m, int64_t tick)
{
    return tick >= m->span->from && tick < m->span->to;
}

static inline bool making_replaces(const struct making *m)
{
    return m->span->mode == RECORD_REPLACE || m->span->mode == RECORD_PUNCH;
}

/* What was played on the track but for notes, in the place of what goes. */
enum midi_status making_change_events(struct making *m, int track);

#endif
