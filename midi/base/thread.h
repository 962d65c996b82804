/* Threads beside the ui's. Signals are the ui's, so none of them takes any, but for those
 * that a thread sends itself by crashing; what it starts in its turn (a driver's threads,
 * say) inherits that. */
#ifndef MIDI_THREAD_H
#define MIDI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* To be joined by whoever started it. false: the system has no room for one more. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *context);

/* Of the calling thread, one that feeds the sound and only ever works for a moment: from now
 * on it runs before all that are not of that kind, however busy the machine is, but after the
 * threads of the sound's driver. What it starts in its turn is ordinary again. Nothing
 * changes where the system does not allow it (RLIMIT_RTPRIO). */
void thread_come_first(void);
/* For what takes longer; come_first again afterwards. */
void thread_be_ordinary(void);

#endif
