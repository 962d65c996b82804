#include "model/base/wakeup.h"

#include <stddef.h>

static void wake_all(struct wakeup *w);

/* May find nobody to wake: the thread that marked may have seen the news already. */
void wakeup_notify(struct wakeup *w)
{
    if (atomic_load(&w->state) & 1) {
        atomic_fetch_add(&w->state, 1);
        wake_all(w);
    }
}

unsigned wakeup_mark(struct wakeup *w)
{
    return atomic_fetch_or(&w->state, 1) | 1;
}

#if WAKEUP_HAS_FUTEX
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void wakeup_init(struct wakeup *w)
{
    atomic_init(&w->state, 0);
}

void wakeup_fini(struct wakeup *w)
{
    (void)w;
}

void wakeup_wait(struct wakeup *w, unsigned marked)
{
    syscall(SYS_futex, &w->state, FUTEX_WAIT_PRIVATE, marked, NULL, NULL, 0);
}

static void wake_all(struct wakeup *w)
{
    syscall(SYS_futex, &w->state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
#else
void wakeup_init(struct wakeup *w)
{
    atomic_init(&w->state, 0);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
}

void wakeup_fini(struct wakeup *w)
{
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->changed);
}

void wakeup_wait(struct wakeup *w, unsigned marked)
{
    pthread_mutex_lock(&w->lock);
    while (atomic_load(&w->state) == marked)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

/* The state has already changed. The lock excludes a thread between check and sleep. */
static void wake_all(struct wakeup *w)
{
    pthread_mutex_lock(&w->lock);
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}
#endif
