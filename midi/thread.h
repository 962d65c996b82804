/* Threads beside the ui's. Signals are the ui's, so none of them takes any, but for those
 * that a thread sends itself by crashing; what it starts in its turn (a driver's threads,
 * say) inherits that. */
#ifndef MIDI_THREAD_H
#define MIDI_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/* To be joined by whoever started it. false: the system has no room for one more. */
bool thread_start(pthread_t *thread, void *(*run)(void *), void *context);

#endif
