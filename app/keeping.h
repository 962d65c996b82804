/* What keeps the open document from being lost: its journal, and an eye on its file. A
 * part of struct project, whose functions call these; without keeping_start all of them
 * do nothing. UI thread. */
#ifndef APP_KEEPING_H
#define APP_KEEPING_H

#include "app/journal.h"
#include "app/recovery.h"
#include "app/watch.h"

struct keeping {
    struct journal *journal; /* NULL: nothing is kept */
    struct watch *watch;
    bool
        is_taken; /* another program has the piece: no journal, and no saving over it */
    bool is_unnamed;
    bool holds;           /* see keeping_hold */
    bool has_said_saving; /* of the save that is going on */
    bool has_begun;       /* the journal has its base; else it is this: */
    bool has_file;
    uint8_t *base;
    size_t n_base;
    char *path;            /* of the journal, to know it again */
    struct file_seen seen; /* the MIDI file as it was read or written */
    int move_error; /* why there is no journal where the music is now; 0: there is */
};

bool keeping_start(struct keeping *k, int wake_fd);
void keeping_stop(struct keeping *k); /* after keeping_leave; zeroes it */

/* The piece of that path (NULL: it has none) begins with this music, which is taken, or
 * goes on where it was recovered (*r is taken as far as it concerns the journal; NULL: a
 * new one). The piece before has been left. */
void keeping_enter(struct keeping *k, const char *midi_path, uint8_t *music, size_t n,
                   bool has_file, struct recovery *r);
/* For music without a file, whose journal was found at `path`. */
void keeping_enter_unnamed(struct keeping *k, const char *path, struct recovery *r);
/* is_worthless: nothing in it is not saved. Nor is a journal left of a piece that was
 * never saved, nor anything done in it. Blocks until all is written. */
void keeping_leave(struct keeping *k, bool is_worthless, bool has_history);
/* There is something beside music that was never saved, which is to come back with it:
 * its journal is begun and not worthless; or there no longer is. Never blocks. */
void keeping_hold(struct keeping *k, bool holds);
/* The journal of that piece, if it is the one that is being written, for reading it
 * anew; the piece is left. Else -1. */
int keeping_release(struct keeping *k, const char *midi_path);

/* Why what is done is not written down, as errno; 0: it is. EWOULDBLOCK: another program
 * has the piece. */
int keeping_error(const struct keeping *k);

/* The present state of `h` is new; was gone to. Never blocks. */
void keeping_did(struct keeping *k, const struct history *h);
void keeping_went(struct keeping *k, const struct history *h);
/* It is about to be saved as these bytes, in that file. Blocks for a moment. */
void keeping_saving(struct keeping *k, const char *midi_path, const struct history *h,
                    const uint8_t *music, size_t n);
/* That went well, and the file is this from now on; errno is kept. `saved_before`: the
 * state the file of before holds, if it is another. false: the journal could not follow to
 * the new name. */
bool keeping_saved(struct keeping *k, const char *midi_path, uint64_t saved_before,
                   const struct history *h, const uint8_t *music, size_t n);

#endif
