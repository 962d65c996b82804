/* Growing arrays, and binary search in sorted ones. Pure functions, any thread. */
#ifndef MIDI_ARRAY_H
#define MIDI_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* realloc for n elements of `size` bytes each; `size` is not 0. Returns NULL if memory
 * is out or if the total does not fit in a size_t. */
void *array_resize(void *old, size_t n, size_t size);

/* Makes room for one more element in `list`, which is a malloc'd pointer or NULL. The
 * list has n elements and room for `cap` of them; `cap` is a size_t and is updated. The
 * list may move. Returns false if memory is out; then nothing has changed. */
#define ARRAY_GROW(list, n, cap) array_grow(&(list), n, &(cap), sizeof *(list))

/* The function behind ARRAY_GROW. `list` is the address of the list's pointer. */
bool array_grow(void *list, size_t n, size_t *cap, size_t size);

/* Returns a malloc'd copy of n elements of `size` bytes, with room for one more.
 * Returns NULL if memory is out. */
void *array_copy(const void *list, size_t n, size_t size);

/* Appends a copy of an element of `size` bytes. `list` is the address of the list's
 * pointer. Returns false if memory is out; then nothing has changed. */
bool array_add(void *list, size_t *n, size_t *cap, const void *element, size_t size);

/* Appends like array_add to a list that stores no capacity: the list grows whenever its
 * length is a power of two. */
bool array_push(void *list, size_t *n, const void *element, size_t size);

/* Searches a list of n elements that is sorted by tick. Each element begins with its
 * tick, an int64_t. Returns the index of the first element at or after `at_tick`, or n
 * if there is none. */
#define ARRAY_FIRST_AT(list, n, at_tick)                                               \
    array_first_at(list, n, sizeof *(list), at_tick)

/* The function behind ARRAY_FIRST_AT. */
size_t array_first_at(const void *list, size_t n, size_t size, int64_t tick);

/* Sets `at`, a size_t, to the first index below n for which the condition is false, or
 * to n if there is none. The condition reads `at`. Once it is false, it must stay false
 * for all larger indices. */
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
