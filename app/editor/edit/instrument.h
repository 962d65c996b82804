/* The list of instruments that match the line being typed. UI thread only. */
#ifndef APP_INSTRUMENT_H
#define APP_INSTRUMENT_H

#include <stdbool.h>

struct session;

void instrument_typed(struct session *s); /* after each letter of any line */
/* Moves up or down the list; false: no such line is being typed. */
bool instrument_step(struct session *s, int by);

#endif
