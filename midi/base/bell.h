/* A bell wakes one waiting thread. Any thread may ring it. A ring is not lost if nobody
 * is waiting: the next wait returns at once. One wait consumes all rings before it.
 *
 * With glibc the bell is a semaphore, which can be waited for until a moment of the
 * monotonic clock. Ringing then takes no lock, so the player's threads may ring.
 * Elsewhere the bell is a mutex and a condition variable; the mutex is held for a few
 * instructions only. */
#ifndef MIDI_BELL_H
#define MIDI_BELL_H

#include <stdbool.h>
#include <time.h>

#if defined(__GLIBC__) && !defined(CONTINUO_PORTABLE)
#include <semaphore.h>
struct bell {
    sem_t rings;
};
#else
#include <pthread.h>
struct bell {
    pthread_mutex_t lock; /* guards is_rung */
    pthread_cond_t changed;
    bool is_rung;
};
#endif

void bell_init(struct bell *b);
void bell_fini(struct bell *b);

/* Does not wait for the thread that waits. */
void bell_ring(struct bell *b);

/* Waits for a ring until the moment `until` (midi/base/clock.h); NULL means without
 * end. Only one thread may wait. Returns false if the moment came without a ring. */
bool bell_wait(struct bell *b, const struct timespec *until);

#endif
