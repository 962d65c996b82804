#include "app/base/worker.h"

#include "midi/base/thread.h"

#include <unistd.h>

static void *run(void *worker)
{
    struct worker *w = worker;
    thread_step_back();
    pthread_mutex_lock(&w->lock);
    while (!w->quits) {
        void *request = w->waiting;
        if (!request) {
            pthread_cond_wait(&w->wanted, &w->lock);
            continue;
        }
        w->waiting = NULL;
        atomic_store(&w->cancel, false);
        pthread_mutex_unlock(&w->lock);
        w->answer(w->owner, request);
        pthread_mutex_lock(&w->lock);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

bool worker_start(struct worker *w, void *owner,
                  void (*answer)(void *owner, void *request), int wake_fd)
{
    *w = (struct worker){.owner = owner, .answer = answer, .wake_fd = wake_fd};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->wanted, NULL);
    if (thread_start(&w->thread, run, w))
        return true;
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->wanted);
    return false;
}

void *worker_stop(struct worker *w)
{
    pthread_mutex_lock(&w->lock);
    void *request = worker_put(w, NULL);
    w->quits = true;
    pthread_cond_signal(&w->wanted);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->wanted);
    return request;
}

void *worker_put(struct worker *w, void *request)
{
    void *before = w->waiting;
    w->waiting = request;
    atomic_store(&w->cancel, true); /* cleared when the next begins */
    pthread_cond_signal(&w->wanted);
    return before;
}

bool worker_is_stale(const struct worker *w)
{
    return w->waiting || w->quits || atomic_load(&w->cancel);
}

void worker_wake(const struct worker *w)
{
    /* A full pipe already holds a wake-up. */
    if (w->wake_fd >= 0 && write(w->wake_fd, "w", 1) < 0)
        return;
}
