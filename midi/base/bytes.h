/* Numbers to bytes and back, for what continuo writes for itself (not MIDI): seven bits a
 * byte, the lowest first, the top bit set on all but the last; signed ones folded first,
 * so that small ones of either sign are short (0, -1, 1, -2, ...).
 *
 * Writing grows and reading stops: a failure sticks, what is read after it is 0, and one
 * look at `failed` in the end is enough. */
#ifndef MIDI_BYTES_H
#define MIDI_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zero-initialise; `bytes` is the owner's to free. failed: out of memory. */
struct bytes_out {
    uint8_t *bytes;
    size_t n, cap;
    bool failed;
};

void bytes_put(struct bytes_out *to, const void *from, size_t n);
void bytes_put_byte(struct bytes_out *to, uint8_t byte);
void bytes_put_number(struct bytes_out *to, uint64_t number);
void bytes_put_signed(struct bytes_out *to, int64_t number);
/* Its length, then its bytes. */
void bytes_put_block(struct bytes_out *to, const void *from, size_t n);

/* Borrowed bytes [at, end). failed: there are fewer than asked for, or a number is too
 * large. */
struct bytes_in {
    const uint8_t *at, *end;
    bool failed;
};

size_t bytes_left(const struct bytes_in *from);
/* The next n of them; NULL: failed. */
const uint8_t *bytes_take(struct bytes_in *from, size_t n);
uint8_t bytes_byte(struct bytes_in *from);
uint64_t bytes_number(struct bytes_in *from);
int64_t bytes_signed(struct bytes_in *from);
/* The same, and it fails unless it is at most `most`. */
uint64_t bytes_number_to(struct bytes_in *from, uint64_t most);
/* What bytes_put_block wrote, *n bytes; NULL: failed. */
const uint8_t *bytes_block(struct bytes_in *from, size_t *n);

#endif
