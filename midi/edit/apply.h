/* Applying a change to a score and undoing it; for the files of midi/edit only. All
 * or nothing: on failure the score is unchanged. */
#ifndef MIDI_APPLY_H
#define MIDI_APPLY_H

#include "midi/edit/edit.h"

struct change {
    struct edit *edits; /* the change owns the bytes of EDIT_EVENTs */
    size_t n_edits, cap_edits;
    int format_before; /* the score's; adding a track ends format 0 */
    char label[];
};

/* Forwards gives new notes their ids. MIDI_BAD_EDIT: the score is not what the
 * change expects. */
enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards);

/* For functions that build changes: appends a zeroed edit. NULL: out of memory. */
struct edit *change_append(struct change *c, enum edit_kind kind, int track);
/* Frees unused capacity: a history keeps many changes, most of one note. */
void change_trim(struct change *c);

/* For an event added at `tick`: returns the first order there that neither the chunk
 * nor `c` uses, so that removing and restoring it keeps the others in order.
 * ORDER_FIRST if the tick is empty. */
uint32_t change_free_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick);
/* Replaces the last meta event of its type at `tick`, or adds one to the first
 * chunk. `data` is the whole event. */
enum midi_status change_set_meta(struct change *c, const struct score *s, int64_t tick,
                                 uint8_t *data, size_t n);
/* The first that can hold events; -1: none. */
int score_first_chunk(const struct score *s);

/* Whether the change removes tracks or gives them other indices. */
bool change_arranges(const struct change *c);
int64_t
change_inserted_ticks(const struct change *c); /* ticks inserted by the change */

#endif
