/* Applying a change to a score, and its inverse: an inner part of midi/edit.h.
 * All or nothing: on failure the score is as it was. */
#ifndef MIDI_APPLY_H
#define MIDI_APPLY_H

#include "midi/edit.h"

struct change {
    char *label;
    struct edit *edits; /* the bytes of EDIT_EVENTs are the change's own */
    size_t n_edits, cap_edits;
    int format_before; /* of the score: a new track may end format 0 */
};

/* Forwards gives new notes their ids. MIDI_BAD_EDIT: the score does not hold
 * what the change says it does. */
enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards);

int64_t change_time_put_in(const struct change *c); /* ticks */

/* A zeroed edit at the end of the list. NULL: out of memory. */
struct edit *change_append(struct change *c, enum edit_kind kind, int track);

#endif
