/* Threads whose work may take its time. */
#ifndef APP_BACKGROUND_H
#define APP_BACKGROUND_H

/* Lowers the priority of the calling thread and of the pools that it creates afterwards, so
 * that sound and screen, which need little time, get a processor at once. On Linux each
 * thread has its own niceness; elsewhere nothing happens. */
void background_step_back(void);

#endif
