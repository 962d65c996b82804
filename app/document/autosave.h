/* Saves the open document to its store as it is edited, and watches its MIDI file. A part of
 * struct project, whose functions call these. Until autosave_start all of them do nothing.
 * UI thread; what blocks says so. */
#ifndef APP_AUTOSAVE_H
#define APP_AUTOSAVE_H

#include "app/document/store_session.h"
#include "app/document/writer.h"

/* What an earlier run left in the store of the music that is opened, and the lock on that
 * store, which is taken before any edit. Blocks for the disk. */

enum recovery_kind {
    RECOVERY_NONE,    /* no store, or no edits in it */
    RECOVERY_BACK,    /* the history is back, and edits that were not saved */
    RECOVERY_TAKEN,   /* another program has it open */
    RECOVERY_OTHER,   /* it is of other music than is in the file now */
    RECOVERY_UNREAD,  /* for want of memory, or the disk's fault: it stays as it is */
    RECOVERY_FOREIGN, /* the file of that name is not ours: it stays unchanged */
    RECOVERY_DAMAGED, /* or of a later version of this program */
    RECOVERY_FULL,    /* it is too large, and all of it is saved: start again */
};

enum {
    RECOVERY_FULL_BYTES = 16 << 20, /* and more than this many times the music: */
    RECOVERY_FULL_TIMES = 4,
};

struct recovery {
    enum recovery_kind kind;
    char why[STORE_WHY_BYTES]; /* of UNREAD, FOREIGN, DAMAGED: a phrase */
    bool has_music;            /* of DAMAGED: some of it can be read */
    size_t n_unsaved; /* of BACK: changes between the saved state and the present one */
    /* Of OTHER, DAMAGED: the name it is kept under; "": not kept, since all in it was
     * saved. */
    char aside[256];

    /* Whoever uses these zeroes them. Where it will be kept; NULL: nowhere. */
    struct store *store;
    struct kept_session *session; /* NULL: there was none */
    /* The music as it was read, or of BACK. */
    struct score *score;
    struct history *history;
    struct smf_report report;
    uint64_t saved_state; /* state in the file */
    /* Of BACK. */
    uint8_t *base; /* state at the start of the store */
    size_t n_base;
    bool has_file; /* that was a file */
};

/* Looks into the store of the piece of that path, which is a file (has_file) with these bytes, or
 * none yet. *r has its music as it was read, which what comes back replaces, and else zeros. s: the
 * store, which is taken, where it is open already; else NULL. */
void recovery_look(struct recovery *r, const char *midi_path, struct store *s,
                   const uint8_t *music, size_t n_music, bool has_file);
/* The newest music of the state folder that never had a file. false: there is none. */
bool recovery_look_unnamed(struct recovery *r);
/* What was not used. */
void recovery_fini(struct recovery *r);

struct autosave {
    struct writer *writer; /* NULL: nothing is saved */
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
    int no_store; /* errno: why there is none, till it is saved elsewhere; 0: there is */
    uint64_t n_moves; /* times that all was written again, into an empty store */
};

bool autosave_start(struct autosave *k, int wake_fd);
void autosave_stop(struct autosave *k); /* after autosave_leave; zeroes it */

/* A piece of that path (NULL: it has none) is open. It begins with this music, which it
 * takes; or it continues a recovered piece and also takes the store of *r. r NULL: a new
 * piece. Leave the old piece first. */
void autosave_enter(struct autosave *k, const char *midi_path, uint8_t *music, size_t n,
                    bool has_file, struct recovery *r);
/* Blocks until all is written. is_worthless: all of it is saved in the MIDI file. The store
 * is then deleted if the piece never had a file, or nothing was ever done in it. */
void autosave_leave(struct autosave *k, bool is_worthless, bool has_history);
/* holds: the session of unsaved music must come back, so its store is started and kept.
 * Never blocks. */
void autosave_hold(struct autosave *k, bool holds);
/* Leaves the piece of that path and returns its store, to read it again. NULL: another
 * piece is being written. */
struct store *autosave_release(struct autosave *k, const char *midi_path);

/* Why edits are not written down, as errno; 0: they are. EWOULDBLOCK: another program has
 * the piece. ESTALE: another program has deleted the store, or cut it short. */
int autosave_error(const struct autosave *k);
/* After such an error: writes everything again, beside the piece or else in the state
 * folder. The caller writes the session again. Blocks for the disk. false: that failed too,
 * or there is nothing to repair. */
bool autosave_mend(struct autosave *k, const struct history *h);
/* Whether another program had the piece and has left it. Blocks. Then autosave_take_over makes
 * it ours and writes what was done here beside it; an older store is renamed aside. The caller
 * writes the session. false: another has taken it since. */
bool autosave_is_left(const struct autosave *k);
bool autosave_take_over(struct autosave *k, const struct history *h);
bool autosave_is_elsewhere(const struct autosave *k); /* in the state folder */

/* Whether another program has the piece of that file open. Blocks. */
bool autosave_is_open_elsewhere(const struct autosave *k, const char *midi_path);

/* Call when the present state of `h` is new, or was returned to. Never blocks. */
void autosave_moved(struct autosave *k, const struct history *h, bool is_new);
/* Call before saving these bytes in that file. Blocks for a moment. */
void autosave_saving(struct autosave *k, const char *midi_path, const struct history *h,
                     const uint8_t *music, size_t n);
/* Call after saving; the piece now belongs to that file; errno is kept. `saved_before`: the
 * state in the old file, if it is another file. false: the store could not move to the new
 * name. */
bool autosave_saved(struct autosave *k, const char *midi_path, uint64_t saved_before,
                    const struct history *h, const uint8_t *music, size_t n);

/* Writes the session (NULL: none) as it is, as it was saved (then nothing else remains), the
 * part that is left out, or a running recording (NULL: it has ended). Takes it, malloc'd.
 * Never blocks. */
void autosave_put_session(struct autosave *k, struct kept_session *b, enum kept_as as);

#endif
