/* See wakeup.h. */
#include "model/base/wakeup.h"

#include <stddef.h>

#if WAKEUP_HAS_FUTEX
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

void wakeup_init(struct wakeup *w)
{
    atomic_init(&w->state, 0);
#if !WAKEUP_HAS_FUTEX
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
#endif
}

void wakeup_fini(struct wakeup *w)
{
#if WAKEUP_HAS_FUTEX
    (void)w;
#else
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
#endif
}

unsigned wakeup_mark(struct wakeup *w)
{
    return atomic_fetch_or(&w->state, 1) | 1;
}

void wakeup_wait(struct wakeup *w, unsigned marked)
{
#if WAKEUP_HAS_FUTEX
    syscall(SYS_futex, &w->state, FUTEX_WAIT_PRIVATE, marked, NULL, NULL, 0);
#else
    pthread_mutex_lock(&w->lock);
    while (atomic_load(&w->state) == marked)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
#endif
}

/* There may be no thread to wake: the one that marked the event may have seen the news. */
void wakeup_notify(struct wakeup *w)
{
    if (!(atomic_load(&w->state) & 1))
        return;
    atomic_fetch_add(&w->state, 1);
#if WAKEUP_HAS_FUTEX
    syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
#else
    /* The lock excludes a thread that has compared the state but does not sleep yet. */
    pthread_mutex_lock(&w->lock);
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
#endif
}
