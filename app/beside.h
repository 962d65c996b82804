/* What is beside the music while it is worked on: the thread's side. The sidecar is
 * written over whenever what it would hold has changed (app/session_beside.c says when),
 * so that killing the program loses none of it; and what it said before is remembered, to
 * be given back when the piece is left without being saved.
 *
 * The ui thread fills `want` and lends the whole to the journal's second thread
 * (journal_lend), whose it is until journal_is_free. Only that order makes it safe:
 * nothing here locks. All functions block for the disk. */
#ifndef APP_BESIDE_H
#define APP_BESIDE_H

#include "app/sidecar.h"

/* Zero-initialise; beside_forget frees. */
struct beside {
    char *path;    /* of the piece, or what would be its name without one */
    char *saved;   /* what sidecar_text would give of what was saved; NULL: not known */
    bool is_there; /* such a file was. Else the dice do not count: asking throws them */
    bool left_out; /* takes of it do not wait now: that file is put aside */

    struct sidecar want; /* freed by beside_write */

    /* What came of it. */
    enum sidecar_status status; /* FAILED: why says so, once */
    char why[SIDECAR_WHY_BYTES];

    bool is_over; /* there is now what was not saved; then: */
    char *text;   /*   it says this, */
    char *before; /*   and said this; NULL: there was none, or a damaged one */
};

/* Writes what is wanted; where that is what was saved, gives that back. Takes a struct
 * beside. */
void beside_write(void *beside);
/* What was saved is there again, or no file if there was none. Nothing happens where it
 * was not written over. */
enum sidecar_status beside_give_back(struct beside *b);
/* What is there now has been saved, or nobody knows of it any more. */
void beside_forget(struct beside *b);

#endif
