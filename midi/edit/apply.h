/* Applying a change to a score, and its inverse: an inner part of midi/edit/edit.h.
 * All or nothing: on failure the score is as it was. */
#ifndef MIDI_APPLY_H
#define MIDI_APPLY_H

#include "midi/edit/edit.h"

struct change {
    struct edit *edits; /* the bytes of EDIT_EVENTs are the change's own */
    size_t n_edits, cap_edits;
    int format_before; /* of the score: a new track may end format 0 */
    char label[];
};

/* Forwards gives new notes their ids. MIDI_BAD_EDIT: the score does not hold
 * what the change says it does. */
enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards);

/* For builders of changes. A zeroed edit at the end of the list; NULL: out of memory. */
struct edit *change_append(struct change *c, enum edit_kind kind, int track);
/* Gives back the room for more edits: a history keeps many changes, mostly of one note. */
void change_trim(struct change *c);

/* For an event that is put at `tick`: the first place there that no event of the chunk
 * has, nor one that `c` puts there; so that taking it out and putting it back leaves the
 * others as they stood. ORDER_FIRST when nothing is there. */
uint32_t change_free_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick);
/* A whole meta event in the place of the last of its type at `tick`, or new in the first
 * chunk. */
enum midi_status change_set_meta(struct change *c, const struct score *s, int64_t tick,
                                 uint8_t *data, size_t n);
int score_first_chunk(const struct score *s); /* that can hold events; -1: none */

/* It takes tracks out, or gives them other indices. */
bool change_arranges(const struct change *c);
int64_t change_time_put_in(const struct change *c); /* ticks */

#endif
