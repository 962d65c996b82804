#include "midi/base/bytes.h"

#include <stdlib.h>
#include <string.h>

void bytes_put(struct bytes_out *to, const void *from, size_t n)
{
    if (to->failed || n == 0)
        return;
    if (n > to->cap - to->n) {
        size_t cap = to->cap + (to->cap > n ? to->cap : n) + 64;
        uint8_t *grown = realloc(to->bytes, cap);
        if (!grown) {
            to->failed = true;
            return;
        }
        to->bytes = grown;
        to->cap = cap;
    }
    memcpy(to->bytes + to->n, from, n);
    to->n += n;
}

void bytes_put_number(struct bytes_out *to, uint64_t number)
{
    uint8_t bytes[10];
    size_t n = 0;
    for (; number > 0x7F; number >>= 7)
        bytes[n++] = (uint8_t)(number | 0x80);
    bytes[n++] = (uint8_t)number;
    bytes_put(to, bytes, n);
}

void bytes_put_block(struct bytes_out *to, const void *from, size_t n)
{
    bytes_put_number(to, n);
    bytes_put(to, from, n);
}

size_t bytes_left(const struct bytes_in *from)
{
    return from->failed ? 0 : (size_t)(from->end - from->at);
}

/* Returns the next n bytes and moves past them. Returns NULL if reading has failed. */
static const uint8_t *take(struct bytes_in *from, size_t n)
{
    if (from->failed || n > bytes_left(from)) {
        from->failed = true;
        return NULL;
    }
    const uint8_t *taken = from->at;
    from->at += n;
    return taken;
}

uint8_t bytes_byte(struct bytes_in *from)
{
    const uint8_t *byte = take(from, 1);
    return byte ? *byte : 0;
}

uint64_t bytes_number(struct bytes_in *from)
{
    uint64_t number = 0;
    if (!from->failed && from->at < from->end && *from->at < 0x80)
        return *from->at++; /* Most numbers take one byte. */
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint64_t byte = bytes_byte(from), bits = byte & 0x7F;
        if (from->failed || bits << shift >> shift != bits)
            break;
        number |= bits << shift;
        if (!(byte & 0x80))
            return number;
    }
    from->failed = true;
    return 0;
}

uint64_t bytes_number_to(struct bytes_in *from, uint64_t most)
{
    uint64_t number = bytes_number(from);
    if (number <= most)
        return number;
    from->failed = true;
    return 0;
}

const uint8_t *bytes_block(struct bytes_in *from, size_t *n)
{
    uint64_t length = bytes_number(from);
    *n = 0;
    if (length > bytes_left(from))
        from->failed = true;
    const uint8_t *block = take(from, from->failed ? 0 : (size_t)length);
    if (block)
        *n = (size_t)length;
    return block;
}

bool vlq_read(const uint8_t **at, const uint8_t *end, uint32_t *value)
{
    uint32_t v = 0;
    for (const uint8_t *p = *at; p < end; p++) {
        if (v > VLQ_MAX >> 7)
            return false;
        v = v << 7 | (*p & 0x7Fu);
        if (*p & 0x80u)
            continue;
        *at = p + 1;
        *value = v;
        return true;
    }
    return false;
}

size_t vlq_write(uint8_t to[VLQ_MAX_BYTES], uint32_t value)
{
    size_t n = 1;
    while (n < VLQ_MAX_BYTES && value >> (7 * n))
        n++;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = value >> (7 * (n - 1 - i)) & 0x7Fu;
        to[i] = (uint8_t)(i + 1 < n ? bits | 0x80u : bits);
    }
    return n;
}
