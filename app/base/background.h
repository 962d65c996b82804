/* Threads whose work may take its time. */
#ifndef APP_BACKGROUND_H
#define APP_BACKGROUND_H

/* The calling thread steps back, and those of the pools that it makes from now on: sound
 * and screen, which want little, find a processor at once. On Linux each thread has a
 * niceness of its own; elsewhere nothing happens. */
void background_step_back(void);

#endif
