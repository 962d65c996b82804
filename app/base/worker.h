/* A thread that answers the newest request. A request takes the place of one that waits, and cancels
 * the one at work, which looks at the cancel flag between its steps. Its owner shares results with
 * the thread under the lock; news writes one byte to the wake descriptor. */
#ifndef APP_WORKER_H
#define APP_WORKER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct worker {
    atomic_bool cancel;   /* the request at work is of no more use */
    pthread_mutex_t lock; /* guards the fields below, and the owner's that it says */
    pthread_cond_t wanted;
    bool quits;
    void *waiting; /* the newest request, not begun; NULL: none */
    /* constant after start */
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

/* With the lock: cancels the request at work, and puts one (NULL: none) in the place of the one that
 * waits, which is returned for the caller to free. */
void *worker_put(struct worker *w, void *request);
/* With the lock: whether what is found now is for a request that was cancelled. */
bool worker_is_stale(const struct worker *w);
/* Tells the ui that there is news. */
void worker_wake(const struct worker *w);

#endif
