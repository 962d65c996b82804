/* Changes to a score, and the history of all changes.
 *
 * A change is a list of edits. Each edit has a `before` and an `after`: without
 * `before` it adds, without `after` it removes, with both it replaces. To undo it, swap
 * the two and run the list backwards; so undo needs no code of its own. The history is
 * a tree: a change that is done after an undo starts a new branch, and nothing is lost.
 * UI thread only. */
#ifndef MIDI_EDIT_H
#define MIDI_EDIT_H

#include "midi/score/score.h"
#include "midi/base/bytes.h"

enum edit_kind {
    EDIT_NOTE,  /* one note of `track` */
    EDIT_EVENT, /* one event of chunk `track`; the change owns its bytes */
    EDIT_TRACK, /* adds a track with its chunk; only undo removes it */
    EDIT_TIME,  /* inserts time, before all other edits; or, with a `before`,
                   takes out time that the other edits have emptied */
    /* The next three are applied last (midi/edit/apply.c). */
    EDIT_TRACK_INFO,    /* a track's name, channel and program */
    EDIT_TRACK_REMOVED, /* removes a track without notes */
    EDIT_CHUNK_MOVE,    /* moves a chunk and its tracks */
    EDIT_TAP,           /* adds or removes a tap (midi/score/taps.h) */
    EDIT_CHUNK_END,     /* moves the end of chunk `track`, before time is taken out */
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
        struct { /* EDIT_NOTE; applying fills in new ids */
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
        struct { /* EDIT_TRACK_REMOVED */
            struct track_info info;
            int chunk;
            bool with_chunk;            /* its chunk goes, too, without events */
            int64_t end_tick;           /* where that chunk ended */
            bool mute, solo, arm, hide; /* applying fills these in */
            uint8_t colour;
        } gone;
        struct { /* EDIT_CHUNK_MOVE: indices before and after */
            int from, to;
        } move;
        struct { /* EDIT_CHUNK_END: ticks */
            int64_t before, after;
        } end;
        struct tap tap; /* EDIT_TAP: has_after adds the tap, has_before removes it */
    };
};

/* A list of edits. It is not applied yet, or in the history. Only midi/edit writes to
 * it. */
struct change {
    struct edit *edits; /* the change owns the bytes of EDIT_EVENTs */
    size_t n_edits, cap_edits;
    unsigned kinds; /* 1u << kind of every edit, also of those left out since */
    enum midi_status failure; /* of the first edit that failed */
    struct note clash;        /* MIDI_UNISON: the second of the two notes */
    int format_before;        /* format of the score; adding a track ends format 0 */
    char label[];
};

/* The label reads like "continue 4 bars". NULL: out of memory. */
struct change *change_create(const char *label);
void change_destroy(struct change *c); /* NULL is fine */

/* All functions that edit return the status of the change. Once an edit has failed, the
 * change takes no more edits and cannot be applied. If there is no change (c is NULL),
 * the status is MIDI_NO_MEMORY. So only the one who does the change has to look at the
 * status. */
static inline enum midi_status change_status(const struct change *c)
{
    return c ? c->failure : MIDI_NO_MEMORY;
}
/* Makes the change fail unless st is MIDI_OK. For callers that build a change from
 * other things. */
enum midi_status change_fail(struct change *c, enum midi_status st);

/* A change may edit a note only once. Whether it fits a score shows when it is applied.
 * MIDI_BAD_EDIT: no score can hold the values. */
enum midi_status change_add_note(struct change *c, int track, struct note n);
enum midi_status change_remove_note(struct change *c, int track, const struct note *n);
/* `after` gets the id of `before`. A note that moves or changes its length loses its
 * order among simultaneous events, and is no longer hanging. */
enum midi_status change_replace_note(struct change *c, int track,
                                     const struct note *before, struct note after);

/* Edits one event of a chunk, and copies its bytes. before NULL adds an event; after
 * NULL removes one. If both have the same tick and order, the event stays in its place.
 * MIDI_BAD_EDIT: `after` has an invalid tick or no bytes. */
enum midi_status change_event(struct change *c, int chunk, const struct event *before,
                              const struct event *after);

/* Adds or removes a tap. Nothing happens if the tap is there already, or is not there
 * to be removed. MIDI_BAD_EDIT: the tick is invalid. */
enum midi_status change_tap(struct change *c, struct tap tap, bool puts);

/* Adds all edits of another change, whether that is done or not, so that both become
 * one. */
enum midi_status change_add_all(struct change *c, const struct change *from);

/* Notes of one pitch on one track must not overlap, since MIDI cannot tell which note a
 * note-off ends, and a saved file would come back different. Our edits never make such
 * notes; those that a file holds stay as they are. This says what happens if notes of a
 * change would overlap others of their pitch. */
