/* Where something is, in words: "bar 3", "bar 3, beat 2", "bar 3, beat 2.5". */
#ifndef APP_PLACE_H
#define APP_PLACE_H

#include "midi/score/timeline.h"

enum { PLACE_BYTES = 64 };

const char *place_name(const struct timeline *t, int64_t tick, char buf[PLACE_BYTES]);

#endif
