/* Variable-length quantities, read from hostile bytes and written minimally. */
#include "midi/base/vlq.h"

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
