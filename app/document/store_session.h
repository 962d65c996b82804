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

struct kept_loop { /* ticks; both equal: there is no loop */
    int64_t from, to;
    bool on;
};

/* The grid of the roll. All zero: the defaults. */
struct kept_roll {
    struct grid_step grid; /* division 0: the default grid */
    bool snaps, folds;     /* to the scale, which is a value of the steering */
};

/* The marks of a track that has any; a track of a file has none. */
struct kept_marks {
    int index;
    char name[sizeof((struct track *)0)->name]; /* the bytes of the file */
    bool mute, solo, arm, hide;
    int colour;
};
struct kept_tracks {
    struct kept_marks *list; /* owned; indices ascend */
    size_t n;
};

/* A running recording, with all that is needed to finish it (perform/recorder.c). Notes and events are
 * written from n_notes_before and n_events_before on: the store has those before. */
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

/* The place of a note of the score. */
struct kept_place {
    int track;
    int64_t start, length; /* ticks */
    int pitch;
    int64_t
        ghost; /* id of the ghost that the note is; 0: a take would replace the note */
};

/* The waiting takes; all zero if none waits. The lists are owned. Zero-initialise. */
struct kept_takes {
    int ticks_per_quarter;
    struct generation asked; /* this and the two lines below as in struct session */
    int takes_once, n_letters, shown;
    int64_t hole_from, hole_to, music_end;

    struct proposal *list; /* by letter; the ghosts of each by id, each id once */
    struct kept_track *tracks;
    struct kept_place *places;
    size_t n, n_tracks, n_places;

    /* The music that they fit, told by its edits since it was saved. The music that is read may have
     * newer edits, or lack some. */
    int64_t time_put_in;  /* ticks that were inserted */
    uint64_t arrangement; /* of tracks; 0: as saved */
};

struct kept_session {
    struct steering steering;
    struct kept_loop loop;
    struct kept_takes takes;
    struct kept_takes left_out; /* takes that did not fit the music; only read */
    struct groove groove;       /* of quantising */
    struct humanise humanise;   /* without its seed */
    struct kept_roll roll;
    struct kept_tracks tracks;
    struct taps taps;
    struct kept_recording recording; /* only of KEPT_RECORDING */
    bool is_saved,
        is_unsaved; /* what was read: the session as saved, or with later changes */
};

void kept_session_init(struct kept_session *b); /* the defaults */
void kept_session_fini(struct kept_session *b);
/* Frees a malloc'd struct kept_session, and all it owns; NULL is fine. */
void kept_session_destroy(void *session);

enum kept_as {
    KEPT_NOW,
    KEPT_SAVED,
    KEPT_LEFT_OUT, /* only takes */
    KEPT_RECORDING /* only the recording */
};

/* Replaces what the store's piece has as that; NULL: by nothing. What is saved is all there is then.
 * Parts that are the same are not written. A recording is added to, unless it is a new one. SQLITE_OK, or
 * an error. */
int kept_session_write(struct store *s, enum kept_as as, const struct kept_session *b);
/* Reads the present session, or else the saved one. Returns NULL on success, else the name of the
 * invalid value; then *b is undefined. */
const char *kept_session_read(struct kept_session *b, struct store *s);

/* Collects the marks of a score; overwrites *t. false: out of memory, and it is empty. */
bool kept_tracks_gather(struct kept_tracks *t, const struct score *s);
/* Gives each track its marks: the track of that index if the name is the same, else the only track of
 * that name, else none. */
void kept_tracks_give(const struct kept_tracks *t, struct score *s);

#endif
