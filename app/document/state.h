/* The state folder's store, continuo.db (app/document/store.sql): registers, lines typed at prompts
 * and recent files, which all pieces share. The writer thread writes changes at once
 * (app/document/writer.h). Failures are ignored, but for registers that cannot be read. Reading
 * blocks for the disk. UI thread. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "app/document/clipboard.h"
#include "app/document/writer.h"

enum {
    RECENT_MAX = 20,
    STATE_LINES = 100, /* lines that are remembered */
    /* Notes and controllers of all registers together; registers that do not fit are not stored. */
    REGISTERS_KEPT_NOTES = 50000,
};

/* Newest first. */
struct recent {
    char *paths[RECENT_MAX]; /* absolute */
    int n;
};

void recent_read(struct recent *r);
void recent_forget(struct recent *r);
/* Puts the file first in the list; w NULL: blocks until it is written. */
void recent_add(struct writer *w, const char *path);

/* Reads the registers into *r, which is empty. false: they cannot be used, *r is empty, and `why` has a
 * phrase. */
bool registers_recall(struct registers *r, char why[STORE_WHY_BYTES]);
/* Writes a copy of the registers. */
void registers_remember(struct writer *w, struct registers *r);

/* Calls `with` for each line, the oldest first. */
void lines_recall(void (*with)(void *context, int prompt, const char *text),
                  void *context);
void line_remember(struct writer *w, int prompt, const char *text);

#endif
