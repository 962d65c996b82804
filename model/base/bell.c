/* Sleeping and waking. See bell.h. */
#include "model/base/bell.h"

#include <stddef.h>

static void wake_all(struct bell *b);

/* The wake itself may find nobody: who marked may have seen the news since. */
void bell_ring(struct bell *b)
{
    if (atomic_load(&b->state) & 1) {
        atomic_fetch_add(&b->state, 1);
        wake_all(b);
    }
}

unsigned bell_mark(struct bell *b)
{
    return atomic_fetch_or(&b->state, 1) | 1;
}

#if BELL_HAS_FUTEX
#include <limits.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

void bell_init(struct bell *b)
{
    atomic_init(&b->state, 0);
}

void bell_fini(struct bell *b)
{
    (void)b;
}

void bell_sleep(struct bell *b, unsigned marked)
{
    syscall(SYS_futex, &b->state, FUTEX_WAIT_PRIVATE, marked, NULL, NULL, 0);
}

static void wake_all(struct bell *b)
{
    syscall(SYS_futex, &b->state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}
#else
void bell_init(struct bell *b)
{
    atomic_init(&b->state, 0);
    pthread_mutex_init(&b->lock, NULL);
    pthread_cond_init(&b->changed, NULL);
}

void bell_fini(struct bell *b)
{
    pthread_mutex_destroy(&b->lock);
    pthread_cond_destroy(&b->changed);
}

void bell_sleep(struct bell *b, unsigned marked)
{
    pthread_mutex_lock(&b->lock);
    while (atomic_load(&b->state) == marked)
        pthread_cond_wait(&b->changed, &b->lock);
    pthread_mutex_unlock(&b->lock);
}

/* The state has changed already; under the lock, nobody is between the two. */
static void wake_all(struct bell *b)
{
    pthread_mutex_lock(&b->lock);
    pthread_cond_broadcast(&b->changed);
    pthread_mutex_unlock(&b->lock);
}
#endif
