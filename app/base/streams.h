/* The three descriptors a program is given. Main thread, while there is no other. */
#ifndef APP_STREAMS_H
#define APP_STREAMS_H

/* Takes the places of those that were closed, so that no file or pipe opened later gets
 * their numbers, and with them our messages or our closing. Reading and writing them fails
 * as it did. */
void streams_fill(void);
/* Before returning `status` from main: what was printed is written, or that is said and the
 * status is 1. */
int streams_finish(int status);

#endif
