/* The larger and the smaller of two numbers. */
#ifndef MIDI_LARGER_H
#define MIDI_LARGER_H

#include <stdint.h>

static inline int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static inline int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

#endif
