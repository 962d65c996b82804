/* A wakeup event. Several threads may wait for it without holding a lock; one thread
 * notifies them.
 *
 * A waiting thread calls wakeup_mark, then checks whether there is news, and if there is
 * none calls wakeup_wait. The notifying thread stores the news, then calls wakeup_notify.
 * No news is missed. The mark, the check, the store, and the look at the mark inside
 * wakeup_notify are sequentially consistent, so all threads agree on one order of the
 * four. Either the check comes after the store and sees the news; or the mark comes
 * before the look, and wakeup_notify changes the state. A thread never sleeps on a state
 * that differs from the one it marked. The check must be an atomic_load and the store an
 * atomic_store, without a weaker order.
 *
 * On Linux the waiting is futex(2), which compares the state before it sleeps. Elsewhere
 * a mutex and a condition variable do the same. */
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
    atomic_uint state; /* odd: marked, so a thread sleeps or is about to sleep */
#if !WAKEUP_HAS_FUTEX
    pthread_mutex_t lock; /* excludes notifying between a check and the sleep */
    pthread_cond_t changed;
#endif
};

void wakeup_init(struct wakeup *w);
void wakeup_fini(struct wakeup *w); /* only when no thread can wait any more */

/* Any thread. wakeup_wait returns when the state differs from `marked`, the result of
 * wakeup_mark. It may return earlier, so the caller checks for news again. */
unsigned wakeup_mark(struct wakeup *w);
void wakeup_wait(struct wakeup *w, unsigned marked);

/* One thread only. Makes a system call only if the event is marked. */
void wakeup_notify(struct wakeup *w);

#endif
