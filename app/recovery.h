/* What an earlier run left in the journal of music that is being opened. Blocks for the
 * disk; ui thread. */
#ifndef APP_RECOVERY_H
#define APP_RECOVERY_H

#include "app/journal_contents.h"

enum recovery_kind {
    RECOVERY_NONE,    /* no journal, or one that says nothing or is no file */
    RECOVERY_BACK,    /* the history is back, and edits that were not saved */
    RECOVERY_TAKEN,   /* another program is writing it */
    RECOVERY_OTHER,   /* it is of other music than is in the file now */
    RECOVERY_UNREAD,  /* for want of memory, or the disk's fault: it stays as it is */
    RECOVERY_DAMAGED, /* or of a later version of this program */
    RECOVERY_FULL, /* it had grown large, and everything in it is saved: begin anew */
};

enum {
    RECOVERY_FULL_BYTES = 16 << 20, /* and more than so many times the music: */
    RECOVERY_FULL_TIMES = 4,
};

struct recovery {
    enum recovery_kind kind;
    int why;          /* of UNREAD: errno */
    bool was_torn;    /* the program was ended in the middle of writing */
    bool has_music;   /* of DAMAGED: some of it can be read */
    size_t n_unsaved; /* of BACK: changes between the saved state and the present one */
    char
        aside[256]; /* of OTHER, DAMAGED: the name it is kept under; "": not kept, since
                       * there was nothing in it that was not saved */

    /* Of BACK. Whoever uses them zeroes them. */
    struct score *score;
    struct history *history;
    struct smf_report report;
    uint64_t saved_state; /* what the file holds */
    int fd;               /* locked, and cut to n bytes; else -1 */
    size_t n;
};

/* The journal at `path` beside music that is a file (has_file) with these bytes, or none
 * yet. fd: the journal where it is open already, which is taken; else -1. */
void recovery_look(struct recovery *r, const char *path, int fd, const uint8_t *music,
                   size_t n_music, bool has_file);
/* The newest of music that never had a file; its path, the caller's, or NULL: none. */
char *recovery_look_unnamed(struct recovery *r);
/* What was not used. */
void recovery_fini(struct recovery *r);

#endif
