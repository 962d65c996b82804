/* Starting threads, and their priority. The ui thread handles all signals. Every other
 * thread, and any thread that it starts, blocks all signals but those of a crash. */
#ifndef MIDI_THREAD_H
#define MIDI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* The caller joins the thread. Returns false if the system cannot start one more. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* Gives the calling thread real-time priority: it runs before all ordinary threads, but
 * after those of the sound driver. For a thread that works only for moments at a time.
 * On Linux, threads that it starts are ordinary. Does nothing if the system forbids it
 * (RLIMIT_RTPRIO). */
void thread_come_first(void);
/* Makes the calling thread ordinary again, for longer work. */
void thread_be_ordinary(void);
/* Lowers the priority of the calling thread and of the threads that it starts
 * afterwards. Sound and screen, which need little time, then get a processor at once.
 * Linux only: elsewhere all threads of a process have one niceness, and nothing
 * happens. */
void thread_step_back(void);

#endif
