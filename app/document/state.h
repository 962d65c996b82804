/* What is remembered between pieces, in the state folder's continuo.db (app/document/store.sql):
 * registers, lines typed at prompts, recent files. The writer thread writes it at once
 * (app/document/writer.h). What cannot be read or written is done without. Reading blocks for
 * the disk. UI thread. */
#ifndef APP_STATE_H
#define APP_STATE_H

#include "app/document/clipboard.h"
#include "app/document/writer.h"

enum {
    RECENT_MAX = 20,
    STATE_LINES = 100, /* that are remembered */
    /* The most notes and controllers that are kept in all; longer passages are dropped. */
    REGISTERS_KEPT_NOTES = 50000,
};

/* Newest first. */
struct recent {
    char *paths[RECENT_MAX]; /* absolute */
    int n;
};

void recent_read(struct recent *r);
void recent_forget(struct recent *r);
/* Puts the file first in the list. Without a writer, before it returns. */
void recent_add(struct writer *w, const char *path);

/* Into *r, which is empty. false: it cannot be used, and *r is empty; `why` has a phrase. */
bool registers_recall(struct registers *r, char why[STORE_WHY_BYTES]);
/* A copy of it is written. */
void registers_remember(struct writer *w, struct registers *r);

/* Each line from the oldest on. */
void lines_recall(void (*with)(void *context, int prompt, const char *text),
                  void *context);
void line_remember(struct writer *w, int prompt, const char *text);

#endif
