/* Growing arrays, and looking for a tick in sorted ones. Pure functions, any thread. */
#ifndef MIDI_ARRAY_H
#define MIDI_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes room for one more in an array of n elements of `size` bytes, malloc'd or NULL;
 * *cap is how many it can hold. Returns the array, which may have moved; NULL: out of
 * memory, and the old one stays. */
void *array_grow(void *list, size_t n, size_t *cap, size_t size);

/* A copy of n elements of `size` bytes, malloc'd, with room for one more. NULL: out of
 * memory. */
void *array_copy(const void *list, size_t n, size_t size);

/* Adds a copy of an element of `size` bytes. at: the address of the list's pointer, any
 * pointer to an object. false: out of memory, and all is as it was. */
bool array_add(void *at, size_t *n, size_t *cap, const void *element, size_t size);

/* The list has n elements of `size` bytes, each of which begins with its tick, an
 * int64_t; they ascend. Returns the index of the first at or after `tick`; n: none. */
size_t array_first_at(const void *list, size_t n, size_t size, int64_t tick);

/* Sets `at`, a size_t, to the first index below n for which the condition, which reads
 * `at`, is false, as it is then for all after it; n: none. */
#define ARRAY_PASS(at, n, condition)                                                   \
    do {                                                                               \
        size_t low_ = 0, high_ = (n);                                                  \
        while (low_ < high_) {                                                         \
            (at) = low_ + (high_ - low_) / 2;                                          \
            if (condition)                                                             \
                low_ = (at) + 1;                                                       \
            else                                                                       \
                high_ = (at);                                                          \
        }                                                                              \
        (at) = low_;                                                                   \
    } while (0)

#endif
