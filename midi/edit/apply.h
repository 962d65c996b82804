/* Applying a change to a score and undoing it; for the files of midi/edit only. All or
 * nothing: on failure the score is unchanged. */
#ifndef MIDI_APPLY_H
#define MIDI_APPLY_H

#include "midi/edit/edit.h"

/* Applies a change, or with is_forwards false undoes it. Going forwards gives new notes
 * their ids. MIDI_BAD_EDIT: the score is not what the change expects. */
enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards);

/* Appends an edit; for the functions that build changes. */
enum midi_status change_put(struct change *c, struct edit e);
/* Returns the number of edits of that kind. */
size_t change_count(const struct change *c, enum edit_kind kind);

/* Returns the order for an event that is added at `tick`: the first one that neither
 * the chunk nor `c` uses there. So removing and restoring it leaves the others in
 * order. It is ORDER_FIRST if there is no event. */
uint32_t change_free_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick);
/* Returns an order after all events at `tick`, also those that `c` adds. */
uint32_t change_next_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick);
/* Replaces the last meta event of its type at `tick`, or adds one to the first chunk.
 * `data` is the whole event. */
enum midi_status change_set_meta(struct change *c, const struct score *s, int64_t tick,
                                 uint8_t *data, size_t n);
/* Writes a tempo event and returns its length, or 0 if no file can hold the tempo. */
size_t change_tempo_bytes(uint8_t data[6], double bpm);
/* Returns the first chunk that can hold events, or -1. */
int score_first_chunk(const struct score *s);

/* Removes the taps in [from, to). */
enum midi_status change_remove_taps(struct change *c, const struct score *s,
                                    int64_t from, int64_t to);

/* Returns the edit that inserts time or takes it out, or NULL. */
const struct edit *change_time(const struct change *c);

/* Whether an event at the start of the music sets it up, as a name or a program
 * does. */
bool event_sets_up(const struct event *e);
bool event_is_timeline(const struct event *e); /* a tempo or a meter */

/* Applies the change's edit of time if it inserts time (takes_out is false) or takes
 * time out (takes_out is true). If is_forwards is false, undoes that exactly. Time that
 * is taken out must be empty by then. The caller rebuilds the timeline. On failure the
 * score may be half changed. */
enum midi_status retime(const struct change *c, struct score *s, bool takes_out,
                        bool is_forwards);

#endif
