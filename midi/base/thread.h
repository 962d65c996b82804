/* Starting threads. The ui thread handles all signals; the others block them, except
 * those that a crash sends. Threads that they start inherit this. */
#ifndef MIDI_THREAD_H
#define MIDI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* The caller joins the thread. false: the system cannot start one more. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* Gives the calling thread real-time priority: it runs before all ordinary threads,
 * after the sound driver's. For a thread that works only for moments at a time.
 * Threads that it starts are ordinary on Linux. Does nothing where the system forbids it
 * (RLIMIT_RTPRIO). */
void thread_come_first(void);
/* Makes the calling thread ordinary again, for longer work. */
void thread_be_ordinary(void);
/* Lowers the priority of the calling thread and of the pools that it creates afterwards, so
 * that sound and screen, which need little time, get a processor at once. On Linux each
 * thread has its own niceness; elsewhere nothing happens. */
void thread_step_back(void);

#endif
