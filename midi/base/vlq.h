/* Variable-length quantities (Standard MIDI Files, RP-001): seven bits a byte,
 * the highest first, the top bit set on all but the last. */
#ifndef MIDI_VLQ_H
#define MIDI_VLQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VLQ_MAX 0x0FFFFFFFu /* what four bytes hold, the most a file may say */

enum { VLQ_MAX_BYTES = 4 };

/* Reads at *at, before `end`, and moves *at past it. Leading zeros are taken.
 * false: cut short, or more than VLQ_MAX; *at stays. */
bool vlq_read(const uint8_t **at, const uint8_t *end, uint32_t *value);

/* Writes `value`, at most VLQ_MAX, in as few bytes as it takes; their number. */
size_t vlq_write(uint8_t to[VLQ_MAX_BYTES], uint32_t value);

#endif
