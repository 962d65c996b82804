/* FNV-1a with 64 bits (Fowler, Noll & Vo 1991): a quick fingerprint of bytes. It does
 * not protect against forgery. Pure, any thread. */
#ifndef MIDI_HASH_H
#define MIDI_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_START UINT64_C(0xcbf29ce484222325)

/* Extends `hash` by `n` bytes. */
static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t n)
{
    const uint8_t *byte = bytes;
    for (size_t i = 0; i < n; i++) {
        /* The analyzer takes all bytes of an integer but the first one for
         * uninitialised. */
        /* NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult) */
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

#endif
