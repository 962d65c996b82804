/* Edits with inverses, and the tree of everything that was done.
 *
 * A change is a list of before/after pairs: no `before` adds, no `after`
 * removes, both replace. Its inverse swaps the two and runs backwards, so undo
 * needs no code of its own. History is a tree: undoing and then doing
 * something else starts a new branch and loses nothing. UI thread only. */
#ifndef MIDI_EDIT_H
#define MIDI_EDIT_H

#include "midi/score.h"

enum edit_kind {
    EDIT_NOTE,  /* one note of `track` */
    EDIT_EVENT, /* one event of chunk `track`; data owned by the change */
    EDIT_TRACK, /* a whole track appended or removed (with its chunk) */
};

struct edit {
    enum edit_kind kind;
    int track;
    bool has_before, has_after;
    struct note before, after;             /* EDIT_NOTE; ids are filled in on apply */
    struct event event_before, event_after;/* EDIT_EVENT */
    struct track track_info;               /* EDIT_TRACK: name, channel, program only */
};

struct change; /* a list of edits and a label, being built or in the history */

struct change *change_create(const char *label); /* "continue 4 bars"; NULL: no memory */
void change_destroy(struct change *c);
enum midi_status change_add_note(struct change *c, int track, struct note n);
enum midi_status change_remove_note(struct change *c, int track, const struct note *n);
/* A moved or resized note loses its old place among simultaneous events. */
enum midi_status change_replace_note(struct change *c, int track,
                                     const struct note *before, struct note after);
enum midi_status change_set_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm);
enum midi_status change_set_meter(struct change *c, const struct score *s, int64_t tick,
                                  int numerator, int denominator);
enum midi_status change_add_track(struct change *c, const struct score *s,
                                  const char *name, uint8_t channel, uint8_t program);
size_t change_n_edits(const struct change *c);
const struct edit *change_edit(const struct change *c, size_t i);

struct history;

struct history *history_create(void);
void history_destroy(struct history *h);

/* Applies `c` to `s` and records it as a child of the present state. Takes
 * `c`, also on failure; on failure the score is as it was. */
enum midi_status history_do(struct history *h, struct score *s, struct change *c);
/* false: nothing to undo or redo. redo follows the newest branch. *label is
 * the history's, valid until it is destroyed; may be NULL. */
bool history_undo(struct history *h, struct score *s, const char **label);
bool history_redo(struct history *h, struct score *s, const char **label);

/* Numbers the states: equal numbers mean the same music. 0 is the start. */
uint64_t history_state(const struct history *h);
size_t history_n_states(const struct history *h);

#endif
