/* Growing arrays, and searching sorted ones. Pure functions, any thread. */
#ifndef MIDI_ARRAY_H
#define MIDI_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* realloc for n elements of `size` bytes, which is not 0. NULL also where that many bytes cannot
 * be. */
void *array_resize(void *old, size_t n, size_t size);

/* Makes room for one more element in `list`, a malloc'd pointer or NULL, which has n
 * elements and room for `cap`, a size_t. The list may move. false: out of memory, and
 * nothing changed. */
#define ARRAY_GROW(list, n, cap) array_grow(&(list), n, &(cap), sizeof *(list))

/* For ARRAY_GROW; `list` is the address of the pointer. */
bool array_grow(void *list, size_t n, size_t *cap, size_t size);

/* A copy of n elements of `size` bytes, malloc'd, with room for one more. NULL: out of
 * memory. */
void *array_copy(const void *list, size_t n, size_t size);

/* Adds a copy of an element of `size` bytes. list: the address of the list's pointer.
 * false: out of memory, and nothing changed. */
bool array_add(void *list, size_t *n, size_t *cap, const void *element, size_t size);

/* The same for a list without a capacity of its own, which doubles at each power of two. */
bool array_push(void *list, size_t *n, const void *element, size_t size);

/* The list has n elements, sorted by tick. Each begins with its tick, an int64_t. Returns
 * the index of the first at or after `at_tick`; n: none. */
#define ARRAY_FIRST_AT(list, n, at_tick)                                               \
    array_first_at(list, n, sizeof *(list), at_tick)

/* For ARRAY_FIRST_AT. */
size_t array_first_at(const void *list, size_t n, size_t size, int64_t tick);

/* Sets `at`, a size_t, to the first index below n for which the condition is false; n:
 * none. The condition reads `at`, and once it is false it stays false. */
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
