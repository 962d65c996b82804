/* Numbers as bytes, and bytes as numbers.
 *
 * Continuo's own files write a number with seven bits in each byte, the lowest seven
 * first. The top bit is set in every byte but the last.
 *
 * A failure sticks: later writes do nothing, and later reads return 0. So a caller
 * checks `failed` once, at the end. */
#ifndef MIDI_BYTES_H
#define MIDI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing buffer. It starts zeroed, and its owner frees `bytes`. `failed` means that
 * memory was out. */
struct bytes_out {
    uint8_t *bytes;
    size_t n, cap;
    bool failed;
};

void bytes_put(struct bytes_out *to, const void *from, size_t n);
void bytes_put_number(struct bytes_out *to, uint64_t number);
/* Writes the length, then the bytes. */
void bytes_put_block(struct bytes_out *to, const void *from, size_t n);

/* A reader of the borrowed bytes [at, end). `failed` means that too few bytes were left
 * or that a number was too large. */
struct bytes_in {
    const uint8_t *at, *end;
    bool failed;
};

size_t bytes_left(const struct bytes_in *from);
uint8_t bytes_byte(struct bytes_in *from);
uint64_t bytes_number(struct bytes_in *from);
/* Like bytes_number, but fails if the number is greater than `most`. */
uint64_t bytes_number_to(struct bytes_in *from, uint64_t most);
/* Reads what bytes_put_block wrote, and sets *n to its length. Returns NULL on
 * failure. */
const uint8_t *bytes_block(struct bytes_in *from, size_t *n);

/* Variable-length quantities of Standard MIDI Files (RP-001). A number has seven bits
 * in each byte, the highest seven first. The top bit is set in every byte but the
 * last. */

#define VLQ_MAX 0x0FFFFFFFu /* the largest number that four bytes hold */

enum { VLQ_MAX_BYTES = 4 };

/* Reads a number at *at and moves *at past it; reads no byte at or after `end`. Accepts
 * leading zeros. Returns false, and leaves *at, if the number is cut short or above
 * VLQ_MAX. */
bool vlq_read(const uint8_t **at, const uint8_t *end, uint32_t *value);

/* Writes `value`, which is at most VLQ_MAX, in the fewest bytes. Returns their
 * number. */
size_t vlq_write(uint8_t to[VLQ_MAX_BYTES], uint32_t value);

#endif
