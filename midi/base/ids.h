/* Lists of note ids, ascending. Pure functions. */
#ifndef MIDI_IDS_H
#define MIDI_IDS_H

#include <stddef.h>
#include <stdint.h>

void ids_sort(uint64_t *ids, size_t n);
/* Where the id is; NULL: not among them. ids may be NULL where n is 0. */
const uint64_t *ids_find(const uint64_t *ids, size_t n, uint64_t id);

#endif
