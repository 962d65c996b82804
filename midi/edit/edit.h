/* Edits with inverses, and the tree of everything that was done.
 *
 * A change is a list of before/after pairs: no `before` adds, no `after`
 * removes, both replace. Its inverse swaps the two and runs backwards, so undo
 * needs no code of its own. History is a tree: undoing and then doing
 * something else starts a new branch and loses nothing. UI thread only. */
#ifndef MIDI_EDIT_H
#define MIDI_EDIT_H

#include "midi/score/score.h"

enum edit_kind {
    EDIT_NOTE,  /* one note of `track` */
    EDIT_EVENT, /* one event of chunk `track`; data owned by the change */
    EDIT_TRACK, /* a track appended with its chunk; only its undo removes it */
    EDIT_TIME,  /* empty time put in before everything else is done */
    /* These come last, in their order (midi/edit/arrange.h). */
    EDIT_TRACK_INFO, /* a track's name, channel and program */
    EDIT_TRACK_GONE, /* a track without notes is taken out */
    EDIT_CHUNK_MOVE, /* a chunk stands elsewhere, with its tracks */
    EDIT_TAP, /* a bar line is marked, or is not (midi/score/taps.h); in any order */
    EDIT_KIND_COUNT,
};

struct track_info {
    char name[sizeof((struct track *)0)->name];
    uint8_t channel, program;
};

struct edit {
    enum edit_kind kind;
    int track;
    bool has_before, has_after;
    union {
        struct { /* EDIT_NOTE; ids are filled in on apply */
            struct note before, after;
        };
        struct { /* EDIT_EVENT */
            struct event event_before, event_after;
        };
        struct track_info track_info; /* EDIT_TRACK */
        struct {                      /* EDIT_TIME: ticks */
            int64_t at, by;
        } time;
        struct { /* EDIT_TRACK_INFO */
            struct track_info info_before, info_after;
        };
        struct { /* EDIT_TRACK_GONE */
            struct track_info info;
            int chunk;
            bool with_chunk;            /* which has no events any more, and ended at */
            int64_t end_tick;           /* this tick */
            bool mute, solo, arm, hide; /* filled in on apply */
            uint8_t colour;
        } gone;
        struct { /* EDIT_CHUNK_MOVE: indices before and after */
            int from, to;
        } move;
        struct tap tap; /* EDIT_TAP: has_after puts it, has_before takes it away */
    };
};

struct change; /* a list of edits and a label, being built or in the history */

/* Labels read like "continue 4 bars". NULL: out of memory. */
struct change *change_create(const char *label);
void change_destroy(struct change *c); /* NULL is fine */

/* MIDI_BAD_EDIT: values that no score can hold. Whether the change fits a
 * score is seen when it is applied; it may speak of one note only once. */
enum midi_status change_add_note(struct change *c, int track, struct note n);
enum midi_status change_remove_note(struct change *c, int track, const struct note *n);
/* `after` keeps the id. A moved or resized note loses its old place among
 * simultaneous events, and no longer hangs. */
enum midi_status change_replace_note(struct change *c, int track,
                                     const struct note *before, struct note after);

/* One event of a chunk of the score; the bytes are copied. before NULL adds, after NULL
 * removes; both: where tick and order are the same it keeps its place. MIDI_BAD_EDIT:
 * `after` is at no tick a score can have, or empty. */
enum midi_status change_event(struct change *c, int chunk, const struct event *before,
                              const struct event *after);

/* A place that is marked, or no longer; one that is so already is none the worse for it.
 * MIDI_BAD_EDIT: at no tick a score can have. */
enum midi_status change_tap(struct change *c, struct tap tap, bool puts);

/* These replace what the last event of that kind at `tick` says, or put a new
 * one into the first chunk. */
enum midi_status change_set_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm);
enum midi_status change_set_meter(struct change *c, const struct score *s, int64_t tick,
                                  int numerator, int denominator);

/* The new track's index: s->n_tracks, and one more for each added to `c` before. */
enum midi_status change_add_track(struct change *c, const struct score *s,
                                  const char *name, uint8_t channel, uint8_t program);
/* Puts `by` ticks of silence in at a bar line: notes that begin there and all that comes
 * later move on. At 0, what sets the music up stays (tempo, meter, key, names, programs
 * and controllers); elsewhere a meter or tempo that begins there. Only one in a change,
 * which then speaks of the score as it is after that. MIDI_BAD_EDIT: `by` is not
 * positive, or the music would end past TICK_MAX. */
enum midi_status change_insert_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by);
size_t change_n_edits(const struct change *c);
/* The i-th of them; the change's, and valid as long as it is. */
const struct edit *change_edit(const struct change *c, size_t i);
const char *change_label(const struct change *c);

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
/* Ticks that changes up to the present state have put in: when another number is told
 * than before, the same music is elsewhere in time. */
int64_t history_time_put_in(const struct history *h);
int64_t history_time_put_in_at(const struct history *h, uint64_t state); /* at any */

/* Numbers the arrangements of tracks: when another number is told than before, tracks
 * that were there are gone or have other indices. */
uint64_t history_arrangement(const struct history *h);
uint64_t history_arrangement_at(const struct history *h, uint64_t state);

/* The tree: what led to a state from its parent; NULL and 0 for state 0. */
const struct change *history_change(const struct history *h, uint64_t state);
uint64_t history_parent(const struct history *h, uint64_t state);
/* When it was first reached, seconds since 1970; 0: state 0, or not known. */
int64_t history_time(const struct history *h, uint64_t state);
/* The last state reached by a change from this one; 0: none was. */
uint64_t history_newest_child(const struct history *h, uint64_t state);
/* How many changes lie between two states. */
size_t history_distance(const struct history *h, uint64_t from, uint64_t to);
/* To any state, by undoing to the nearest common one and doing what follows; changes of
 * notes alone are taken together, so that a thousand cost little more than one. On
 * failure it has stopped at some state on the way. */
enum midi_status history_go(struct history *h, struct score *s, uint64_t state);

/* For bringing back a history that was kept: records a change that was applied once, as
 * a child of `parent` and without going there. The change is taken, also when it could
 * not be: there is no such parent, or no memory. */
bool history_put(struct history *h, uint64_t parent, struct change *c, int64_t when);
/* After that, before anything is done: so that ids are not given out again. */
void history_reserve_ids(const struct history *h, struct score *s);

#endif
