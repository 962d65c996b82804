/* What belongs to a piece but not into its MIDI file, and not into its history: how the
 * machine is steered, the loop, the grid, the groove, marks of tracks, bar lines that were
 * tapped, takes that wait, and a recording that goes on. Its rows are in app/document/store.sql.
 *
 * A store has it twice at most: as it was saved with the music, and as it is, if that is
 * something else; so that leaving without saving forgets the latter. */
#ifndef APP_BESIDE_H
#define APP_BESIDE_H

#include "app/document/grid_step.h"
#include "app/document/groove.h"
#include "app/document/kept_takes.h"
#include "app/generation/steer.h"
#include "midi/edit/humanise.h"
#include "midi/score/score.h"
#include "midi/score/taps.h"

struct kept_loop { /* ticks; equal: there is none */
    int64_t from, to;
    bool on;
};

/* How the roll is ruled. All zero: as ever. */
struct kept_roll {
    struct grid_step grid; /* division 0: the default's */
    bool snaps, folds;     /* to the scale, which is among what steers */
};

/* Marks of the tracks that are not as a file leaves them. */
struct kept_marks {
    int index;
    char name[sizeof((struct track *)0)->name]; /* the file's bytes */
    bool mute, solo, arm, hide;
    int colour;
};
struct kept_tracks {
    struct kept_marks *list; /* owned; indices ascend */
    size_t n;
};

/* A recording that goes on: what it takes to end it (act_record.c). */
struct kept_recording {
    int mode; /* enum record_mode */
    int64_t from, loop_from, loop_to, span_from, span_to;
    uint64_t tracks;
    unsigned pass;
    double at;                   /* tick of the playhead */
    struct recorded_note *notes; /* owned */
    size_t n_notes;
    struct recorded_event *events; /* owned */
    size_t n_events;
    bool is_there;
};

struct beside {
    struct steering steering;
    struct kept_loop loop;
    struct kept_takes takes;
    struct groove groove;     /* of quantising, */
    struct humanise humanise; /* and humanising: but the seed */
    struct kept_roll roll;
    struct kept_tracks tracks;
    struct taps taps;
    struct kept_recording recording; /* read only; see beside_record */
    bool is_saved, is_unsaved;       /* what was read: as it was saved, or as it was */
};

void beside_init(struct beside *b); /* as it comes */
void beside_fini(struct beside *b);

/* In place of what is there as of that key: all but the recording. SQLITE_OK, or why not. */
int beside_write(struct store *s, struct row_key key, const struct beside *b);
int beside_delete(struct store *s, struct row_key key);
/* What there is: as it is, or else as it was saved. NULL: all is well; else the name of
 * what is wrong, and *b is as it comes. */
const char *beside_read(struct beside *b, struct store *s, int64_t piece);
bool beside_is_there(struct store *s, struct row_key key);

/* The recording as it is, but of its notes and events only those from n_notes and n_events
 * on are in the lists: those before are there already. */
int beside_record(struct store *s, int64_t piece, const struct kept_recording *r,
                  size_t n_notes, size_t n_events);
int beside_end_recording(struct store *s, int64_t piece);

/* What there is to keep of a score; *t is overwritten. false: out of memory, and it is
 * empty. */
bool kept_tracks_gather(struct kept_tracks *t, const struct score *s);
/* Each goes to the track of its index when that has its name; else to the only one that
 * is called so; else to none. */
void kept_tracks_give(const struct kept_tracks *t, struct score *s);

#endif
