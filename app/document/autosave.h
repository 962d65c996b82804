/* Saves the open document to its store as it is edited, and watches its MIDI file. A part of
 * struct project, whose functions call these. Until autosave_start all of them do nothing.
 * UI thread; what blocks says so. */
#ifndef APP_AUTOSAVE_H
#define APP_AUTOSAVE_H

#include "app/document/store_session.h"
#include "app/document/recovery.h"
#include "app/document/file_monitor.h"
#include "app/document/writer.h"

struct autosave {
    struct writer *writer; /* NULL: nothing is saved */
    struct file_monitor *monitor;
    bool is_taken; /* another program has the piece: no store, and no saving over it */
    bool is_unnamed;
    bool holds;           /* see autosave_hold */
    bool has_said_saving; /* the store knows of the save that is going on */
    bool has_begun;       /* the store has its base: */
    bool has_file;        /* which began as a file, */
    uint8_t *base;        /* and is this */
    size_t n_base;
    char *midi_path; /* NULL: it has none */
    bool has_saved;  /* lately, as `saved` */
    struct kept_save saved;
    struct file_seen seen; /* the MIDI file as it was read or written */
    int no_store;          /* errno: why there is none; 0: there is */
};

bool autosave_start(struct autosave *k, int wake_fd);
void autosave_stop(struct autosave *k); /* after autosave_leave; zeroes it */

/* A piece of that path (NULL: it has none) is open. It begins with this music, which is
 * taken; or it goes on where it was recovered: then the store of *r is taken, too. r NULL: a
 * new piece. The piece before has been left. */
void autosave_enter(struct autosave *k, const char *midi_path, uint8_t *music, size_t n,
                    bool has_file, struct recovery *r);
/* Blocks until all is written. is_worthless: all of it is saved in the MIDI file. The store
 * is then deleted if the piece never had a file, or nothing was ever done in it. */
void autosave_leave(struct autosave *k, bool is_worthless, bool has_history);
/* holds: the session of music that was never saved is to come back, so its store is begun
 * and not worthless. Never blocks. */
void autosave_hold(struct autosave *k, bool holds);
/* Leaves the piece of that path and returns its store, for reading it anew. NULL: that is not
 * the piece being written. */
struct store *autosave_release(struct autosave *k, const char *midi_path);

/* Why edits are not written down, as errno; 0: they are. EWOULDBLOCK: another program has
 * the piece. ESTALE: another program has deleted the store, or cut it short. */
int autosave_error(const struct autosave *k);
/* After such an error: writes everything anew, beside the piece or else in the state folder.
 * The session has to be put again. Blocks for the disk. false: that failed, too, or there is
 * nothing to mend. */
bool autosave_mend(struct autosave *k, const struct history *h);
bool autosave_is_elsewhere(const struct autosave *k); /* in the state folder */

/* Whether another program has the piece of that file open. Blocks. */
bool autosave_is_open_elsewhere(const struct autosave *k, const char *midi_path);

/* The present state of `h` is new; or was gone to. Never blocks. */
void autosave_did(struct autosave *k, const struct history *h);
void autosave_went(struct autosave *k, const struct history *h);
/* It is about to be saved as these bytes, in that file. Blocks for a moment. */
void autosave_saving(struct autosave *k, const char *midi_path, const struct history *h,
                     const uint8_t *music, size_t n);
/* It was saved, and the piece is of that file from now on; errno is kept. `saved_before`: the
 * state that the old file holds, if it is another file. false: the store could not follow to
 * the new name. */
bool autosave_saved(struct autosave *k, const char *midi_path, uint64_t saved_before,
                    const struct history *h, const uint8_t *music, size_t n);

/* Writes the session (NULL: there is none) as it is, as it was saved (then nothing else
 * remains), or what of it is left out. Takes it, malloc'd. Never blocks. */
void autosave_put_session(struct autosave *k, struct kept_session *b, enum kept_as as);
/* A recording that goes on: as kept_session_record. Takes it, malloc'd. NULL: it has
 * ended. */
void autosave_record(struct autosave *k, struct kept_session *b, size_t n_notes,
                     size_t n_events);

#endif
