/* Changes to a score, and the tree of all changes.
 *
 * A change is a list of edits with a before and an after: without `before` it adds,
 * without `after` it removes, with both it replaces. The inverse swaps the two and
 * runs backwards, so undo needs no code of its own. The history is a tree: doing
 * something after an undo starts a new branch; nothing is lost. UI thread only. */
#ifndef MIDI_EDIT_H
#define MIDI_EDIT_H

#include "midi/score/score.h"
#include "midi/base/bytes.h"

enum edit_kind {
    EDIT_NOTE,  /* one note of `track` */
    EDIT_EVENT, /* one event of chunk `track`; the change owns its data */
    EDIT_TRACK, /* a track added with its chunk; only undo removes it */
    EDIT_TIME,  /* inserts time, before all other edits; or, with a before, takes out
                   time that these have emptied */
    /* These are applied last, in their order (midi/edit/arrange.c). */
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
        struct { /* EDIT_NOTE; applying fills in the ids */
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
            bool with_chunk;            /* removes its chunk, too, without events, */
            int64_t end_tick;           /* which ended at this tick */
            bool mute, solo, arm, hide; /* applying fills these in */
            uint8_t colour;
        } gone;
        struct { /* EDIT_CHUNK_MOVE: indices before and after */
            int from, to;
        } move;
        struct { /* EDIT_CHUNK_END: ticks */
            int64_t before, after;
        } end;
        struct tap tap; /* EDIT_TAP: has_after adds it, has_before removes it */
    };
};

/* A list of edits; not yet applied, or in the history. Only midi/edit writes to it. */
struct change {
    struct edit *edits; /* the change owns the bytes of EDIT_EVENTs */
    size_t n_edits, cap_edits;
    enum midi_status failure; /* of the first edit that failed */
    struct note clash;        /* MIDI_UNISON: the second of the two notes */
    int format_before;        /* the score's; adding a track ends format 0 */
    char label[];
};

/* A label reads like "continue 4 bars". NULL: out of memory. */
struct change *change_create(const char *label);
void change_destroy(struct change *c); /* NULL is fine */

/* All functions that edit return the status of the change: once an edit has failed, the
 * change takes no more of them and cannot be applied, and without a change (c NULL) the
 * status is MIDI_NO_MEMORY. So only who does a change must look at it. */
static inline enum midi_status change_status(const struct change *c)
{
    return c ? c->failure : MIDI_NO_MEMORY;
}
/* Makes the change fail, unless st is MIDI_OK. For those who build one from other things. */
enum midi_status change_fail(struct change *c, enum midi_status st);

/* A change may edit a note only once; whether it fits a score shows when it is
 * applied. MIDI_BAD_EDIT: values that no score can hold. */
enum midi_status change_add_note(struct change *c, int track, struct note n);
enum midi_status change_remove_note(struct change *c, int track, const struct note *n);
/* `after` keeps the id. A note that moves or changes length loses its order among
 * simultaneous events and is no longer hanging. */
enum midi_status change_replace_note(struct change *c, int track,
                                     const struct note *before, struct note after);

/* Edits one event of a chunk; copies the bytes. before NULL adds, after NULL
 * removes. If both have the same tick and order, the event stays in place.
 * MIDI_BAD_EDIT: `after` has an invalid tick or is empty. */
enum midi_status change_event(struct change *c, int chunk, const struct event *before,
                              const struct event *after);

/* Adds or removes a tap. Adding one that is there, or removing one that is not, does
 * nothing. MIDI_BAD_EDIT: an invalid tick. */
enum midi_status change_tap(struct change *c, struct tap tap, bool puts);

/* Adds all edits of another change, done or not, so that both are one. */
enum midi_status change_add_all(struct change *c, const struct change *from);

/* These replace the last event of that kind at `tick`, or add one to the first
 * chunk. */
enum midi_status change_set_tempo(struct change *c, const struct score *s, int64_t tick,
                                  double bpm);
