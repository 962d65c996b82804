/* What an earlier run left in the store of the music that is opened, and the lock on that
 * store, which is taken before any edit. Blocks for the disk. UI thread. */
#ifndef APP_RECOVERY_H
#define APP_RECOVERY_H

#include "app/document/store_history.h"

struct kept_session;

enum recovery_kind {
    RECOVERY_NONE,    /* no store, or no edits in it */
    RECOVERY_BACK,    /* the history is back, and edits that were not saved */
    RECOVERY_TAKEN,   /* another program has it open */
    RECOVERY_OTHER,   /* it is of other music than is in the file now */
    RECOVERY_UNREAD,  /* for want of memory, or the disk's fault: it stays as it is */
    RECOVERY_FOREIGN, /* what has its name is not ours to touch: it stays as it is */
    RECOVERY_DAMAGED, /* or of a later version of this program */
    RECOVERY_FULL, /* it had grown large, and everything in it is saved: begin anew */
};

enum {
    RECOVERY_FULL_BYTES = 16 << 20, /* and more than so many times the music: */
    RECOVERY_FULL_TIMES = 4,
};

struct recovery {
    enum recovery_kind kind;
    char why[STORE_WHY_BYTES]; /* of UNREAD, FOREIGN, DAMAGED: a phrase */
    bool has_music;            /* of DAMAGED: some of it can be read */
    bool is_elsewhere;         /* it is kept in the state folder, not beside */
    size_t n_unsaved; /* of BACK: changes between the saved state and the present one */
    char
        aside[256]; /* of OTHER, DAMAGED: the name it is kept under; "": not kept, since
                       * there was nothing in it that was not saved */

    /* Whoever uses these zeroes them. Where it will be kept; NULL: nowhere. */
    struct store *store;
    struct kept_session *session; /* NULL: there was none */
    /* Of BACK. */
    struct score *score;
    struct history *history;
    struct smf_report report;
    uint64_t saved_state; /* what the file holds */
    uint8_t *base;        /* what the store begins with */
    size_t n_base;
    bool has_file; /* that was a file */
};

/* The store of the piece of that path, which is a file (has_file) with these bytes, or
 * none yet. s: the store where it is open already, which is taken; else NULL. */
void recovery_look(struct recovery *r, const char *midi_path, struct store *s,
                   const uint8_t *music, size_t n_music, bool has_file);
/* The newest music of the state folder that never had a file. false: there is none. */
bool recovery_look_unnamed(struct recovery *r);
/* What was not used. */
void recovery_fini(struct recovery *r);

/* As open to others as the music is. */
mode_t recovery_mode(const char *midi_path);

#endif
