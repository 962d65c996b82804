/* Instruments that fit the line being typed. UI thread only. */
#ifndef APP_INSTRUMENT_H
#define APP_INSTRUMENT_H

#include <stdbool.h>

struct session;

void instrument_typed(struct session *s); /* after each letter of any line */
/* Up or down the list; false: no such line is typed. */
bool instrument_step(struct session *s, int by);

#endif
