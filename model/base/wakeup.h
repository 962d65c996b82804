/* A wakeup event: threads wait on it without holding a lock; one thread notifies them.
 *
 * The waiter calls wakeup_mark, checks whether there is news, and if there is none calls
 * wakeup_wait. The notifier stores the news, then calls wakeup_notify. No news is missed:
 * the mark, the waiter's check, the store and notify's look at the mark are sequentially
 * consistent, so all threads agree on one order of the four. Either the check comes after
 * the store and sees the news, or the mark comes before notify's look; notify then changes
 * the state, and nobody sleeps on a state that differs from the one that was marked. The
 * check must be atomic_load and the store atomic_store, without a weaker order.
 *
 * On Linux this is futex(2), which compares the state before it sleeps; elsewhere a mutex
 * and a condition variable do that. */
#ifndef MODEL_WAKEUP_H
#define MODEL_WAKEUP_H

#include <stdatomic.h>

#if defined(__linux__) && !defined(CONTINUO_PORTABLE)
#define WAKEUP_HAS_FUTEX 1
#else
#define WAKEUP_HAS_FUTEX 0
#include <pthread.h>
#endif

struct wakeup {
    atomic_uint state; /* odd: marked, so a thread sleeps or is about to */
#if !WAKEUP_HAS_FUTEX
    pthread_mutex_t lock; /* orders going to sleep and waking */
    pthread_cond_t changed;
#endif
};

void wakeup_init(struct wakeup *w);
void wakeup_fini(struct wakeup *w); /* only when no thread can wait on it any more */

/* Any thread. wait returns when the state differs from the one that mark returned; it may
 * return sooner, so the caller checks again. */
unsigned wakeup_mark(struct wakeup *w);
void wakeup_wait(struct wakeup *w, unsigned marked);

/* One thread. Makes a system call only when the event is marked. */
void wakeup_notify(struct wakeup *w);

#endif
