/* Applying a change to a score and undoing it; for the files of midi/edit only. All
 * or nothing: on failure the score is unchanged. */
#ifndef MIDI_APPLY_H
#define MIDI_APPLY_H

#include "midi/edit/edit.h"

/* Forwards gives new notes their ids. MIDI_BAD_EDIT: the score is not what the
 * change expects. */
enum midi_status change_apply(struct change *c, struct score *s, bool is_forwards);

/* For functions that build changes: appends this edit. */
enum midi_status change_put(struct change *c, struct edit e);
/* Returns the number of edits of these kinds, or'ed bits 1u << kind. */
size_t change_count(const struct change *c, unsigned kinds);
/* Frees unused capacity: a history keeps many changes, most of one note. */
void change_trim(struct change *c);

/* For an event added at `tick`: returns the first order there that neither the chunk
 * nor `c` uses, so that removing and restoring it keeps the others in order.
 * ORDER_FIRST if the tick is empty. */
uint32_t change_free_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick);
/* An order after all events there, also those that `c` adds. */
uint32_t change_next_order(const struct change *c, const struct score *s, int chunk,
                           int64_t tick);
/* Replaces the last meta event of its type at `tick`, or adds one to the first
 * chunk. `data` is the whole event. */
enum midi_status change_set_meta(struct change *c, const struct score *s, int64_t tick,
                                 uint8_t *data, size_t n);
/* Writes a tempo event; returns its length. 0: no file can hold the tempo. */
size_t change_tempo_bytes(uint8_t data[6], double bpm);
/* The first that can hold events; -1: none. */
int score_first_chunk(const struct score *s);

/* Removes the taps in [from, to). */
enum midi_status change_remove_taps(struct change *c, const struct score *s,
                                    int64_t from, int64_t to);

/* Returns the edit that inserts time or takes it out; NULL: none. */
const struct edit *change_time(const struct change *c);
/* Ticks that the change inserts. */
int64_t change_inserted_ticks(const struct change *c);

/* -- in insert_time.c -- */

/* Whether the music and its chunks still end before TICK_MAX. */
bool insert_time_fits(const struct score *s, int64_t by);

/* Whether an event at the start of the music sets it up: a name, a program, ... */
bool event_sets_up(const struct event *e);
bool event_is_timeline(const struct event *e); /* a tempo or a meter */
/* Inserts time as change_insert_time does, or removes empty time; or undoes it exactly; the
 * caller rebuilds the timeline. time NULL: nothing to do. false: out of memory, and nothing
 * changed. Undoing right after doing never fails. */
bool insert_time(struct score *s, const struct edit *time, bool is_forwards);

/* -- in remove_time.c -- */

/* If the change takes out time, takes it out, which it has emptied, and opens it again. On
 * failure nothing changed. MIDI_BAD_EDIT: something is left in it. Opening right after
 * closing never fails. */
enum midi_status close_time(const struct change *c, struct score *s);
enum midi_status open_time(const struct change *c, struct score *s);

/* -- in arrange.c: the edits of whole tracks and chunks: their name and program, removing
 * and moving them. Forwards it runs after notes and events are edited, so that a removed
 * track is empty; backwards before, so that a restored track can be filled. -- */

/* All or nothing, without memory: backwards the score has room for the removed tracks.
 * The caller rebuilds the timeline (of tempos or meters at one tick, the last chunk's
 * holds). The event bytes of removed chunks go into `bin`, which the caller owns:
 * staged events may use them. MIDI_BAD_EDIT: the score is not what the change
 * expects. */
enum midi_status arrange(struct change *c, struct score *s, bool is_forwards,
                         struct chunk *bin);

/* -- in compose.c: many changes as one -- */

/* A change and the direction to apply it in. */
struct change_step {
    struct change *change;
    bool is_forwards;
    size_t to; /* the state it leads to; for history.c */
};

/* Returns one new change that does what n changes do in sequence. A note that the
 * first adds and the last removes is left out. Takes n log n of their notes. NULL:
 * out of memory, or the changes do not follow one another. */
struct change *change_compose(const struct change_step *steps, size_t n);

/* -- in stage.c: the notes, events and taps of a score as a change leaves them, prepared
 * beside the present ones. Preparing may fail; swapping them in, and back, cannot. -- */

/* Notes sorted by track, then as in tracks. */
struct note_list {
    struct placed_note *notes;
    size_t n, at; /* at: notes before this are merged */
};

struct stage {
    struct score *score; /* borrowed; its tracks and chunks keep their indices */
    bool is_forwards;
    struct note_list added, removed;
    struct staged_track *tracks; /* the tracks touched, once each */
    size_t n_tracks;
    struct staged_chunk *chunks;
    size_t n_chunks;
    struct taps taps;
};

/* Takes one pass over each track and chunk that the change touches. MIDI_BAD_EDIT:
 * the score is not what the change expects. Call stage_fini also on failure. */
enum midi_status stage_init(struct stage *g, const struct change *c, struct score *s,
                            bool is_forwards);
/* Swaps the staged and the present arrays; a second call swaps them back. Tracks and
 * chunks must have the indices they had at init. */
void stage_swap(struct stage *g);
void stage_fini(struct stage *g);

#endif
