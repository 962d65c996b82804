/* A thread that answers the newest request. A request takes the place of one that waits, and cancels
 * the one at work, which looks at the cancel flag between its steps. Its owner shares results with
 * the thread under the lock; news writes one byte to the wake descriptor. */
#ifndef APP_WORKER_H
#define APP_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    atomic_bool cancel;   /* the request at work is not needed any more */
    pthread_mutex_t lock; /* guards the fields below, and the owner's results */
    pthread_cond_t wanted;
    bool quits;
    void *waiting; /* the newest request, if it has not begun; NULL: none */
    /* constant after the start: */
    pthread_t thread;
    int wake_fd; /* -1: none */
    void *owner;
    void (*answer)(void *owner, void *request);
};

/* Starts the thread, which calls `answer` without the lock, for each request; `answer` takes the
 * request. false: there is no thread, and nothing to stop. */
bool worker_start(struct worker *w, void *owner,
                  void (*answer)(void *owner, void *request), int wake_fd);
/* Cancels and joins. Returns the request that was not begun, or NULL. */
void *worker_stop(struct worker *w);

/* Cancels the request at work, and replaces the waiting one by `request` (NULL: none). Returns the
 * replaced one, which the caller frees. Call with the lock. */
void *worker_put(struct worker *w, void *request);
/* Returns whether the request at work was cancelled, so that its results are not needed. Call with the
 * lock. */
bool worker_is_stale(const struct worker *w);
/* Writes to the wake descriptor: there is news. */
void worker_wake(const struct worker *w);

#endif
