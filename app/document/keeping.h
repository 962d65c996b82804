/* What keeps the open document from being lost: its store, and an eye on its file. A part
 * of struct project, whose functions call these; without keeping_start all of them do
 * nothing. UI thread. */
#ifndef APP_KEEPING_H
#define APP_KEEPING_H

#include "app/document/beside.h"
#include "app/document/recovery.h"
#include "app/document/watch.h"
#include "app/document/writer.h"

struct keeping {
    struct writer *writer; /* NULL: nothing is kept */
    struct watch *watch;
    bool is_taken; /* another program has the piece: no store, and no saving over it */
    bool is_unnamed;
    bool holds;           /* see keeping_hold */
    bool has_said_saving; /* of the save that is going on */
    bool has_begun;       /* the store has its base, which is this: */
    bool has_file;
    uint8_t *base;
    size_t n_base;
    char *midi_path; /* NULL: it has none */
    bool has_saved;  /* as this, lately: */
    struct kept_save saved;
    struct file_seen seen; /* the MIDI file as it was read or written */
    int no_store;          /* errno: why there is none; 0: there is */
};

bool keeping_start(struct keeping *k, int wake_fd);
void keeping_stop(struct keeping *k); /* after keeping_leave; zeroes it */

/* The piece of that path (NULL: it has none) begins with this music, which is taken, or
 * goes on where it was recovered (of *r what concerns the store is taken; NULL: a new
 * one). The piece before has been left. */
void keeping_enter(struct keeping *k, const char *midi_path, uint8_t *music, size_t n,
                   bool has_file, struct recovery *r);
/* is_worthless: nothing in it is not saved. Nor is a store left of a piece that was never
 * saved, nor anything done in it. Blocks until all is written. */
void keeping_leave(struct keeping *k, bool is_worthless, bool has_history);
/* There is something beside music that was never saved, which is to come back with it:
 * its store is begun and not worthless; or there no longer is. Never blocks. */
void keeping_hold(struct keeping *k, bool holds);
/* The store of that piece, if it is the one that is being written, for reading it anew;
 * the piece is left. Else NULL. */
struct store *keeping_release(struct keeping *k, const char *midi_path);

/* Why what is done is not written down, as errno; 0: it is. EWOULDBLOCK: another program
 * has the piece; ESTALE: another program has deleted the store, or cut it short. */
int keeping_error(const struct keeping *k);
/* Where there is such an error: writes all there is anew, beside the piece or, where that
 * cannot be written, in the state folder. Blocks for the disk. false: that fails, too, or
 * there is nothing to mend. What is beside the music is to be written again. */
bool keeping_mend(struct keeping *k, const struct history *h);
bool keeping_is_elsewhere(const struct keeping *k); /* in the state folder */

/* Whether another program has the piece of that file open, which is none of ours. Blocks. */
bool keeping_is_open_elsewhere(const struct keeping *k, const char *midi_path);

/* The present state of `h` is new; was gone to. Never blocks. */
void keeping_did(struct keeping *k, const struct history *h);
void keeping_went(struct keeping *k, const struct history *h);
/* It is about to be saved as these bytes, in that file. Blocks for a moment. */
void keeping_saving(struct keeping *k, const char *midi_path, const struct history *h,
                    const uint8_t *music, size_t n);
/* That went well, and the file is this from now on; errno is kept. `saved_before`: the
 * state the file of before holds, if it is another. false: the store could not follow to
 * the new name. */
bool keeping_saved(struct keeping *k, const char *midi_path, uint64_t saved_before,
                   const struct history *h, const uint8_t *music, size_t n);

/* What is beside the music (NULL: nothing), as it is, as it was saved (which is then all
 * there is), or what of it is left out; takes it, malloc'd. Never blocks. */
void keeping_put_beside(struct keeping *k, struct beside *b, enum beside_as as);
/* A recording that goes on: as beside_record; takes it, malloc'd. NULL: it has ended. */
void keeping_record(struct keeping *k, struct beside *b, size_t n_notes,
                    size_t n_events);

#endif
