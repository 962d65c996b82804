/* A bell: any thread rings it, one thread waits for it. A ring is not lost when nobody waits,
 * and one wait answers all rings before it.
 *
 * glibc's semaphores can be waited for until a moment of the monotonic clock; ringing then
 * takes no lock, so the player's threads may ring. Elsewhere the bell is a mutex and a condition
 * variable, whose lock is held for a few instructions. */
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

/* Never waits for the one who waits. */
void bell_ring(struct bell *b);

/* One thread. Waits for a ring until that moment (midi/base/clock.h); NULL: without end.
 * false: the moment came without one. */
bool bell_wait(struct bell *b, const struct timespec *until);

#endif
