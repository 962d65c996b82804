/* The session of a piece, as JSON in its store (app/document/store.sql): what belongs to
 * the piece but is neither in its MIDI file nor in its history. These are steering, loop,
 * grid, groove, marks of tracks, tapped bar lines, waiting takes, and a running recording.
 *
 * A store holds the session as it was saved with the music and, if that differs, as it is
 * now. Leaving without saving deletes the latter. Takes that did not fit the music when it was
 * opened are kept apart until they do.
 *
 * Note ids change when a score is reopened, and an empty track is not in its file. So ids of
 * ghosts only tell which are the same. Notes of the score are found by their place, and tracks
 * by their chunk and channel (app/editor/keep/keep.h translates). What is read is in range and
 * fits together, but may not fit the score. One thread at a time. */
#ifndef APP_STORE_SESSION_H
#define APP_STORE_SESSION_H

#include "app/document/groove.h"
#include "app/document/proposals.h"
#include "app/generation/steer.h"
#include "app/document/store.h"
#include "midi/edit/humanise.h"
#include "midi/record/record.h"
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

/* A running recording: the data to finish it (perform/recorder.c). What is written has the notes
 * and events from n_notes_before and n_events_before on: those before are there already. */
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
    size_t n_notes_before, n_events_before;
    bool is_there;
};

struct kept_track {
    int chunk, channel;
};

/* Where a note of the score is. */
struct kept_place {
    int track;
    int64_t start, length; /* ticks */
    int pitch;
    int64_t
        ghost; /* the id of the ghost that it is; 0: none, and a take would replace it */
};

/* The takes that wait. Empty when none does; lists are owned; zero-initialise. */
struct kept_takes {
    int ticks_per_quarter;
    struct generation asked; /* these as in struct session */
    int takes_once, n_letters, shown;
    int64_t hole_from, hole_to, music_end;

    struct proposal *list; /* by letter; ghosts by id, each once in a take */
    struct kept_track *tracks;
    struct kept_place *places;
    size_t n, n_tracks, n_places;

    /* The music that they fit: the edits since it was saved. Unsaved edits may be newer
     * than this, or lost. */
    int64_t time_put_in;  /* ticks */
    uint64_t arrangement; /* of tracks; 0: the saved one */
};

struct kept_session {
    struct steering steering;
    struct kept_loop loop;
    struct kept_takes takes;
    struct kept_takes left_out; /* read only: those that did not fit */
    struct groove groove;       /* of quantising, */
    struct humanise humanise;   /* and humanising: but the seed */
    struct kept_roll roll;
    struct kept_tracks tracks;
    struct taps taps;
    struct kept_recording recording; /* of KEPT_RECORDING alone */
    bool is_saved, is_unsaved; /* which one was read: the saved session, or the last */
};

void kept_session_init(struct kept_session *b); /* as it comes */
void kept_session_fini(struct kept_session *b);
void kept_takes_fini(struct kept_takes *t);
void kept_session_destroy(struct kept_session *b); /* malloc'd; NULL is fine */

enum kept_as {
    KEPT_NOW,
    KEPT_SAVED,
    KEPT_LEFT_OUT, /* of which only takes */
    KEPT_RECORDING /* of which only the recording */
};

/* Replaces what the store's piece has as that; NULL: by nothing. What is saved is all there is then.
 * Parts that are the same are not written. A recording is added to, unless it is a new one. SQLITE_OK, or
 * an error. */
int kept_session_write(struct store *s, enum kept_as as, const struct kept_session *b);
/* Reads the present session, or else the saved one. NULL: success; else the name of the
 * invalid value, and *b is undefined. */
const char *kept_session_read(struct kept_session *b, struct store *s);

/* Collects the marks of a score; overwrites *t. false: out of memory, and it is empty. */
bool kept_tracks_gather(struct kept_tracks *t, const struct score *s);
/* Each goes to the track of its index when that has its name; else to the only one that
 * is called so; else to none. */
void kept_tracks_give(const struct kept_tracks *t, struct score *s);

#endif