enum midi_status change_set_meter(struct change *c, const struct score *s, int64_t tick,
                                  int numerator, int denominator);

/* The new track's index is s->n_tracks plus the tracks that `c` adds before it. */
enum midi_status change_add_track(struct change *c, const struct score *s,
                                  const char *name, uint8_t channel, uint8_t program);
/* Inserts `by` ticks of silence at a bar line: notes that begin there, and all later
 * ones, move. At tick 0, tempo, meter, key, names, programs and controllers stay;
 * elsewhere a meter or tempo at the bar line stays. Only once in a change, whose
 * other edits refer to the score after it. MIDI_BAD_EDIT: `by` is not positive, or
 * the music would end past TICK_MAX. */
enum midi_status change_insert_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by);

/* Takes out [at, at + by) with all that begins in it; what follows moves up to `at`. Notes
 * that sound into it are shortened. Tempo, meter, key, programs and controllers hold on as
 * they were after it. Only once in a change, and alone. MIDI_BAD_EDIT: the span is empty
 * or ends past TICK_MAX. In remove_time.c. */
enum midi_status change_remove_time(struct change *c, const struct score *s, int64_t at,
                                    int64_t by);

struct history;

struct history *history_create(void);
void history_destroy(struct history *h);

/* Applies `c` to `s` and records it as a child of the present state. Takes `c`, also
 * on failure, that of building it included; on failure the score is unchanged. */
enum midi_status history_do(struct history *h, struct score *s, struct change *c);

/* A state's number: equal numbers mean the same music. 0 is the first. */
uint64_t history_state(const struct history *h);
size_t history_n_states(const struct history *h);
/* A state of the history, valid until a change is done or put. */
struct history_state {
    struct change *change;       /* led here from `parent`; NULL for state 0 */
    size_t parent, newest_child; /* newest_child: the last one; 0: none */
    /* Ticks inserted by all changes up to here. If two states differ, the music is
     * elsewhere in time. */
    int64_t inserted_ticks;
    /* The last state that rearranged tracks. If two states differ, tracks were removed
     * or have other indices. */
    size_t arrangement;
    int64_t time; /* when it was first reached, seconds since 1970; 0: unknown */
};
const struct history_state *history_at(const struct history *h, uint64_t state);
const struct history_state *history_now(const struct history *h); /* the present one */
/* The number of changes between two states. */
size_t history_distance(const struct history *h, uint64_t from, uint64_t to);
/* Goes to any state: undoes to the nearest common state, then redoes. Changes of
 * notes only are combined, so that a thousand cost little more than one. On failure
 * it stops at a state on the way. */
enum midi_status history_go(struct history *h, struct score *s, uint64_t state);

/* For restoring a stored history: records a change that was once applied as a child
 * of `parent`, without going there. Takes the change in any case. false: no such
 * parent, or out of memory. */
bool history_put(struct history *h, uint64_t parent, struct change *c, int64_t when);
/* Call after restoring, before anything else: keeps ids from being given out again. */
void history_reserve_ids(const struct history *h, struct score *s);

/* Converts a tick of one state's music to another's, following inserted and removed
 * time. A start where time is inserted moves; an end (`is_end`) there stays. A tick
 * inside removed time goes to where that time began. Never returns more than
 * TICK_MAX. Follows at most the last 256 such changes. */
int64_t history_follow(const struct history *h, uint64_t from, uint64_t to,
                       int64_t tick, bool is_end);

/* -- in change_bytes.c: a change as bytes and back, for the stored history. It must have
 * been applied, so that every note has its id. -- */

void change_write(const struct change *c, struct bytes_out *to);

/* Reads a change from untrusted bytes; the caller owns it. Its values are valid for
 * a score, though perhaps not for this one. NULL: malformed or out of memory;
 * from->failed is set. */
struct change *change_read(struct bytes_in *from);

#endif
