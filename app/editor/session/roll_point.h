/* A place on the roll. */
#ifndef APP_ROLL_POINT_H
#define APP_ROLL_POINT_H

#include <stdint.h>

struct roll_point {
    int64_t tick;
    int pitch; /* MIDI */
};

#endif