enum overlap_rule {
    /* The change fails with MIDI_OVERLAP, unless these notes overlap already. */
    OVERLAP_REFUSE,
    /* As on an instrument, the earlier note ends where a later one of its pitch begins.
     * It keeps its played length (midi/score/notes.h). If two would begin together, the
     * change fails with MIDI_UNISON, and change.clash is one of them. */
    OVERLAP_TRUNCATE,
    /* For a change that only adds and removes: a note that would overlap is not
     * added. */
    OVERLAP_SKIP,
};

/* Applies the rule to all notes of the change. Call it when the change is complete.
 * Takes a few passes over the tracks of these notes. Returns how many notes it left
 * out, or how many it shortened that the change had not edited. */
size_t change_settle(struct change *c, const struct score *s, enum overlap_rule rule);

/* Replaces the last event of that kind at `tick`, or adds one to the first chunk. */
enum midi_status change_set_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm);
enum midi_status change_set_meter(struct change *c, const struct score *s, int64_t tick,
                                  int numerator, int denominator);

/* The new track's index is s->n_tracks plus the number of tracks that `c` adds before
 * it. */
enum midi_status change_add_track(struct change *c, const struct score *s,
                                  const char *name, uint8_t channel, uint8_t program);
/* Inserts `by` ticks of silence at a bar line. Notes that begin at or after `at` move.
 * At tick 0, tempo, meter, key, names, programs and controllers stay; elsewhere a meter
 * or tempo at the bar line stays. Use it once in a change; the other edits refer to the
 * score after it. MIDI_BAD_EDIT: `by` is not positive, or the music would end past
 * TICK_MAX. */
enum midi_status change_insert_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by);

/* Takes out [at, at + by) with everything that begins in it. What follows moves up to
 * `at`. Notes that sound into the span become shorter. Tempo, meter, key, programs and
 * controllers after the span stay as they were. Use it once in a change, and alone.
 * MIDI_BAD_EDIT: the span is empty or ends past TICK_MAX. */
enum midi_status change_remove_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by);

struct history;

struct history *history_create(void);
void history_destroy(struct history *h);

/* Applies `c` to `s`, and records it as a child of the present state. Takes `c` in any
 * case. Fails also if building `c` failed; on failure the score is unchanged. */
enum midi_status history_do(struct history *h, struct score *s, struct change *c);

/* Returns the number of the present state. Equal numbers mean the same music; 0 is the
 * first state. */
uint64_t history_state(const struct history *h);
size_t history_n_states(const struct history *h);
/* A state of the history. Valid until another change is done or put. */
struct history_state {
    struct change *change;       /* leads here from `parent`; NULL for state 0 */
    size_t parent, newest_child; /* newest_child: 0 if there is none */
    /* Ticks that all changes up to here inserted. If two states differ in this, the
     * music has moved in time. */
    int64_t inserted_ticks;
    /* The last state that rearranged tracks. If two states differ in this, tracks were
     * removed or have other indices. */
    size_t arrangement;
    int64_t time; /* when it was first reached, in seconds since 1970; 0: unknown */
};
const struct history_state *history_at(const struct history *h, uint64_t state);
const struct history_state *history_now(const struct history *h); /* the present one */
/* Returns the number of changes between two states. */
size_t history_distance(const struct history *h, uint64_t from, uint64_t to);
/* Goes to any state: undoes to the nearest common state, then redoes. Changes of notes
 * only are joined, so a thousand of them cost little more than one. On failure it stops
 * at a state on the way. */
enum midi_status history_go(struct history *h, struct score *s, uint64_t state);

/* Records a change that was applied once, as a child of `parent`, without going there;
 * for restoring a stored history. Takes the change in any case. Returns false if there
 * is no such parent or memory is out. */
bool history_put(struct history *h, uint64_t parent, struct change *c, int64_t when);
/* Prevents ids of the history from being given out again. Call it after restoring,
 * before anything else. */
void history_reserve_ids(const struct history *h, struct score *s);

/* Converts a tick of one state's music to another state's, along inserted and removed
 * time. Where time is inserted, a start moves and an end (`is_end`) stays. A tick
 * inside removed time goes to where that time began. Never returns more than TICK_MAX.
 * Follows at most the last 256 such changes. */
int64_t history_follow(const struct history *h, uint64_t from, uint64_t to,
                       int64_t tick, bool is_end);

/* -- change_bytes.c: a change as bytes and back, for the stored history. The change
 * must have been applied, so that every note has its id. -- */

void change_write(const struct change *c, struct bytes_out *to);

/* Reads a change from untrusted bytes; the caller owns it. Its values are valid for
 * some score, though perhaps not for this one. Returns NULL, with from->failed set, if
 * the bytes are malformed or memory is out. */
struct change *change_read(struct bytes_in *from);

#endif
