/* What the journal's functions share with its two threads: an inner part of
 * app/journal.h.
 *
 * One lock, held for no longer than it takes to trade buffers, but by journal_move, which
 * copies the file under it. The file's descriptor is the writer's while `writing`, the
 * syncer's while `syncing`, and else whoever's has the lock. */
#ifndef APP_JOURNAL_THREADS_H
#define APP_JOURNAL_THREADS_H

#include "app/journal.h"

#include <pthread.h>
#include <time.h>

struct journal {
    pthread_t writer, syncer;
    int wake_fd;

    pthread_mutex_t lock; /* guards all below */
    pthread_cond_t work, done,
        old; /* for the writer, for those who wait, for the syncer */
    bool quitting;
    char *path; /* NULL: no piece */
    mode_t mode;
    int fd;   /* -1: not made yet */
    size_t n; /* bytes in the file that are whole records */
    struct bytes_out waiting;
    bool writing, syncing;
    bool is_named; /* the file's name is on the disk, too */
    bool unsynced;
    struct timespec sync_due; /* when `unsynced` */
    void (*lent)(void *);     /* NULL: the syncer is free for other work */
    void *lent_with;
    bool asked; /* the ui wants to be woken */
    int error;
    struct journal_counts counts;
};

/* The threads' functions; each takes the journal, and ends when it is `quitting`. */
void *journal_write_records(void *journal);
void *journal_sync_records(void *journal);

/* With the lock: something is not synced. Is so some time after the first of it, so that
 * many are at once. */
void journal_ask_sync(struct journal *j);

/* That long from now, as the conditions count. */
struct timespec journal_after_ms(int ms);

#endif
