/* What threads sleep on until one thread has news for them, without a lock.
 *
 * The sleeper marks the bell, looks for the news, and sleeps if there is none; the one
 * who has news writes it, then rings. No news is slept through: mark, look, write and
 * ring's look at the mark are sequentially consistent, so every thread agrees on one
 * order of the four. Either the look comes after the write and finds the news, or the
 * mark comes before ring's look, which then changes the bell; and nobody falls asleep
 * on a bell that is not as it was marked. Look and write must be atomic_load and
 * atomic_store, without a weaker order.
 *
 * On Linux this is futex(2) with FUTEX_WAIT and FUTEX_WAKE, which compares the bell
 * while it holds off whoever would wake; elsewhere a mutex and a condition do that. */
#ifndef MODEL_BELL_H
#define MODEL_BELL_H

#include <stdatomic.h>

#if defined(__linux__) && !defined(BELL_NO_FUTEX)
#define BELL_HAS_FUTEX 1
#else
#define BELL_HAS_FUTEX 0
#include <pthread.h>
#endif

struct bell {
    atomic_uint state; /* odd: marked, somebody sleeps or is about to */
#if !BELL_HAS_FUTEX
    pthread_mutex_t lock; /* orders going to sleep and waking */
    pthread_cond_t changed;
#endif
};

void bell_init(struct bell *b);
void bell_fini(struct bell *b); /* when nobody can sleep on it any more */

/* Any thread. sleep returns when the bell is no longer as mark returned it, and may
 * return sooner: look again. */
unsigned bell_mark(struct bell *b);
void bell_sleep(struct bell *b, unsigned marked);

/* One thread. A system call only when the bell is marked. */
void bell_ring(struct bell *b);

#endif
