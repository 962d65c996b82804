/* Numbers as bytes and back. The first form is for continuo's own files: seven bits
 * a byte, lowest first; the top bit is set on all bytes but the last. Signed numbers
 * are folded first (0, -1, 1, -2, ...), so that small ones of either sign are short.
 *
 * A failure sticks: later writes do nothing and later reads return 0. One check of
 * `failed` at the end is enough. */
#ifndef MIDI_BYTES_H
#define MIDI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Starts zeroed. The owner frees `bytes`. failed: out of memory. */
struct bytes_out {
    uint8_t *bytes;
    size_t n, cap;
    bool failed;
};

void bytes_put(struct bytes_out *to, const void *from, size_t n);
void bytes_put_byte(struct bytes_out *to, uint8_t byte);
void bytes_put_number(struct bytes_out *to, uint64_t number);
void bytes_put_signed(struct bytes_out *to, int64_t number);
/* Writes the length, then the bytes. */
void bytes_put_block(struct bytes_out *to, const void *from, size_t n);

/* Reads borrowed bytes [at, end). failed: too few bytes are left, or a number is too
 * large. */
struct bytes_in {
    const uint8_t *at, *end;
    bool failed;
};

size_t bytes_left(const struct bytes_in *from);
uint8_t bytes_byte(struct bytes_in *from);
uint64_t bytes_number(struct bytes_in *from);
int64_t bytes_signed(struct bytes_in *from);
/* Fails if the number is greater than `most`. */
uint64_t bytes_number_to(struct bytes_in *from, uint64_t most);
/* Reads what bytes_put_block wrote; *n is its length. NULL: failed. */
const uint8_t *bytes_block(struct bytes_in *from, size_t *n);

/* Variable-length quantities (Standard MIDI Files, RP-001): seven bits a byte,
 * highest first; the top bit is set on all bytes but the last. */

#define VLQ_MAX 0x0FFFFFFFu /* the largest that four bytes hold */

enum { VLQ_MAX_BYTES = 4 };

/* Reads a number at *at, before `end`, and moves *at past it. Accepts leading zeros.
 * false: cut short, or above VLQ_MAX; *at stays. */
bool vlq_read(const uint8_t **at, const uint8_t *end, uint32_t *value);

/* Writes `value`, at most VLQ_MAX, in the fewest bytes. Returns their number. */
size_t vlq_write(uint8_t to[VLQ_MAX_BYTES], uint32_t value);

#endif
