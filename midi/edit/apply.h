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
/* Returns the number of edits whose kind is in `kinds`, or'ed bits 1u << kind. */
size_t change_count(const struct change *c, unsigned kinds);
/* Frees unused capacity, because a history holds many changes, most of a single
 * note. */
void change_trim(struct change *c);

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
/* Returns the ticks that the change inserts; negative if it takes time out. */
int64_t change_inserted_ticks(const struct change *c);

/* -- in insert_time.c -- */

/* Whether the music and its chunks would still end before TICK_MAX. */
bool insert_time_fits(const struct score *s, int64_t by);

/* Whether an event at the start of the music sets it up, as a name or a program
 * does. */
bool event_sets_up(const struct event *e);
bool event_is_timeline(const struct event *e); /* a tempo or a meter */
/* Inserts time as change_insert_time says, or removes time that is empty. is_forwards
 * false undoes this exactly, and right after doing never fails. `time` may be NULL:
 * then nothing happens. The caller rebuilds the timeline. Returns false if memory is
 * out; then nothing has changed. */
bool insert_time(struct score *s, const struct edit *time, bool is_forwards);

/* -- in remove_time.c -- */

/* If the change takes time out: closing removes that time, which the change has
 * emptied, and opening inserts it again. On failure nothing has changed. MIDI_BAD_EDIT:
 * the time is not empty. Opening right after closing never fails. */
enum midi_status close_time(const struct change *c, struct score *s);
enum midi_status open_time(const struct change *c, struct score *s);

/* -- arrange.c: edits of whole tracks and chunks: their names and programs, removing
 * them, moving them. Forwards it runs after notes and events are edited, so that a
 * removed track is empty; backwards before that, so that a restored track can be
 * filled. -- */

/* Needs no memory: going backwards, the score has room for the removed tracks. All or
 * nothing. The caller rebuilds the timeline, because of tempos or meters at one tick
 * that of the last chunk counts. `bin`, which the caller owns, receives the event bytes
 * of removed chunks, since staged events may use them. MIDI_BAD_EDIT: the score is not
 * what the change expects. */
enum midi_status arrange(struct change *c, struct score *s, bool is_forwards,
                         struct chunk *bin);

/* -- compose.c: many changes as one -- */

/* A change, and the direction to apply it in. */
struct change_step {
    struct change *change;
    bool is_forwards;
    size_t to; /* the state it leads to; for history.c */
};

/* Returns one new change that does what n changes of notes do in sequence. A note that
 * one adds and a later one removes is left out. Takes time n log n in the number of
 * their notes. Returns NULL if memory is out or the changes do not follow one
 * another. */
struct change *change_compose(const struct change_step *steps, size_t n);

/* -- stage.c: the notes, events and taps of a score as a change leaves them, prepared
 * beside the present ones. Preparing may fail; swapping them in, and back, cannot.
 * -- */

/* A list of notes, sorted by track and then as in tracks. */
struct note_list {
    struct placed_note *notes;
    size_t n, at; /* `at`: the next note to merge */
};

struct stage {
    struct score *score; /* borrowed; its tracks and chunks keep their indices */
    bool is_forwards;
    struct note_list added, removed;
    struct staged_track *tracks; /* the tracks that the change touches, each once */
    size_t n_tracks;
    struct staged_chunk *chunks;
    size_t n_chunks;
    struct taps taps;
};

/* Prepares a stage in one pass over each track and chunk that the change touches.
 * MIDI_BAD_EDIT: the score is not what the change expects. Call stage_fini also on
 * failure. */
enum midi_status stage_init(struct stage *g, const struct change *c, struct score *s,
                            bool is_forwards);
/* Swaps the prepared arrays with the present ones; a second call swaps them back.
 * Tracks and chunks must have the indices that they had at init. */
void stage_swap(struct stage *g);
void stage_fini(struct stage *g);

#endif
